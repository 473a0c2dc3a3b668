"""JRR inside unary encoding and local hashing, against listing all pairings, tokens and reports."""

from collections import defaultdict
from itertools import product

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from jrr.runners.unary import JRRLocalHashing, JRRUnary, largest_scale
from listed_pairings import assert_unbiased, p_by_counts, p_by_users, pairings

from corrldp.mechanisms.unary import UnaryEncoding
from corrldp.protocols.jrr.mechanism import JointRandomizedResponse

pytestmark = pytest.mark.thorough

FALSE_ALARM = 1e-4 / 14  # per chi-square test: 1e-4 for the whole file; seeds are fixed
OPTIMIZED = [JRRUnary(UnaryEncoding.optimized(1.0, 3), scale) for scale in (1.0, 0.6)]
SYMMETRIC = JRRUnary(UnaryEncoding.symmetric(1.0, 2), 0.9)


def hashing(p, rho, k, g):
    return JRRLocalHashing(JointRandomizedResponse(p, rho, g), k)


HASHING = [hashing(0.7, -0.4, 3, 2), hashing(0.6, 0.8, 2, 3), hashing(0.5, -1.5, 2, 3)]
CROWDS = [[2, 1, 2], [2, 1], [2, 1]]
variants = st.sampled_from([UnaryEncoding.symmetric, UnaryEncoding.optimized])


def report_law(protocol, value, tokens):
    ones = protocol.chance_of_one(np.arange(protocol.k) == value, tokens)
    return {report: np.prod(np.where(report, ones, 1 - ones)) for report in product((0, 1), repeat=protocol.k)}


def law_of_unary(protocol):
    """Distribution of the support of a pair or of a user left alone, by listing tokens and reports."""

    def law(*values):
        total = defaultdict(float)
        for tokens in product((-1, 1), repeat=protocol.k):
            own = report_law(protocol, values[0], tokens)
            peer = {(0,) * protocol.k: 1.0}
            if len(values) == 2:
                peer = report_law(protocol, values[1], np.negative(tokens))
            for (a, chance_a), (b, chance_b) in product(own.items(), peer.items()):
                total[tuple(x + y for x, y in zip(a, b, strict=True))] += chance_a * chance_b / 2**protocol.k
        return dict(total)

    return law


def law_of_hashing(protocol):
    """Distribution of the support of a pair or of a user alone, by listing all hash functions and reports."""
    functions = list(product(range(protocol.inner.k), repeat=protocol.k))

    def law(*values):
        total = defaultdict(float)
        for chosen in product(functions, repeat=len(values)):
            hashed = tuple(function[value] for function, value in zip(chosen, values, strict=True))
            joint = protocol.inner.pair_channel() if len(values) == 2 else protocol.inner.channel()
            for reports in np.ndindex(joint[hashed].shape):
                support = np.equal(chosen, np.reshape(reports, (-1, 1))).sum(axis=0)
                total[tuple(support.tolist())] += joint[hashed][reports] / len(functions) ** len(values)
        return dict(total)

    return law


def group_law(protocol):
    """Distribution of the support of a pair or of a user left alone."""
    return (law_of_hashing if isinstance(protocol, JRRLocalHashing) else law_of_unary)(protocol)


@given(variants, st.floats(0.05, 4), st.floats(0, 1), st.data())
@settings(max_examples=25)
def test_unbiased_with_the_closed_variance(variant, epsilon, scale, data):
    protocol = JRRUnary(variant(epsilon, data.draw(st.integers(2, 3))), scale)
    n = data.draw(st.integers(1, 4))
    values = data.draw(st.lists(st.integers(0, protocol.k - 1), min_size=n, max_size=n))
    covariance = assert_unbiased(protocol, values, group_law(protocol))
    np.testing.assert_allclose(covariance - np.diag(np.diag(covariance)), 0, atol=1e-12)


@given(st.floats(0.05, 6), st.floats(0, 1))
def test_symmetric_encoding_is_table_2(epsilon, scale):
    """Truthfulness about equal and about different bits of a pair, against Table 2 with rho = -scale^2 q / p."""
    protocol = JRRUnary(UnaryEncoding.symmetric(epsilon, 2), scale)
    p = protocol.p_support
    expected = JointRandomizedResponse(p, -(scale**2) * (1 - p) / p).matrix()
    for first, second in product((0, 1), repeat=2):
        law = np.zeros((2, 2))
        for token in (-1, 1):
            ones = protocol.chance_of_one((first, second), (token, -token))
            truths = np.where((first, second), ones, 1 - ones)
            law += np.outer([1 - truths[0], truths[0]], [1 - truths[1], truths[1]]) / 2
        np.testing.assert_allclose(law, expected, atol=1e-12)


