"""Random bits with a common probability, drawn from few random numbers without rounding the probability."""

import numpy as np

from corrldp.arrays import Bits


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
