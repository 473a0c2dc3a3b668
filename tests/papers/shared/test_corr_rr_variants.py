"""Corr-RR's extensions of Section 3.3."""

import numpy as np
import pytest
from closed_errors import error_with_channels
from scipy.optimize import lsq_linear
from shared.runners.variants import (
    GroupedCorrRR,
    IterativeCorrRR,
    TwoPivotCorrRR,
    box_least_squares,
    groups_by_strength,
    pattern,
)
from support_laws import assert_one_joint_law, correlated_records

from corrldp.protocols.corr_rr import pivot
from corrldp.protocols.corr_rr.alignment import Aligned
from corrldp.protocols.corr_rr.protocol import CorrRR, simulate_pairs
from corrldp.protocols.corr_rr.rules import Fixed, exact
from corrldp.protocols.records import RecordTable

SIZES = (3, 3, 3)
CORR_RR = CorrRR(1.0, SIZES, 0.2, exact)

# A correct program fails the tests of joint laws with probability at most 1e-5 (seeds are fixed): 3 p-values.
FALSE_ALARM = 1e-5 / 3


ROWS = np.stack(np.unravel_index(np.arange(27), SIZES), axis=1)
TABLE = RecordTable(ROWS, (np.arange(27) * 7 % 13 + 1) * 100, SIZES)


def test_one_group_or_round_is_corr_rr():
    """Random numbers of rounds differ: 18 means and mean squares of 3000 runs agree within 4.9 standard errors."""
    for protocol in (GroupedCorrRR(1.0, SIZES, 0.2, exact, ((0, 1, 2),)), Aligned(CORR_RR, ((0, 1, 2),) * 3)):
        found = (one.simulate(TABLE, 5, np.random.default_rng(1)) for one in (protocol, CORR_RR))
        np.testing.assert_array_equal(*found)
    rng = np.random.default_rng(2)
    first = IterativeCorrRR(1.0, SIZES, 0.2, exact, 1).simulate(TABLE, 3000, rng)
    second = CORR_RR.simulate(TABLE, 3000, rng)
    for power in (1, 2):
        a, b = first**power, second**power
        assert (np.abs(a.mean(axis=0) - b.mean(axis=0)) < 4.9 * np.sqrt((a.var(axis=0) + b.var(axis=0)) / 3000)).all()


def test_rounds_learn_from_all_first_phases_so_far():
    """A planted rule records its input: the last of 4 batches must learn from 4 times as many users as the first."""
    heard = []

    def rule(first, n2, mechanism):
        heard.append((first, n2))
        return Fixed(1)(first, n2, mechanism)

    protocol = IterativeCorrRR(1.0, SIZES, 0.25, rule, 4)
    protocol.simulate(TABLE, 4000, np.random.default_rng(3))
    spread = [first.var(axis=0).mean() for first, _ in heard]
    assert spread[0] / spread[3] == pytest.approx(4, rel=0.1)
    assert sum(n2 for _, n2 in heard) == pytest.approx(0.75 * TABLE.n, abs=4)


@pytest.mark.parametrize("groups", [((0, 2), (1,)), ((0,), (1,), (2,)), ((1, 0, 2),)])
def test_error_of_groups_for_given_copies(groups):
    """The exact errors of each group's copies, within 4.9 standard errors of 4000 runs."""
    protocol, expected = GroupedCorrRR(1.0, SIZES, 0.2, Fixed(0.8), groups), 0.0
    for group in map(list, groups):
        channels = pivot.copy_channels(np.where(np.eye(len(group)) == 1, 1, 0.8), 3)
        expected += error_with_channels(protocol, TABLE, channels, group).sum()
    errors = ((protocol.simulate(TABLE, 4000, np.random.default_rng(4)) - TABLE.frequencies()) ** 2).sum(axis=(1, 2))
    assert abs(errors.mean() - expected) < 4.9 * errors.std() / np.sqrt(4000)


def extensions(d, k):
    sizes = (k,) * d
    return {
        "iterative": IterativeCorrRR(2.0, sizes, 0.3, exact, 3),
        "grouped": GroupedCorrRR(3.0, sizes, 0.3, exact, ((d - 1,), tuple(range(d - 1)))),
        "two_pivots": TwoPivotCorrRR(4.0, sizes if d > 2 else (2, 2, 2), 0.5),
    }


@pytest.mark.thorough
@pytest.mark.parametrize("name", extensions(2, 2))
def test_count_level_and_user_level_have_one_joint_law(name):
    rng, protocol = np.random.default_rng([5, 4, 3]), extensions(4, 3)[name]
    records = correlated_records(150, len(protocol.sizes), protocol.sizes[0], rng)
    assert_one_joint_law(protocol, records, FALSE_ALARM, rng)


