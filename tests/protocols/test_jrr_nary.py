from collections import defaultdict

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from corrldp.privacy import epsilon_of_channel
from corrldp.protocols.jrr.mechanism import JointRandomizedResponse
from corrldp.protocols.jrr.pairs import lowest_correlation

FALSE_ALARM = 1e-4 / 10  # per chi-square test: 1e-4 for the whole file; seeds are fixed


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
    np.testing.assert_allclose(channel.sum(axis=(2, 3)), 1)


@given(mechanisms())
def test_correlation_of_truthfulness_is_rho_over_k_minus_1(mechanism):
    """The paper calls rho the correlation; by its own Eq. 27 the covariance is rho p q, the variance p (1 - p)."""
    both = mechanism.pair_channel()[0, 0, 0, 0]
    p = mechanism.p
    assert both - p**2 == pytest.approx(mechanism.truthfulness_correlation * p * (1 - p), abs=1e-14)


@given(mechanisms(), st.data())
@settings(max_examples=40)
def test_unbiased_with_the_closed_variance(support_law, moments, mechanism, data):
    n = data.draw(st.integers(1, 5 if mechanism.k < 4 else 4))
    values = data.draw(st.lists(st.integers(0, mechanism.k - 1), min_size=n, max_size=n))
    counts = np.bincount(values, minlength=mechanism.k)
    mean, covariance = moments(support_law(values, group_law(mechanism)))
    np.testing.assert_allclose(mechanism.estimate_counts(mean, n), counts, atol=1e-9 / mechanism.gap)
    expected = mechanism.variance_of_counts(counts, n)
    np.testing.assert_allclose(np.diag(covariance) / mechanism.gap**2, expected, rtol=1e-7, atol=1e-9)


@given(st.floats(0.51, 0.99), st.floats(0, 1))
def test_the_channel_of_two_values_is_the_law_of_truthfulness(p, strength):
    mechanism = JointRandomizedResponse(p, strength * lowest_correlation(p))
    found = mechanism.pair_channel()[1, 1]
    np.testing.assert_allclose(found, mechanism.law.matrix(), atol=1e-15)


SETTINGS = [(0.5, -2.0, 3), (0.7, -0.857, 3), (0.4, 1.5, 3)]
POPULATIONS = [(2, 1, 1), (3, 0, 2)]


@pytest.mark.parametrize("counts", POPULATIONS)
@pytest.mark.parametrize(("p", "rho", "k"), SETTINGS)
def test_count_level_law(support_law, fit, p, rho, k, counts):
    mechanism = JointRandomizedResponse(p, rho, k)
    samples = mechanism.simulate(counts, 100_000, np.random.default_rng(1))
    assert fit(samples, support_law(np.repeat(range(k), counts).tolist(), group_law(mechanism))) > FALSE_ALARM


@pytest.mark.parametrize("counts", POPULATIONS)
def test_user_level_law(support_law, fit, counts):
    mechanism, rng = JointRandomizedResponse(0.6, -1.2, 3), np.random.default_rng(2)
    values = np.repeat([0, 1, 2], counts)
    samples = np.array([mechanism.support(mechanism.privatize(values, rng)) for _ in range(10_000)])
    assert fit(samples, support_law(values.tolist(), group_law(mechanism))) > FALSE_ALARM


@pytest.mark.parametrize("rho", [0.6, -0.4])
def test_the_test_rejects_a_wrong_law(support_law, fit, rho):
    samples = JointRandomizedResponse(0.6, rho, 3).simulate([2, 1, 1], 100_000, np.random.default_rng(3))
    assert fit(samples, support_law([0, 0, 1, 2], group_law(JointRandomizedResponse(0.6, -1.2, 3)))) < FALSE_ALARM


def test_empirical_variance_of_a_large_population():
    mechanism, runs, counts = JointRandomizedResponse(0.3, -0.42 * 9, 10), 10_000, np.array([9000, 1, *[500] * 8])
    n = counts.sum()
    estimates = mechanism.estimate_counts(mechanism.simulate(counts, runs, np.random.default_rng(4)), n)
    variance = mechanism.variance_of_counts(counts, n)
    assert (np.abs(estimates.mean(axis=0) - counts) < 4.8 * np.sqrt(variance / runs)).all()
    assert (np.abs(estimates.var(axis=0) / variance - 1) < 4.8 * np.sqrt(2 / runs)).all()


def test_marginal_channel():
    mechanism = JointRandomizedResponse(0.5, -1.0, 3)
    assert epsilon_of_channel(mechanism.channel()) == pytest.approx(np.log(2))
    np.testing.assert_allclose(mechanism.pair_channel().sum(axis=3)[:, 1], mechanism.channel())


@pytest.mark.parametrize(
    ("p", "rho", "k", "message"),
    [
        (0.3, 0, 3, "1/k"),
        (0.5, -2.1, 3, "rho=-2.1"),
        (0.4, -1.4, 3, "rho=-1.4"),
        (0.5, 2.1, 3, "rho"),
        (0.5, 0, 1, "k=1"),
    ],
)
def test_bad_parameters(p, rho, k, message):
    with pytest.raises(ValueError, match=message):
        JointRandomizedResponse(p, rho, k)
