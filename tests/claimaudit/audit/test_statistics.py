import numpy as np
import pytest
from scipy import special, stats

from claimaudit.audit.statistics import (
    POWER,
    chance_of_score,
    chi_square,
    extreme,
    fitted,
    notices,
    passes,
    z_scores,
)
from claimaudit.verdicts import Levels


@pytest.mark.parametrize(
    ("z", "dof", "found"),
    [([1.0, -2.0, 0.5], 3, (5.25, stats.chi2.sf(5.25, 3))), (np.zeros(3), 0, (0, 1)), ([0, np.inf], 0, (np.inf, 0))],
)
def test_chi_square_matches_scipy_and_exact_numbers_decide_alone(z, dof, found):
    assert chi_square(np.array(z), dof) == pytest.approx(found)


def test_z_scores_of_exact_numbers():
    z = z_scores(np.array([2.0, 1e-12, -3.0]), np.array([1.0, 0.0, 0.0]), np.array([False, True, False]))
    assert z.tolist() == [2, 0, -np.inf]


@pytest.mark.parametrize("dof", [1, 10, 100])
def test_power_threshold_is_where_a_chi_square_test_has_it(dof):
    shift = stats.ncx2
    crossing = next(s for s in np.arange(1, 400, 0.25) if notices(s, dof, 0.01))
    assert shift.sf(stats.chi2.isf(0.01, dof), dof, crossing) >= POWER
    assert shift.sf(stats.chi2.isf(0.01, dof), dof, crossing - 0.25) < POWER


def test_three_valued_outcome():
    levels = Levels(0.01, 0.001)
    assert passes(0.0001, levels, noticing=False) is False
    assert passes(0.005, levels, noticing=True) is None
    assert passes(0.5, levels, noticing=True) is True
    assert passes(0.5, levels, noticing=False) is None
    assert passes(float("nan"), levels, noticing=True) is None


def test_extreme_row_ties_are_broken_by_relative_size():
    assert extreme(np.array([0.0, -np.inf, np.inf]), np.array([9.0, -1.0, 2.0]), np.ones(3)) == 2
    assert extreme(np.array([np.inf, np.inf]), np.array([5.0, 0.2]), np.array([100.0, 0.1])) == 1


def test_runs_that_would_decide_follow_from_the_distance_to_the_threshold():
    """A score grows with the root of the runs: 1.5 of the 3 that decide take four times as many."""
    levels = Levels(special.ndtr(-3.0), special.ndtr(-6.0))
    passing, failing = (chance_of_score(z, levels) for z in (1.5, -1.5))
    assert passing.runs == pytest.approx(4)
    assert failing.runs == pytest.approx(16)
    assert (passing.statistic, passing.needed) == (1.5, pytest.approx(3))
    assert chance_of_score(0.0, levels).runs is None


def test_the_excess_of_a_chi_square_grows_with_the_runs():
    levels = Levels(0.5, special.chdtrc(10, 50.0))
    chance = fitted(30.0, special.chdtrc(10, 30.0), 10, True, levels)["chance"]
    assert (chance.needed, chance.runs) == (pytest.approx(50), pytest.approx(2))
    assert fitted(9.0, 0.4, 10, True, levels)["chance"].runs is None
    assert fitted(9.0, 0.6, 10, True, levels)["chance"] is None
