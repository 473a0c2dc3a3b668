"""Subset selection (SS): users report a set of values that contains their own more often than any other."""

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import combinations
from math import comb

import numpy as np
from numpy.typing import ArrayLike

from corrldp.arrays import Bits, Floats, Integers, as_array
from corrldp.mechanisms.pure import FEW_DIGITS, Budgeted, FrequencyOracle, Report, members, symmetric_channel
from corrldp.mechanisms.validation import check_codes, check_domain_size, check_epsilon, check_integer
from corrldp.randomness import chance_of_uniform, exact_log_ratio, rounded

LARGEST_CHANNEL = 4096


@dataclass(frozen=True)
class SubsetSelection(Budgeted, FrequencyOracle):
    """Report a set of `size` values; a set with the true value is e^epsilon times likelier than one without it.

    Source: Ye and Barg, IEEE Trans. Inf. Theory 2018; Wang et al., arXiv:1607.08025. `floored` and `rounded` choose the
    size, 1 to k - 1, from epsilon.
    """

    size: int

    def __post_init__(self) -> None:
        super().__post_init__()
        check_integer(self.size, "size", 1, self.k - 1)

    @classmethod
    def floored(cls, epsilon: float, k: int) -> "SubsetSelection":
        """Size k / (e^epsilon + 1) rounded down, at least 1 (CPL paper, Appendix A)."""
        return cls(epsilon, k, max(1, int(best_size(epsilon, k))))

    @classmethod
    def rounded(cls, epsilon: float, k: int) -> "SubsetSelection":
        """Size k / (e^epsilon + 1) rounded to the nearest integer, at least 1."""
        return cls(epsilon, k, max(1, round(best_size(epsilon, k))))

    @property
    def p_support(self) -> float:
        return float(self.size / (self.size + (self.k - self.size) * np.exp(-self.epsilon)))

    @property
    def _zero(self) -> float:
        """Probability that the user's value is not in the set, from its odds where 1 - p would lose digits."""
        odds = float((self.k - self.size) / self.size * np.exp(-self.epsilon))
        return 1 - self.p_support if odds > FEW_DIGITS else odds / (1 + odds)

    @property
    def q_support(self) -> float:
        return (self.size - self.p_support) / (self.k - 1)

    @property
    def gap(self) -> float:
        return float(-np.expm1(-self.epsilon) * self.p_support * (self.k - self.size) / (self.k - 1))

    @property
    def support_sizes(self) -> tuple[int, int]:
        return self.size, self.size

    @property
    def fixed_size(self) -> int:
        return self.size

    def channel(self) -> Floats:
        if comb(self.k, self.size) > LARGEST_CHANNEL:
            raise ValueError(f"k={self.k}, size={self.size} give over {LARGEST_CHANNEL} subsets: make them smaller")
        holds = self._memberships().T
        return np.where(
            holds,
            self.p_support / comb(self.k - 1, self.size - 1),
            self._zero / comb(self.k - 1, self.size),
        )

    def privatize(self, values: ArrayLike, rng: np.random.Generator) -> Integers:
        """Perturb the `values` (n,) of users into reports (n, size), the members of each set in increasing order.

        Each value gets a random rank, the true value the first or the last one; the set has the first `size` ranks. Its
        order is that of the values, since the order of a partition would depend on the ranks.
        """
        values = check_codes(values, self.k)
        ranks = rng.random((values.size, self.k))
        ranks[np.arange(values.size), values] = np.where(rng.random(values.size) < self.p_support, -1, 2)
        return np.sort(np.argpartition(ranks, self.size - 1, axis=1)[:, : self.size], axis=1)

    def effective_channel(self) -> Floats:
        """Distribution (k, k) of the value guessed given the true one, uniformly among the members of a report."""
        return symmetric_channel(self.p_support / self.size, self.k)

    def support(self, reports: ArrayLike) -> Integers:
        return np.bincount(self._check(reports).ravel(), minlength=self.k)

    def _check(self, reports: ArrayLike) -> Integers:
        reports = as_array(reports)
        if reports.ndim != 2 or reports.shape[1] != self.size:
            raise ValueError(f"reports of shape {reports.shape} must be (n, {self.size}) values")
        codes = np.sort(check_codes(reports.ravel(), self.k).reshape(reports.shape), axis=1)
        if (codes[:, 1:] == codes[:, :-1]).any():
            raise ValueError("a report has a value twice: it must be a set")
        return codes

    def sampled_epsilon(self) -> float:
        inside = chance_of_uniform(self.p_support)
        return exact_log_ratio(inside * (self.k - self.size), (1 - inside) * self.size)

    def encode(self, reports: Integers) -> list[Report]:
        return np.sort(reports, axis=1).tolist()

    def decode(self, reports: Sequence[Report]) -> Integers:
        return np.array([members(report, self.k, self.size) for report in reports], dtype=np.int64)

    def perturb_counts(self, counts: Integers, rng: np.random.Generator) -> Integers:
        """Draw the support (..., k) of populations with `counts` (..., k): exact distribution.

        Up to 4096 subsets the cost does not depend on the number of users; beyond that every user is perturbed.
        """
        if comb(self.k, self.size) > LARGEST_CHANNEL:
            return np.apply_along_axis(self._perturb_users, -1, counts, rng)
        sets = sum(rng.multinomial(counts[..., value], row) for value, row in enumerate(self.channel()))
        return sets @ self._memberships()

    def _perturb_users(self, counts: Integers, rng: np.random.Generator) -> Integers:
        values = np.repeat(np.arange(self.k), counts)
        return self.support(self.privatize(values, rng)) if values.size else np.zeros(self.k, dtype=np.int64)

    def _memberships(self) -> Bits:
        """Whether each subset (in lexicographic order) contains each value, (subsets, k)."""
        subsets = np.array(list(combinations(range(self.k), self.size)))
        return (subsets[:, :, None] == np.arange(self.k)).any(axis=1)


def best_size(epsilon: float, k: int) -> float:
    """Set size with the least variance, before rounding: k / (e^epsilon + 1).

    The last bits of e^epsilon, which are not those of another processor, do not count: with 4 values and ln 3 it is 1.
    """
    epsilon, k = check_epsilon(epsilon), check_domain_size(k)
    return float(rounded(k * np.exp(-epsilon) / (1 + np.exp(-epsilon))))
