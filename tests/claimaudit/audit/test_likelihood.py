"""Calibration at fixed seeds: a rate is compared with bounds that a right rate violates with probability below 1e-4."""

import numpy as np
import pandas as pd
import pytest
from scipy import stats

from claimaudit.audit.fitting.exhibits import ExhibitFit
from claimaudit.audit.fitting.likelihood import RunsRatio, estimate_runs, p_values, scores
from claimaudit.verdicts import FARTHEST

pytestmark = pytest.mark.thorough

TRIALS = 2000


def mean_squares(rng, shape, runs, freedom):
    """Means over runs of the mean of `freedom` squared normal errors: their expectation is 1."""
    return rng.chisquare(runs * freedom, size=shape) / (runs * freedom)


def alarms(p):
    """Shares of p-values below 0.05 and 0.001."""
    return np.mean(np.asarray(p) < 0.05), np.mean(np.asarray(p) < 0.001)


def p_values_of(z):
    """P-values (...) of sets of scores (..., numbers)."""
    return p_values(np.sum(z**2, axis=-1), np.abs(z).max(axis=-1), z.shape[-1])


@pytest.mark.parametrize(("runs", "freedom"), [(2, 1), (20, 3), (100, 16)])
def test_scores_of_mean_squares_are_normal(rng, runs, freedom):
    printed = mean_squares(rng, 20_000, runs, freedom)
    z = scores(printed, np.ones(20_000), np.full(20_000, np.sqrt(2 / (runs * freedom))), np.zeros(20_000))
    assert stats.kstest(z, "norm").pvalue > 1e-4


def test_scores_without_an_error_or_far_away():
    printed, mean, se = (
        np.array([2.0, 2.0, 100.0, -1.0]),
        np.array([2.0, 1.0, 1.0, 0.0]),
        np.array([0.0, 0.0, 0.1, 0.5]),
    )
    assert scores(printed, mean, se, np.zeros(4)).tolist() == [0.0, np.inf, FARTHEST, -2.0]
    assert scores(printed, mean, np.zeros(4), se).tolist()[:2] == [0.0, np.inf]


@pytest.mark.parametrize(("theirs", "ours"), [(52, 30), (1000, 30), (100, 10_000)])
@pytest.mark.parametrize("freedom", [1, 16])
def test_scores_of_two_simulations_are_normal(rng, theirs, ours, freedom):
    printed, mean = (mean_squares(rng, 20_000, runs, freedom) for runs in (theirs, ours))
    se, se_mean = (mean * np.sqrt(2 / (runs * freedom)) for runs in (theirs, ours))
    z = scores(printed, mean, se, se_mean)
    assert stats.kstest(z, "norm").pvalue > 1e-4


@pytest.mark.parametrize("cells", [1, 5, 60])
def test_level_of_the_p_value(rng, cells):
    rate, strict_rate = alarms(p_values_of(rng.standard_normal((TRIALS, cells))))
    assert 0.02 < rate < 0.07
    assert strict_rate < 0.005


def test_level_of_the_joint_p_value_with_both_errors(rng):
    """Printed numbers of 100 runs and ours of 400, for two metrics of the same runs, of which one has skewed errors."""
    z = np.empty((TRIALS, 2, 30))
    for metric, freedom in enumerate((1, 16)):
        printed, ours = (mean_squares(rng, (TRIALS, 30), runs, freedom) for runs in (100, 400))
        z[:, metric] = scores(printed, ours, *(ours * np.sqrt(2 / freedom / runs) for runs in (100, 400)))
    trial, metric, _ = np.indices(z.shape).reshape(3, -1).astype(str)
    decisive = pd.DataFrame({"reading": trial, "metric": metric, "se": 1.0, "z": z.ravel()})
    rate, strict_rate = alarms([*ExhibitFit(decisive, RunsRatio(), decisive).p_values.values()])
    assert 0.02 < rate < 0.07
    assert strict_rate < 0.005


def test_one_wrong_number_and_many_slightly_wrong_ones_are_noticed(rng):
    z = rng.standard_normal((100, 40))
    one, many = z.copy(), 2 * z
    one[:, 7] += 7
    for wrong in (one, many):
        assert np.mean(p_values_of(wrong) < 0.001) > 0.95


