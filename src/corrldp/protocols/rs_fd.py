"""RS+FD: report one sampled attribute, invent the others uniformly (Arcolezi et al., CIKM 2021)."""

from dataclasses import dataclass

import numpy as np

from corrldp.mechanisms.pure import Floats
from corrldp.mechanisms.validation import check_epsilon
from corrldp.protocols.fake_data import FakeDataProtocol
from corrldp.protocols.records import check_sizes, within


@dataclass(frozen=True)
class RSFD(FakeDataProtocol):
    """Random sampling plus fake data with GRR (Corr-RR paper, Section 2.4.2).

    Parameters
    ----------
    epsilon : float
        Privacy budget, > 0.
    sizes : (d,)
        Domain sizes.
    amplify : bool
        Whether the sampled attribute gets the larger budget ln(d (e^epsilon - 1) + 1).

    Raises
    ------
    ValueError
        A parameter is outside its range.
    """

    epsilon: float
    sizes: tuple[int, ...]
    amplify: bool = False

    def __post_init__(self) -> None:
        check_epsilon(self.epsilon)
        check_sizes(self.sizes)

    @property
    def fakes(self) -> Floats:
        """Uniform laws (d, K)."""
        return within(self.sizes) / np.asarray(self.sizes)[:, None]
