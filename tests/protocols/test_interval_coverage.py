"""Intervals from reports alone cover the frequencies of the users as often as they say.

A correct program fails this file with probability below 1e-3. Each of some 20 tests counts, for up to nine frequencies,
the seeded runs whose interval covers; the allowance is 4.5 standard deviations of that share (one-sided 3.4e-6).
"""

import numpy as np
import pytest

from corrldp.collection import Aggregator, Client, Reports
from corrldp.protocols.records import RecordTable
from corrldp.protocols.registry import protocol

pytestmark = pytest.mark.thorough

SIZES, LEVEL, RUNS, N = (2, 4, 3), 0.9, 250, 1500
# Frequencies of a sum of few reports are not quite normal, and a standard error is an estimate.
APPROXIMATION = 0.015
ALLOWANCE = 4.5 * np.sqrt(LEVEL * (1 - LEVEL) / RUNS) + APPROXIMATION
PRIORS = [[0.3, 0.7], [0.1, 0.2, 0.3, 0.4], [0.2, 0.5, 0.3]]

ONE_PHASE = {
    **{name: {} for name in ("SPL", "SMP[SS]", "RS+FD[OLH-z]", "LoPub")},
    "RS+RFD[SUE-r]": {"priors": PRIORS},
}
"""Options by name; of every oracle the contract has the standard errors, see test_contract.py."""


def correlated(n, sizes, seed=3):
    rng = np.random.default_rng(seed)
    first = rng.choice(min(sizes), size=n, p=[0.8, 0.2] if min(sizes) == 2 else None)
    return np.column_stack([np.where(rng.random(n) < 0.6, first, rng.integers(k, size=n)) for k in sizes])


def assert_they_cover(shares, at_most=True):
    assert shares.min() > LEVEL - ALLOWANCE
    assert not at_most or shares.mean() < LEVEL + ALLOWANCE


def coverage(estimates, truth):
    """Share of runs whose interval covers, for each frequency that exists."""
    covered = []
    for estimate in estimates:
        lower, upper = estimate.interval(LEVEL)
        covered.append(((lower <= truth) & (truth <= upper))[~np.isnan(truth)])
    return np.mean(covered, axis=0)


@pytest.mark.parametrize("name", ONE_PHASE)
def test_intervals_of_one_phase_cover_and_shorter_ones_do_not(name):
    one = protocol(name, 3.0, SIZES, **ONE_PHASE[name])
    data, rng = correlated(N, SIZES), np.random.default_rng(4)
    truth = RecordTable.from_records(data, SIZES).frequencies()
    estimates = [Aggregator(one).add(Reports.draw(one, data, rng)).estimate().raw for _ in range(RUNS)]
    assert_they_cover(coverage(estimates, truth))
    for estimate in estimates:
        object.__setattr__(estimate, "standard_errors", 0.7 * estimate.standard_errors)
    assert coverage(estimates, truth).min() < LEVEL - ALLOWANCE


@pytest.mark.parametrize("k", [2, 4])
def test_intervals_of_jrr_cover_for_clients_with_tokens(k):
    one = protocol("JRR", 1.0, (k,))
    clients = {token: Client(one, token) for token in (-1, 1)}
    data, rng = np.minimum(correlated(100, (6,)), k - 1), np.random.default_rng(5)
    truth = RecordTable.from_records(data, (k,)).frequencies()
    estimates = []
    for _ in range(RUNS):
        tokens = one.deal(100, rng)
        reports = [clients[token].report(record, rng) for token, record in zip(tokens, data, strict=True)]
        estimates.append(Aggregator(one).add(reports).estimate().raw)
    assert_they_cover(coverage(estimates, truth))


@pytest.mark.parametrize("name", ["RS+RFD", "Corr-RR", "Cond-RR"])
@pytest.mark.parametrize("sizes", [(3, 3, 3), (2, 4, 3)])
def test_intervals_of_two_phases_cover_at_least(name, sizes):
    """Those of Corr-RR and Cond-RR have an estimated bias and, where values are merged, the largest one possible."""
    one = protocol(name, 3.0, sizes, phase1_fraction=0.2)
    data, rng = correlated(N, sizes), np.random.default_rng(6)
    truth = RecordTable.from_records(data, sizes).frequencies()
    estimates = []
    for _ in range(RUNS):
        users = rng.permutation(data, axis=0)
        first, n1 = one.first_phase(), round(0.2 * N)
        learned = Aggregator(first).add(Reports.draw(first, users[:n1], rng))
        second = one.second_phase(learned)
        reported = Aggregator(second).add(Reports.draw(second, users[n1:], rng))
        estimates.append(one.combine(learned, reported).raw)
    assert_they_cover(coverage(estimates, truth), at_most=name == "RS+RFD")


def test_intervals_of_joint_tables_cover():
    one = protocol("Castell", 4.0, (2, 3))
    data, rng = correlated(N, (2, 3)), np.random.default_rng(7)
    truth = np.zeros((2, 3))
    np.add.at(truth, tuple(data.T), 1 / N)
    estimates = [Aggregator(one).add(Reports.draw(one, data, rng)).estimate_joint([0, 1]) for _ in range(RUNS)]
    assert coverage(estimates, truth).min() > LEVEL - ALLOWANCE


def test_nobody_reports_an_attribute_and_its_interval_is_everything():
    estimate = Aggregator(protocol("SMP", 1.0, SIZES)).add([[0, 1], [0, 0]]).estimate().raw
    lower, upper = estimate.interval()
    np.testing.assert_array_equal(lower[1], 0)
    np.testing.assert_array_equal(upper[1], 1)
