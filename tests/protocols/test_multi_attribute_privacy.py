"""Exact epsilon of the whole report, for records that differ in every attribute or in only one."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from corrldp.privacy import attribute_epsilon, epsilon_of_channel
from corrldp.protocols.corr_rr.protocol import CorrRR
from corrldp.protocols.corr_rr.rules import Fixed
from corrldp.protocols.corr_rr.synthesis import copy_channels, record_channel
from corrldp.protocols.rs_fd import RSFD, amplified
from corrldp.protocols.rs_rfd import RSRFD
from corrldp.protocols.smp import SMP, SPL

epsilons = st.floats(0.01, 5)
domains = st.lists(st.integers(2, 3), min_size=2, max_size=3).map(tuple)


def hidden(epsilon, d):
    """Epsilon for one attribute when the sampled one is hidden among d: ln((e^epsilon - 1) / d + 1)."""
    return np.log1p(np.expm1(epsilon) / d)


@given(epsilons, domains)
@settings(max_examples=25)
def test_spl_and_smp(epsilon, sizes):
    spl, smp = SPL(epsilon, sizes).channel(), SMP(epsilon, sizes).channel()
    assert epsilon_of_channel(spl) == pytest.approx(epsilon)
    assert epsilon_of_channel(smp) == pytest.approx(epsilon)
    for attribute in range(len(sizes)):
        assert attribute_epsilon(spl, sizes, attribute) == pytest.approx(epsilon / len(sizes))
        assert attribute_epsilon(smp, sizes, attribute) == pytest.approx(epsilon)


@given(epsilons, st.integers(2, 3), st.integers(2, 3))
@settings(max_examples=25)
def test_amplification_of_rs_fd_holds_for_one_attribute_and_not_for_the_record(epsilon, d, k):
    """Records that differ in all attributes get the budget of the sampled one, which is larger than epsilon."""
    sizes = (k,) * d
    plain, strong = RSFD(epsilon, sizes).channel(), RSFD(epsilon, sizes, amplify=True).channel()
    assert epsilon_of_channel(plain) == pytest.approx(epsilon)
    assert attribute_epsilon(plain, sizes, 0) == pytest.approx(hidden(epsilon, d))
    assert attribute_epsilon(strong, sizes, 0) == pytest.approx(epsilon)
    assert epsilon_of_channel(strong) == pytest.approx(amplified(epsilon, d))
    assert amplified(epsilon, d) > epsilon


@given(st.floats(0.1, 3), st.floats(0.01, 0.49))
@settings(max_examples=25)
def test_amplification_of_rs_rfd_fails_even_for_one_attribute(epsilon, rare):
    """A value that is rarely drawn as a fake points to the sampled attribute."""
    channel = RSRFD(epsilon, ((rare, 1 - rare), (0.5, 0.5)), amplify=True).channel()
    share = (1 / rare) / (1 / rare + 1 / 0.5)
    expected = np.log1p(2 * np.expm1(epsilon) * share)
    assert attribute_epsilon(channel, (2, 2), 0) == pytest.approx(expected)
    assert expected > epsilon
    assert epsilon_of_channel(channel) == pytest.approx(amplified(epsilon, 2))


@given(epsilons, st.integers(2, 3), st.integers(2, 3), st.integers(0, 2**32))
@settings(max_examples=40)
def test_corr_rr_gives_exactly_epsilon(epsilon, d, k, seed):
    """Theorem 6, for any copy probabilities: never more than epsilon, and epsilon itself for whole records."""
    copy = np.random.default_rng(seed).random((d, d))
    np.fill_diagonal(copy, 1)
    mechanism = CorrRR(epsilon, (k,) * d, 0.1, Fixed(0.5)).mechanism
    channel = record_channel(mechanism, copy_channels(copy, k))
    np.testing.assert_allclose(channel.sum(axis=1), 1)
    assert epsilon_of_channel(channel) == pytest.approx(epsilon)
    assert attribute_epsilon(channel, (k,) * d, 0) < epsilon


@pytest.mark.parametrize("p_y", [0.0, 0.4, 1.0])
def test_one_attribute_under_corr_rr_with_equal_copies(p_y):
    """Every pivot explains a report equally well, whether its two values are equal or different."""
    mechanism = CorrRR(1.0, (3, 3), 0.1, Fixed(p_y)).mechanism
    channel = record_channel(mechanism, copy_channels(np.array([[1, p_y], [p_y, 1]]), 3))
    assert attribute_epsilon(channel, (3, 3), 1) == pytest.approx(hidden(1.0, 2))


def test_a_channel_that_leaks_is_caught():
    channel = record_channel(CorrRR(1.0, (2, 2), 0.1, Fixed(1)).mechanism, copy_channels(np.ones((2, 2)), 2))
    channel[0] = channel[0] * 0.9 + np.array([0.1, 0, 0, 0])
    assert epsilon_of_channel(channel) > 1.05


def test_amplified_budget():
    assert amplified(1.0, 3) == pytest.approx(np.log(3 * (np.e - 1) + 1))
    assert amplified(0.7, 1) == pytest.approx(0.7)
    with pytest.raises(ValueError, match="epsilon=0"):
        amplified(0, 2)
