"""Means over runs, with their standard errors."""

import numpy as np
from numpy.typing import ArrayLike, NDArray

Floats = NDArray[np.float64]

CLEAR = 3.3
"""A difference of so many standard errors counts; chance exceeds it once in a thousand settings."""


def mean_and_se(values: ArrayLike) -> tuple[Floats, Floats]:
    """Mean over runs and its standard error, which is exactly 0 where all runs agree, but for rounding.

    Parameters
    ----------
    values : (runs, ...)
        One number per run; at least two runs.

    Returns
    -------
    mean, standard error : (...) arrays

    Raises
    ------
    ValueError
        There are fewer than two runs.
    """
    values = np.asarray(values, dtype=float)
    runs = len(values)
    if runs < 2:
        raise ValueError(f"runs={runs} gives no standard error: simulate at least 2 runs")
    agree = np.ptp(values, axis=0) <= 1e-12 * np.abs(values[0])
    mean = np.where(agree, values[0], values.mean(axis=0))  # the mean of equal numbers is rounded
    return mean, np.where(agree, 0.0, values.std(axis=0, ddof=1) / np.sqrt(runs))
