"""Mechanisms compared with the public libraries pure-ldp and multi-freq-ldpy: clients, estimators and variances.

If a library offers only clipped and normalised estimates, ours are post-processed likewise before the comparison.
"""

import random
from itertools import combinations, product

import numba
import numpy as np
import pytest
from multi_freq_ldpy.long_freq_est.Variance_LONG_PURE import VAR_Long_Pure
from multi_freq_ldpy.pure_frequency_oracles import GRR as PEER_GRR
from multi_freq_ldpy.pure_frequency_oracles import HE as PEER_HE
from multi_freq_ldpy.pure_frequency_oracles import SS as PEER_SS
from multi_freq_ldpy.pure_frequency_oracles import UE as PEER_UE
from multi_freq_ldpy.pure_frequency_oracles.Variance_PURE import VAR_Pure
from pure_ldp.frequency_oracles.direct_encoding import DEServer
from pure_ldp.frequency_oracles.histogram_encoding import HEServer
from pure_ldp.frequency_oracles.local_hashing import LHServer
from pure_ldp.frequency_oracles.unary_encoding import UEClient, UEServer
from scipy.stats import chisquare

from corrldp.mechanisms.grr import GRR
from corrldp.mechanisms.hashing import LocalHashing
from corrldp.mechanisms.histogram import SummationHistogram
from corrldp.mechanisms.subset import SubsetSelection
from corrldp.mechanisms.unary import RAPPOR, UnaryEncoding

pytestmark = pytest.mark.thorough

FALSE_ALARM = 1e-4  # per test, with a fixed seed
EPSILON, K, N = 1.1, 4, 2000
VALUES = np.random.default_rng(41).choice(K, size=N, p=[0.4, 0.3, 0.2, 0.1])


@numba.njit
def seed_compiled(seed):
    """Seed the generator of compiled functions, which differs from numpy's global one."""
    np.random.seed(seed)  # noqa: NPY002


@pytest.fixture(autouse=True)
def seeds():
    random.seed(42)
    np.random.seed(42)  # noqa: NPY002
    seed_compiled(42)


def reports_of(mechanism):
    return mechanism.privatize(VALUES, np.random.default_rng(43))


def clipped(estimates):
    positive = np.clip(estimates, 0, None)
    return positive / positive.sum()


def estimated_by(server, reports):
    for report in reports:
        server.aggregate(report)
    return server._update_estimates() / server.n


@pytest.mark.parametrize(
    ("mechanism", "server"),
    [
        (GRR(EPSILON, K), DEServer(EPSILON, K)),
        (UnaryEncoding.symmetric(EPSILON, K), UEServer(EPSILON, K)),
        (UnaryEncoding.optimized(EPSILON, K), UEServer(EPSILON, K, use_oue=True)),
        (SummationHistogram(EPSILON, K), HEServer(EPSILON, K)),
    ],
    ids=["GRR", "SUE", "OUE", "SHE"],
)
def test_estimates_of_pure_ldp(mechanism, server):
    reports = reports_of(mechanism)
    np.testing.assert_allclose(estimated_by(server, reports), mechanism.estimate(reports), atol=1e-12)


@pytest.mark.parametrize("optimal", [False, True], ids=["BLH", "OLH"])
def test_hashing_estimates_of_pure_ldp(optimal):
    """The libraries' hash families differ, so the server gets the same support counts."""
    mechanism = (LocalHashing.optimal if optimal else LocalHashing.binary)(EPSILON, K)
    reports = reports_of(mechanism)
    server = LHServer(EPSILON, K, use_olh=optimal)
    assert server.g == mechanism.g
    server.aggregated_data, server.n = mechanism.support(reports), N
    np.testing.assert_allclose(server._update_estimates() / N, mechanism.estimate(reports), atol=1e-12)


