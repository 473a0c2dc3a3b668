"""The Kronecker product of the matrices of several attributes."""

from collections.abc import Iterable
from functools import reduce
from math import prod

import numpy as np
from numpy.typing import NDArray

from corrldp.arrays import Floats

LARGEST_CHANNEL = 10**8


def kronecker(matrices: Iterable[NDArray[np.floating]]) -> Floats:
    """Return the product of one or more matrices, rows and columns in the order of `numpy.ravel_multi_index`."""
    return np.asarray(reduce(np.kron, matrices), dtype=np.float64)


def record_channel(channels: Iterable[Floats]) -> Floats:
    """Return Pr[reports | record] from the channels of attributes that are reported independently, as `kronecker`.

    Raises
    ------
    ValueError
        The channel has more than 10^8 entries.
    """
    factors = list(channels)
    records, reports = (prod(factor.shape[axis] for factor in factors) for axis in (0, 1))
    check_channel(records, reports)
    return kronecker(factors)


def check_channel(records: int, reports: int) -> None:
    """Raise ValueError unless a channel has at most 10^8 entries."""
    if records * reports > LARGEST_CHANNEL:
        raise ValueError(f"a channel of {records} records and {reports} reports is too large: take smaller domains")
