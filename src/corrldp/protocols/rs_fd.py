"""RS+FD: report one sampled attribute, draw the others uniformly (Arcolezi et al., CIKM 2021)."""

from dataclasses import dataclass

import numpy as np

from corrldp.arrays import Floats
from corrldp.protocols.fake_data import FakeDataProtocol
from corrldp.protocols.records import within


@dataclass(frozen=True)
class RSFD(FakeDataProtocol):
    """Random sampling plus fake data with GRR (Corr-RR paper, Section 2.4.2).

    Parameters: see `FakeDataProtocol`.
    """

    epsilon: float
    sizes: tuple[int, ...]
    amplify: bool = False

    @property
    def fakes(self) -> Floats:
        """Uniform distributions (d, K)."""
        return within(self.sizes) / np.asarray(self.sizes)[:, None]
