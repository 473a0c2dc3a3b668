"""Estimates by the public libraries pure-ldp and multi-freq-ldpy of our reports are ours.

What offers only clipped and normalised estimates is compared with ours, post-processed likewise. The RS+FD of
multi-freq-ldpy always has the amplified budget.
"""

from functools import partial

import numpy as np
import pytest
from multi_freq_ldpy.mdim_freq_est import RSpFD_solution, SMP_solution, SPL_solution
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
from corrldp.protocols.rs_fd import RSFD
from corrldp.protocols.smp import SMP, SPL

pytestmark = pytest.mark.thorough

EPSILON, K, N, SIZES = 1.1, 4, 2000, (2, 5, 3)
VALUES = np.random.default_rng(41).choice(K, size=N, p=[0.4, 0.3, 0.2, 0.1])
RECORDS = np.column_stack([np.random.default_rng(51).binomial(k - 1, 0.3, size=N) for k in SIZES])
SERVERS = {
    "GRR": (GRR, DEServer(EPSILON, K)),
    "SUE": (UnaryEncoding.symmetric, UEServer(EPSILON, K)),
    "OUE": (UnaryEncoding.optimized, UEServer(EPSILON, K, use_oue=True)),
    "SHE": (SummationHistogram, HEServer(EPSILON, K)),
    "BLH": (LocalHashing.binary, LHServer(EPSILON, K, use_olh=False)),
    "OLH": (LocalHashing.optimal, LHServer(EPSILON, K, use_olh=True)),
}


def reports_of(one, given=VALUES):
    return one.privatize(given, np.random.default_rng(43))


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


def as_peer(reports):
    if isinstance(reports, dict):
        return [(j, report.astype(float)) for j, column in reports.items() for report in column]
    table = np.empty((N, len(SIZES)), dtype=object)
    for j, column in enumerate(reports):
        table[:, j] = [report.astype(float) if np.ndim(report) else int(report) for report in column]
    return table


AMPLIFIED = partial(RSFD, amplify=True)


@pytest.mark.parametrize(
    ("build", "oracle", "aggregate"),
    [
        (SPL, "GRR", SPL_solution.SPL_GRR_Aggregator_MI),
        *((SPL, name, SPL_solution.SPL_UE_Aggregator_MI) for name in ("SUE", "OUE")),
        *((SMP, name, SMP_solution.SMP_UE_Aggregator_MI) for name in ("SUE", "OUE")),
        (AMPLIFIED, "GRR", RSpFD_solution.RSpFD_GRR_Aggregator_MI),
        *((AMPLIFIED, name, RSpFD_solution.RSpFD_UE_zero_Aggregator_MI) for name in ("SUE-z", "OUE-z")),
        *((AMPLIFIED, name, RSpFD_solution.RSpFD_UE_rnd_Aggregator_MI) for name in ("SUE-r", "OUE-r")),
    ],
)
def test_estimates_of_whole_records(build, oracle, aggregate):
    protocol = build(EPSILON, SIZES, oracle=oracle)
    reports = reports_of(protocol, RECORDS)
    given = as_peer(reports.T if oracle == "GRR" else reports)
    sizes = [list(SIZES)] if oracle == "GRR" or build is AMPLIFIED else []
    options = {} if oracle == "GRR" else {"optimal": oracle[0] == "O"}
    theirs = aggregate(given, *sizes, 3, EPSILON, **options)
    ours = postprocess(protocol.estimate(reports), "clip_normalise")
    for j, k in enumerate(SIZES):
        np.testing.assert_allclose(np.asarray(theirs[j], dtype=float), ours[j, :k], atol=1e-12)
