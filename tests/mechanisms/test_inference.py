"""The attack of the CPL paper's Appendix B and the effective channel of every mechanism."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from listed_mechanisms import BUILDERS
from scipy.stats import binom, chisquare
from support_laws import supported

from corrldp.mechanisms.hashing import LocalHashing
from corrldp.mechanisms.pure import guess_channel, pick_supported
from corrldp.mechanisms.subset import SubsetSelection
from corrldp.mechanisms.unary import UnaryEncoding

FALSE_ALARM = 1e-4  # per test, with a fixed seed
MECHANISMS = {name: build(1.2, 5) for name, build in BUILDERS.items()} | {"SS": SubsetSelection(0.3, 5, 2)}


@pytest.mark.parametrize("name", MECHANISMS)
def test_effective_channel_is_that_of_attacked_users(name):
    mechanism, rng = MECHANISMS[name], np.random.default_rng(11)
    channel = mechanism.effective_channel()
    np.testing.assert_allclose(channel.sum(axis=1), 1, atol=1e-12)
    for value, row in enumerate(channel):
        inferred = mechanism.infer(mechanism.privatize(np.full(40_000, value), rng), rng)
        assert chisquare(np.bincount(inferred, minlength=5), 40_000 * row).pvalue > FALSE_ALARM / 45


@given(st.floats(0.01, 1), st.floats(0.001, 0.99), st.integers(2, 60))
def test_guess_channel_by_enumeration_over_the_number_of_ones(p, q, k):
    others = np.arange(k)
    chances = binom.pmf(others, k - 1, q)
    correct = p * (chances / (1 + others)).sum() + (1 - p) * chances[0] / k
    channel = guess_channel(p, q, k)
    assert channel[0, 0] == pytest.approx(correct, rel=1e-9)
    assert channel[1, 0] == pytest.approx((1 - correct) / (k - 1), rel=1e-9)


@pytest.mark.parametrize("mechanism", [UnaryEncoding.optimized(0.7, 4), LocalHashing(0.9, 3, 3)], ids=["OUE", "LH"])
def test_the_attack_by_enumeration_of_all_reports(mechanism):
    shares = supported(mechanism)
    shares = np.where(shares.any(axis=1, keepdims=True), shares, 1)
    shares = shares / shares.sum(axis=1, keepdims=True)
    np.testing.assert_allclose(mechanism.channel() @ shares, mechanism.effective_channel(), atol=1e-14)


def test_pick_is_uniform_over_the_supported_values():
    patterns = np.array([[1, 0, 1, 1], [0, 0, 0, 0], [0, 1, 0, 0]], dtype=bool)
    rng = np.random.default_rng(12)
    for pattern, candidates in zip(patterns, ([0, 2, 3], [0, 1, 2, 3], [1]), strict=True):
        picked = np.bincount(pick_supported(np.tile(pattern, (30_000, 1)), rng), minlength=4)
        assert picked.sum() == picked[candidates].sum()
        assert len(candidates) == 1 or chisquare(picked[candidates]).pvalue > FALSE_ALARM / 2
