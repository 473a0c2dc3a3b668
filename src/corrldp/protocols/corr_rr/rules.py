"""How Corr-RR chooses p_y, the probability that an attribute copies the pivot's report.

A rule maps the estimates of the first phase (..., d, k), the number of users of the second phase and its GRR to
copy probabilities (..., d, d): row = pivot s, column = the attribute j that follows it, 1 on the diagonal. All rules
judge p_y by the error of attribute j when it has the two sources j and s, whatever d is, as in the papers; only `joint`
goes beyond them. With d attributes an estimate mixes d sources, and the biases of followers can cancel or add up.
"""

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from corrldp.arrays import Floats, Integers
from corrldp.mechanisms.grr import GRR
from corrldp.mechanisms.validation import ROUNDING

Rule = Callable[[Floats, int, GRR], Floats]

SWEEPS = 100  # of coordinate descent; more do not visibly improve a quadratic on a box


def theorem_5(f_j: Floats, f_s: Floats, p_y: Floats, n2: int, mechanism: GRR) -> Floats:
    """Mean squared error of the Phase II estimates of attribute j, as PETS Theorem 5 prints it (d = 2).

    The attribute has the frequencies `f_j` and copies, with probability `p_y` (...), the pivot with `f_s`, all (...,
    k); `n2` users report in the second phase. Reports are treated as independent draws from one law, as if records,
    too, were random. For given records the error is smaller by the variance of the users' mu over n2.
    """
    k, gap = mechanism.k, mechanism.gap
    p_y = np.asarray(p_y, dtype=float)[..., None]
    mu = (f_j + (1 - p_y) / (k - 1) + (k * p_y - 1) / (k - 1) * f_s) / 2
    reported = mechanism.q_support + gap * mu
    return reported * (1 - reported) / (n2 * gap**2) + (mu - f_j) ** 2


@dataclass(frozen=True)
class Proposition1:
    """Proposition 1 of the PETS version, whose stationary point is B / 2A with a `sign`.

    It is `clipped` to [0, 1], which minimises Theorem 5's average error, 0 where that does not depend on p_y, if the
    sign is -1; or else compared with the end points 0 and 1. With `values`, a follower that does not copy is taken to
    draw from the other ones of so many values.
    """

    sign: int
    clipped: bool = True
    values: int | None = None

    def __call__(self, first: Floats, n2: int, mechanism: GRR) -> Floats:
        square, linear = pair_quadratic(first, n2, mechanism, self.values)
        stationary = np.divide(self.sign * linear, 2 * square, out=np.zeros_like(square), where=square > 0)
        return _with_diagonal(np.clip(stationary, 0, 1)) if self.clipped else _best_of(stationary, square, linear)


pets_body = Proposition1(1, clipped=False)
"""As the body prints it, +B / 2A."""

pets_body_clipped = Proposition1(1)
pets_appendix = Proposition1(-1, clipped=False)
"""With the sign of the appendix (Eq. 9)."""

exact = Proposition1(-1)


@dataclass(frozen=True)
class Fixed:
    """The same probability for all pairs."""

    p_y: float

    def __call__(self, first: Floats, n2: int, mechanism: GRR) -> Floats:
        d = first.shape[-2]
        return _with_diagonal(np.full((*first.shape[:-2], d, d), self.p_y))


def pair_quadratic(first: Floats, n2: int, mechanism: GRR, values: int | None = None) -> tuple[Floats, Floats]:
    """Coefficients A of p_y^2 and B of p_y in Theorem 5's error summed over values, each (..., d, d)."""
    k = values or mechanism.k
    f_j, f_s = first[..., None, :, :], first[..., :, None, :]
    alpha = 1 - 1 / n2
    beta = -2 * f_j + (1 - 2 * mechanism.q_support) / (n2 * mechanism.gap)
    c0 = (f_j + (1 - f_s) / (k - 1)) / 2
    c1 = np.broadcast_to(_slope(f_s, k) / 2, c0.shape)
    return alpha * np.sum(c1**2, axis=-1), np.sum(c1 * (2 * alpha * c0 + beta), axis=-1)


def _best_of(stationary: Floats, square: Floats, linear: Floats) -> Floats:
    """Of 0, 1 and the stationary point, where it is a probability, the one with the smallest error."""
    inside = np.where((stationary >= 0) & (stationary <= 1), stationary, 0)
    candidates = np.stack([np.zeros_like(inside), np.ones_like(inside), inside])
    best = first_smallest(square * candidates**2 + linear * candidates, np.abs(square) + np.abs(linear))
    return _with_diagonal(np.take_along_axis(candidates, best[None], axis=0)[0])


def first_smallest(errors: Floats, scale: Floats) -> Integers:
    """Position of the smallest of the errors (candidates, ...), which arithmetic knows to 1e-12 of their `scale` (...).

    Errors that differ by less are equal, and the first of them wins, so that processors agree.
    """
    return np.argmax(errors <= errors.min(axis=0) + 1e-12 * scale, axis=0)


def _with_diagonal(copy: Floats) -> Floats:
    return np.where(np.eye(copy.shape[-1], dtype=bool), 1.0, copy)


def joint(first: Floats, n2: int, mechanism: GRR) -> Floats:
    """Rule that minimises PETS Theorem 5, with 1/d for 1/2, over all p_y together, by coordinate descent from 1."""
    d, k = first.shape[-2:]
    fixed, slope = _sources(first, k)
    alpha, length = 1 - 1 / n2, np.sum(slope**2, axis=-1)
    beta = -2 * first + (1 - 2 * mechanism.q_support) / (n2 * mechanism.gap)
    followers = np.ones((*first.shape[:-1], d))
    for sweep in range(SWEEPS * d):
        s = sweep % d
        mu = np.mean(fixed + slope * followers[..., None], axis=-2)
        without = mu - slope[..., s, :] * followers[..., s, None] / d
        downhill = -np.sum(slope[..., s, :] * (2 * alpha * without + beta), axis=-1)
        curvature = 2 * alpha * length[..., s] / d
        best = np.divide(downhill, curvature, out=np.zeros_like(downhill), where=curvature > 0)
        followers[..., s] = np.where(np.arange(d) == s, 1, np.clip(best, 0, 1))
    return np.swapaxes(followers, -1, -2)


def _sources(frequencies: Floats, k: int) -> tuple[Floats, Floats]:
    """Split the mean debiased report of follower j if s is the pivot into fixed + slope p_y, each (..., j, s, v)."""
    d = frequencies.shape[-2]
    pivot = np.broadcast_to(frequencies[..., None, :, :], (*frequencies.shape[:-1], d, k))
    return (1 - pivot) / (k - 1), _slope(pivot, k)


def _slope(pivot: Floats, k: int) -> Floats:
    """Change of a follower's mean report from no copy to a copy, for each frequency of the pivot: 0 for exactly 1/k.

    Frequencies that are 1/k but for rounding must not choose p_y, on which the error does not depend then.
    """
    excess = k * pivot - 1
    return np.where(np.abs(excess) <= ROUNDING, 0, excess) / (k - 1)


RULES: dict[str, Rule] = {"exact": exact, "appendix": pets_appendix, "body": pets_body, "joint": joint}
"""Rules by the names that `corrldp.protocol` takes."""
