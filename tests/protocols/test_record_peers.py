"""Our estimators and variances against those of multi-freq-ldpy, on our own reports.

The peer clips and normalises its estimates. Its RS+FD always has the amplified budget, and its variances count the
sampling of records too.
"""

import numpy as np
import pytest
from multi_freq_ldpy.mdim_freq_est import RSpFD_solution, SMP_solution, SPL_solution
from multi_freq_ldpy.mdim_freq_est.Variance_RSpFD import VAR_RSpFD_GRR, VAR_RSpFD_UE_rnd, VAR_RSpFD_UE_zero

from corrldp.protocols.postprocess import postprocess
from corrldp.protocols.records import RecordTable
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
        aggregate = {
            "z": RSpFD_solution.RSpFD_UE_zero_Aggregator_MI,
            "r": RSpFD_solution.RSpFD_UE_rnd_Aggregator_MI,
        }[oracle[-1]]
        theirs = aggregate(as_peer(reports), LISTS, 3, EPSILON, optimal=oracle[0] == "O")
    check(protocol, reports, theirs)


@pytest.mark.parametrize("oracle", ["GRR", "SUE-z", "OUE-z", "SUE-r", "OUE-r"])
def test_variances_of_rs_fd(oracle):
    protocol, table = RSFD(EPSILON, SIZES, True, oracle), RecordTable.from_records(RECORDS, SIZES)
    frequencies, errors = table.frequencies(), protocol.expected_mse(table)
    for j, mechanism in enumerate(protocol.mechanisms):
        p, q, k = mechanism.p_support, mechanism.q_support, mechanism.k
        f = frequencies[j, :k]
        theirs = {
            "R": lambda p=p, q=q, k=k, f=f: VAR_RSpFD_GRR(p, q, k, 3, N, f),
            "z": lambda p=p, q=q, f=f: VAR_RSpFD_UE_zero(p, q, 3, N, f),
            "r": lambda p=p, q=q, k=k, f=f: VAR_RSpFD_UE_rnd(p, q, k, 3, N, f),
        }[oracle[-1]]()
        np.testing.assert_allclose(errors[j, :k], theirs - f * (1 - f) / N, rtol=1e-9)
