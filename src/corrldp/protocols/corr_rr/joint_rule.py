"""Corr-RR's error for any number of attributes, and the p_y that minimise it jointly (beyond the papers).

The papers choose each p_y as if its pair were alone. With d attributes an estimate mixes d sources, and the biases of
followers can cancel or add up.
"""

import numpy as np

from corrldp.mechanisms.grr import GRR
from corrldp.mechanisms.pure import Floats

# Sweeps of coordinate descent; more do not visibly improve a quadratic on a box.
SWEEPS = 100


def theorem_5_for_any_d(frequencies: Floats, copy: Floats, n2: int, mechanism: GRR) -> Floats:
    """Mean squared error (..., d, k) of the Phase II estimates: PETS Theorem 5 with 1/d in place of 1/2.

    As there, records count as random draws; `synthesis.expected_mse` is exact for given records.

    Parameters
    ----------
    frequencies : (..., d, k)
        True frequencies.
    copy : (..., d, d)
        Copy probabilities, row = pivot, column = follower, 1 on the diagonal.
    n2 : int
        Users of the second phase.
    mechanism : GRR
        Randomizer of the pivot.
    """
    fixed, slope = _sources(frequencies, mechanism.k)
    mu = np.mean(fixed + slope * np.swapaxes(copy, -1, -2)[..., None], axis=-2)
    reported = mechanism.q_support + mechanism.gap * mu
    return reported * (1 - reported) / (n2 * mechanism.gap**2) + (mu - frequencies) ** 2


def joint(first: Floats, n2: int, mechanism: GRR) -> Floats:
    """Rule that minimises `theorem_5_for_any_d` over all p_y together, by coordinate descent from 1."""
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
    return (1 - pivot) / (k - 1), (k * pivot - 1) / (k - 1)
