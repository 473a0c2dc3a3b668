"""Array types for signatures; docstrings state the shapes."""

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]
Integers = NDArray[np.int64]
Bits = NDArray[np.bool_]
