"""Joint randomized response for binary values (JRR paper, Sections 4.1 and 4.3)."""

from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import ArrayLike

from corrldp.arrays import Floats, Integers, make_plain, plain
from corrldp.mechanisms.pure import PureMechanism
from corrldp.mechanisms.validation import check_codes, check_counts
from corrldp.protocols.jrr.law import TruthLaw, possible_peers
from corrldp.protocols.jrr.matching import truthful_counts, truthfulness
from corrldp.protocols.jrr.nary import check_rho


@dataclass(frozen=True)
class JointRandomizedResponse(PureMechanism):
    """Pair the users at random; each tells the truth with probability p, with correlation rho within a pair.

    With an odd number of users, one of them, chosen at random, reports by plain randomized response with the
    same p, like a user whose peer is missing in Section 4.5.2 of the paper.

    Parameters
    ----------
    p : float
        Probability of the truth, 1/2 < p <= 1.
    rho : float
        Correlation of a pair's truthfulness, 1 - 1/p <= rho <= 1; 0 is plain randomized response.

    Raises
    ------
    ValueError
        A parameter is outside its range.
    """

    p: float
    rho: float

    def __post_init__(self) -> None:
        make_plain(self)
        if not 0.5 < self.p <= 1:
            raise ValueError(f"p={self.p} must lie in (0.5, 1]: the truth must be likelier than a lie")
        check_rho(self.p, self.rho, k=2)

    @property
    def k(self) -> int:
        """Domain size."""
        return 2

    @cached_property
    def law(self) -> TruthLaw:
        """Joint distribution of a pair's truthfulness (Table 2)."""
        return TruthLaw(self.p, self.rho)

    @property
    def p_support(self) -> float:
        """Probability of the truth."""
        return self.p

    @property
    def q_support(self) -> float:
        """Probability of a lie."""
        return 1 - self.p

    def channel(self) -> Floats:
        """Row-stochastic (2, 2) matrix of one user's Pr[report | value]."""
        return np.array([[self.p, 1 - self.p], [1 - self.p, self.p]])

    def privatize(self, values: ArrayLike, rng: np.random.Generator) -> Integers:
        """Perturb the binary `values` (n,) of randomly paired users into reports (n,)."""
        values = check_codes(values, k=2)
        return np.where(truthfulness(self.law, values.size, rng), values, 1 - values)

    def support(self, reports: ArrayLike) -> Integers:
        """Count the reports of 0 and of 1, (2,)."""
        return np.bincount(check_codes(reports, k=2), minlength=2)

    def simulate(self, counts: ArrayLike, runs: int, rng: np.random.Generator) -> Integers:
        """Draw the support (runs, 2) of a population with `counts` (2,): exact distribution, cost independent of n."""
        counts = check_counts(counts, k=2)
        truthful = truthful_counts(self.law, counts, runs, rng)
        return truthful + (counts - truthful)[:, ::-1]

    def variance_of_counts(self, count: ArrayLike, n: int) -> Floats:
        """Exact variance of either estimated count when `count` of the `n` users have value 1 (Eq. 21).

        A user has D equally likely peers: D = n - 1, which gives Eq. 21, or D = n when n is odd. With
        s = +1 for a user of value 1 and -1 for one of value 0, paired users' reports have covariance
        rho p q s_1 s_2, the sum of s_1 s_2 over all ordered pairs is (2 n_1 - n)^2 - n, and each pair is
        matched with probability 1/D, so the variance is p q (n + rho ((2 n_1 - n)^2 - n) / D) / (p - q)^2.
        """
        n = plain(n)
        imbalance = 2 * np.asarray(count, dtype=float) - n
        factor = n + self.rho * (imbalance**2 - n) / possible_peers(n)
        return self.p * (1 - self.p) / self.gap**2 * factor
