import time
from collections import defaultdict

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from corrldp.protocols.jrr.mechanism import JointRandomizedResponse
from corrldp.protocols.jrr.pairs import lowest_correlation

# Tests of a distribution reject a correct program with probability 1e-4 for the whole file (seeds are fixed):
# 24 chi-square tests at 1e-4 / 24.
FALSE_ALARM = 1e-4 / 24
SETTINGS = [(0.8, -0.1875), (0.7, 1 - 1 / 0.7), (0.6, 0.5), (0.55, 1.0), (0.9, 0.0), (0.52, -0.4)]
POPULATIONS = [(0, 6), (3, 5), (4, 3), (1, 0)]


def group_law(mechanism):
    """Distribution of the support of a pair, by the truthfulness of its members, or of a user left alone."""

    def law(*values):
        alone = (1 - mechanism.p, mechanism.p)
        total = defaultdict(float)
        for truths in np.ndindex(*(2,) * len(values)):
            chance = mechanism.law.matrix()[truths] if len(values) == 2 else alone[truths[0]]
            ones = sum(int(value == truth) for value, truth in zip(values, truths, strict=True))
            total[len(values) - ones, ones] += chance
        return dict(total)

    return law


def law_of_support(mechanism, counts, support_law):
    return support_law([0] * counts[0] + [1] * counts[1], group_law(mechanism))


mechanisms = st.tuples(st.floats(0.501, 0.999), st.floats(0, 1)).map(
    lambda pu: JointRandomizedResponse(pu[0], lowest_correlation(pu[0]) * (1 - pu[1]) + pu[1])
)


@given(mechanisms, st.integers(1, 7), st.data())
@settings(max_examples=60)
def test_unbiased_with_the_variance_of_equation_21(support_law, moments, mechanism, n, data):
    """Exact, over all pairings; the paper omits odd n."""
    n1 = data.draw(st.integers(0, n))
    mean, covariance = moments(law_of_support(mechanism, (n - n1, n1), support_law))
    np.testing.assert_allclose(mechanism.estimate_counts(mean, n), [n - n1, n1], atol=1e-9)
    variance = covariance / mechanism.gap**2
    expected = mechanism.variance_of_counts(n1, n)
    np.testing.assert_allclose(variance, [[expected, -expected], [-expected, expected]], rtol=1e-7, atol=1e-9)


def test_printed_formula():
    p, rho, n, n1 = 0.6, -0.3, 100, 30
    printed = p * (1 - p) / (2 * p - 1) ** 2 * (n + rho * ((2 * n1 - n) ** 2 - n) / (n - 1))
    mechanism = JointRandomizedResponse(p, rho)
    assert mechanism.variance_of_counts(n1, n) == pytest.approx(printed)
    assert mechanism.variance(n1 / n, n) == pytest.approx(printed / n**2)


def test_worked_examples_of_the_paper():
    """Examples 1 and 2: two users with value 1, p = 0.8; printed variances 0.89 and 0.72."""
    assert round(float(JointRandomizedResponse(0.8, 0.0).variance_of_counts(2, 2)), 2) == 0.89
    assert round(float(JointRandomizedResponse(0.8, -0.1875).variance_of_counts(2, 2)), 2) == 0.72


@pytest.mark.parametrize("counts", POPULATIONS)
@pytest.mark.parametrize(("p", "rho"), SETTINGS)
def test_count_level_law(support_law, fit, p, rho, counts):
    mechanism = JointRandomizedResponse(p, rho)
    samples = mechanism.simulate(counts, 100_000, np.random.default_rng(1))
    assert fit(samples, law_of_support(mechanism, counts, support_law)) > FALSE_ALARM


@pytest.mark.parametrize("counts", [(3, 5), (4, 3)])
def test_user_level_law(support_law, fit, counts):
    mechanism, rng = JointRandomizedResponse(0.7, -0.4), np.random.default_rng(2)
    values = np.repeat([0, 1], counts)
    samples = np.array([mechanism.support(mechanism.privatize(values, rng)) for _ in range(10_000)])
    assert fit(samples, law_of_support(mechanism, counts, support_law)) > FALSE_ALARM


@pytest.mark.parametrize("wrong", [(0.7, 0.4), (0.7, -0.3), (0.68, -0.4)])
def test_the_test_rejects_a_wrong_law(support_law, fit, wrong):
    """Planted faults: opposite sign, weaker correlation, another p."""
    samples = JointRandomizedResponse(*wrong).simulate([3, 5], 100_000, np.random.default_rng(3))
    assert fit(samples, law_of_support(JointRandomizedResponse(0.7, -0.4), (3, 5), support_law)) < FALSE_ALARM


@pytest.mark.parametrize(("n", "n1"), [(10_000, 1000), (10_001, 10_001), (2_000_000, 0), (1000, 500)])
def test_empirical_variance_of_large_populations(n, n1):
    """z-test of mean and variance over 20,000 runs, at 1e-4 / 8 each."""
    mechanism, runs = JointRandomizedResponse(0.55, -0.7), 20_000
    estimates = mechanism.estimate_counts(mechanism.simulate([n - n1, n1], runs, np.random.default_rng(4)), n)
    variance = mechanism.variance_of_counts(n1, n)
    assert np.abs(estimates.mean(axis=0) - [n - n1, n1]).max() < 4.4 * np.sqrt(variance / runs)
    assert abs(estimates[:, 1].var() / variance - 1) < 4.4 * np.sqrt(2 / runs)
    if n1 in (0, n):
        plain = JointRandomizedResponse(0.55, 0.0).variance_of_counts(n1, n)
        assert abs(estimates[:, 1].var() / plain - 1) > 4.4 * np.sqrt(2 / runs)


def test_user_level_variance():
    mechanism, rng, runs = JointRandomizedResponse(0.6, -0.6), np.random.default_rng(5), 3000
    values = np.arange(301) < 30
    estimates = [mechanism.estimate(mechanism.privatize(values.astype(int), rng))[1] for _ in range(runs)]
    assert abs(np.var(estimates) / mechanism.variance(30 / 301, 301) - 1) < 4.4 * np.sqrt(2 / runs)


def test_cost_does_not_grow_with_the_population():
    mechanism = JointRandomizedResponse(0.55, -0.7)
    start = time.process_time()
    support = mechanism.simulate([1_500_000, 500_000], 1000, np.random.default_rng(6))
    assert time.process_time() - start < 1
    assert (support.sum(axis=1) == 2_000_000).all()


@pytest.mark.parametrize(("p", "rho"), [(0.5, 0), (1.1, 0), (0.8, -0.26), (0.8, 1.1), (np.nan, 0)])
def test_bad_parameters(p, rho):
    with pytest.raises(ValueError, match="must lie in"):
        JointRandomizedResponse(p, rho)


def test_errors():
    mechanism, rng = JointRandomizedResponse(0.8, 0.0), np.random.default_rng()
    with pytest.raises(ValueError, match="n=2000000000 users must satisfy"):
        mechanism.simulate([10**9, 10**9], 1, rng)
    with pytest.raises(ValueError, match="sum >= 1"):
        mechanism.simulate([0, 0], 1, rng)
    with pytest.raises(ValueError, match=r"0\.\.1"):
        mechanism.privatize([0, 2], rng)
