"""The formulas of the Corr-RR preprint as printed, correct only for two values.

The preprint gives every value other than the pivot's report the probability 1 - p_y, so for k > 2 its laws do not sum
to 1; its algorithm takes the sensible (1 - p_y) / (k - 1). The error formula (Theorem 4) follows from the former.
"""

import numpy as np

from corrldp.arrays import Floats
from corrldp.mechanisms.grr import GRR
from corrldp.protocols.corr_rr.rules import first_smallest


def printed_copy_law(p_y: float, k: int) -> Floats:
    """Pr[Y_j = v | Y_s = 0] for all v as Section 3.2.1 prints it, (k,): a distribution only if k = 2 or p_y = 1."""
    return np.where(np.arange(k) == 0, p_y, 1 - p_y)


def printed_report_law(f_a: Floats, f_b: Floats, p_y: float, mechanism: GRR) -> Floats:
    """Pr[Y_1 = v] for all v as the appendix prints it (pi_v), (k,): a distribution only if k = 2 or p_y = 1."""
    return mechanism.q_support + mechanism.gap / 2 * (f_a + (1 - p_y) + f_b * (2 * p_y - 1))


def theorem_4(f_a: Floats, f_b: Floats, p_y: Floats, n2: int, mechanism: GRR) -> Floats:
    """Mean squared error of the Phase II estimates of the first attribute, (..., k)."""
    p_y, gap = np.asarray(p_y, dtype=float)[..., None], mechanism.gap
    e = 2 * f_b - 1
    bias = (1 - f_a - f_b + p_y * e) / 2
    offset = gap / 2 * (f_a - f_b + p_y * e)
    return bias**2 + (1 / 4 - offset**2) / (n2 * gap**2)


def stationary_point(f_a: Floats, f_b: Floats, n2: int) -> Floats:
    """Proposition 1 as printed, (...) from frequencies (..., k): -2 times the minimiser of `theorem_4`'s average."""
    e = 2 * f_b - 1
    numerator = np.sum((1 - f_a - f_b) * e - (f_a - f_b) * e / n2, axis=-1) / 2
    denominator = np.sum(e**2, axis=-1) * (1 - 1 / n2) / 4
    return np.divide(numerator, denominator, out=np.zeros_like(denominator), where=denominator > 0)


def stationary_point_of_appendix(f_a: Floats, f_b: Floats, n2: int, mechanism: GRR) -> Floats:
    """Last formula of the appendix, -sum D_1 / (2 sum D_2), (...) from frequencies (..., k).

    Its variance is pi_v (1 - pi_v), which is that of `theorem_4` for two values only.
    """
    gap, e = mechanism.gap, 2 * f_b - 1
    alpha, beta = mechanism.q_support + gap / 2 * (1 + f_a - f_b), gap / 2 * e
    d_1 = (1 - f_a - f_b) * e / 2 + beta * (1 - 2 * alpha) / (n2 * gap**2)
    d_2 = e**2 / 4 - beta**2 / (n2 * gap**2)
    linear, square = np.sum(d_1, axis=-1), np.sum(d_2, axis=-1)
    return np.divide(-linear, 2 * square, out=np.zeros_like(square), where=square > 0)


def preprint(first: Floats, n2: int, mechanism: GRR) -> Floats:
    """Rule of the preprint: Proposition 1 compared with 0 and 1 by Theorem 4's average, one p_y per pair.

    The attribute of the lower index is the first one of the pair (Algorithm 1 computes p_y for j < k).

    Returns
    -------
    (..., d, d) symmetric copy probabilities, 1 on the diagonal.
    """
    f_a, f_b = _pairs(first)
    return _best_of(stationary_point(f_a, f_b, n2), first, n2, mechanism)


def preprint_appendix(first: Floats, n2: int, mechanism: GRR) -> Floats:
    """Apply the rule `preprint` with the appendix's formula in place of Proposition 1."""
    f_a, f_b = _pairs(first)
    return _best_of(stationary_point_of_appendix(f_a, f_b, n2, mechanism), first, n2, mechanism)


def _pairs(first: Floats) -> tuple[Floats, Floats]:
    """Frequencies (..., pairs, k) of the first and of the second attribute of each pair."""
    low, high = np.triu_indices(first.shape[-2], k=1)
    return first[..., low, :], first[..., high, :]


def _best_of(stationary: Floats, first: Floats, n2: int, mechanism: GRR) -> Floats:
    """Of 0, 1 and the stationary point, where it is a probability, the one with the smallest error, (..., d, d)."""
    inside = np.where((stationary >= 0) & (stationary <= 1), stationary, 0)
    candidates = np.stack([np.zeros_like(inside), np.ones_like(inside), inside])
    errors = theorem_4(*_pairs(first), candidates, n2, mechanism).mean(axis=-1)
    best = first_smallest(errors, np.abs(errors).max(axis=0))
    d = first.shape[-2]
    low, high = np.triu_indices(d, k=1)
    copy = np.ones((*first.shape[:-2], d, d))
    copy[..., low, high] = copy[..., high, low] = np.take_along_axis(candidates, best[None], axis=0)[0]
    return copy