def cells_of(rng, factor, stated=100, cells=20, freedom=4, digitised=0.0):
    """Printed mean squares of factor * stated runs, with their expectation and standard deviation of one run."""
    expected = rng.uniform(0.01, 1, size=cells)
    value = expected * mean_squares(rng, cells, max(1, round(stated * factor)), freedom)
    value *= 1 + digitised * rng.standard_normal(cells)
    numbers = pd.DataFrame({"value": value, "ours": expected, "run_sd": expected * np.sqrt(2 / freedom)})
    return numbers.assign(se_ours=0.0, stated=stated, digitised=digitised * value, digit=0.0)


def test_estimated_runs_cover_the_truth_and_seldom_reject_it(rng):
    found = [estimate_runs(cells_of(rng, 1.0, digitised=0.005)) for _ in range(600)]
    covered = np.mean([runs.low <= 1 <= runs.high for runs in found])
    assert 0.91 < covered < 0.98
    assert np.mean([runs.rejected for runs in found]) < 0.01


@pytest.mark.parametrize("factor", [0.5, 0.1, 3.0])
def test_another_number_of_runs_is_estimated(rng, factor):
    found = [estimate_runs(cells_of(rng, factor, cells=60)) for _ in range(50)]
    assert np.median([runs.estimate for runs in found]) == pytest.approx(factor, rel=0.15)
    assert np.mean([runs.rejected for runs in found]) > 0.5
    rejected = next(runs for runs in found if runs.rejected)
    assert rejected.factor == rejected.estimate
    assert rejected.high < 1 or rejected.low > 1


@pytest.mark.parametrize(("factor", "lowest", "highest"), [(1.0, 0.85, 1.0), (0.4, 0.35, 0.5), (3.0, 0.9, 3.3)])
def test_predictions_expect_the_stated_runs_unless_fewer_are_likely(rng, factor, lowest, highest):
    found = [estimate_runs(cells_of(rng, factor, cells=60)).expected for _ in range(50)]
    assert lowest < np.median(found) < highest


def test_a_stated_number_that_is_doubtful_but_not_rejected_does_not_narrow_predictions(rng):
    """The expected variance is near that of the true number of runs, where the stated one still stands."""
    found = [estimate_runs(cells_of(rng, 0.4, cells=30)) for _ in range(200)]
    doubtful = [runs for runs in found if not runs.rejected]
    assert len(doubtful) > 20
    assert np.mean([1 / runs.expected for runs in doubtful]) == pytest.approx(1 / 0.4, rel=0.35)


def test_our_own_error_is_not_taken_for_theirs(rng):
    found = []
    for _ in range(200):
        cells = cells_of(rng, 1.0)
        ours = cells["ours"] * mean_squares(rng, len(cells), 200, 4)
        found.append(estimate_runs(cells.assign(ours=ours, se_ours=ours * np.sqrt(2 / (4 * 200)))))
    assert np.mean([runs.rejected for runs in found]) < 0.015
    assert np.median([runs.estimate for runs in found]) == pytest.approx(1, rel=0.2)


def test_runs_need_two_numbers_with_an_error(rng):
    cells = cells_of(rng, 1.0)
    for few in (cells.head(1), cells.assign(run_sd=0.0), cells.head(0)):
        runs = estimate_runs(few)
        assert np.isnan(runs.estimate)
        assert not runs.rejected
        assert runs.factor == runs.expected == 1.0
    assert RunsRatio(0.5, 0.4, 0.6, rejected=False).factor == 1.0


@pytest.mark.parametrize(
    ("runs", "fewest"),
    [
        (RunsRatio(), 1),
        (RunsRatio(0.8, 0.4, 1.5, least=0.6), 0.6),
        (RunsRatio(1.5, 1.2, 1.9, least=1.3), 1),
        (RunsRatio(0.5, 0.4, 0.7, rejected=True, least=0.45), 0.45),
    ],
)
def test_a_reading_is_compared_with_the_fewest_runs_that_are_allowed(runs, fewest):
    assert runs.fewest == fewest
