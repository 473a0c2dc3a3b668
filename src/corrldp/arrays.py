"""Array types for signatures, whose docstrings state the shapes, and conversions that refuse in one line."""

from collections.abc import Collection, Iterable
from dataclasses import fields
from fractions import Fraction
from functools import reduce
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

Floats = NDArray[np.float64]
Integers = NDArray[np.int64]
Bits = NDArray[np.bool_]

LONGEST = 80  # characters of a value that an error shows
LARGEST_BYTES = 8 * 2**30


def as_array(values: ArrayLike) -> NDArray[Any]:
    """Return an array, or raise ValueError if rows differ in length or entries are masked."""
    if np.ma.is_masked(values):
        raise ValueError("an array has masked entries, which have no value: leave them out")
    try:
        return np.asarray(values)
    except ValueError as error:
        raise ValueError("the rows of an array must have one length") from error


def as_rows(rows: Iterable[ArrayLike], what: str, kinds: str = "iuf") -> tuple[tuple[Any, ...], ...]:
    """Return rows of numbers, which may differ in length, or raise ValueError that says `what` they are not.

    The `kinds` of numbers are those of numpy's types: whole ones "iu", or fractions, too.
    """
    found = [as_array(row) for row in rows] if np.iterable(rows) else []
    if any(row.ndim != 1 or row.dtype.kind not in kinds for row in found) or not found:
        raise ValueError(f"{what}={in_short(rows)} must be rows of {'numbers' if 'f' in kinds else 'integers'}")
    return tuple(tuple(row.tolist()) for row in found)


def is_integer(array: NDArray[Any]) -> bool:
    """Whether an array has integers; numpy counts lengths of time among them."""
    return array.dtype.kind in "iu"


def as_floats(values: ArrayLike, what: str) -> Floats:
    """Return numbers as floats, or raise ValueError that says `what` they are not."""
    array = as_array(values)
    if array.dtype.kind not in "biuf":
        raise ValueError(f"{what} must be numbers, not {array.dtype}")
    return array.astype(np.float64)


def in_short(value: object) -> str:
    """Return a value as one line of an error, cut if it is long."""
    text = " ".join(repr(value).split())
    return text if len(text) <= LONGEST else f"{text[: LONGEST - 3]}..."


def check_bytes(cells: int, what: str, fix: str, item: int = 8) -> None:
    """Raise ValueError, before anything is allocated, unless `cells` numbers of `item` bytes fit into 8 GiB."""
    if cells * item > LARGEST_BYTES:
        raise ValueError(
            f"{what} needs {cells:,} cells, {cells * item / 2**30:,.1f} GiB, above the limit of "
            f"{LARGEST_BYTES / 2**30:g} GiB: {fix}"
        )


def check_choice(value: object, name: str, allowed: Collection[str]) -> str:
    """Return the parameter called `name`, or raise ValueError unless it is one of the `allowed` texts."""
    if not isinstance(value, str) or value not in allowed:
        raise ValueError(f"{name}={in_short(value)} must be one of {', '.join(allowed)}")
    return value


def plain(value: Any) -> Any:  # noqa: ANN401
    """Return a number as Python's own bool, int or float; tuples and lists member by member, all else as it is.

    Numbers of numpy's keep their type in arithmetic: -x wraps around if x is unsigned, and exp(x) has half precision if
    x has 8 bits. Subclasses of int and float may have an arithmetic of their own, too. So all numbers that enter the
    library pass through this function.
    """
    if type(value) in (bool, int, float):
        return value
    if type(value) in (tuple, list):
        return type(value)(map(plain, value))
    if isinstance(value, Fraction):
        try:
            return float(value)
        except OverflowError:
            return value
    if isinstance(value, int):
        return int.__int__(value)
    if isinstance(value, float):
        return float.__float__(value)
    number = isinstance(value, np.generic | np.ndarray) and not value.ndim and value.dtype.kind in "biuf"
    if not number or np.ma.is_masked(value):
        return value
    return float(value) if value.dtype.kind == "f" else value.item()


def make_plain(parameters: object) -> None:
    """Make the numbers among the fields of a dataclass plain; see `plain`."""
    for field in fields(parameters):  # type: ignore[arg-type]
        value = getattr(parameters, field.name)
        if (number := plain(value)) is not value:
            object.__setattr__(parameters, field.name, number)


def kronecker(matrices: Iterable[NDArray[np.floating]]) -> Floats:
    """Return the product of one or more matrices, rows and columns in the order of `numpy.ravel_multi_index`."""
    return np.asarray(reduce(np.kron, matrices), dtype=np.float64)


def row_products(matrices: Iterable[Floats]) -> Floats:
    """Return the products (rows, k_1 ... k_m) of every combination of columns of (rows, k_j) each; of none, (1, 1)."""
    first = np.ones((1, 1))
    return reduce(lambda found, one: (found[:, :, None] * one[:, None, :]).reshape(len(one), -1), matrices, first)
