"""The attack of the CPL paper's Appendix B and the effective channel of every mechanism."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from listed_mechanisms import BUILDERS
from scipy.stats import binom, chisquare
from support_laws import supported

from corrldp.mechanisms.histogram import SummationHistogram
from corrldp.mechanisms.pure import guess_channel

FALSE_ALARM = 1e-4  # per test, with a fixed seed


def test_effective_channel_of_histogram_encoding_is_that_of_attacked_users():
    mechanism, rng = SummationHistogram(1.2, 5), np.random.default_rng(11)
    channel = mechanism.effective_channel()
    np.testing.assert_allclose(channel.sum(axis=1), 1, atol=1e-12)
    for value, row in enumerate(channel):
        entries = np.clip(mechanism.privatize(np.full(40_000, value), rng), 0, 1)
        largest = entries == entries.max(axis=1, keepdims=True)
        guesses = np.where(largest, rng.random(largest.shape), -1).argmax(axis=1)
        assert chisquare(np.bincount(guesses, minlength=5), 40_000 * row).pvalue > FALSE_ALARM / 5


@given(st.floats(0.01, 1), st.floats(0.001, 0.99), st.integers(2, 60))
def test_guess_channel_by_enumeration_over_the_number_of_ones(p, q, k):
    others = np.arange(k)
    chances = binom.pmf(others, k - 1, q)
    correct = p * (chances / (1 + others)).sum() + (1 - p) * chances[0] / k
    channel = guess_channel(p, q, k)
    assert channel[0, 0] == pytest.approx(correct, rel=1e-9)
    assert channel[1, 0] == pytest.approx((1 - correct) / (k - 1), rel=1e-9)


@pytest.mark.parametrize("name", [name for name in BUILDERS if name != "SHE"])
def test_the_attack_by_enumeration_of_all_reports(name):
    mechanism = BUILDERS[name](0.7, 4)
    shares = supported(mechanism)
    shares = np.where(shares.any(axis=1, keepdims=True), shares, 1)
    shares = shares / shares.sum(axis=1, keepdims=True)
    np.testing.assert_allclose(mechanism.channel() @ shares, mechanism.effective_channel(), atol=1e-14)
