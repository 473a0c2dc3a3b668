"""Errors of estimated counts, one number per run."""

from typing import Literal

import numpy as np
from numpy.typing import ArrayLike
from scipy.special import ndtri

from corrldp.arrays import Floats

NORMAL = float(ndtri(0.975))
"""Standard errors on either side of a 95 % interval."""


def mse_counts(estimates: ArrayLike, counts: ArrayLike) -> Floats:
    """Squared error (...) of estimated counts (..., k), averaged over values, in users squared (JRR paper, Eq. 28)."""
    errors = np.asarray(estimates, dtype=float) - np.asarray(counts, dtype=float)
    return np.mean(errors**2, axis=-1)


def are(estimates: ArrayLike, counts: ArrayLike, zero: Literal["skip", "domain"] = "skip") -> Floats:
    """Averaged relative error (...) of estimated counts (..., k) over the values of the domain (JRR paper, Eq. 29).

    The definition divides by the true count, so it is undefined when a value does not occur. Two readings: ``"skip"``
    averages over the values that occur; ``"domain"`` sums over them and divides by the size of the whole domain. They
    agree when every value occurs; if none does, it is a ValueError.
    """
    if zero not in ("skip", "domain"):
        raise ValueError(f'zero={zero!r} must be "skip" or "domain"')
    counts = np.asarray(counts, dtype=float)
    occurs = counts > 0
    if not occurs.any():
        raise ValueError("the relative error needs at least one value that occurs: all counts are 0")
    relative = np.abs(np.asarray(estimates, dtype=float)[..., occurs] / counts[occurs] - 1)
    divisor = occurs.sum() if zero == "skip" else counts.size
    return relative.sum(axis=-1) / divisor
