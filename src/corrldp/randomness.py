"""Random generators that depend on what is computed, never on the order; and random bits of exactly known probability.

A probability is drawn by comparing it with a uniform number of finitely many binary digits, so an event happens with a
probability that is known exactly, as a fraction. Integers from `rng.integers` are exactly uniform.
"""

import ctypes
import hashlib
import json
import math
import operator
import os
import threading
from fractions import Fraction
from functools import partial
from itertools import repeat
from typing import TYPE_CHECKING, TypeAlias

import numpy as np
from numpy.typing import ArrayLike

from corrldp.arrays import Bits, Floats, Integers

Size: TypeAlias = int | tuple[int, ...] | None

BITS = 30
"""Bits of a probability that decide draws: a relative error of 5e-10, far below what any simulation resolves."""

DIGITS = 53  # binary, of a uniform number
SPLITTER = 2.0 ** (DIGITS - BITS) + 1


class Stream(np.random.Generator):
    """Generator whose draws are the same on every processor.

    Processors differ in the last bits of exp, log and matrix products. NumPy's binomial and multinomial samplers decide
    by such bits: whether a probability exceeds 1/2, which it equals for the last two of equally likely values, or
    whether (n + 1) p is a whole number. One other decision shifts all later draws. So probabilities are rounded.
    """

    if not TYPE_CHECKING:  # types are those of NumPy's methods, which have many

        def binomial(self, n: ArrayLike, p: ArrayLike, size: Size = None) -> int | Integers:
            """Draw as `numpy.random.Generator.binomial` does."""
            return super().binomial(n, rounded(p), size)

        def multinomial(self, n: ArrayLike, pvals: ArrayLike, size: Size = None) -> Integers:
            """Draw as `numpy.random.Generator.multinomial` does."""
            law = rounded(pvals)
            # Fewer than eight numbers are added in turn in both ways, which is faster for many laws at once.
            law /= sum(law.T).T[..., None] if law.shape[-1] < 8 else law.sum(axis=-1, keepdims=True)
            return super().multinomial(n, law, size)

        def choice(
            self, a: ArrayLike, size: Size = None, replace: bool = True, p: ArrayLike | None = None, **options: object
        ) -> int | Integers:
            """Draw as `numpy.random.Generator.choice` does."""
            law = None if p is None else rounded(p)
            return super().choice(a, size, replace, None if law is None else law / law.sum(), **options)


def rounded(p: ArrayLike) -> Floats:
    """Return numbers rounded to `BITS` significant bits (Veltkamp's splitting), in two arrays of their size."""
    large = np.multiply(p, SPLITTER)
    return np.subtract(large, large - p, out=large if large.ndim else None)


def generator(seed: int, *key: object) -> Stream:
    """Make the generator of the random stream for `key` under the project's `seed`.

    The stream is a function of the canonical JSON text of ``[seed, *key]`` alone: the order of a mapping's entries does
    not matter, nor does whether 1 is written as an integer, a float or a numpy scalar. What JSON cannot express is a
    TypeError; a number that is not finite, or a seed that is no integer >= 0, a ValueError.
    """
    if isinstance(seed, bool) or not isinstance(seed, int | np.integer) or seed < 0:
        raise ValueError(f"seed={seed!r} must be an integer >= 0")
    text = json.dumps(_canonical([seed, *key]), sort_keys=True, separators=(",", ":"), allow_nan=False)
    digest = hashlib.sha256(text.encode()).digest()
    return Stream(np.random.PCG64(np.random.SeedSequence(int.from_bytes(digest))))


def bernoulli(chance: float, shape: tuple[int, ...], rng: np.random.Generator) -> Bits:
    """Draw independent bits of a `shape`, each 1 with probability `chance`.

    A bit is 1 if a uniform number lies below `chance`. One random byte, the number's first eight binary digits, decides
    this unless it equals those of `chance`; only then, once in 256 draws, is a float of 53 more digits drawn and
    compared with the rest. So `chance` is resolved to 61 digits, more than by `rng.random() < chance`.
    """
    size = int(np.prod(shape))
    drawn = rng.integers(2**64, size=-(-size // 8), dtype=np.uint64).view(np.uint8)[:size]
    first = int(256 * chance)
    bits = drawn < first
    undecided = np.flatnonzero(drawn == first)
    bits[undecided] = rng.random(undecided.size) < 256 * chance - first
    return bits.reshape(shape)


def chance_of_uniform(chance: float) -> Fraction:
    """Return the exact probability of `rng.random() < chance`."""
    return Fraction(math.ceil(Fraction(chance) * 2**DIGITS), 2**DIGITS)


def chance_of_bit(chance: float) -> Fraction:
    """Return the exact probability that `bernoulli` draws a 1."""
    first = int(256 * chance)
    return (first + chance_of_uniform(256 * chance - first)) / 256


def exact_log_ratio(more: Fraction, less: Fraction) -> float:
    """Return log(more / less), infinite if `less` is 0."""
    if not less:
        return math.inf
    ratio = more / less
    return math.log1p(ratio - 1) if ratio < 2 else math.log(ratio.numerator) - math.log(ratio.denominator)


def deployment_rng() -> np.random.Generator:
    """Make a generator for a user's device, each of whose draws is new random bytes from the operating system.

    It has no state: from the draws that a report shows, such as a hash key or which attribute it is on, nobody can
    compute those that hide the user's values, and a copy of the process draws others.
    """
    return np.random.Generator(OperatingSystem())  # type: ignore[arg-type]  # see NumPy: Extending


class OperatingSystem:
    """The operating system's cryptographic generator, as a bit generator of NumPy (its documentation: Extending)."""

    def __init__(self) -> None:
        self.lock = threading.Lock()
        self.capsule = _capsule(ctypes.addressof(BITGEN), NAME, None)


# Built-in functions only: a signal could interrupt bytecode, and ctypes would then return 0 as if it had been drawn.
WORDS = map(int.from_bytes, map(os.urandom, repeat(8)))
HALVES = map(operator.rshift, WORDS, repeat(32))
UNIFORMS = map(operator.mul, map(operator.rshift, WORDS, repeat(11)), repeat(2.0**-53))

WORD = ctypes.CFUNCTYPE(ctypes.c_uint64, ctypes.c_void_p)
HALF = ctypes.CFUNCTYPE(ctypes.c_uint32, ctypes.c_void_p)
UNIFORM = ctypes.CFUNCTYPE(ctypes.c_double, ctypes.c_void_p)


class Bitgen(ctypes.Structure):
    """NumPy's `bitgen_t`: a state and functions of it, which `next` takes for a default that is never used."""

    _fields_ = (("state", ctypes.c_void_p), ("word", WORD), ("half", HALF), ("uniform", UNIFORM), ("raw", WORD))


BITGEN = Bitgen(None, WORD(partial(next, WORDS)), HALF(partial(next, HALVES)), UNIFORM(partial(next, UNIFORMS)))
BITGEN.raw = BITGEN.word
NAME = b"BitGenerator"
_capsule = ctypes.PYFUNCTYPE(ctypes.py_object, ctypes.c_void_p, ctypes.c_char_p, ctypes.c_void_p)(
    ("PyCapsule_New", ctypes.pythonapi)
)


def _canonical(value: object) -> object:
    if isinstance(value, np.generic):
        value = value.item()
    if isinstance(value, float) and value.is_integer():
        return int(value)
    if isinstance(value, dict):
        return {name: _canonical(entry) for name, entry in value.items()}
    if isinstance(value, list | tuple):
        return [_canonical(entry) for entry in value]
    return value
