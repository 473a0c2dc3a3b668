"""Summation with histogram encoding (SHE): one-hot records with Laplace noise on every entry."""

from dataclasses import dataclass
from itertools import product

import numpy as np
from numpy.typing import ArrayLike

from corrldp.arrays import Floats, Integers
from corrldp.mechanisms.inference import pick_supported, tied, winning_chances
from corrldp.mechanisms.pure import Budgeted
from corrldp.mechanisms.validation import (
    check_codes,
    check_counts,
    check_frequencies,
    check_runs,
    check_users,
    check_width,
)

LARGEST_CHANNEL = 8


@dataclass(frozen=True)
class SummationHistogram(Budgeted):
    """Report the one-hot record plus independent Laplace noise of scale 2/epsilon on each of its k entries.

    Source: Wang et al., USENIX Security 2017, Section 4.1. The reports are real vectors, so this is not a pure
    mechanism; the aggregator sums them.

    Parameters: see `Budgeted`.
    """

    @property
    def scale(self) -> float:
        """Scale of the noise."""
        return 2 / self.epsilon

    def channel(self) -> Floats:
        """Row-stochastic (k, 3^k) matrix of coarse reports: whether each entry is below, in or above [0, 1].

        The likelihood ratio of two values is most extreme outside [0, 1] and constant there, so the coarse reports have
        the same epsilon as the real ones. A domain of more than 8 values is a ValueError.
        """
        if self.k > LARGEST_CHANNEL:
            raise ValueError(f"k={self.k} gives 3^{self.k} outputs: ask for a channel only up to k={LARGEST_CHANNEL}")
        far = np.exp(-1 / self.scale) / 2
        zero = np.array([0.5, 0.5 - far, far])
        outputs = np.array(list(product(range(3), repeat=self.k)))
        chances = np.where(np.eye(self.k, dtype=bool)[:, None, :], zero[::-1][outputs], zero[outputs])
        return chances.prod(axis=-1)

    def privatize(self, values: ArrayLike, rng: np.random.Generator) -> Floats:
        """Perturb the `values` (n,) of users into reports (n, k)."""
        values = check_codes(values, self.k)
        reports = rng.laplace(scale=self.scale, size=(values.size, self.k))
        reports[np.arange(values.size), values] += 1
        return reports

    def unbias(self, sums: ArrayLike, n: int) -> Floats:
        """Unbiased frequencies (..., k) from the sums (..., k) of `n` reports."""
        return check_width(sums, self.k, "sums") / check_users(n)

    def estimate(self, reports: ArrayLike) -> Floats:
        """Unbiased frequencies (k,) from the reports (n, k) of all users."""
        reports = check_width(reports, self.k, "reports")
        if reports.ndim != 2 or not len(reports) or not np.isfinite(reports).all():
            raise ValueError(f"reports of shape {reports.shape} must be (n, {self.k}) finite numbers, n >= 1")
        return reports.mean(axis=0)

    def variance(self, frequency: ArrayLike, n: int) -> Floats:
        """Exact variance of an estimated frequency, 8 / (n epsilon^2), whatever the true one."""
        return np.full(check_frequencies(frequency).shape, 2 * self.scale**2 / check_users(n))

    def simulate(self, counts: ArrayLike, runs: int, rng: np.random.Generator) -> Floats:
        """Draw the sums (runs, k) of the reports of a population with `counts` (k,): exact distribution.

        The sum of n Laplace variables is the difference of two gamma variables of shape n.
        """
        counts, runs = check_counts(counts, self.k), check_runs(runs, 2 * self.k)
        gammas = rng.gamma(counts.sum(), self.scale, size=(2, runs, self.k))
        return counts + gammas[0] - gammas[1]

    def infer(self, reports: ArrayLike, rng: np.random.Generator, prior: ArrayLike | None = None) -> Integers:
        """Guess the values (n,) of users: the most probable one given each report (n, k), with ties broken at random.

        The attacker assumes the frequencies `prior` (k,), by default uniform.
        """
        scores = np.clip(reports, 0, 1) + self._lowest_scores(prior)
        return pick_supported(tied(scores.max(axis=1, keepdims=True) - scores, self.epsilon), rng)

    def effective_channel(self, prior: ArrayLike | None = None) -> Floats:
        """Distribution (k, k) of the inferred value given the true one, integrated numerically; prior as in `infer`."""
        return winning_chances(self._lowest_scores(prior), self.epsilon)

    def _lowest_scores(self, prior: ArrayLike | None) -> Floats:
        prior = np.full(self.k, 1 / self.k) if prior is None else np.asarray(prior, dtype=float)
        if prior.shape != (self.k,) or not (prior >= 0).all() or not np.isclose(prior.sum(), 1, rtol=0, atol=1e-9):
            raise ValueError(f"prior of shape {prior.shape} and sum {prior.sum()} must be ({self.k},), >= 0 with sum 1")
        with np.errstate(divide="ignore"):
            return np.log(prior) / self.epsilon
