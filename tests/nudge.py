"""Move results of exp, log and power to a neighbouring float, as other processors and libraries do.

Importing it does, which tests and the jobs that they start do where CORRLDP_TEST_NUDGE is set.
"""

import math
import struct

import numpy as np

SPREAD = 0x9E3779B97F4A7C15  # its products with neighbouring integers, modulo 2^64, are spread evenly


class Nudged:
    """A ufunc of which a quarter of the results, by their bits, is a unit in the last place larger, and one smaller."""

    def __init__(self, ufunc):
        self._ufunc = ufunc

    def __call__(self, *arguments, **options):
        result = self._ufunc(*arguments, **options)
        if isinstance(result, np.float64):
            return np.float64(nudged(result))
        if isinstance(result, np.ndarray) and result.dtype == np.float64:
            result[...] = all_nudged(result)  # it may be `out`
        return result

    def __getattr__(self, name):
        return getattr(self._ufunc, name)


def nudged(number):
    """Return the neighbour of a float; whole numbers are exact everywhere, and stay."""
    if not math.isfinite(number) or number.is_integer():
        return number
    turn = (struct.unpack("<Q", struct.pack("<d", number))[0] * SPREAD & 2**64 - 1) >> 62
    return number if turn > 1 else math.nextafter(number, math.inf if turn else -math.inf)


def all_nudged(numbers):
    turn = numbers.view(np.uint64) * np.uint64(SPREAD) >> np.uint64(62)
    stays = ~np.isfinite(numbers) | (numbers == np.floor(numbers)) | (turn > 1)
    return np.where(stays, numbers, np.nextafter(numbers, np.where(turn, np.inf, -np.inf)))


def nudging(function):
    return lambda *arguments: nudged(function(*arguments))


for name in ("exp", "exp2", "expm1", "log", "log1p", "log2", "log10", "power", "logaddexp"):
    setattr(np, name, Nudged(getattr(np, name)))
for name in ("exp", "expm1", "log", "log1p", "log2", "log10", "pow"):
    setattr(math, name, nudging(getattr(math, name)))
