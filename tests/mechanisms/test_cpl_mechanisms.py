"""Exponential mechanism, RAPPOR and subset selection: exact epsilons, estimators and the count level."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.stats import chisquare

from corrldp.mechanisms.grr import GRR, Exponential
from corrldp.mechanisms.subset import SubsetSelection
from corrldp.mechanisms.unary import RAPPOR
from corrldp.privacy import epsilon_of_channel

FALSE_ALARM = 1e-4  # per test, with a fixed seed
budgets = st.floats(1e-3, 15)


@given(budgets, st.integers(2, 8))
def test_exponential_spends_half_its_budget(epsilon, k):
    mechanism = Exponential(epsilon, k)
    weights = np.exp(epsilon * np.eye(k) / 2)
    np.testing.assert_allclose(mechanism.channel(), weights / weights.sum(axis=1, keepdims=True), atol=1e-14)
    assert epsilon_of_channel(mechanism.channel()) == pytest.approx(epsilon / 2, rel=1e-6)
    assert mechanism.variance(0.3, 100) == pytest.approx(GRR(epsilon / 2, k).variance(0.3, 100))


def test_epsilon_of_rappor_with_the_paper_s_constants():
    """p = 11/16 and q = 9/16 (Erlingsson et al., CCS 2014, Eq. 8); one report: ln(77/45); permanently: 2 ln 3."""
    mechanism = RAPPOR(4)
    assert (mechanism.p_support, mechanism.q_support) == (11 / 16, 9 / 16)
    assert mechanism.epsilon == pytest.approx(np.log(77 / 45))
    assert epsilon_of_channel(mechanism.channel()) == pytest.approx(mechanism.epsilon, rel=1e-12)
    assert mechanism.epsilon_permanent == pytest.approx(2 * np.log(3))


@given(st.floats(0.01, 0.99), st.floats(0, 0.45), st.floats(0.55, 1), st.integers(2, 5))
def test_epsilon_of_rappor(f, p, q, k):
    mechanism = RAPPOR(k, f, p, q)
    assert epsilon_of_channel(mechanism.channel()) == pytest.approx(mechanism.epsilon, rel=1e-9)
    assert mechanism.epsilon <= mechanism.epsilon_permanent + 1e-9


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
