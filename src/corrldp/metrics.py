"""Errors of estimated counts, one number per run."""

from typing import Literal

import numpy as np
from numpy.typing import ArrayLike
from scipy.special import ndtri

from corrldp.arrays import Floats

NORMAL = float(ndtri(0.975))
"""Standard errors on either side of a 95 % interval."""


def mse_counts(estimates: ArrayLike, counts: ArrayLike) -> Floats:
    """Squared error of the estimated counts, averaged over the k values of the domain.

    Parameters
    ----------
    estimates : (..., k)
        Estimated counts; the leading axes are runs.
    counts : (k,)
        True counts.

    Returns
    -------
    (...) array, in users squared. Source: JRR paper, Eq. 28 (one run; the figures average over runs).
    """
    errors = np.asarray(estimates, dtype=float) - np.asarray(counts, dtype=float)
    return np.mean(errors**2, axis=-1)


def are(estimates: ArrayLike, counts: ArrayLike, zero: Literal["skip", "domain"] = "skip") -> Floats:
    """Averaged relative error of the estimated counts over the values of the domain.

    The definition divides by the true count, so it is undefined when a value does not occur. Two readings:
    ``"skip"`` averages over the values that occur; ``"domain"`` sums over them and divides by the size
    of the whole domain. They agree when every value occurs.

    Parameters
    ----------
    estimates : (..., k)
        Estimated counts; the leading axes are runs.
    counts : (k,)
        True counts.
    zero : {"skip", "domain"}
        How values with a true count of zero are treated.

    Returns
    -------
    (...) array, dimensionless. Source: JRR paper, Eq. 29.

    Raises
    ------
    ValueError
        `zero` is unknown or no value occurs.
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
