"""The exact distribution of the number of ones that the collector receives under JRR, for any number of users."""

from __future__ import annotations

import math

import numpy as np
from scipy.special import gammaln

from corrldp.protocols.jrr.binary import JointRandomizedResponse

TAILS = 14
"""Standard deviations around the mean beyond which the probability is below double precision."""


def law_of_ones(protocol: JointRandomizedResponse, n1: int, n: int) -> tuple[np.ndarray, np.ndarray]:
    """Return the possible numbers of reports of 1, increasing, and their probabilities, exact to 1e-12.

    Given the number of pairs of two users who hold 1, the reports of the pairs are independent, so the characteristic
    function is a sum of products of those of the three kinds of pairs. It is inverted on a window around the mean that
    contains all but a negligible probability.

    Parameters
    ----------
    protocol : JointRandomizedResponse
        The parameters.
    n1, n : int
        Users who hold 1, and all users, an even number.

    Raises
    ------
    ValueError
        n is odd, or n1 is not between 0 and n.
    """
    if n % 2 or not 0 <= n1 <= n:
        raise ValueError(f"n={n} must be even and n1={n1} in 0..n: leave one user out")
    mean = n1 * protocol.p + (n - n1) * (1 - protocol.p)
    deviation = protocol.gap * math.sqrt(float(protocol.variance_of_counts(n1, n)))
    width = min(n + 1, 2 ** math.ceil(math.log2(2 * TAILS * deviation + 8)))
    lowest = max(0, min(n + 1 - width, round(mean) - width // 2))
    z = np.exp(-2j * np.pi * np.arange(width) / width)
    law = protocol.law
    both_ones = law.neither + 2 * law.one * z + law.both * z**2
    mixed = law.one + (law.both + law.neither) * z + law.one * z**2
    both_zeros = law.both + 2 * law.one * z + law.neither * z**2
    transform = np.zeros(width, dtype=complex)
    for pairs, weight in zip(*_pairs_of_ones(n1, n), strict=True):
        transform += weight * both_ones**pairs * mixed ** (n1 - 2 * pairs) * both_zeros ** (n // 2 - n1 + pairs)
    modulo = np.maximum(np.fft.ifft(transform).real, 0)
    ones = lowest + np.arange(width)
    return ones, modulo[ones % width]


def _pairs_of_ones(n1: int, n: int) -> tuple[np.ndarray, np.ndarray]:
    """Return the possible numbers of pairs of two users who hold 1, and their probabilities; omit negligible ones."""
    pairs = np.arange(max(0, n1 - n // 2), n1 // 2 + 1)
    mixed = n1 - 2 * pairs
    ways = gammaln(n // 2 + 1) - gammaln(pairs + 1) - gammaln(mixed + 1) - gammaln(n // 2 - pairs - mixed + 1)
    populations = gammaln(n + 1) - gammaln(n1 + 1) - gammaln(n - n1 + 1)
    weights = np.exp(ways + mixed * math.log(2) - populations)
    kept = weights > 1e-16
    return pairs[kept], weights[kept]
