"""What protocols for whole records ask of a frequency oracle, and the adaptive choice."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.stats import chisquare

from corrldp.mechanisms.grr import GRR, LARGE_DOMAIN
from corrldp.mechanisms.hashing import LocalHashing
from corrldp.mechanisms.subset import SubsetSelection
from corrldp.mechanisms.unary import RAPPOR, UnaryEncoding
from corrldp.protocols.reports import ADAPTIVE, ORACLES
from corrldp.protocols.smp import SPL

pytestmark = pytest.mark.thorough

FALSE_ALARM = 1e-4 / 10  # per test; seeds are fixed
EVERY = {name: make(0.4, 4) for name, make in ORACLES.items()} | {
    "SS by users": SubsetSelection(0.4, 20, 8),
    "RAPPOR": RAPPOR(4),
    "GRR, large domain": GRR(0.4, LARGE_DOMAIN),
}
EMPTY = [UnaryEncoding.symmetric(0.8, 3), UnaryEncoding.optimized(0.8, 3), LocalHashing(0.8, 3, 3), RAPPOR(3)]


@pytest.mark.parametrize("name", EVERY)
def test_populations_in_rows(name):
    """z-tests of all means and variances of the estimates, in two populations and one without users."""
    oracle, runs, n = EVERY[name], 4000, 40
    counts = np.zeros((3, oracle.k), dtype=int)
    counts[0, 0], counts[1, :2] = n, (n // 4, 3 * n // 4)
    support = oracle.perturb_counts(np.broadcast_to(counts, (runs, 3, oracle.k)), np.random.default_rng(1))
    assert (support[:, 2] == 0).all()
    estimates = oracle.unbias(support[:, :2], n)
    expected = oracle.variance(counts[:2] / n, n)
    assert (np.abs(estimates.mean(axis=0) - counts[:2] / n) < 5 * np.sqrt(expected / runs)).all()
    np.testing.assert_allclose(estimates.var(axis=0), expected, rtol=5.5 * np.sqrt(2 / runs))


@pytest.mark.parametrize("k", [LARGE_DOMAIN - 1, LARGE_DOMAIN])
def test_reports_of_grr_have_the_covariances_of_multinomials(k):
    """Whichever way they are drawn; so both ways have one law in every pair of values."""
    grr, counts, runs = GRR(0.4, k), 10 * np.arange(k), 40_000
    reports = grr.perturb_counts(np.broadcast_to(counts, (runs, k)), np.random.default_rng(9))
    expected = np.einsum("u,uv,uw->vw", -counts, grr.channel(), grr.channel()) + np.diag(counts @ grr.channel())
    deviations = np.sqrt(np.diag(expected))
    np.testing.assert_allclose(reports.mean(axis=0), counts @ grr.channel(), atol=5 * deviations.max() / np.sqrt(runs))
    error = np.sqrt(2 / runs) * np.outer(deviations, deviations)
    assert np.abs((np.cov(reports.T) - expected) / error).max() < 5


@pytest.mark.parametrize("oracle", EMPTY, ids=repr)
def test_an_empty_report_supports_every_value_alike(oracle):
    """Chi-square of 40,000 patterns against independent bits with probability q, at both levels and in the channel."""
    bits = (np.arange(8)[:, None] >> np.arange(3)) & 1
    chances = np.where(bits == 1, oracle.q_support, 1 - oracle.q_support).prod(axis=1)
    reports = oracle.empty_reports(40_000, np.random.default_rng(2))
    patterns = np.array([oracle.support(reports[user : user + 1]) for user in range(40_000)])
    assert chisquare(np.bincount(patterns @ [1, 2, 4], minlength=8), 40_000 * chances).pvalue > FALSE_ALARM
    counted = oracle.perturb_counts(np.zeros((40_000, 3), dtype=int), np.random.default_rng(3), 1)
    assert chisquare(np.bincount(counted @ [1, 2, 4], minlength=8), 40_000 * chances).pvalue > FALSE_ALARM


@pytest.mark.parametrize("oracle", EMPTY, ids=repr)
def test_an_empty_report_is_that_of_a_value_that_is_asked_of_nobody(oracle):
    """It follows the channel of a larger domain at the new value, once what is reported on that value is dropped."""
    law = oracle.empty_channel()
    assert law.sum() == pytest.approx(1)
    if isinstance(oracle, LocalHashing):
        wider = LocalHashing(oracle.epsilon, oracle.k + 1, oracle.g).channel()[-1]
        np.testing.assert_allclose(wider.reshape(oracle.g**oracle.k, oracle.g, oracle.g).sum(axis=1).ravel(), law)
    else:
        wider = type(oracle)(**vars(oracle) | {"k": oracle.k + 1}).channel()[-1]
        np.testing.assert_allclose(wider.reshape(-1, 2).sum(axis=1), law)


@given(st.floats(0.01, 10), st.integers(2, 60), st.integers(0, 2**32))
def test_adaptive_choice_has_the_smaller_variance_whatever_the_frequencies(epsilon, k, seed):
    frequencies = np.random.default_rng(seed).dirichlet(np.ones(k))
    grr, oue = (
        GRR(epsilon, k).variance(frequencies, 7).sum(),
        UnaryEncoding.optimized(epsilon, k).variance(frequencies, 7).sum(),
    )
    assert SPL(epsilon, (k,), ADAPTIVE).chosen == ["GRR" if grr < oue else "OUE"]


def test_adaptive_choice_by_the_published_rule():
    """GRR for k < 3 e^epsilon + 2, Wang et al., USENIX Security 2017: 10.15 at epsilon 1; ours changes at 9.1."""
    chosen = SPL(5.0, (2, 9, 10, 11, 100), ADAPTIVE).chosen
    assert chosen == ["GRR", "GRR", "OUE", "OUE", "OUE"]
