import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.stats import chi2_contingency, chisquare

from corrldp.mechanisms.grr import GRR
from corrldp.privacy import epsilon_of_channel

pytestmark = pytest.mark.thorough

# Every test of a distribution rejects a correct program with probability at most 1e-4 (seeds are fixed).
FALSE_ALARM = 1e-4
epsilons = st.floats(1e-6, 30)


@given(epsilons, st.integers(2, 20))
def test_channel_gives_exactly_epsilon(epsilon, k):
    channel = GRR(epsilon, k).channel()
    np.testing.assert_allclose(channel.sum(axis=1), 1)
    assert epsilon_of_channel(channel) == pytest.approx(epsilon, rel=1e-9, abs=1e-12)


@given(epsilons, st.integers(2, 20))
def test_unbiased_over_the_exact_channel(epsilon, k):
    mechanism = GRR(epsilon, k)
    counts = np.arange(k) + 1
    n = counts.sum()
    np.testing.assert_allclose(mechanism.unbias(counts @ mechanism.channel(), n), counts / n, atol=1e-7)


def test_gap_keeps_its_digits_at_a_tiny_epsilon():
    assert GRR(1e-12, 2).gap == pytest.approx(np.tanh(0.5e-12), rel=1e-14, abs=0)


@given(epsilons, st.integers(2, 6), st.data())
def test_variance_is_that_of_the_multinomial(epsilon, k, data):
    mechanism = GRR(epsilon, k)
    counts = np.array(data.draw(st.lists(st.integers(0, 50), min_size=k, max_size=k).filter(sum)))
    channel = mechanism.channel()
    expected = counts @ (channel * (1 - channel)) / mechanism.gap**2
    np.testing.assert_allclose(mechanism.variance_of_counts(counts, counts.sum()), expected, rtol=1e-6)


def test_warner_variance_of_the_jrr_paper():
    """Example 1: two users, p = 0.8, printed as 0.89."""
    mechanism = GRR(np.log(4), 2)
    assert round(float(mechanism.variance_of_counts(2, 2)), 2) == 0.89
    assert mechanism.variance(1.0, 2) == pytest.approx(0.8889 / 4, abs=1e-4)


def test_reports_follow_the_channel():
    mechanism, rng = GRR(0.7, 4), np.random.default_rng(1)
    for value, row in enumerate(mechanism.channel()):
        seen = mechanism.support(mechanism.privatize(np.full(50_000, value), rng))
        assert chisquare(seen, 50_000 * row).pvalue > FALSE_ALARM / 4


def test_simulated_support_has_the_law_of_the_users_reports():
    mechanism, rng = GRR(0.9, 3), np.random.default_rng(2)
    values = np.array([0, 0, 1, 2, 2, 2])
    simulated = mechanism.simulate([2, 1, 3], 20_000, rng)
    perturbed = np.array([mechanism.support(mechanism.privatize(values, rng)) for _ in range(20_000)])
    assert (simulated.sum(axis=1) == 6).all()
    assert same_distribution(simulated, perturbed) > FALSE_ALARM
    assert same_distribution(GRR(0.6, 3).simulate([2, 1, 3], 20_000, rng), perturbed) < FALSE_ALARM


def same_distribution(first, second):
    """p-value of the chi-square test that two samples (runs, k) have the same distribution."""
    rows, codes = np.unique(np.concatenate([first, second]), axis=0, return_inverse=True)
    table = np.array([np.bincount(part, minlength=len(rows)) for part in np.split(codes.ravel(), [len(first)])])
    rare = table.sum(axis=0) < 10
    table = np.column_stack([table[:, ~rare], table[:, rare].sum(axis=1)])
    return chi2_contingency(table[:, table.sum(axis=0) > 0]).pvalue


@pytest.mark.parametrize("epsilon", [0, -1, np.inf, np.nan])
def test_bad_epsilon(epsilon):
    with pytest.raises(ValueError, match=r"epsilon=.* must be finite and > 0"):
        GRR(epsilon, 2)


@pytest.mark.parametrize("k", [1, 2.5])
def test_bad_domain(k):
    with pytest.raises(ValueError, match=r"k=.* must be an integer >= 2"):
        GRR(1.0, k)


@pytest.mark.parametrize("values", [[0, 3], [-1], [0.5], [[0]], []])
def test_bad_values(values):
    with pytest.raises(ValueError, match="values"):
        GRR(1.0, 3).privatize(values, np.random.default_rng())


@pytest.mark.parametrize("counts", [[1, 2], [1, -1, 3], [0, 0, 0], [0.5, 1, 1]])
def test_bad_counts(counts):
    with pytest.raises(ValueError, match="counts"):
        GRR(1.0, 3).simulate(counts, 1, np.random.default_rng())


def test_no_reports():
    with pytest.raises(ValueError, match="an integer from 1"):
        GRR(1.0, 3).unbias([0, 0, 0], 0)
