"""Exact distributions of paired protocols for a few users, by listing every way to pair them; and populations."""

from collections import defaultdict
from itertools import product

import numpy as np
from hypothesis import strategies as st
from support_laws import fit


@st.composite
def populations(draw):
    """Draw a number of users and one of colluders."""
    n = draw(st.integers(2, 500))
    return n, draw(st.integers(0, n - 1))


def pairings(users):
    """Every division of `users` into pairs, once each; with an odd number one user is left as (user,)."""
    users = list(users)
    if len(users) % 2:
        for alone in users:
            for pairs in pairings([user for user in users if user != alone]):
                yield [*pairs, (alone,)]
    elif not users:
        yield []
    else:
        first, *rest = users
        for peer in rest:
            for pairs in pairings([user for user in rest if user != peer]):
                yield [(first, peer), *pairs]


def convolve(first, second):
    """Distribution of the sum of two independent vectors, as {tuple: probability}."""
    total = defaultdict(float)
    for (a, chance_a), (b, chance_b) in product(first.items(), second.items()):
        total[tuple(x + y for x, y in zip(a, b, strict=True))] += chance_a * chance_b
    return total


def support_law(values, group_law):
    """{support: probability}, averaged over all pairings.

    `group_law` maps the values of a pair, or of the user left alone, to the distribution of their support.
    """
    total, found = defaultdict(float), list(pairings(range(len(values))))
    for groups in found:
        laws = [group_law(*(values[user] for user in group)) for group in groups]
        together = laws[0]
        for other in laws[1:]:
            together = convolve(together, other)
        for support, chance in together.items():
            total[support] += chance / len(found)
    return dict(total)


def moments(law):
    """Mean (k,) and covariance (k, k)."""
    points, chances = np.array(list(law)), np.array(list(law.values()))
    mean = chances @ points
    return mean, (points - mean).T @ ((points - mean) * chances[:, None])


def assert_unbiased(protocol, values, group_law):
    """Assert that estimates for `values` (n,) are right on average and have the closed variance; return covariances."""
    n, counts = len(values), np.bincount(values, minlength=protocol.k)
    mean, covariance = moments(support_law(values, group_law))
    np.testing.assert_allclose(protocol.estimate_counts(mean, n), counts, atol=1e-9 / protocol.gap)
    variance = protocol.variance_of_counts(counts, n) * protocol.gap**2
    np.testing.assert_allclose(np.diag(covariance), variance, rtol=1e-7, atol=1e-12)
    return covariance


def p_by_counts(mechanism, counts, group_law):
    """p-value of 100,000 supports that are simulated for `counts` (k,), against the law over all pairings."""
    samples = mechanism.simulate(counts, 100_000, np.random.default_rng(1))
    return fit(samples, support_law(np.repeat(range(mechanism.k), counts).tolist(), group_law))


def p_by_users(mechanism, counts, group_law):
    """p-value of 5,000 supports of perturbed values of users, of `counts` (k,), against the law over all pairings."""
    rng, values = np.random.default_rng(2), np.repeat(range(mechanism.k), counts)
    samples = np.array([mechanism.support(mechanism.privatize(values, rng)) for _ in range(5000)])
    return fit(samples, support_law(values.tolist(), group_law))


def literal_algorithm1(n, epsilon, colluders, p_step, rho_step):
    """The pseudo-code of the JRR paper, line by line; the printed constraint, n even. None is its Null."""
    p = np.exp(epsilon) / (1 + np.exp(epsilon)) - p_step
    while p > 0.5:
        rho = 1 - 1 / p
        while rho <= 1:
            q = 1 - p
            largest, smallest = max((1 - rho) * p, p + rho * q), min((1 - rho) * q, q + rho * p)
            numerator = colluders * largest + p * (n - colluders - 1)
            if numerator <= np.exp(epsilon) * (colluders * smallest + q * (n - colluders - 1)):
                return p, rho
            rho += rho_step
        p -= p_step
    return None
