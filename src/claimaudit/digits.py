"""The meaning of printed digits: the interval of all numbers that print like them.

Papers round their numbers or cut them off and do not say which. So a number may be below what is printed by half a unit
of the last digit, which it is if rounded up, or above it in size by almost a whole unit, which it is if cut off.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from decimal import Decimal
from functools import cache

import numpy as np
from numpy.typing import ArrayLike

ERROR = 0.5
"""Root mean square of the error of a printed number, in units of its last digit: it is uniform from -1/2 to 1."""

SLACK = 1e-9
"""Part of a unit by which an end of the interval moves: half a unit prints like the number, a whole one does not."""

PATTERN = r"[-+]?([0-9]+\.?[0-9]*|\.[0-9]+)([eE][-+]?[0-9]{1,3})?( ?%)?"
"""Regular expression of a printed number: decimal or scientific notation, with or without a percent sign."""


@dataclass(frozen=True)
class Printed:
    """A printed number: its text, its value and the unit of its last digit, 0.01 for ``0.50`` and ``50 %``."""

    text: str
    value: float
    unit: float

    @classmethod
    @cache
    def read(cls, text: str) -> Printed:
        """Read a printed number; what is none, or not finite, is a ValueError that says what to write."""
        if not re.fullmatch(PATTERN, text):
            raise ValueError(f"{text!r} is not a printed number; write its digits, such as 0.50, 5.0e-1 or 50 %")
        number = Decimal(text.rstrip(" %")).scaleb(-2 if text.endswith("%") else 0)
        value, unit = float(number), float(Decimal(1).scaleb(int(number.as_tuple().exponent)))
        if not np.isfinite(value) or not 0 < unit < np.inf:
            raise ValueError(
                f"{text!r} is too large or too small for a number; write its digits, such as 0.50 or 5.0e-1"
            )
        return cls(text, value, unit)

    @property
    def interval(self) -> tuple[float, float]:
        """The smallest and the largest number that print like this one."""
        low, high = interval(self.value, self.unit)
        return float(low), float(high)

    def shown(self, percent: bool = False) -> str:
        """Return the number as printed, or in percent with the same digits."""
        if not percent or self.text.endswith("%"):
            return self.text
        return f"{Decimal(self.text).scaleb(2):f} %"


def interval(value: ArrayLike, unit: ArrayLike) -> tuple[np.ndarray, np.ndarray]:
    """Return the ends of the intervals for which printed numbers stand; those printed as 0 may have either sign."""
    value, unit = np.asarray(value, dtype=float), np.asarray(unit, dtype=float)
    below, above = (np.where(sign * value > 0, 0.5 + SLACK, 1.0 - SLACK) for sign in (1, -1))
    return value - unit * below, value + unit * above


def prints_as(number: ArrayLike, value: ArrayLike, unit: ArrayLike) -> np.ndarray:
    """Return whether numbers print as `value`, whose last digit has a `unit`."""
    low, high = interval(value, unit)
    number = np.asarray(number, dtype=float)
    return (low <= number) & (number <= high)
