"""Generalized randomized response (GRR), of which Warner's is the case k = 2."""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import ArrayLike

from corrldp.arrays import Floats, Integers
from corrldp.mechanisms.pure import Budgeted, FrequencyOracle, Report, whole
from corrldp.mechanisms.validation import check_codes, check_counts, check_runs
from corrldp.randomness import bernoulli, chance_of_bit, exact_log_ratio

LARGE_DOMAIN = 5  # values from which drawing by whether a value is replaced is more than twice as fast


@dataclass(frozen=True)
class GRR(Budgeted, FrequencyOracle):
    """Report the true value with probability p and each other value with probability q = p / e^epsilon.

    The exponential mechanism reports a value r with probability proportional to e^(epsilon u / 2), u = 1 for the true
    value and 0 otherwise. The normalising constant is the same for all values, so the factor 1/2 of the general
    mechanism is not needed: it is GRR with half the budget (CPL paper, Appendix A).
    """

    @cached_property
    def p_support(self) -> float:
        """Probability of the true value, e^epsilon / (e^epsilon + k - 1)."""
        return float(1 / (1 + (self.k - 1) * np.exp(-self.epsilon)))

    @cached_property
    def q_support(self) -> float:
        """Probability of each other value, 1 / (e^epsilon + k - 1)."""
        return float(np.exp(-self.epsilon) * self.p_support)

    @cached_property
    def gap(self) -> float:
        return float(-np.expm1(-self.epsilon) * self.p_support)

    @property
    def support_sizes(self) -> tuple[int, int]:
        return 1, 1

    @property
    def fixed_size(self) -> int:
        return 1

    def channel(self) -> Floats:
        return np.full((self.k, self.k), self.q_support) + np.diag(np.full(self.k, self.gap))

    def privatize(self, values: ArrayLike, rng: np.random.Generator) -> Integers:
        values = check_codes(values, self.k)
        reports = other_values(values, self.k, rng)
        np.copyto(reports, values, where=bernoulli(self.p_support, values.shape, rng))
        return reports

    def effective_channel(self) -> Floats:
        """Distribution (k, k) of the value guessed from a report given the true one: the channel itself."""
        return self.channel()

    def support(self, reports: ArrayLike) -> Integers:
        return np.bincount(check_codes(reports, self.k), minlength=self.k)

    def simulate(self, counts: ArrayLike, runs: int, rng: np.random.Generator) -> Integers:
        counts, runs = check_counts(counts, self.k), check_runs(runs, self.k)
        rows = (rng.multinomial(n, row, size=runs) for n, row in zip(counts, self.channel(), strict=True))
        return sum(rows, np.zeros((runs, self.k), dtype=np.int64))

    def perturb_counts(self, counts: Integers, rng: np.random.Generator) -> Integers:
        """Draw the number of reports of each value (..., k) in populations with `counts` (..., k): exact.

        To report another value with probability q each is to replace the value, with probability k q, by a uniform one.
        All values replaced are drawn together: about 2 k draws instead of k^2.
        """
        if self.k < LARGE_DOMAIN:
            return np.einsum("...uv->...v", rng.multinomial(counts, self.channel()))
        kept = rng.binomial(counts, self.gap)
        return kept + rng.multinomial((counts - kept).sum(axis=-1), np.full(self.k, 1 / self.k))

    def sampled_epsilon(self) -> float:
        truth = chance_of_bit(self.p_support)
        return exact_log_ratio(truth * (self.k - 1), 1 - truth)

    def encode(self, reports: ArrayLike) -> list[Report]:
        return np.asarray(reports).tolist()

    def decode(self, reports: Sequence[Report]) -> Integers:
        return np.array([whole(report, self.k) for report in reports], dtype=np.int64)


def other_values(values: Integers, k: int, rng: np.random.Generator) -> Integers:
    """Draw, for each of `values` (n,), one of the k - 1 other values uniformly."""
    drawn = rng.integers(k - 1, size=values.size)
    drawn += drawn >= values
    return drawn
