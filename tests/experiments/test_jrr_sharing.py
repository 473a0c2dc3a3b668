"""Errors of simulated runs, point by point: what they depend on, and which readings share them."""

import numpy as np
import pandas as pd
import pytest

from corrldp.experiments.jrr import errors
from corrldp.experiments.jrr.population import protocols
from corrldp.metrics import are
from corrldp.protocols.jrr.binary import JointRandomizedResponse

GRID = {"n": [20, 100], "ones_fraction": [0.1, 0.5, 1], "epsilon": [0.1, 1]}
AXES = {
    "grid_step": [0.0001, 0.001, "limit"],
    "choice": ["algorithm1", "smallest_rho", "optimum"],
    "zero_frequency": ["skip", "domain"],
    "colluders": [5, 0],
}
RUNS = 4
POINT = ["dataset", "n", "n1", "ones_fraction", "imbalance", "epsilon"]
NUMBERS = ["mean", "se", "runs", "theory"]


@pytest.fixture
def outcomes(table):
    """Function (setting, axes, runs, seed) -> numbers by reading, mechanism, metric and point."""
    return lambda *arguments, **options: indexed(table(errors.means, *arguments, **options))


def indexed(rows):
    return rows.set_index(["reading", "mechanism", "metric", *POINT]).sort_index()[NUMBERS]


@pytest.fixture(scope="module")
def everything(table):
    return indexed(table(errors.means, GRID, AXES, RUNS))


def assert_part_of(some, everything):
    assert len(some)
    pd.testing.assert_frame_equal(some, everything.loc[some.index], check_exact=True, check_index_type=False)


def test_every_point_reading_and_mechanism_has_its_runs(experiment, everything):
    small = experiment(errors.means, GRID, AXES, RUNS)
    expected = {
        (reading.name, mechanism, metric, *(point[name] for name in POINT))
        for reading in small.readings
        for point in small.setting.points(reading.values)
        for mechanism in ("RR", "JRR")
        for metric in ("mse_counts", "are")
    }
    assert set(everything.index) == expected
    assert len(everything) == len(expected)
    assert set(everything["runs"]) == {RUNS}


def test_rr_shares_its_runs_between_readings(everything):
    strict = everything.loc["strict", "RR"]
    for reading in ("grid_step=0.001", "grid_step=limit", "choice=smallest_rho", "choice=optimum"):
        pd.testing.assert_frame_equal(everything.loc[reading, "RR"], strict, check_exact=True)
    squares = everything.loc["zero_frequency=domain", "RR", "mse_counts"]
    pd.testing.assert_frame_equal(squares, strict.loc["mse_counts"], check_exact=True)


def test_nothing_is_simulated_twice(experiment, table, monkeypatch):
    """One simulation for each point, mechanism and pair of parameters, whatever the number of readings."""
    done = []
    right = errors.simulate

    def simulate(cell, mechanism, protocol):
        done.append((mechanism, protocol, *cell.point.values()))
        return right(cell, mechanism, protocol)

    monkeypatch.setattr(errors, "simulate", simulate)
    small = experiment(errors.means, GRID, AXES, RUNS)
    needed = [
        (mechanism, protocol, *point.values())
        for reading in small.readings
        for point in small.setting.points(reading.values)
        for mechanism, protocol in protocols({**reading.values, **point})
    ]
    table(errors.means, GRID, AXES, RUNS)
    assert sorted(map(str, done)) == sorted(map(str, set(needed)))
    assert sum(mechanism == "RR" for mechanism, *_ in done) == 12 * len(AXES["colluders"])


def test_the_meaning_of_a_zero_count_is_part_of_the_result(everything):
    """Where everybody holds 1, "domain" divides one relative error by two values; elsewhere it changes nothing."""
    strict, domain = (
        everything.xs((name, "are"), level=("reading", "metric")) for name in ("strict", "zero_frequency=domain")
    )
    divisor = np.where(strict.index.get_level_values("ones_fraction") == 1, 2, 1)
    np.testing.assert_allclose(domain["mean"], strict["mean"] / divisor)


