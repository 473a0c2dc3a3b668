"""Random events, and the exact probability with which the generator draws them.

A probability is drawn by comparing it with a uniform number of finitely many binary digits, so an event happens with a
probability that is known exactly, as a fraction. Integers from `rng.integers` are exactly uniform.
"""

import math
from fractions import Fraction

import numpy as np

from corrldp.arrays import Bits

DIGITS = 53


def bernoulli(chance: float, shape: tuple[int, ...], rng: np.random.Generator) -> Bits:
    """Draw independent bits, each 1 with probability `chance`.

    A bit is 1 if a uniform number lies below `chance`. One random byte, the number's first eight binary digits, decides
    this unless it equals those of `chance`; only then, once in 256 draws, is a float of 53 more digits drawn and
    compared with the rest. So `chance` is resolved to 61 digits, more than by `rng.random() < chance`.

    Parameters
    ----------
    chance : float
        Probability, 0 to 1.
    shape : tuple of int
        Shape of the result.
    rng : numpy.random.Generator
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
