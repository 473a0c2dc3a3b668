import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.stats import ks_2samp

from corrldp.mechanisms.histogram import SummationHistogram

FALSE_ALARM = 1e-4  # per test, with a fixed seed


@given(st.floats(0.05, 15), st.integers(0, 10**6))
def test_no_report_exceeds_epsilon(epsilon, seed):
    """The likelihood ratio of real reports, not only of coarse ones."""
    mechanism, rng = SummationHistogram(epsilon, 3), np.random.default_rng(seed)
    reports = mechanism.privatize(rng.integers(3, size=50), rng)
    logs = -np.abs(reports[:, None] - np.eye(3)).sum(axis=-1) / mechanism.scale
    assert np.ptp(logs, axis=1).max() <= epsilon * (1 + 1e-12)


def test_published_variance():
    """Wang et al., USENIX Security 2017, Section 4.1: 8 / epsilon^2 for each user, whatever the frequency."""
    np.testing.assert_allclose(SummationHistogram(2.0, 4).variance([0.0, 0.7], 50), 8 / 4 / 50)


def test_sums_at_both_levels():
    mechanism, rng, values = SummationHistogram(1.5, 2), np.random.default_rng(32), np.array([0, 0, 1])
    perturbed = np.array([mechanism.estimate(mechanism.privatize(values, rng)) for _ in range(20_000)])
    simulated = mechanism.unbias(mechanism.simulate([2, 1], 20_000, rng), 3)
    for column in range(2):
        assert ks_2samp(perturbed[:, column], simulated[:, column]).pvalue > FALSE_ALARM / 2
    assert np.abs(simulated.mean(axis=0) - [2 / 3, 1 / 3]).max() < 4.1 * np.sqrt(mechanism.variance(0, 3) / 20_000)


@pytest.mark.parametrize("epsilon", [0.05, 1.0, 6.0, 20.0])
def test_binary_attack_in_closed_form(epsilon):
    """Two values, uniform prior: wrong if the other entry, clipped, is larger, and in half of all ties; by hand."""
    far = np.exp(-epsilon / 2)
    larger, tie = (1 + epsilon / 2) * far / 4, far / 2
    channel = SummationHistogram(epsilon, 2).effective_channel()
    assert channel[0, 1] == pytest.approx(larger + tie / 2, abs=1e-12)
    np.testing.assert_allclose(channel, channel[::-1, ::-1], atol=1e-12)
