"""The attack of the CPL paper's Appendix B: guess a user's value from one report.

For SHE its success is integrated numerically. Given a report y, the log posterior probability of value w is, up to a
common term and the factor epsilon, the score clip(y_w, 0, 1) + log(prior_w) / epsilon. The distribution of a score is a
density between two atoms, the lower one from all y_w <= 0, the upper one from all y_w >= 1. The highest score wins; a
tie is broken at random, as if each atom were spread uniformly over the width of a point. The probability that v wins is
the integral of the density of its score times the distribution functions of the other scores. At an atom the integrand
is a polynomial in the spread, between atoms it is smooth; Gauss-Legendre quadrature is exact for the former and
accurate to rounding for the latter.
"""

from itertools import pairwise
from typing import Protocol

import numpy as np
from numpy.typing import ArrayLike

from corrldp.arrays import Bits, Floats, Integers
from corrldp.mechanisms.pure import RawReports


class Attackable(Protocol):
    """A mechanism whose reports an attacker can use to guess values."""

    k: int

    def privatize(self, values: ArrayLike, rng: np.random.Generator) -> RawReports:
        """Perturb the values (n,) of users."""

    def infer(self, reports: RawReports, rng: np.random.Generator) -> Integers:
        """Guess the values (n,) of users from their reports."""

    def effective_channel(self) -> Floats:
        """Distribution (k, k) of the inferred value given the true one."""


def pick_supported(supported: Bits, rng: np.random.Generator) -> Integers:
    """Pick for each report a value uniformly among those `supported` (n, k) by it, or among all if it supports none."""
    candidates = supported | ~supported.any(axis=1, keepdims=True)
    ranks = candidates.cumsum(axis=1, dtype=np.int32)
    chosen = rng.integers(ranks[:, -1])
    return (ranks > chosen[:, None]).argmax(axis=1)


def guess_channel(p: float, q: float, k: int) -> Floats:
    """Channel (k, k) of `pick_supported` if a report supports its value with probability p and each other with q.

    The supports of the k values are independent. With J other values supported, the true one is picked with probability
    1 / (1 + J) if it is also supported; for J binomial with k - 1 trials the mean of this probability is
    (1 - (1 - q)^k) / (k q). If no value is supported, the pick is uniform.
    """
    share = -np.expm1(k * np.log1p(-q)) / (k * q)
    return symmetric_channel(p * share + (1 - p) * (1 - q) ** (k - 1) / k, k)


def symmetric_channel(correct: float, k: int) -> Floats:
    """Return the (k, k) channel that keeps a value with probability `correct`, else moves to another uniformly."""
    wrong = (1 - correct) / (k - 1)
    return np.full((k, k), wrong) + np.diag(np.full(k, correct - wrong))


NODES = 64
ROUNDING = 1e-12


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
