"""How long tests with drawn mistakes are: `CORRLDP_FUZZ=long` draws as many as an attack does."""

import os
from decimal import Decimal
from fractions import Fraction

import numpy as np

LONG = os.environ.get("CORRLDP_FUZZ") == "long"

NUMBERS = [0, 1, 2, 3, -1, 0.5, 1e-9, 1e-300, 1e9, 800, 37.0, float("nan"), float("inf"), 10**30, 10**400]
NUMBERS += [np.uint8(2), np.int8(-1), np.float16(0.5), np.longdouble(1), np.bool_(True), np.array(2), np.float64("nan")]
NUMBERS += [True, False, Fraction(1, 3), Fraction(10**400), Decimal(2), 1j, np.complex128(1), np.datetime64(2, "s")]
OTHERS = ["1", "", "no", "SPL", "a\nb\x1b[31m\0", "x" * 10**4, b"1", None, (), [], {}, {"a": 1}, set(), object(), len]


def draws(short, long):
    return long if LONG else short


def odd(rng, depth=0):
    """Draw something that a user may pass by mistake, or rightly."""
    kind = rng.integers(7 if depth < 2 else 4)
    if kind < 2:
        return NUMBERS[rng.integers(len(NUMBERS))]
    if kind < 4:
        return OTHERS[rng.integers(len(OTHERS))]
    if kind == 4:
        return [odd(rng, depth + 1) for _ in range(rng.integers(4))]
    if kind == 5:
        return tuple(rng.integers(0, 4, size=rng.integers(1, 4)).tolist())
    shape = tuple(rng.integers(0, 4, size=rng.integers(1, 3)))
    return rng.integers(-1, 4, size=shape).astype(rng.choice(["int64", "float64", "bool", "int32", "uint8", "U1", "O"]))
