"""Estimates by the public libraries pure-ldp and multi-freq-ldpy of our reports are ours.

If a library offers only clipped and normalised estimates, ours are post-processed likewise before the comparison. GRR
and unary encodings by multi-freq-ldpy are in `protocols/test_record_peers.py`.
"""

import numpy as np
import pytest
from multi_freq_ldpy.pure_frequency_oracles.HE import HE_Aggregator_MI
from multi_freq_ldpy.pure_frequency_oracles.SS import SS_Aggregator_MI
from pure_ldp.frequency_oracles.direct_encoding import DEServer
from pure_ldp.frequency_oracles.histogram_encoding import HEServer
from pure_ldp.frequency_oracles.local_hashing import LHServer
from pure_ldp.frequency_oracles.unary_encoding import UEServer

from corrldp.mechanisms.grr import GRR
from corrldp.mechanisms.hashing import LocalHashing
from corrldp.mechanisms.histogram import SummationHistogram
from corrldp.mechanisms.subset import SubsetSelection
from corrldp.mechanisms.unary import UnaryEncoding
from corrldp.protocols.postprocess import postprocess

pytestmark = pytest.mark.thorough

EPSILON, K, N = 1.1, 4, 2000
VALUES = np.random.default_rng(41).choice(K, size=N, p=[0.4, 0.3, 0.2, 0.1])
SERVERS = {
    "GRR": (GRR, DEServer(EPSILON, K)),
    "SUE": (UnaryEncoding.symmetric, UEServer(EPSILON, K)),
    "OUE": (UnaryEncoding.optimized, UEServer(EPSILON, K, use_oue=True)),
    "SHE": (SummationHistogram, HEServer(EPSILON, K)),
    "BLH": (LocalHashing.binary, LHServer(EPSILON, K, use_olh=False)),
    "OLH": (LocalHashing.optimal, LHServer(EPSILON, K, use_olh=True)),
}


def reports_of(mechanism):
    return mechanism.privatize(VALUES, np.random.default_rng(43))


@pytest.mark.parametrize(("build", "server"), SERVERS.values(), ids=SERVERS)
def test_estimates_of_pure_ldp(build, server):
    """Its family of hash functions differs from ours, so that its servers of local hashing get our support counts."""
    mechanism = build(EPSILON, K)
    reports = reports_of(mechanism)
    if isinstance(mechanism, LocalHashing):
        assert server.g == mechanism.g
        server.aggregated_data, server.n = mechanism.support(reports), N
    else:
        for report in reports:
            server.aggregate(report)
    np.testing.assert_allclose(server._update_estimates() / N, mechanism.estimate(reports), atol=1e-12)


def test_estimates_of_multi_freq_ldpy():
    subset, histogram = SubsetSelection.rounded(EPSILON, K), SummationHistogram(EPSILON, K)
    for mechanism, estimate in (
        (subset, lambda reports: SS_Aggregator_MI(reports, K, EPSILON)),
        (histogram, lambda reports: HE_Aggregator_MI(reports, K, EPSILON, use_thresh=False)),
    ):
        reports = reports_of(mechanism)
        ours = postprocess(mechanism.estimate(reports), "clip_normalise")
        np.testing.assert_allclose(estimate(reports), ours, atol=1e-12)
