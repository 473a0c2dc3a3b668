import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.stats import binomtest, chisquare, ks_2samp

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


priors = st.lists(st.integers(0, 4), min_size=3, max_size=3).filter(any)


@given(st.floats(0.05, 12), priors)
def test_attack_is_a_distribution_for_every_prior(epsilon, weights):
    """Priors with equal, distant and zero probabilities."""
    prior = np.array(weights) / sum(weights)
    channel = SummationHistogram(epsilon, 3).effective_channel(prior)
    np.testing.assert_allclose(channel.sum(axis=1), 1, atol=1e-11)
    assert (channel[:, prior == 0] == 0).all()


@pytest.mark.parametrize("prior", [(0.5, 0.3, 0.2, 0.0), (0.3, 0.3, 0.2, 0.2), (0.6, 0.6 * np.exp(-1.2), 0, 0)])
def test_attack_with_a_prior_is_that_of_attacked_users(prior):
    """With ties between equal values and between the upper atom of one and the lower atom of another."""
    mechanism, rng, prior = SummationHistogram(1.2, 4), np.random.default_rng(33), np.array(prior) / sum(prior)
    for value, row in enumerate(mechanism.effective_channel(prior)):
        inferred = mechanism.infer(mechanism.privatize(np.full(40_000, value), rng), rng, prior)
        seen = np.bincount(inferred, minlength=4)
        assert seen[row == 0].sum() == 0
        assert chisquare(seen[row > 0], 40_000 * row[row > 0]).pvalue > FALSE_ALARM / 12


@pytest.mark.parametrize("epsilon", [1e-12, 1e-3, 1.2, 700])
@pytest.mark.parametrize("powers", [(0, 0), (0, 1)], ids=["equal values", "upper and lower atom"])
def test_the_last_bits_of_a_prior_decide_nothing(epsilon, powers):
    """Of two values that are equally probable given each of these reports, each is guessed half of the time."""
    prior = np.exp(-epsilon * np.array(powers)) / np.exp(-epsilon * np.array(powers)).sum()
    mechanism, reports = SummationHistogram(epsilon, 2), np.tile(-3.0 + 5 * np.array(powers), (4000, 1))
    for noisy in (prior, prior * (1 + 2.0**-52 * np.array([1, -1])), prior * (1 + 2.0**-52 * np.array([-1, 1]))):
        guesses = mechanism.infer(reports, np.random.default_rng(34), noisy)
        assert binomtest(int(guesses.sum()), 4000).pvalue > FALSE_ALARM / 24
        channel = mechanism.effective_channel(noisy)
        np.testing.assert_allclose(channel, mechanism.effective_channel(prior), atol=1e-11)
        np.testing.assert_allclose(channel.sum(axis=1), 1, atol=1e-11)


def test_attack_knows_the_prior_when_the_report_says_nothing():
    channel = SummationHistogram(1e-3, 3).effective_channel([0.2, 0.5, 0.3])
    np.testing.assert_allclose(channel[:, 1], 1, atol=1e-12)


def test_errors():
    with pytest.raises(ValueError, match="up to k=8"):
        SummationHistogram(1.0, 9).channel()
    with pytest.raises(ValueError, match="prior"):
        SummationHistogram(1.0, 2).effective_channel([0.5, 0.6])
