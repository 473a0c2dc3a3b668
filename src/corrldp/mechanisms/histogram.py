"""Summation with histogram encoding (SHE): one-hot records with Laplace noise on every entry.

The success of the attack of the CPL paper's Appendix B, guessing a value from a report, is integrated numerically.
Given a report y, the log posterior probability of value w is, up to a common term and the factor epsilon, the score
clip(y_w, 0, 1) + log(prior_w) / epsilon. The distribution of a score is a density between two atoms, the lower one from
all y_w <= 0, the upper one from all y_w >= 1. The highest score wins; a tie is broken at random, as if each atom were
spread uniformly over the width of a point. The probability that v wins is the integral of the density of its score
times the distribution functions of the other scores. At an atom the integrand is a polynomial in the spread, between
atoms it is smooth; Gauss-Legendre quadrature is exact for the former and accurate to rounding for the latter.
"""

from dataclasses import dataclass
from itertools import pairwise, product

import numpy as np
from numpy.typing import ArrayLike

from corrldp.arrays import Bits, Floats, Integers
from corrldp.mechanisms.pure import Budgeted, pick_supported
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
ROUNDING = 1e-12


@dataclass(frozen=True)
class SummationHistogram(Budgeted):
    """Report the one-hot record plus independent Laplace noise of scale 2/epsilon on each of its k entries.

    Source: Wang et al., USENIX Security 2017, Section 4.1. The reports are real vectors, so this is not a pure
    mechanism; the aggregator sums them.
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


def tied(differences: Floats, epsilon: float) -> Bits:
    """Whether scores, log-probabilities over `epsilon`, that differ by `differences` stand for equal probabilities."""
    # Log-probabilities are of size 1 to 745, so processors differ by up to 1e-13 in them, and by 1e-16 in the part of
    # a score that is not divided by epsilon. A reader of reports gains nothing from differences of 1e-12. With a budget
    # below 1e-9 the tolerance must not reach the width of a score's distribution, 1.
    return np.abs(differences) <= min(ROUNDING * (1 + 1 / epsilon), 1e-3)


def winning_chances(low: Floats, epsilon: float) -> Floats:
    """Probability (k, k) that each value (column) has the highest score, given the true value (row).

    `low` (k,) has the score of the lower atom of each value, log(prior) / epsilon; -inf for a value that never wins.
    """
    start = low.max()
    atoms = np.concatenate([low, low + 1])
    atoms = np.unique(atoms[(atoms >= start) & (atoms <= start + 1)])
    atoms = atoms[~tied(np.diff(atoms, prepend=-np.inf), epsilon)]
    nodes, weights = np.polynomial.legendre.leggauss(max(NODES, len(low) // 2 + 1))
    nodes, weights = ((nodes + 1) / 2)[:, None, None], (weights / 2)[:, None, None]
    densities, under = [], []
    for atom in atoms:
        mass, below = _atom(atom - low, epsilon)
        densities.append(weights * mass)
        under.append(below + nodes * mass)
    for first, second in pairwise(atoms):
        entries = first + (second - first) * nodes[:, 0] - low
        densities.append((second - first) * weights * _density(entries, epsilon))
        under.append(_distribution(entries, epsilon))
    return _win(np.concatenate(densities), np.concatenate(under))


def _win(densities: Floats, under: Floats) -> Floats:
    """Sum over the nodes of arrays (nodes, 2, k); the second axis is 0 for a false value and 1 for the true one.

    Row u, column v is the density of v's score times the product of the distribution functions of all other scores
    when u is the true value.
    """
    lies = under[:, 0]
    everyone = lies.prod(axis=1, keepdims=True)
    truth = under[:, 1] / lies
    chances = truth.T @ (everyone * densities[:, 0] / lies)
    np.fill_diagonal(chances, (everyone * densities[:, 1] / lies).sum(axis=0))
    return chances


def _atom(entries: Floats, epsilon: float) -> tuple[Floats, Floats]:
    """Probability (2, k) that an entry, clipped to [0, 1], equals `entries` (k,), and that it lies below them."""
    far = np.exp(-epsilon / 2) / 2
    bottom, top = tied(entries, epsilon), tied(entries - 1, epsilon)
    mass = np.stack([0.5 * bottom + far * top, far * bottom + 0.5 * top])
    below = np.where(bottom, 0, _distribution(entries, epsilon))
    return mass, below


def _distribution(entries: Floats, epsilon: float) -> Floats:
    """Probability (..., 2, k) that 0 + noise and 1 + noise, clipped to [0, 1], lie below `entries` (..., k) > 0."""
    inside = np.minimum(entries, 1)
    limited = (entries <= 1) | tied(entries - 1, epsilon)
    functions = [1 - np.exp(-epsilon / 2 * inside) / 2, np.exp(-epsilon / 2 * (1 - inside)) / 2]
    return np.where(limited[..., None, :], np.stack(functions, axis=-2), 1)


def _density(entries: Floats, epsilon: float) -> Floats:
    """Densities (..., 2, k) at `entries` (..., k) > 0 of a clipped entry 0 + noise and 1 + noise."""
    inside = np.minimum(entries, 1)
    functions = [np.exp(-epsilon / 2 * inside), np.exp(-epsilon / 2 * (1 - inside))]
    return np.where(entries[..., None, :] < 1, epsilon / 4 * np.stack(functions, axis=-2), 0)
