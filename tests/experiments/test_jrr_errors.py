import numpy as np
import pytest

from corrldp.experiments.jrr.errors import MECHANISMS, run_errors, simulate
from corrldp.experiments.jrr.population import settings
from corrldp.metrics import are
from corrldp.protocols.jrr.binary import JointRandomizedResponse

GRID = {"n": [20, 100], "ones_fraction": [0.1, 0.5, 1], "epsilon": [0.1, 1]}
READINGS = {
    "grid_step": [0.0001, 0.001, "limit"],
    "choice": ["algorithm1", "smallest_rho", "optimum"],
    "zero_frequency": ["skip", "domain"],
    "colluders": [5, 0],
}
RUNS = 4


def outcomes(experiment):
    """What `simulate` yields: {(reading, mechanism, *point): errors}."""
    return {
        (reading, mechanism, *point.items()): errors for point, (reading, _), mechanism, errors in simulate(experiment)
    }


@pytest.fixture(scope="module")
def everything(experiment):
    return outcomes(experiment(GRID, READINGS, RUNS))


def assert_part_of(some, everything):
    assert some
    for key, errors in some.items():
        np.testing.assert_array_equal(errors.mse_counts, everything[key].mse_counts)
        np.testing.assert_array_equal(errors.are, everything[key].are)
        assert errors.variance == everything[key].variance


def test_every_point_reading_and_mechanism_has_its_runs(experiment, everything):
    small = experiment(GRID, READINGS, RUNS)
    expected = {
        (label, mechanism, *point.items())
        for label, axes in small.all_readings()
        for point in settings(GRID, axes)
        for mechanism in MECHANISMS
    }
    assert set(everything) == expected
    assert {(errors.mse_counts.shape, errors.are.shape) for errors in everything.values()} == {((RUNS,), (RUNS,))}


def test_rr_shares_its_runs_between_readings(everything):
    strict = {key: errors for key, errors in everything.items() if key[:2] == ("strict", "RR")}
    for (_, mechanism, *point), errors in strict.items():
        for reading in ("grid_step=0.001", "grid_step=limit", "choice=smallest_rho", "choice=optimum"):
            assert everything[reading, mechanism, *point] is errors
        domain = everything["zero_frequency=domain", mechanism, *point]
        np.testing.assert_array_equal(domain.mse_counts, errors.mse_counts)


def test_the_meaning_of_a_zero_count_is_part_of_the_result(everything):
    """Where everybody holds 1, "domain" divides one relative error by two values; elsewhere it changes nothing."""
    for (reading, mechanism, *point), errors in everything.items():
        if reading != "strict":
            continue
        divisor = 2 if dict(point)["ones_fraction"] == 1 else 1
        domain = everything["zero_frequency=domain", mechanism, *point]
        np.testing.assert_allclose(domain.are, errors.are / divisor)


def test_readings_that_choose_the_same_parameters_share_their_runs(everything):
    """A vanishing step makes JRR plain RR; its stream stays JRR's own."""
    limit = {key[2:]: errors for key, errors in everything.items() if key[:2] == ("grid_step=limit", "JRR")}
    for point, errors in limit.items():
        plain = everything["strict", "RR", *point]
        assert errors.variance == plain.variance
        assert not np.array_equal(errors.mse_counts, plain.mse_counts)
        if dict(point)["ones_fraction"] == 0.5:
            continue
        assert not np.array_equal(errors.mse_counts, everything["strict", "JRR", *point].mse_counts)


@pytest.mark.parametrize(
    ("setting", "readings"),
    [
        ({**GRID, "n": [100]}, READINGS),
        ({**GRID, "epsilon": [1], "ones_fraction": [0.1]}, READINGS),
        (GRID, {**READINGS, "choice": ["algorithm1"], "grid_step": [0.0001]}),
        ({**GRID, "n": [20]}, {axis: values[:1] for axis, values in READINGS.items()}),
    ],
)
def test_a_result_does_not_depend_on_what_else_is_run(experiment, everything, setting, readings):
    assert_part_of(outcomes(experiment(setting, readings, RUNS)), everything)


def test_a_result_does_not_depend_on_the_order(experiment, everything):
    backwards = {name: values[::-1] for name, values in GRID.items()}
    turned = {axis: [values[0], *values[:0:-1]] for axis, values in reversed(READINGS.items())}
    found = outcomes(experiment(backwards, turned, RUNS))
    assert len(found) == len(everything)
    assert_part_of(found, everything)


def test_another_seed_gives_other_runs(experiment, everything):
    other = outcomes(experiment(GRID, READINGS, RUNS, seed=2))
    assert not any(np.array_equal(errors.are, everything[key].are) for key, errors in other.items())


def test_jrr_is_left_out_where_algorithm_1_finds_nothing(experiment):
    small = experiment({"n": [100], "ones_fraction": [0.1], "epsilon": [0.0001]}, {"choice": ["algorithm1", "optimum"]})
    assert [(reading, mechanism) for _, (reading, _), mechanism, _ in simulate(small)] == [
        ("strict", "RR"),
        ("choice=optimum", "RR"),
        ("choice=optimum", "JRR"),
    ]


def test_errors_of_one_protocol():
    """Binary errors of 0 and 1 are opposite, so the mean square is that of one count and ARE follows from it."""
    jrr = JointRandomizedResponse(0.8, -0.1875)
    errors = run_errors(jrr, 50, 10, "skip", 100, np.random.default_rng(1))
    deviations = np.sqrt(errors.mse_counts)
    np.testing.assert_allclose(errors.are, deviations * (1 / 10 + 1 / 40) / 2, atol=1e-15)
    assert errors.variance == pytest.approx(0.16 / 0.36 * (50 - 0.1875 * (30**2 - 50) / 49))


@pytest.mark.parametrize(("zero", "share"), [("skip", 1), ("domain", 0.5)])
def test_a_value_that_nobody_holds(zero, share):
    jrr = JointRandomizedResponse(0.8, -0.1875)
    errors = run_errors(jrr, 50, 50, zero, 10, np.random.default_rng(1))
    np.testing.assert_allclose(errors.are, share * np.sqrt(errors.mse_counts) / 50, atol=1e-15)
    assert are([0, 45], [0, 50], zero=zero) == pytest.approx(share * 0.1)
