"""k-JRR: joint randomized response for values from a domain of k (JRR paper, Section 4.6.1)."""

from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import ArrayLike

from corrldp.arrays import Floats, Integers, make_plain, plain
from corrldp.mechanisms.grr import other_values
from corrldp.mechanisms.pure import PureMechanism
from corrldp.mechanisms.validation import check_codes, check_counts, check_domain_size
from corrldp.protocols.jrr.law import ROUNDING, TruthLaw, lowest_correlation, possible_peers
from corrldp.protocols.jrr.matching import truthful_counts, truthfulness


@dataclass(frozen=True)
class KJRR(PureMechanism):
    """Pair the users at random; a pair reports by the joint distribution of Eq. 27.

    Each user tells the truth with probability p and reports each other value with q = (1 - p) / (k - 1).
    Given who tells the truth, the lies are uniform and independent, so only the truthfulness is correlated.

    The paper calls rho the correlation of the two users' truthfulness. By Eq. 27 that correlation is
    rho / (k - 1), see `truthfulness_correlation`; the two agree only for k = 2.

    Parameters
    ----------
    p : float
        Probability of the truth, 1/k < p <= 1.
    rho : float
        Parameter of Eq. 27, from -(k - 1) min((1 - p)/p, p/(1 - p)) to k - 1.
    k : int
        Domain size, >= 2.

    Raises
    ------
    ValueError
        A parameter is outside its range.
    """

    p: float
    rho: float
    k: int

    def __post_init__(self) -> None:
        make_plain(self)
        check_domain_size(self.k)
        if not 1 / self.k < self.p <= 1:
            raise ValueError(f"p={self.p} must lie in (1/k, 1] for k={self.k}: the truth must be likelier")
        check_rho(self.p, self.rho, self.k)

    @property
    def truthfulness_correlation(self) -> float:
        """Correlation coefficient of two paired users' truthfulness, rho / (k - 1)."""
        return self.rho / (self.k - 1)

    @cached_property
    def law(self) -> TruthLaw:
        """Joint distribution of a pair's truthfulness."""
        return TruthLaw(self.p, self.truthfulness_correlation)

    @property
    def p_support(self) -> float:
        """Probability of the truth."""
        return self.p

    @property
    def q_support(self) -> float:
        """Probability of each other value."""
        return (1 - self.p) / (self.k - 1)

    def channel(self) -> Floats:
        """Row-stochastic (k, k) matrix of one user's Pr[report | value]."""
        return np.full((self.k, self.k), self.q_support) + np.diag(np.full(self.k, self.gap))

    def pair_channel(self) -> Floats:
        """Pr[reports y_1, y_2 | values v_1, v_2] of a pair, a (k, k, k, k) array indexed v_1, v_2, y_1, y_2."""
        truth = np.eye(self.k)
        lie = (1 - truth) / (self.k - 1)
        law = self.law.matrix()
        kinds = (lie, truth)
        return sum(law[i, j] * np.einsum("ac,bd->abcd", kinds[i], kinds[j]) for i in range(2) for j in range(2))

    def privatize(self, values: ArrayLike, rng: np.random.Generator) -> Integers:
        """Perturb the `values` (n,) of randomly paired users into reports (n,)."""
        values = check_codes(values, self.k)
        truthful = truthfulness(self.law, values.size, rng)
        return np.where(truthful, values, other_values(values, self.k, rng))

    def support(self, reports: ArrayLike) -> Integers:
        """Count the reports of each value, (k,)."""
        return np.bincount(check_codes(reports, self.k), minlength=self.k)

    def simulate(self, counts: ArrayLike, runs: int, rng: np.random.Generator) -> Integers:
        """Draw the support (runs, k) of a population with `counts` (k,): exact distribution, cost of order runs k^2."""
        counts = check_counts(counts, self.k)
        truthful = truthful_counts(self.law, counts, runs, rng)
        support = truthful.copy()
        for value in range(self.k):
            others = np.full(self.k, 1 / (self.k - 1))
            others[value] = 0
            support += rng.multinomial(counts[value] - truthful[:, value], others)
        return support

    def variance_of_counts(self, count: ArrayLike, n: int) -> Floats:
        """Exact variance of the estimated count of a value that `count` of the `n` users have.

        Two paired users' reports of v have covariance rho p q a_1 a_2, where a = 1 for a user with value v and
        -1/(k - 1) for any other. This is summed over all pairs of users, each paired with probability
        1 / `possible_peers(n)`.
        """
        count, n = np.asarray(count, dtype=float), plain(n)
        weights = count - (n - count) / (self.k - 1)
        squares = count + (n - count) / (self.k - 1) ** 2
        joint = self.rho * self.p * self.q_support * (weights**2 - squares) / possible_peers(n)
        return super().variance_of_counts(count, n) + joint / self.gap**2


def check_rho(p: float, rho: float, k: int) -> None:
    """Raise ValueError unless `rho` makes every probability of Eq. 27 non-negative."""
    lowest = (k - 1) * lowest_correlation(p)
    if not lowest - (k - 1) * ROUNDING <= rho <= k - 1:
        raise ValueError(
            f"rho={rho} must lie in [{lowest}, {k - 1}] for p={p}, k={k}: outside, a joint probability is negative"
        )