def test_estimates_of_multi_freq_ldpy():
    grr, subset = GRR(EPSILON, K), SubsetSelection.rounded(EPSILON, K)
    histogram = SummationHistogram(EPSILON, K)
    reports = {mechanism: reports_of(mechanism) for mechanism in (grr, subset, histogram)}
    for mechanism, estimates in (
        (grr, PEER_GRR.GRR_Aggregator_MI(reports[grr], K, EPSILON)),
        (subset, PEER_SS.SS_Aggregator_MI(reports[subset], K, EPSILON)),
        (histogram, PEER_HE.HE_Aggregator_MI(reports[histogram], K, EPSILON, use_thresh=False)),
    ):
        np.testing.assert_allclose(estimates, clipped(mechanism.estimate(reports[mechanism])), atol=1e-12)
    for optimal in (False, True):
        unary = (UnaryEncoding.optimized if optimal else UnaryEncoding.symmetric)(EPSILON, K)
        bits = reports_of(unary)
        estimates = PEER_UE.UE_Aggregator_MI(bits.astype(float), EPSILON, optimal)
        np.testing.assert_allclose(estimates, clipped(unary.estimate(bits)), atol=1e-12)


@pytest.mark.parametrize(
    "mechanism",
    [
        GRR(EPSILON, K),
        UnaryEncoding.symmetric(EPSILON, K),
        UnaryEncoding.optimized(EPSILON, K),
        LocalHashing.binary(EPSILON, K),
        LocalHashing.optimal(EPSILON, K),
        SubsetSelection.floored(EPSILON, 9),
        RAPPOR(K),
    ],
    ids=["GRR", "SUE", "OUE", "BLH", "OLH", "SS", "RAPPOR"],
)
def test_variances_of_multi_freq_ldpy(mechanism):
    for frequency in (0.0, 0.3, 1.0):
        expected = VAR_Pure(mechanism.p_support, mechanism.q_support, N, frequency)
        assert mechanism.variance(frequency, N) == pytest.approx(expected, rel=1e-12)


def test_variance_of_two_rounds():
    """RAPPOR's permanent response has p = 3/4 and q = 1/4, its instantaneous one 3/4 and 1/2."""
    assert RAPPOR(K).variance(0.0, N) == pytest.approx(VAR_Long_Pure(0.75, 0.25, 0.75, 0.5, N, 0))


VALUE_REPORTS = [(value,) for value in range(K)]
BIT_REPORTS = list(product((0, 1), repeat=K))
SET_REPORTS = list(combinations(range(K), 2))
CLIENTS = {
    "GRR": (GRR(EPSILON, K), VALUE_REPORTS, lambda: [PEER_GRR.GRR_Client(2, K, EPSILON)]),
    "SUE": (UnaryEncoding.symmetric(EPSILON, K), BIT_REPORTS, lambda: PEER_UE.UE_Client(2, K, EPSILON, False)),
    "OUE": (UnaryEncoding.optimized(EPSILON, K), BIT_REPORTS, lambda: PEER_UE.UE_Client(2, K, EPSILON, True)),
    "pure-ldp": (
        UnaryEncoding.optimized(EPSILON, K),
        BIT_REPORTS,
        lambda: UEClient(EPSILON, K, True, int).privatise(2),
    ),
    "SS": (SubsetSelection.rounded(0.5, K), SET_REPORTS, lambda: np.sort(PEER_SS.SS_Client(2, K, 0.5))),
}


@pytest.mark.parametrize("name", CLIENTS)
def test_clients_follow_our_channel(name):
    """Chi-square of 5,000 reports of the value 2 by the peer's client against our exact distribution."""
    mechanism, outputs, client = CLIENTS[name]
    reports = np.array([client() for _ in range(5000)])
    seen = (reports[:, None] == np.array(outputs)).all(axis=2).sum(axis=0)
    assert seen.sum() == 5000
    assert chisquare(seen, 5000 * mechanism.channel()[2]).pvalue > FALSE_ALARM / len(CLIENTS)
