"""Array types for signatures, whose docstrings state the shapes, and conversions that refuse in one line."""

from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

Floats = NDArray[np.float64]
Integers = NDArray[np.int64]
Bits = NDArray[np.bool_]


def as_array(values: ArrayLike) -> NDArray[Any]:
    """Return an array, or raise ValueError if rows differ in length."""
    try:
        return np.asarray(values)
    except ValueError as error:
        raise ValueError("the rows of an array must have one length") from error


def as_floats(values: ArrayLike, what: str) -> Floats:
    """Return numbers as floats, or raise ValueError that says `what` they are not."""
    array = as_array(values)
    if array.dtype.kind not in "biuf":
        raise ValueError(f"{what} must be numbers, not {array.dtype}")
    return array.astype(np.float64)


def in_short(value: object, most: int = 80) -> str:
    """Return a value as one line of an error, cut if it is long."""
    text = " ".join(repr(value).split())
    return text if len(text) <= most else f"{text[: most - 3]}..."
