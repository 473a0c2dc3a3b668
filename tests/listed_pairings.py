"""Exact distributions of paired protocols for a few users, by listing every way to pair them."""

from collections import Counter, defaultdict
from itertools import product

import numpy as np
import pytest
from support_laws import p_of_law


def all_pairings(users):
    """Every division of `users` into pairs, once each; with an odd number one user is left as (user,)."""
    users = list(users)
    if len(users) % 2:
        for alone in users:
            for pairs in all_pairings([user for user in users if user != alone]):
                yield [*pairs, (alone,)]
    elif not users:
        yield []
    else:
        first, *rest = users
        for peer in rest:
            for pairs in all_pairings([user for user in rest if user != peer]):
                yield [(first, peer), *pairs]


def convolve(first, second):
    """Distribution of the sum of two independent vectors, as {tuple: probability}."""
    total = defaultdict(float)
    for (a, chance_a), (b, chance_b) in product(first.items(), second.items()):
        total[tuple(x + y for x, y in zip(a, b, strict=True))] += chance_a * chance_b
    return total


@pytest.fixture(scope="session")
def pairings():
    return all_pairings


@pytest.fixture(scope="session")
def support_law():
    """Function (values, group_law) -> {support: probability}, averaged over all pairings.

    `group_law` maps the values of a pair, or of the user left alone, to the distribution of their support.
    """

    def law(values, group_law):
        total, found = defaultdict(float), list(all_pairings(range(len(values))))
        for groups in found:
            laws = [group_law(*(values[user] for user in group)) for group in groups]
            together = laws[0]
            for other in laws[1:]:
                together = convolve(together, other)
            for support, chance in together.items():
                total[support] += chance / len(found)
        return dict(total)

    return law


@pytest.fixture(scope="session")
def moments():
    """Function law -> mean (k,), covariance (k, k)."""

    def of(law):
        points, chances = np.array(list(law)), np.array(list(law.values()))
        mean = chances @ points
        return mean, (points - mean).T @ ((points - mean) * chances[:, None])

    return of


@pytest.fixture(scope="session")
def fit():
    """Function (samples (runs, k), law) -> p-value of the chi-square test, rare outcomes pooled."""

    return lambda samples, law: p_of_law(Counter(map(tuple, samples.tolist())), law)
