from itertools import product

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from corrldp.leakage.baselines import nmse, off_diagonal, undershoot
from corrldp.leakage.cpl import conditional, leakage_bound, leakage_of_channel
from corrldp.leakage.printed import algorithm_3
from corrldp.leakage.total import (
    calibrate,
    composition_bound,
    contingency_tables,
    joint_leakage,
    leakage_matrix,
    total_correlation_leakage,
    total_leakage,
    worst_total,
)
from corrldp.mechanisms.grr import GRR
from corrldp.privacy import epsilon_between

seeds = st.integers(0, 10**6)


@pytest.fixture
def tables():
    codes = np.random.default_rng(2).integers([2, 3, 3], size=(500, 3))
    codes[:, 2] = np.where(codes[:, 0] == 1, codes[:, 1], codes[:, 2])
    return contingency_tables(codes, [2, 3, 3])


def test_contingency_tables():
    codes = np.array([[0, 2, 1], [1, 0, 1], [0, 2, 0]])
    tables = contingency_tables(codes, [2, 3, 2])
    assert len(tables) == 6
    np.testing.assert_array_equal(tables[0, 1], [[0, 0, 2], [1, 0, 0]])
    np.testing.assert_array_equal(tables[1, 0], tables[0, 1].T)
    with pytest.raises(ValueError, match="recode"):
        contingency_tables(codes, [2, 2, 2])


def test_leakage_matrix_puts_the_attacked_attribute_in_the_row(tables):
    matrix = leakage_matrix(tables, lambda joint: leakage_bound(conditional(joint), 1.0))
    for k, j in tables:
        assert matrix[k, j] == pytest.approx(leakage_bound(conditional(tables[k, j]), 1.0), abs=1e-13)
    assert (np.diag(matrix) == 0).all()


@given(seeds, st.floats(0.1, 5))
def test_total_leakage_by_enumeration(seed, epsilon):
    """Eq. 5 with the distribution of all three reports written out."""
    law = np.random.default_rng(seed).dirichlet(np.full(12, 0.5)).reshape(2, 2, 3) + 1e-6
    own, first, second = (GRR(epsilon, k).channel() for k in law.shape)
    rows = np.zeros((2, 2, 2, 3))
    for x, y, y1, y2 in product(range(2), range(2), range(2), range(3)):
        neighbours = sum(law[x, u, v] * first[u, y1] * second[v, y2] for u in range(2) for v in range(3))
        rows[x, y, y1, y2] = own[x, y] * neighbours / law[x].sum()
    assert total_leakage(law, own, [first, second]) == pytest.approx(epsilon_between(rows.reshape(2, -1)), abs=1e-9)
    without = joint_leakage(law, [first, second])
    assert without == pytest.approx(epsilon_between(rows.sum(axis=1).reshape(2, -1)), abs=1e-9)


@given(seeds, st.floats(0.1, 5))
def test_composition_bounds_conditionally_independent_neighbours(seed, epsilon):
    rng = np.random.default_rng(seed)
    one, two = rng.dirichlet(np.ones(2), size=3), rng.dirichlet(np.ones(3), size=3)
    law = np.einsum("x,xu,xv->xuv", rng.dirichlet(np.ones(3)) + 0.01, one, two)
    channels = [GRR(epsilon, 2).channel(), GRR(epsilon, 3).channel()]
    parts = [leakage_of_channel(laws, channel) for laws, channel in zip((one, two), channels, strict=True)]
    total = total_leakage(law, GRR(epsilon, 3).channel(), channels)
    assert total <= composition_bound(epsilon, parts) + 1e-9


def test_composition_is_no_bound_in_general():
    """Each of two fair coins says nothing about their exclusive or."""
    law = np.zeros((2, 2, 2))
    for u, v in product(range(2), repeat=2):
        law[u ^ v, u, v] = 1 / 4
    channel = GRR(1.0, 2).channel()
    parts = [leakage_of_channel(conditional(law.sum(axis=axis)), channel) for axis in (2, 1)]
    assert composition_bound(1.0, parts) == pytest.approx(1.0, abs=1e-12)
    truth = channel[0, 0] ** 2 + channel[0, 1] ** 2
    assert joint_leakage(law, [channel, channel]) == pytest.approx(np.log(truth / (1 - truth)))
    assert total_leakage(law, channel, [channel, channel]) > 1.4


def test_law_and_channels_must_match():
    with pytest.raises(ValueError, match="one axis more"):
        joint_leakage(np.full((2, 2), 0.25), [])


@given(st.floats(0.2, 10))
def test_calibration_is_exact(budget):
    rng = np.random.default_rng(3)
    total = worst_total(contingency_tables(rng.integers(2, size=(100, 4)), [2] * 4), leakage_bound)
    epsilon = calibrate(total, budget)
    assert total(epsilon) == pytest.approx(budget, abs=1e-7)


@pytest.mark.parametrize("bits", [-1, 0, 1])
def test_printed_algorithm_3_stops_at_a_total_that_is_the_budget_but_for_rounding(bits):
    assert algorithm_3(lambda epsilon: 3 * epsilon * (1 + bits * 2.0**-52), 0.9, 3) == pytest.approx(0.31)


@pytest.mark.thorough
def test_printed_algorithm_3_breaks_its_constraint(tables):
    total = worst_total(tables, leakage_bound)
    for budget in (1.0, 2.5, 6.0):
        exact, printed = calibrate(total, budget), algorithm_3(total, budget, 3)
        assert 0.01 - 1e-9 <= printed - exact <= 0.02 + 1e-9  # one to two steps
        assert total(printed) > budget


def test_worst_total_adds_the_direct_leakage(tables):
    epsilon = 0.7
    matrix = leakage_matrix(tables, lambda joint: leakage_bound(conditional(joint), epsilon))
    assert worst_total(tables, leakage_bound)(epsilon) == pytest.approx(epsilon + matrix.sum(axis=1).max())
    with pytest.raises(ValueError, match="budget"):
        calibrate(lambda epsilon: epsilon, 0.0)


def test_measures_of_estimates():
    """Numbers computed by hand, Eqs. 4, 21, 22 and 29."""
    matrix, reference = np.array([[9.0, 1.0], [0.2, 9.0]]), np.array([[0.0, 0.5], [0.6, 0.0]])
    assert total_correlation_leakage(matrix) == pytest.approx(1.2)
    assert total_correlation_leakage(reference) == pytest.approx(1.1)
    estimates, truth = off_diagonal(matrix), off_diagonal(reference)
    np.testing.assert_array_equal(estimates, [1.0, 0.2])
    assert undershoot(estimates, truth, 2.0) == pytest.approx(0.4 / 4)
    assert undershoot(truth, estimates, 2.0) == pytest.approx(0.5 / 4)
    assert nmse(estimates, truth) == pytest.approx((0.25 + 0.16) / (0.25 + 0.36))
