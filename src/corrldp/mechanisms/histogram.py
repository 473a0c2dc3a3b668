"""Summation with histogram encoding (SHE): one-hot records with Laplace noise on every entry."""

from dataclasses import dataclass
from itertools import product

import numpy as np
from numpy.typing import ArrayLike

from corrldp.arrays import Floats
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
NODES = 64


@dataclass(frozen=True)
class SummationHistogram(Budgeted):
    """Report the one-hot record plus independent Laplace noise of scale 2/epsilon on each of its k entries.

    Source: Wang et al., USENIX Security 2017, Section 4.1. The reports are real vectors, so this is not a pure
    mechanism; the aggregator sums them.
    """

    @property
    def scale(self) -> float:
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

    def effective_channel(self) -> Floats:
        """Distribution (k, k) of the value guessed from a report given the true one.

        The attacker takes all values to be equally frequent and guesses the most probable one, so the largest entry,
        clipped to [0, 1], wins; ties are broken at random. A clipped entry has an atom at 0, one at 1, and a density
        between them. A tie at an atom is broken as if the atom were spread uniformly over the width of a point. So the
        chance of a wrong value to win is a sum of three integrals, over its own entry, of the chance that all others
        lie below; Gauss-Legendre quadrature is exact for the atoms, where these are polynomials, and accurate to
        rounding between them.
        """
        far, k = np.exp(-self.epsilon / 2) / 2, self.k
        nodes, weights = np.polynomial.legendre.leggauss(max(NODES, k // 2 + 1))
        nodes, weights = (nodes + 1) / 2, weights / 2
        above, truth_below = np.exp(-self.epsilon / 2 * nodes) / 2, np.exp(-self.epsilon / 2 * (1 - nodes)) / 2
        at_zero = far * 0.5 ** (k - 1) / k
        between = weights @ (self.epsilon / 2 * above * (1 - above) ** (k - 2) * truth_below)
        at_one = weights @ (far * (1 - far + nodes * far) ** (k - 2) * (1 + nodes) / 2)
        wrong = at_zero + between + at_one
        return np.full((k, k), wrong) + np.diag(np.full(k, 1 - k * wrong))
