"""What one mechanism alone keeps: its constants, variance, hash and attack, as published."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.stats import chi2_contingency, chisquare, ks_2samp

from corrldp.mechanisms.grr import GRR
from corrldp.mechanisms.hashing import LocalHashing, hash_values
from corrldp.mechanisms.histogram import SummationHistogram
from corrldp.mechanisms.subset import SubsetSelection
from corrldp.mechanisms.unary import RAPPOR
from corrldp.privacy import epsilon_of_channel

FALSE_ALARM = 1e-4  # per test, with a fixed seed


def test_the_last_bit_of_a_budget_does_not_choose_the_number_of_hash_values():
    """e^epsilon is 2.5, and halves are rounded to even."""
    budget = np.log(2.5)
    assert {LocalHashing.optimal(e, 9).g for e in (np.nextafter(budget, 0), budget, np.nextafter(budget, 1))} == {3}


@pytest.mark.parametrize("g", [2, 3, 7])
def test_hash_is_uniform_and_independent_between_values(g):
    """Chi-square of the joint hash of three values, near and distant, over 200,000 keys."""
    keys = np.random.default_rng(5).integers(2**64, size=200_000, dtype=np.uint64)
    hashed = np.array([hash_values(keys, np.full(keys.size, value), g) for value in (0, 1, 1000)]).astype(int)
    seen = np.bincount(np.ravel_multi_index(hashed, (g, g, g)), minlength=g**3)
    assert chisquare(seen).pvalue > FALSE_ALARM / 3


def test_consecutive_keys_hash_independently():
    keys = np.arange(100_000, dtype=np.uint64)
    hashed = hash_values(keys, np.zeros(keys.size, dtype=int), 5).astype(int)
    table = np.bincount(5 * hashed[:-1] + hashed[1:], minlength=25).reshape(5, 5)
    assert chi2_contingency(table).pvalue > FALSE_ALARM


def test_user_level_estimates_many_values_in_chunks():
    mechanism, rng = LocalHashing.optimal(2.0, 300), np.random.default_rng(7)
    values = np.minimum(rng.geometric(0.1, size=20_000), 300) - 1
    truth = np.bincount(values, minlength=300) / values.size
    errors = (mechanism.estimate(mechanism.privatize(values, rng)) - truth) / np.sqrt(mechanism.variance(truth, 20_000))
    assert np.abs(errors).max() < 5.3
    assert np.mean(errors**2) == pytest.approx(1, abs=4 * np.sqrt(2 / 300))


@given(st.floats(0.05, 15), st.integers(0, 10**6))
def test_no_report_exceeds_epsilon(epsilon, seed):
    """The likelihood ratio of real reports, not only of coarse ones."""
    mechanism, rng = SummationHistogram(epsilon, 3), np.random.default_rng(seed)
    reports = mechanism.privatize(rng.integers(3, size=50), rng)
    logs = -np.abs(reports[:, None] - np.eye(3)).sum(axis=-1) / mechanism.scale
    assert np.ptp(logs, axis=1).max() <= epsilon * (1 + 1e-12)


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


@given(st.floats(1e-3, 15), st.integers(2, 8))
def test_the_exponential_mechanism_is_grr_with_half_the_budget(epsilon, k):
    weights = np.exp(epsilon * np.eye(k) / 2)
    np.testing.assert_allclose(GRR(epsilon / 2, k).channel(), weights / weights.sum(axis=1, keepdims=True), atol=1e-14)
    assert epsilon_of_channel(weights / weights.sum(axis=1, keepdims=True)) == pytest.approx(epsilon / 2, rel=1e-6)


def test_epsilon_of_rappor_with_the_paper_s_constants():
    """p = 11/16 and q = 9/16 (Erlingsson et al., CCS 2014, Eq. 8); one report: ln(77/45)."""
    mechanism = RAPPOR(4)
    assert (mechanism.p_support, mechanism.q_support) == (11 / 16, 9 / 16)
    assert mechanism.epsilon == pytest.approx(np.log(77 / 45))
    assert epsilon_of_channel(mechanism.channel()) == pytest.approx(mechanism.epsilon, rel=1e-12)


@pytest.mark.thorough
@given(st.floats(0.01, 0.99), st.floats(0, 0.45), st.floats(0.55, 1), st.integers(2, 5))
def test_epsilon_of_rappor(f, p, q, k):
    mechanism = RAPPOR(k, f, p, q)
    assert epsilon_of_channel(mechanism.channel()) == pytest.approx(mechanism.epsilon, rel=1e-9)


def test_two_rounds_of_rappor():
    """The one-round distribution of a report against two rounds for each bit, by chi-square."""
    mechanism, rng, n = RAPPOR(3, 0.4, 0.3, 0.8), np.random.default_rng(21), 60_000
    bits = np.tile([1, 0, 0], (n, 1))
    fate = rng.random((n, 3))
    permanent = np.where(fate < 0.2, 1, np.where(fate < 0.4, 0, bits))
    instantaneous = rng.random((n, 3)) < np.where(permanent == 1, 0.8, 0.3)
    seen = np.bincount(instantaneous @ [4, 2, 1], minlength=8)
    assert chisquare(seen, n * mechanism.channel()[0]).pvalue > FALSE_ALARM


@pytest.mark.parametrize("constants", [(1.0, 0.5, 0.75), (0.5, 0.7, 0.6), (0.0, 0.0, 0.5), (0.0, 0.5, 1.0)])
def test_impossible_constants(constants):
    with pytest.raises(ValueError, match="must satisfy"):
        RAPPOR(3, *constants)


def test_sizes_of_subsets():
    assert SubsetSelection.floored(1.0, 11).size == 2
    assert SubsetSelection.rounded(1.0, 11).size == 3
    assert SubsetSelection.floored(5.0, 11).size == 1
    for ln_3 in (np.nextafter(np.log(3), 0), np.log(3), np.nextafter(np.log(3), 2)):  # 8 / 4, and 10 / 4
        assert SubsetSelection.floored(ln_3, 8).size == SubsetSelection.rounded(ln_3, 10).size == 2
    with pytest.raises(ValueError, match="size=5"):
        SubsetSelection(1.0, 5, 5)
