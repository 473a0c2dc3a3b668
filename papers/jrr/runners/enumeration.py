"""Exact distributions of JRR for a few users, by listing every way to pair them.

These are the references for the closed forms: slow, but too simple to be wrong.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import numpy as np

from corrldp.protocols.jrr.pairs import TruthLaw

LARGEST_N = 10


def matchings(users: Sequence[int]) -> Iterator[list[tuple[int, int]]]:
    """Yield every way to divide an even number of users into pairs, each once.

    Raises
    ------
    ValueError
        The number of users is odd, or above 10 (945 matchings).
    """
    if len(users) % 2 or len(users) > LARGEST_N:
        raise ValueError(f"{len(users)} users cannot be listed in pairs; take an even number up to {LARGEST_N}")
    if not users:
        yield []
        return
    first, *rest = users
    for position, peer in enumerate(rest):
        for pairs in matchings(rest[:position] + rest[position + 1 :]):
            yield [(first, peer), *pairs]


def enumerate_law_of_ones(values: Sequence[int], law: TruthLaw) -> np.ndarray:
    """Return Pr[I_1 = i] for i = 0, ..., n: the number of reports of 1 from users with binary `values` (n,)."""
    all_matchings = list(matchings(range(len(values))))
    total = np.zeros(len(values) + 1)
    for pairs in all_matchings:
        distribution = np.ones(1)
        for first, second in pairs:
            distribution = np.convolve(distribution, _pair_law(values[first], values[second], law))
        total += distribution
    return total / len(all_matchings)


def enumerate_truth_log_odds(law: TruthLaw, colluders: Sequence[int], n: int) -> float:
    """Return the log-odds that user 0 tells the truth, given the truthfulness of users 1, ..., m.

    Parameters
    ----------
    law : TruthLaw
        Joint distribution of a pair.
    colluders : (m,)
        1 for a colluder who told the truth, 0 for one who lied.
    n : int
        Number of users, even; the others are unknown.

    Returns
    -------
    float
        Infinite if the colluders determine it, NaN if their truthfulness has probability zero.
    """
    lie, truth = (_probability_of((known, *colluders), n, law) for known in (0, 1))
    with np.errstate(divide="ignore", invalid="ignore"):
        return float(np.log(truth) - np.log(lie))


def _pair_law(first: int, second: int, law: TruthLaw) -> np.ndarray:
    """Return the distribution of the number of ones that a pair reports, (3,)."""
    distribution = np.zeros(3)
    for truth_first, row in enumerate(law.matrix()):
        for truth_second, probability in enumerate(row):
            ones = (first == truth_first) + (second == truth_second)
            distribution[ones] += probability
    return distribution


def _probability_of(known: Sequence[int], n: int, law: TruthLaw) -> float:
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
