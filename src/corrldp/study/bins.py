"""Bins for a column of numbers that has none: round bounds, which still depend on the data and so are not private."""

from __future__ import annotations

import math

import numpy as np

from corrldp.arrays import Floats

BINS = 6
STEPS = 20
"""Bounds are multiples of a round number, about so many of which lie between the 5 % and the 95 % quantile; the outer
ones are rounder."""


def propose(numbers: Floats) -> tuple[float, ...] | None:
    """Return round bounds of about six bins with about as many of the `numbers` (m,) each, or None if none fit."""
    low, high = np.quantile(numbers, [0.05, 0.95])
    width = float(high - low) or float(np.ptp(numbers))
    if width <= 0:
        return None
    step = rounded_down(width / STEPS)
    inner = np.quantile(numbers, np.arange(1, BINS) / BINS)
    below, above = (max(step, rounded_down(reach / 5)) for reach in (high - numbers.min(), numbers.max() - low))
    first, last = below * math.floor(numbers.min() / below), above * math.ceil(numbers.max() / above)
    between = (place * step for place in np.rint(inner / step))
    ends = (0.0 if 0 < first < width else first, last)
    bounds = sorted({float(f"{bound:.12g}") for bound in (*ends, *between)})
    return tuple(bounds) if len(bounds) > 2 else None


def rounded_down(number: float) -> float:
    """Return the largest of 1, 2 and 5 times a power of ten that is at most a number > 0."""
    power = 10.0 ** math.floor(math.log10(number) + 1e-12)
    return power * max(digit for digit in (1, 2, 5) if digit * power <= number * (1 + 1e-9))


def numbers_records(numbers: Floats) -> bool:
    """Whether a column seems to number the records: integers, all different, with few gaps."""
    distinct = np.unique(numbers)
    whole = bool((numbers == np.rint(numbers)).all())
    return whole and len(distinct) == len(numbers) and float(np.ptp(numbers)) < 1.1 * len(numbers)