def test_readings_that_choose_the_same_parameters_share_their_runs(everything):
    """A vanishing step turns JRR into RR; its stream remains JRR's."""
    limit, plain = everything.loc["grid_step=limit", "JRR", "mse_counts"], everything.loc["strict", "RR", "mse_counts"]
    np.testing.assert_array_equal(limit["theory"], plain["theory"])
    assert (limit["mean"] != plain["mean"]).all()
    uneven = limit.index.get_level_values("ones_fraction") != 0.5
    assert (limit["mean"] != everything.loc["strict", "JRR", "mse_counts"]["mean"])[uneven].all()


@pytest.mark.parametrize(
    ("setting", "axes"),
    [
        ({**GRID, "n": [100]}, AXES),
        ({**GRID, "epsilon": [1], "ones_fraction": [0.1]}, AXES),
        (GRID, {**AXES, "choice": ["algorithm1"], "grid_step": [0.0001]}),
        ({**GRID, "n": [20]}, {axis: values[:1] for axis, values in AXES.items()}),
    ],
)
def test_a_result_does_not_depend_on_what_else_is_run(outcomes, everything, setting, axes):
    assert_part_of(outcomes(setting, axes, RUNS), everything)


def test_a_result_does_not_depend_on_the_order(outcomes, everything):
    backwards = {name: values[::-1] for name, values in GRID.items()}
    turned = {axis: [values[0], *values[:0:-1]] for axis, values in reversed(AXES.items())}
    found = outcomes(backwards, turned, RUNS)
    assert len(found) == len(everything)
    assert_part_of(found, everything)


def test_another_seed_gives_other_runs(outcomes):
    first, second = (outcomes({**GRID, "n": [10_000]}, AXES, RUNS, seed=seed)["mean"] for seed in (1, 2))
    assert not (first == second).any()


def test_jrr_is_left_out_where_algorithm_1_finds_nothing(table):
    setting = {"n": [100], "ones_fraction": [0.1], "epsilon": [0.0001]}
    found = table(errors.means, setting, {"choice": ["algorithm1", "optimum"]}, RUNS)
    assert found.drop_duplicates(["reading", "mechanism"])[["reading", "mechanism"]].to_numpy().tolist() == [
        ["strict", "RR"],
        ["choice=optimum", "RR"],
        ["choice=optimum", "JRR"],
    ]


@pytest.fixture
def of_one_run(table):
    """Function (setting, axes) -> mean squared error, its closed form and ARE of JRR in one run for each epsilon."""

    def found(setting, axes=None):
        rows = table(errors.means, {**setting, "epsilon": [0.1, 0.5, 1, 2, 4]}, axes, runs=1)
        rows = rows[rows["mechanism"] == "JRR"]
        squares, relative = (rows[rows["metric"] == metric].reset_index() for metric in ("mse_counts", "are"))
        return squares, relative["mean"]

    return found


def test_errors_of_one_protocol(of_one_run):
    """Binary errors of 0 and 1 are opposite, so the mean square is that of one count and ARE follows from it."""
    squares, relative = of_one_run({"n": [50], "ones_fraction": [0.2]}, {"choice": ["smallest_rho"]})
    np.testing.assert_allclose(relative, np.sqrt(squares["mean"]) * (1 / 10 + 1 / 40) / 2, atol=1e-15)
    p = 1 / (1 + np.exp(-squares["epsilon"]))
    spread = p * (1 - p) / (2 * p - 1) ** 2
    np.testing.assert_allclose(squares["theory"], spread * (50 + (1 - 1 / p) * (30**2 - 50) / 49))


@pytest.mark.parametrize(("zero", "share"), [("skip", 1), ("domain", 0.5)])
def test_a_value_that_nobody_holds(of_one_run, zero, share):
    squares, relative = of_one_run({"n": [50], "ones_fraction": [1]}, {"zero_frequency": [zero]})
    np.testing.assert_allclose(relative, share * np.sqrt(squares["mean"]) / 50, atol=1e-15)
    assert are([0, 45], [0, 50], zero=zero) == pytest.approx(share * 0.1)


def test_the_variance_of_a_protocol_by_hand():
    jrr = JointRandomizedResponse(0.8, -0.1875)
    assert jrr.variance_of_counts(10, 50) == pytest.approx(0.16 / 0.36 * (50 - 0.1875 * (30**2 - 50) / 49))
