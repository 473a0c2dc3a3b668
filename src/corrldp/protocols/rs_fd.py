"""RS+FD: report one sampled attribute, draw the others uniformly (Arcolezi et al., CIKM 2021)."""

from dataclasses import dataclass

import numpy as np

from corrldp.arrays import Floats
from corrldp.protocols.fake_data import FakeDataProtocol
from corrldp.protocols.fakes import FAKED_ORACLES
from corrldp.protocols.records import within


@dataclass(frozen=True)
class RSFD(FakeDataProtocol):
    """Random sampling plus fake data (Corr-RR paper, Section 2.4.2, with GRR).

    Parameters: see `FakeDataProtocol`.
    """

    oracles = tuple(FAKED_ORACLES)
    adaptive_choice = ("GRR", "OUE-z")

    epsilon: float
    sizes: tuple[int, ...]
    amplify: bool = False
    oracle: str = "GRR"

    @property
    def fakes(self) -> Floats:
        """Uniform distributions (d, K)."""
        return within(self.sizes) / np.asarray(self.sizes)[:, None]
