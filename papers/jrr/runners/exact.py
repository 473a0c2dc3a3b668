"""The exact distribution of the number of ones that the collector receives under JRR, for any number of users.

For a few users, all ways to pair them are listed: the reference for the closed forms, slow but too simple to be wrong.
"""

import math
from collections.abc import Iterator, Sequence
from functools import reduce

import numpy as np

from corrldp.protocols.jrr.mechanism import JointRandomizedResponse

LARGEST_N = 10


def matchings(users: Sequence[int]) -> Iterator[list[tuple[int, int]]]:
    """Yield every way to divide an even number of users, at most 10 (945 matchings), into pairs, each once."""
    if len(users) % 2 or len(users) > LARGEST_N:
        raise ValueError(f"{len(users)} users cannot be listed in pairs; take an even number up to {LARGEST_N}")
    if not users:
        yield []
        return
    first, *rest = users
    for position, peer in enumerate(rest):
        for pairs in matchings(rest[:position] + rest[position + 1 :]):
            yield [(first, peer), *pairs]


def enumerate_law_of_ones(values: Sequence[int], law: JointRandomizedResponse) -> np.ndarray:
    """Return Pr[I_1 = i] for i = 0, ..., n: the number of reports of 1 from users with binary `values` (n,)."""
    found = []
    for pairs in matchings(range(len(values))):
        of_pairs = (_pair_law(values[first], values[second], law) for first, second in pairs)
        found.append(reduce(np.convolve, of_pairs, np.ones(1)))
    return np.mean(found, axis=0)


def enumerate_truth_log_odds(law: JointRandomizedResponse, colluders: Sequence[int], n: int) -> float:
    """Return the log-odds that user 0 tells the truth, given that of users 1, ..., m of n, an even number.

    A colluder is 1 who told the truth, and 0 who lied. The odds are infinite if the colluders determine them, NaN if
    their truthfulness has probability zero.
    """
    lie, truth = (_probability_of((known, *colluders), n, law) for known in (0, 1))
    with np.errstate(divide="ignore", invalid="ignore"):
        return float(np.log(truth) - np.log(lie))


def _pair_law(first: int, second: int, law: JointRandomizedResponse) -> np.ndarray:
    """Return the distribution of the number of ones that a pair reports, (3,)."""
    distribution = np.zeros(3)
    for (truth_first, truth_second), probability in np.ndenumerate(law.matrix()):
        distribution[(first == truth_first) + (second == truth_second)] += probability
    return distribution


def _probability_of(known: Sequence[int], n: int, law: JointRandomizedResponse) -> float:
    """Return the probability that users 0, 1, ... have the truthfulness `known`, averaged over all matchings."""
    joint = law.matrix()
    marginal = joint.sum(axis=1)
    chances = []
    for pairs in matchings(range(n)):
        chance = 1.0
        for first, second in pairs:
            if second < len(known):
                chance *= joint[known[first], known[second]]
            elif first < len(known):
                chance *= marginal[known[first]]
        chances.append(chance)
    return float(np.mean(chances))


TAILS = 14  # standard deviations around the mean beyond which the probability is below double precision

NEGLIGIBLE = 1e-20  # values of the characteristic function below it change no probability in double precision

RESOLUTION = 1e-14
"""Probabilities below it are rounding errors of 0, as at the smallest rho, where half of all users tell the truth.

Far from the mean they would count for an order statistic of the errors, and differ from processor to processor.
"""

VANISHING = 1e-300  # what stands for 0 where a logarithm is taken; its powers are negligible


def law_of_ones(protocol: JointRandomizedResponse, n1: int, n: int) -> tuple[np.ndarray, np.ndarray]:
    """Return the possible numbers of reports of 1, increasing, and their probabilities, exact to 1e-12.

    Given the number of pairs of two users who hold 1, the reports of the pairs are independent, so the characteristic
    function is a sum of products of those of the three kinds of pairs. It is inverted on a window around the mean that
    contains all but a negligible probability, from the few frequencies at which it is not negligible itself. A `n1`
    outside 0..n is a ValueError.
    """
    if not 0 <= n1 <= n:
        raise ValueError(f"n1={n1} must lie in 0..n={n}: it counts the users who hold 1")
    mean = n1 * protocol.p + (n - n1) * (1 - protocol.p)
    deviation = protocol.gap * math.sqrt(float(protocol.variance_of_counts(n1, n)))
    width = min(n + 1, 2 ** math.ceil(math.log2(2 * TAILS * deviation + 8)))
    lowest = max(0, min(n + 1 - width, round(mean) - width // 2))
    z = np.exp(-2j * np.pi * np.arange(width // 2 + 1) / width)
    modulo = np.fft.irfft(_of_all(protocol, n1, n, z), width)
    modulo[modulo < RESOLUTION] = 0
    ones = lowest + np.arange(width)
    return ones, modulo[ones % width]


def _of_all(law: JointRandomizedResponse, n1: int, n: int, z: np.ndarray) -> np.ndarray:
    """Return E[z^ones]; of an odd number of users one, chosen at random, is alone."""
    if n % 2 == 0:
        return _of_pairs(law, n1, n, z)
    transform = np.zeros(z.size, dtype=complex)
    if n1 > 0:
        transform += n1 / n * (law.lie + law.p * z) * _of_pairs(law, n1 - 1, n - 1, z)
    if n1 < n:
        transform += (1 - n1 / n) * (law.p + law.lie * z) * _of_pairs(law, n1, n - 1, z)
    return transform


def _of_pairs(law: JointRandomizedResponse, n1: int, n: int, z: np.ndarray) -> np.ndarray:
    """Return E[z^ones] of n/2 pairs, and 0 where it is negligible."""
    kinds = np.array(
        [
            law.neither + 2 * law.one * z + law.both * z**2,
            law.one + (law.both + law.neither) * z + law.one * z**2,
            law.both + 2 * law.one * z + law.neither * z**2,
        ]
    )
    pairs, weights = _pairs_of_ones(n1, n)
    numbers = np.column_stack([pairs, n1 - 2 * pairs, n // 2 - n1 + pairs])
    transform = np.zeros(len(z), dtype=complex)
    # The size of a product is log-linear in the number of pairs, so it is largest for the fewest or the most of them.
    largest = np.maximum(*(np.prod(np.abs(kinds.T) ** numbers[end], axis=1) for end in (0, -1)))
    places = np.flatnonzero(largest > NEGLIGIBLE)
    logarithms = np.log(np.where(kinds == 0, VANISHING, kinds)[:, places])
    transform[places] = np.exp(logarithms.T @ numbers.T) @ weights
    return transform


def _pairs_of_ones(n1: int, n: int) -> tuple[np.ndarray, np.ndarray]:
    """Return the possible numbers of pairs of two users who hold 1, and their probabilities; omit negligible ones."""
    from scipy.special import gammaln  # here, since most programs never need it and it takes long to import

    pairs = np.arange(max(0, n1 - n // 2), n1 // 2 + 1)
    mixed = n1 - 2 * pairs
    ways = gammaln(n // 2 + 1) - gammaln(pairs + 1) - gammaln(mixed + 1) - gammaln(n // 2 - pairs - mixed + 1)
    populations = gammaln(n + 1) - gammaln(n1 + 1) - gammaln(n - n1 + 1)
    weights = np.exp(ways + mixed * math.log(2) - populations)
    kept = weights > 1e-16
    return pairs[kept], weights[kept] / weights[kept].sum()  # gammaln of millions has lost digits
