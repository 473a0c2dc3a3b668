"""Random pairing of users and their truthfulness, for individual users or for counts of users."""

from collections.abc import Iterator

import numpy as np

from corrldp.arrays import Bits, Integers
from corrldp.protocols.counting import draw_without_replacement
from corrldp.protocols.jrr.law import TruthLaw


def match(n: int, rng: np.random.Generator) -> tuple[Integers, Integers]:
    """Pair `n` users uniformly at random.

    Returns
    -------
    first, second : (n // 2,) arrays
        Positions of the members of each pair. If n is odd, the user in neither array is left alone.
    """
    order = rng.permutation(n)
    pairs = n // 2
    return order[:pairs], order[pairs : 2 * pairs]


def truthfulness(law: TruthLaw, n: int, rng: np.random.Generator) -> Bits:
    """Whether each of `n` randomly paired users tells the truth, (n,)."""
    first, second = match(n, rng)
    truthful = rng.random(n) < law.p
    chances = np.where(truthful[first], law.given_truth[0], law.given_lie[0])
    truthful[second] = rng.random(second.size) < chances
    return truthful


def truthful_counts(law: TruthLaw, counts: Integers, runs: int, rng: np.random.Generator) -> Integers:
    """Draw how many users with each value tell the truth, (runs, k).

    The distribution is exact; the cost is of order runs k^2, whatever the number of users.

    Parameters
    ----------
    law : TruthLaw
        Joint distribution of each pair.
    counts : (k,)
        Number of users with each value.
    runs : int
        Number of independent repetitions, each with a new pairing.
    rng : numpy.random.Generator
        Source of randomness.
    """
    first, second, alone = split(counts, runs, rng)
    truthful = rng.binomial(alone, law.p)
    for value, row in enumerate(pair_rows(first, second, rng)):
        both, only_first, only_second, _ = np.moveaxis(
            rng.multinomial(row, [law.both, law.one, law.one, law.neither]), -1, 0
        )
        truthful[:, value] += (both + only_first).sum(axis=1)
        truthful += both + only_second
    return truthful


def split(counts: Integers, runs: int, rng: np.random.Generator) -> tuple[Integers, Integers, Integers]:
    """Divide a population with `counts` (k,) into first members, second members and users left alone.

    Returns
    -------
    first, second, alone : (runs, k) arrays
        Numbers of users with each value; `alone` sums to 1 if n is odd, else to 0.

    Raises
    ------
    ValueError
        There are 10^9 users or more.
    """
    n = int(counts.sum())
    population = np.tile(counts, (runs, 1))
    alone = draw_without_replacement(population, n % 2, rng)
    first = draw_without_replacement(population - alone, n // 2, rng)
    return first, population - alone - first, alone


def pair_rows(first: Integers, second: Integers, rng: np.random.Generator) -> Iterator[Integers]:
    """Match first with second members: for each value, the peers' values of the first members who have it.

    Parameters
    ----------
    first, second : (runs, k)
        Numbers of first and of second members with each value, with equal sums in each run.
    rng : numpy.random.Generator
        Source of randomness.

    Yields
    ------
    (runs, k) array
        Row v of the random table of pairs: how many first members with value v have a peer of each value.
    """
    unmatched = second
    for value in range(first.shape[1] - 1):
        row = draw_without_replacement(unmatched, first[:, value], rng)
        unmatched = unmatched - row
        yield row
    yield unmatched