@pytest.mark.parametrize("name", extensions(2, 2))
def test_each_run_can_have_a_data_set_of_its_own(name):
    counts = np.stack([TABLE.counts, TABLE.counts[::-1]])
    population, protocol = RecordTable(TABLE.rows, counts, SIZES), extensions(3, 3)[name]
    assert protocol.simulate(population, 2, np.random.default_rng(9)).shape == (2, 3, 3)
    with pytest.raises(ValueError, match="runs=3 differ from the 2 data sets"):
        protocol.simulate(population, 3, np.random.default_rng(9))


def test_groups_are_connected_by_strength():
    strength = np.eye(4)
    strength[0, 2] = strength[2, 0] = 0.6
    strength[2, 3] = strength[3, 2] = 0.5
    assert groups_by_strength(strength, 0.5) == ((0, 2, 3), (1,))
    assert groups_by_strength(strength, 0.55) == ((0, 2), (1,), (3,))


def test_reports_of_merged_values_are_members_of_their_class():
    """The paper's example, with the fifth value in the second class."""
    protocol = Aligned(CorrRR(20.0, (2, 2), 0.5, Fixed(1)), ((0, 1), (0, 0, 1, 1, 1)))
    records = np.column_stack([np.arange(5000) % 2, np.arange(5000) % 2 * 2])
    rng = np.random.default_rng(6)
    reports = np.concatenate(protocol.privatize(records, rng))
    assert (reports[:, 0] == (reports[:, 1] > 1)).mean() > 0.99
    assert np.bincount(reports[:, 1])[:2] == pytest.approx([1250, 1250], abs=6 * np.sqrt(1250))
    estimate = protocol.estimate(protocol.privatize(records, rng))
    np.testing.assert_allclose(estimate[1], [0.25, 0.25, 1 / 6, 1 / 6, 1 / 6], atol=0.02)
    assert np.isnan(estimate[0, 2:]).all()


def test_law_of_followers_of_two_pivots():
    base, agree, differ = pattern(4)
    law = base + 0.7 * agree + 0.4 * differ
    np.testing.assert_allclose(law.sum(axis=1), 1)
    np.testing.assert_allclose(law[2 * 4 + 2], [0.1, 0.1, 0.7, 0.1])
    np.testing.assert_allclose(law[0 * 4 + 3], [0.2, 0.3, 0.3, 0.2])


@pytest.mark.parametrize("fixed_b", [False, True])
def test_parameters_of_two_pivots_are_the_constrained_optimum(fixed_b):
    rng = np.random.default_rng(7)
    x, y, z = rng.normal(size=(3, 50, 4))
    a, b = box_least_squares(x, y, z, fixed_b)
    for run in range(50):
        lowest = [0, 1 - 1e-12] if fixed_b else [0, 0]
        best = lsq_linear(np.column_stack([x[run], y[run]]), z[run], bounds=(lowest, [1, 1])).cost
        assert np.sum((a[run] * x[run] + b[run] * y[run] - z[run]) ** 2) / 2 == pytest.approx(best, abs=1e-6)


@pytest.mark.parametrize("sign", [-1, 1])
def test_two_pivots_that_say_nothing_but_for_rounding_say_nothing(sign):
    z = np.array([[0.1, 0.2, -0.3]])
    a, b = box_least_squares(sign * 1e-16 * z, np.zeros((1, 3)), z, fixed_b=True)
    assert (a, b) == (0, 1)


def test_two_pivots_without_noise_copy_equal_attributes():
    """All attributes are equal, so copying two agreeing reports has no bias."""
    table = RecordTable(np.repeat(np.arange(3), 3).reshape(3, 3), np.array([5, 3, 2]) * 10**6, SIZES)
    estimates = TwoPivotCorrRR(30.0, SIZES, 0.5).simulate(table, 3, np.random.default_rng(8))
    np.testing.assert_allclose(estimates, np.broadcast_to(table.frequencies(), (3, 3, 3)), atol=2e-3)


def test_what_two_pivots_learn_does_not_hang_on_the_last_bit(monkeypatch):
    """Draws resolve nine digits, so that channels which processors compute differently must be the same."""
    protocol = TwoPivotCorrRR(0.3, SIZES, 0.2)
    pairs = simulate_pairs(TABLE, protocol.spl, 50, np.random.default_rng(9))
    here, inverse = protocol.channels(pairs), np.linalg.inv
    monkeypatch.setattr(np.linalg, "inv", lambda matrix: inverse(matrix) * (1 + 1e-14))
    np.testing.assert_array_equal(protocol.channels(pairs), here)


@pytest.mark.parametrize(
    ("build", "message"),
    [
        (lambda: Aligned(CORR_RR, ((0, 1, 2),) * 2), "2 mappings"),
        (lambda: Aligned(CORR_RR, ((0, 1, 1),) * 3), "must reach"),
        (lambda: TwoPivotCorrRR(1.0, (2, 2), 0.2), "at least 3"),
    ],
)
def test_bad_parameters(build, message):
    with pytest.raises(ValueError, match=message):
        build()
