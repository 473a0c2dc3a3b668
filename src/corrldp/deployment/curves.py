"""The error of a protocol as a curve of the frequency that is estimated.

The squared error of an estimated frequency is, for all protocols planned here, a polynomial of degree 2 in the
frequency and depends on nothing else about the records, as their classes say (`error_of`). Three values of the exact
`expected_mse` determine it, so its maximum over all possible tables is exact as well. Only the step from a squared
error to an interval is approximate: it takes estimates to be normal.
"""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from scipy.special import ndtri

from corrldp.arrays import Floats
from corrldp.protocols.protocol import RecordProtocol
from corrldp.protocols.records import RecordTable

LEVEL = 0.95
INTERVAL, POWER = float(ndtri((1 + LEVEL) / 2)), float(ndtri(LEVEL))
"""Standard errors in half a two-sided interval, and below which an estimate falls with probability `LEVEL`."""


@dataclass(frozen=True)
class ErrorCurve:
    """The squared error of the estimates of one attribute as a function of the frequency: its coefficients (k,).

    A `bias` (k,) is the largest absolute one of each value's estimate, by which intervals are wider; the squared error
    is that of the rest.
    """

    constant: Floats
    linear: Floats
    square: Floats
    bias: Floats | float = 0.0

    def at(self, share: float | Floats) -> Floats:
        """Return the expected squared error (k,) of each value if this share of the users has it."""
        return self.constant + self.linear * share + self.square * share**2

    def largest(self) -> Floats:
        """Return the largest expected squared error (k,) of each value over all shares."""
        with np.errstate(divide="ignore", invalid="ignore"):
            top = np.where(self.square < 0, -self.linear / (2 * self.square), 0.0)
        inside = np.clip(np.nan_to_num(top), 0, 1)
        return np.maximum.reduce([self.at(0.0), self.at(1.0), self.at(inside)])

    def error(self, share: float | None) -> float:
        """Return half of a 95 % interval at a share, or the largest of all shares; the largest of all values."""
        squares = self.largest() if share is None else self.at(share)
        return float((self.bias + INTERVAL * np.sqrt(squares)).max())

    def smallest_share(self) -> float | None:
        """Return the least share f that is `POWER` standard errors at f above `INTERVAL` standard errors at 0.

        A bias may raise the estimate of an absent value and lower the other one.
        """
        threshold = INTERVAL * np.sqrt(self.constant) + 2 * self.bias
        quadratic = 1 - POWER**2 * self.square
        half = threshold + POWER**2 * self.linear / 2
        rest = threshold**2 - POWER**2 * self.constant
        found = (half + np.sqrt(np.maximum(half**2 - quadratic * rest, 0))) / quadratic
        largest = float(found.max())
        return largest if (quadratic > 0).all() and largest <= 1 else None


def curves_of(one: RecordProtocol, users: int) -> list[ErrorCurve]:
    """Return the squared error of each attribute's estimates, from the protocol's `expected_mse` of three tables.

    If only a bound is known, the curve is constant. Else none, half or all of the users have value 1 of every
    attribute, the others value 0. Values from 2 on differ from value 1 by a constant, if at all.
    """
    if one.error_of == "bound":
        bounds, biases = one.error_bound(users), one.bias_bound(users)  # type: ignore[attr-defined]
        none = np.zeros_like(bounds)
        return [ErrorCurve(*(part[j, :k] for part in (bounds, none, none, biases))) for j, k in enumerate(one.sizes)]
    rows = np.stack([np.zeros(one.d, dtype=np.int64), np.ones(one.d, dtype=np.int64)])
    half = users // 2
    tables = [RecordTable(rows, np.array([users - ones, ones]), one.sizes) for ones in (0, half, users)]
    absent, middle, present = (one.expected_mse(table) for table in tables)  # type: ignore[attr-defined]
    curves = []
    for j, k in enumerate(one.sizes):
        first = _through(present[j, 0], middle[j, 0], absent[j, 0], (users - half) / users)
        second = _through(absent[j, 1], middle[j, 1], present[j, 1], half / users)
        constant, linear, square = np.array([first, *[second] * (k - 1)]).T
        constant[1:] = absent[j, 1:k]
        curves.append(ErrorCurve(constant, linear, square))
    return curves


def _through(absent: float, middle: float, present: float, share: float) -> tuple[float, float, float]:
    """Return constant, linear and square coefficients, given values at 0, at a share and at 1."""
    square = ((present - absent) * share - (middle - absent)) / (share * (1 - share))
    return absent, present - absent - square, square


def bias_of(curves: Sequence[ErrorCurve]) -> float:
    """Return the largest bias of all values of all attributes."""
    return float(max(np.max(curve.bias) for curve in curves))
