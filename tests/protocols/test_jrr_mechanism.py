"""Pairs of users: the channel of a pair, the law of its truthfulness, tokens, and supports at both levels."""

from collections import defaultdict

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from listed_pairings import assert_unbiased, p_by_counts, p_by_users
from support_laws import largest_deviations

from corrldp.protocols.jrr.mechanism import JointRandomizedResponse, deal_tokens, lowest_correlation

pytestmark = pytest.mark.thorough

FALSE_ALARM = 1e-4 / 40  # per chi-square test: 1e-4 for the whole file; seeds are fixed


def group_law(mechanism):
    """Distribution of the support of a pair or of a user left alone, from the printed channel."""

    def law(*values):
        joint = mechanism.pair_channel()[values] if len(values) == 2 else mechanism.channel()[values]
        total = defaultdict(float)
        for reports in np.ndindex(joint.shape):
            total[tuple(np.bincount(reports, minlength=mechanism.k).tolist())] += joint[reports]
        return dict(total)

    return law


@st.composite
def mechanisms(draw):
    k = draw(st.integers(2, 4))
    p = 1 / k + draw(st.floats(0.01, 0.99)) * (1 - 1 / k)
    lowest = lowest_correlation(p)
    return JointRandomizedResponse(p, (k - 1) * (lowest + draw(st.floats(0, 1)) * (1 - lowest)), k)


@given(mechanisms())
def test_pair_channel_is_equation_27(mechanism):
    p, q, rho, k = mechanism.p, mechanism.q_support, mechanism.rho, mechanism.k
    channel = mechanism.pair_channel()
    cells = {
        (True, True): p**2 + rho * p * q,
        (True, False): p * q - rho * p * q / (k - 1),
        (False, True): p * q - rho * p * q / (k - 1),
        (False, False): q**2 + rho * p * q / (k - 1) ** 2,
    }
    for v1, v2, y1, y2 in np.ndindex(channel.shape):
        assert channel[v1, v2, y1, y2] == pytest.approx(cells[v1 == y1, v2 == y2], abs=1e-14)
    assert channel[0, 0, 0, 0] - p**2 == pytest.approx(mechanism.correlation * p * (1 - p), abs=1e-14)
    for value in range(k):
        np.testing.assert_allclose(channel.sum(axis=3)[:, value], mechanism.channel(), atol=1e-14)


@given(mechanisms(), st.data())
@settings(max_examples=40)
def test_unbiased_with_the_closed_variance(mechanism, data):
    n = data.draw(st.integers(1, 5 if mechanism.k < 4 else 4))
    values = data.draw(st.lists(st.integers(0, mechanism.k - 1), min_size=n, max_size=n))
    assert_unbiased(mechanism, values, group_law(mechanism))


BINARY = [(0.7, 1 - 1 / 0.7, 2), (0.6, 0.5, 2), (0.52, -0.4, 2)]
TERNARY = [(0.5, -2.0, 3), (0.4, 1.5, 3)]
POPULATIONS = {2: [(0, 6), (3, 5), (4, 3), (1, 0)], 3: [(2, 1, 1), (3, 0, 2)]}
COUNT_LEVEL = [(*one, counts) for one in (*BINARY, *TERNARY) for counts in POPULATIONS[one[2]]]
USER_LEVEL = [(0.7, -0.4, 2, (3, 5)), (0.7, -0.4, 2, (4, 3)), (0.6, -1.2, 3, (2, 1, 1)), (0.6, -1.2, 3, (3, 0, 2))]
BOTH = [(p_value, *one) for p_value, ones in ((p_by_counts, COUNT_LEVEL), (p_by_users, USER_LEVEL)) for one in ones]


@pytest.mark.parametrize(("p_value", "p", "rho", "k", "counts"), BOTH)
def test_the_law_at_the_level_of_counts_and_of_users(p_value, p, rho, k, counts):
    mechanism = JointRandomizedResponse(p, rho, k)
    assert p_value(mechanism, counts, group_law(mechanism)) > FALSE_ALARM


