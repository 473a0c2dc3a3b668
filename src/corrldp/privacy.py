"""The actual epsilon of a finite mechanism, computed from its exact output distributions."""

import numpy as np
from numpy.typing import ArrayLike

from corrldp.arrays import as_floats


def epsilon_between(rows: ArrayLike) -> float:
    """Largest log-ratio of the probabilities of one output in two rows.

    Parameters
    ----------
    rows : (inputs, outputs)
        Likelihood of each output under each input. Only ratios within a column matter, so a factor common
        to a column may be omitted.

    Returns
    -------
    float
        Infinite when one input excludes an output that another allows; outputs that no input allows are
        ignored.

    Raises
    ------
    ValueError
        The array is not a matrix of finite non-negative numbers.
    """
    rows = as_floats(rows, "rows")
    if rows.ndim != 2 or rows.size == 0 or not np.isfinite(rows).all() or (rows < 0).any():
        raise ValueError("rows must be a non-empty (inputs, outputs) matrix of finite numbers >= 0")
    possible = rows[:, rows.max(axis=0) > 0]
    with np.errstate(divide="ignore"):
        logs = np.log(possible)
    return float(np.max(logs.max(axis=0) - logs.min(axis=0), initial=0.0))


def epsilon_of_channel(matrix: ArrayLike) -> float:
    """Exact epsilon of a mechanism over all outputs and all pairs of inputs (Definition 1 of LDP).

    Parameters
    ----------
    matrix : (inputs, outputs)
        Row-stochastic channel.

    Raises
    ------
    ValueError
        A row does not sum to 1 or an entry is negative or not finite.
    """
    sums = as_floats(matrix, "channel").sum(axis=-1)
    if not np.allclose(sums, 1, rtol=0, atol=1e-9):
        raise ValueError(f"every row of a channel must sum to 1, found {sums.min():.9g} to {sums.max():.9g}")
    return epsilon_between(matrix)
