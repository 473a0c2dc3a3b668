"""Our estimators against those of multi-freq-ldpy, on our own reports.

The peer clips and normalises its estimates. Its RS+FD always has the amplified budget.
"""

import numpy as np
import pytest
from multi_freq_ldpy.mdim_freq_est import RSpFD_solution, SMP_solution, SPL_solution

from corrldp.protocols.postprocess import postprocess
from corrldp.protocols.rs_fd import RSFD
from corrldp.protocols.smp import SMP, SPL

SIZES, EPSILON, N = (2, 5, 3), 1.3, 3000
RECORDS = np.column_stack([np.random.default_rng(51).binomial(k - 1, 0.3, size=N) for k in SIZES])
LISTS = list(SIZES)


def reports_of(protocol):
    return protocol.privatize(RECORDS, np.random.default_rng(52))


def as_peer(reports):
    table = np.empty((N, len(SIZES)), dtype=object)
    for j, column in enumerate(reports):
        table[:, j] = [report.astype(float) if np.ndim(report) else int(report) for report in column]
    return table


def check(protocol, reports, theirs):
    ours = postprocess(protocol.estimate(reports), "clip_normalise")
    for j, k in enumerate(SIZES):
        np.testing.assert_allclose(np.asarray(theirs[j], dtype=float), ours[j, :k], atol=1e-12)


@pytest.mark.parametrize("oracle", ["GRR", "SUE", "OUE"])
def test_spl(oracle):
    protocol = SPL(EPSILON, SIZES, oracle)
    reports = reports_of(protocol)
    if oracle == "GRR":
        theirs = SPL_solution.SPL_GRR_Aggregator_MI(as_peer(reports.T), LISTS, 3, EPSILON)
    else:
        theirs = SPL_solution.SPL_UE_Aggregator_MI(as_peer(reports), 3, EPSILON, optimal=oracle == "OUE")
    check(protocol, reports, theirs)


@pytest.mark.parametrize("oracle", ["SUE", "OUE"])
def test_smp(oracle):
    protocol = SMP(EPSILON, SIZES, oracle)
    reports = reports_of(protocol)
    pairs = [(j, report.astype(float)) for j, column in reports.items() for report in column]
    check(protocol, reports, SMP_solution.SMP_UE_Aggregator_MI(pairs, 3, EPSILON, optimal=oracle == "OUE"))


@pytest.mark.parametrize("oracle", ["GRR", "SUE-z", "OUE-z", "SUE-r", "OUE-r"])
def test_rs_fd(oracle):
    protocol = RSFD(EPSILON, SIZES, True, oracle)
    reports = reports_of(protocol)
    if oracle == "GRR":
        theirs = RSpFD_solution.RSpFD_GRR_Aggregator_MI(as_peer(reports.T), LISTS, 3, EPSILON)
    else:
        fakes = {"z": "zero", "r": "rnd"}[oracle[-1]]
        aggregate = getattr(RSpFD_solution, f"RSpFD_UE_{fakes}_Aggregator_MI")
        theirs = aggregate(as_peer(reports), LISTS, 3, EPSILON, optimal=oracle[0] == "O")
    check(protocol, reports, theirs)