@pytest.mark.parametrize(
    ("wrong", "right", "counts"),
    [
        ((0.7, 0.4, 2), (0.7, -0.4, 2), (3, 5)),  # opposite sign
        ((0.7, -0.3, 2), (0.7, -0.4, 2), (3, 5)),  # weaker correlation
        ((0.68, -0.4, 2), (0.7, -0.4, 2), (3, 5)),  # another p
        ((0.6, -0.4, 3), (0.6, -1.2, 3), (2, 1, 1)),
    ],
)
def test_the_test_rejects_a_wrong_law(wrong, right, counts):
    law = group_law(JointRandomizedResponse(*right))
    assert p_by_counts(JointRandomizedResponse(*wrong), counts, law) < FALSE_ALARM


@pytest.mark.parametrize(
    ("p", "rho", "counts"),
    [(0.3, -0.42 * 9, [9000, 1, *[500] * 8]), (0.55, -0.7, [0, 10_001]), (0.55, -0.7, [2_000_000, 0])],
)
def test_empirical_variance_of_a_large_population(p, rho, counts):
    mechanism = JointRandomizedResponse(p, rho, len(counts))
    assert max(largest_deviations(mechanism, counts, seed=4)) < 4.8


@pytest.mark.parametrize(
    ("p", "rho", "k", "message"),
    [
        (0.3, 0, 3, "1/k"),
        (0.5, -2.1, 3, "rho=-2.1"),
        (0.4, -1.4, 3, "rho=-1.4"),
        (0.5, 2.1, 3, "rho"),
        (0.5, 0, 1, "k=1"),
        (0.5, 0, 2, "p=0.5 must lie in"),
        (1.1, 0, 2, "p=1.1 must lie in"),
        (0.8, -0.26, 2, "rho=-0.26 must lie in"),
        (0.8, 1.1, 2, "rho=1.1 must lie in"),
        (np.nan, 0, 2, "p=nan must lie in"),
    ],
)
def test_bad_parameters(p, rho, k, message):
    with pytest.raises(ValueError, match=message):
        JointRandomizedResponse(p, rho, k)


def test_errors():
    mechanism, rng = JointRandomizedResponse(0.8, 0.0), np.random.default_rng()
    with pytest.raises(ValueError, match="n=2000000000 users must satisfy"):
        mechanism.simulate([10**9, 10**9], 1, rng)
    with pytest.raises(ValueError, match="sum >= 1"):
        mechanism.simulate([0, 0], 1, rng)
    with pytest.raises(ValueError, match=r"0\.\.1"):
        mechanism.privatize([0, 2], rng)


laws = st.tuples(st.floats(0.501, 1), st.floats(0, 1)).map(
    lambda pu: JointRandomizedResponse(pu[0], lowest_correlation(pu[0]) + pu[1] * (1 - lowest_correlation(pu[0])))
)


@given(laws)
def test_marginals_correlation_sign_and_conditional_laws(law):
    matrix = law.matrix()
    assert (matrix >= 0).all()
    np.testing.assert_allclose(matrix.sum(axis=0), [law.lie, law.p], atol=1e-15)
    assert matrix[1, 1] - law.p**2 == pytest.approx(law.correlation * law.p * law.lie, abs=1e-15)
    np.testing.assert_allclose(np.multiply(law.given_truth, law.p), matrix[1, ::-1], atol=1e-15)
    np.testing.assert_allclose(np.multiply(law.given_lie, law.lie), matrix[0, ::-1], atol=1e-15)


@given(st.floats(0.5, 1, exclude_min=True))
def test_lowest_correlation_is_the_papers_bound(p):
    """However 1 - 1/p is rounded, the probability that both lie is exactly 0."""
    assert lowest_correlation(p) == pytest.approx(1 - 1 / p, abs=4e-16)
    for bound in (lowest_correlation(p), 1 - 1 / p):
        assert JointRandomizedResponse(p, bound).neither == 0


def test_dealt_tokens():
    rng = np.random.default_rng(0)
    assert all(deal_tokens(10, rng).sum() == 0 for _ in range(50))
    odd = np.array([deal_tokens(3, rng) for _ in range(8000)])
    assert (np.abs(odd.sum(axis=1)) == 1).all()
    assert np.abs(odd.mean(axis=0)).max() < 4.4 / np.sqrt(8000)
