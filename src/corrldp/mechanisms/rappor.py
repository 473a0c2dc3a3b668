"""Basic RAPPOR: a one-hot record is perturbed in two rounds, the first of which is kept for all later reports."""

from dataclasses import dataclass

import numpy as np

from corrldp.arrays import make_plain
from corrldp.mechanisms.unary import BitMechanism
from corrldp.mechanisms.validation import check_domain_size


@dataclass(frozen=True)
class RAPPOR(BitMechanism):
    """One report of basic RAPPOR (Erlingsson et al., CCS 2014).

    The permanent response of a bit is 1 or 0 with probability f/2 each, and the bit itself otherwise. A report has a 1
    with probability q where the permanent response is 1, and with probability p where it is 0. The constants determine
    the privacy; there is no budget to choose.

    Parameters
    ----------
    k : int
        Domain size, >= 2.
    f, p, q : float
        Constants, each in [0, 1] with f < 1 and p < q; neither kind of bit may be reported with certainty.

    Raises
    ------
    ValueError
        A parameter is outside its range.
    """

    k: int
    f: float = 0.5
    p: float = 0.5
    q: float = 0.75

    def __post_init__(self) -> None:
        make_plain(self)
        check_domain_size(self.k)
        if not (0 <= self.f < 1 and 0 <= self.p < self.q <= 1 and self.q_support > 0 and self.p_support < 1):
            raise ValueError(
                f"f={self.f}, p={self.p}, q={self.q} must satisfy 0 <= f < 1 and 0 <= p < q <= 1, "
                "with f > 0 or both 0 < p and q < 1"
            )

    @property
    def p_support(self) -> float:
        """Probability that a 1-bit is reported as 1."""
        return (1 - self.f / 2) * self.q + self.f / 2 * self.p

    @property
    def q_support(self) -> float:
        """Probability that a 0-bit is reported as 1."""
        return self.f / 2 * self.q + (1 - self.f / 2) * self.p

    @property
    def epsilon(self) -> float:
        """Exact epsilon of one report: two values differ in two bits. The default constants give ln(77/45)."""
        p, q = self.p_support, self.q_support
        return float(np.log(p / (1 - p)) - np.log(q / (1 - q)))

    @property
    def epsilon_permanent(self) -> float:
        """Epsilon of the permanent response, hence of all reports of a user together; infinite if f = 0."""
        with np.errstate(divide="ignore"):
            return float(2 * np.log(np.divide(1 - self.f / 2, self.f / 2)))