@pytest.mark.parametrize(
    ("p_value", "protocol", "counts"),
    [
        *zip([p_by_counts] * 5, [*OPTIMIZED, *HASHING], [(2, 1, 1), (3, 0, 2), *CROWDS], strict=True),
        *product([p_by_users], [SYMMETRIC], [(2, 2), (2, 1)]),
        *zip([p_by_users] * 3, HASHING, [(2, 1, 1), (2, 1), (2, 1)], strict=True),
    ],
)
def test_the_law_at_the_level_of_counts_and_of_users(p_value, protocol, counts):
    """Joint distribution of the supports of all values, which share one pairing."""
    assert p_value(protocol, counts, group_law(protocol)) > FALSE_ALARM


@pytest.mark.parametrize(
    ("right", "wrong", "counts"),
    [
        (OPTIMIZED[1], JRRUnary(UnaryEncoding.optimized(1.0, 3), 0.0), [2, 1, 1]),
        (HASHING[0], hashing(0.7, 0.0, 3, 2), [3, 1, 0]),
    ],
)
def test_the_test_rejects_a_wrong_law(right, wrong, counts):
    assert p_by_counts(wrong, counts, group_law(right)) < FALSE_ALARM


def brute_force_epsilon(protocol, n, m):
    """Target is user m; worst log-ratio over the colluders' tokens, by listing pairings and all tokens."""
    seats, k = n + n % 2, protocol.k
    chances = defaultdict(lambda: defaultdict(float))  # colluders' tokens -> target's tokens -> weight
    vectors = list(product((-1, 1), repeat=k))
    for groups in pairings(range(seats)):
        for dealt in product(vectors, repeat=len(groups)):
            tokens = {}
            for (first, second), vector in zip(groups, dealt, strict=True):
                tokens[first], tokens[second] = vector, tuple(-t for t in vector)
            chances[tuple(tokens[user] for user in range(m))][tokens[m]] += 1
    worst = 0.0
    for targets in chances.values():
        rows = np.zeros((k, 2**k))
        for value, (vector, weight) in product(range(k), targets.items()):
            rows[value] += weight * np.array(list(report_law(protocol, value, vector).values()))
        possible = rows[:, rows.max(axis=0) > 0]
        with np.errstate(divide="ignore"):
            logs = np.log(possible)
        worst = max(worst, (logs.max(axis=0) - logs.min(axis=0)).max())
    return worst


@pytest.mark.parametrize(("n", "m", "k"), [(2, 1, 2), (4, 0, 3), (4, 2, 3), (3, 2, 2), (4, 3, 2), (6, 2, 2), (4, 1, 4)])
@pytest.mark.parametrize(("variant", "scale"), [(UnaryEncoding.symmetric, 1.0), (UnaryEncoding.optimized, 0.7)])
def test_epsilon_by_listing_pairings_tokens_and_reports(variant, scale, n, m, k):
    """With more than one equal bit, of four, the evidence about the tokens multiplies."""
    protocol = JRRUnary(variant(1.0, k), scale)
    assert protocol.epsilon(n, m) == pytest.approx(brute_force_epsilon(protocol, n, m))


@given(variants, st.floats(0.1, 3), st.floats(0.5, 0.99), st.integers(2, 50), st.integers(1, 500))
@settings(max_examples=30)
def test_largest_scale_spends_the_budget(variant, epsilon, share, k, m):
    protocol = largest_scale(variant(share * epsilon, k), epsilon, 1000, m)
    spent = protocol.epsilon(1000, m)
    assert spent <= epsilon * (1 + 1e-6)
    assert spent == pytest.approx(epsilon, rel=1e-6) or protocol.scale == 1


def test_the_whole_budget_leaves_no_correlation_and_all_users_cannot_collude():
    base = UnaryEncoding.optimized(1.0, 3)
    assert largest_scale(base, 1.0, 10, 1) == JRRUnary(base, 0.0)
    with pytest.raises(ValueError, match="m=10 colluders"):
        JRRUnary(base, 0.5).epsilon(10, 10)


@pytest.mark.parametrize("counts", [(2, 1, 1), (3, 0, 0), (1, 1, 2), (4, 0, 0)])
@pytest.mark.parametrize("protocol", HASHING)
def test_hashing_is_unbiased_with_the_closed_variance(protocol, counts):
    assert_unbiased(protocol, np.repeat(range(protocol.k), counts[: protocol.k]).tolist(), group_law(protocol))
