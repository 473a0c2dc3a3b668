"""Means over runs, with their standard errors."""

import numpy as np
from numpy.typing import ArrayLike, NDArray

Floats = NDArray[np.float64]


def mean_and_se(values: ArrayLike, axis: int = 0) -> tuple[Floats, Floats]:
    """Mean over runs and its standard error, which is exactly 0 where all runs agree.

    Parameters
    ----------
    values : array
        One number per run along `axis`.
    axis : int
        Axis of the runs, at least two of them.

    Returns
    -------
    mean, standard error : arrays with `axis` removed

    Raises
    ------
    ValueError
        There are fewer than two runs.
    """
    values = np.asarray(values, dtype=float)
    runs = values.shape[axis]
    if runs < 2:
        raise ValueError(f"runs={runs} gives no standard error: simulate at least 2 runs")
    agree = np.ptp(values, axis=axis) == 0
    mean = np.where(agree, values.take(0, axis=axis), values.mean(axis=axis))  # the mean of equal numbers is rounded
    return mean, np.where(agree, 0.0, values.std(axis=axis, ddof=1) / np.sqrt(runs))
