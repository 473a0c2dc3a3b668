"""Joint randomized response (JRR paper, Sections 4.1 and 4.3), for k values (4.6.1)."""

from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import ArrayLike

from corrldp.arrays import Floats, Integers, make_plain, plain
from corrldp.mechanisms.grr import other_values
from corrldp.mechanisms.pure import PureMechanism
from corrldp.mechanisms.validation import check_codes, check_counts, check_domain_size
from corrldp.protocols.jrr.pairs import (
    ROUNDING,
    TruthLaw,
    lowest_correlation,
    possible_peers,
    truthful_counts,
    truthfulness,
)


@dataclass(frozen=True)
class JointRandomizedResponse(PureMechanism):
    """Pair the users at random; a pair reports by the joint distribution of Table 2 or, for k > 2, of Eq. 27.

    Each user tells the truth with probability p, 1/k < p <= 1, and reports each other value with q = (1 - p) / (k - 1).
    Given who tells the truth, the lies are uniform and independent, so only the truthfulness is correlated.

    The paper calls rho, from -(k - 1) min((1 - p)/p, p/(1 - p)) to k - 1, the correlation of the two users'
    truthfulness. By Eq. 27 that correlation is rho / (k - 1), see `truthfulness_correlation`; the two agree only for k
    = 2. With rho = 0 this is plain randomized response.

    With an odd number of users, one of them, chosen at random, reports by plain randomized response with the same p,
    like a user whose peer is missing in Section 4.5.2 of the paper.
    """

    p: float
    rho: float
    k: int = 2

    def __post_init__(self) -> None:
        make_plain(self)
        check_domain_size(self.k)
        if not 1 / self.k < self.p <= 1:
            raise ValueError(f"p={self.p} must lie in (1/k, 1] for k={self.k}: the truth must be likelier")
        most = self.k - 1
        lowest = most * lowest_correlation(self.p)
        if not lowest - most * ROUNDING <= self.rho <= most:
            raise ValueError(
                f"rho={self.rho} must lie in [{lowest}, {most}] for p={self.p}, k={self.k}: outside, a joint "
                "probability is negative"
            )

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
        return self.p

    @property
    def q_support(self) -> float:
        return (1 - self.p) / (self.k - 1)

    def channel(self) -> Floats:
        """Row-stochastic (k, k) matrix of one user's Pr[report | value]."""
        return np.where(np.eye(self.k, dtype=bool), self.p_support, self.q_support)

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
        return np.bincount(check_codes(reports, self.k), minlength=self.k)

    def simulate(self, counts: ArrayLike, runs: int, rng: np.random.Generator) -> Integers:
        counts = check_counts(counts, self.k)
        truthful = truthful_counts(self.law, counts, runs, rng)
        if self.k == 2:  # there is one other value, so a lie is not drawn
            return truthful + (counts - truthful)[:, ::-1]
        support = truthful.copy()
        for value in range(self.k):
            others = np.full(self.k, 1 / (self.k - 1))
            others[value] = 0
            support += rng.multinomial(counts[value] - truthful[:, value], others)
        return support

    def variance_of_counts(self, count: ArrayLike, n: int) -> Floats:
        """Exact variance of the estimated count of a value that `count` of the `n` users have.

        Two paired users' reports of v have covariance rho p q a_1 a_2, where a = 1 for a user with value v and
        -1/(k - 1) for any other. This is summed over all pairs of users, each paired with probability 1/D, where D is
        `possible_peers(n)`. For k = 2 the weights sum to the imbalance 2 n_1 - n and their squares to n: Eq. 21.
        """
        count, n = np.asarray(count, dtype=float), plain(n)
        if self.k == 2:  # with the digits of Eq. 21
            factor = n + self.rho * ((2 * count - n) ** 2 - n) / possible_peers(n)
            return self.p * (1 - self.p) / self.gap**2 * factor
        weights = count - (n - count) / (self.k - 1)
        squares = count + (n - count) / (self.k - 1) ** 2
        joint = self.rho * self.p * self.q_support * (weights**2 - squares) / possible_peers(n)
        return super().variance_of_counts(count, n) + joint / self.gap**2
