"""Names of the array types that signatures use; docstrings give the shapes."""

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]
Integers = NDArray[np.int64]
Bits = NDArray[np.bool_]
