"""The Kronecker product of the matrices of several attributes."""

from collections.abc import Iterable
from functools import reduce

import numpy as np
from numpy.typing import NDArray

from corrldp.arrays import Floats


def kronecker(matrices: Iterable[NDArray[np.floating]]) -> Floats:
    """Return the product of one or more matrices, rows and columns in the order of `numpy.ravel_multi_index`."""
    return np.asarray(reduce(np.kron, matrices), dtype=np.float64)
