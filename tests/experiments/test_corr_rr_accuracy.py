import numpy as np
import pytest

from corrldp.experiments.command import View
from corrldp.experiments.corr_rr.accuracy import run
from corrldp.experiments.corr_rr.mechanisms import AXES
from corrldp.protocols.corr_rr.protocol import CorrRR
from corrldp.protocols.corr_rr.rules import Fixed
from corrldp.protocols.records import RecordTable, average_error
from corrldp.protocols.spl import SPL
from corrldp.results import axes_of

# Means of 1,000 runs are nearly normal; 40 of them exceed 5 standard errors with a probability below 1e-4.
RUNS, BOUND = 1000, 5
MECHANISMS = [name for name in AXES if name != "Cond-RR"]
WITH_THEORY = {"SPL", "SMP", "RS+FD", "RS+FD amplified", "Uniform"}
GRID = {
    "dataset": ["syn_a"],
    "n": [400],
    "d": [2, 3],
    "k": [3],
    "rho": [0.4],
    "epsilon": [0.5, 2],
    "mechanisms": MECHANISMS,
}
AFFECTED = [
    ("py_rule", ["always_copy", "never_copy"], {"Corr-RR"}),
    ("py_input", ["raw", "clip_normalise"], {"Corr-RR"}),
    ("py_order", ["follower", "transposed"], {"Corr-RR"}),
    ("phase1_fraction", [0.1, 0.3], {"Corr-RR", "Corr-RR oracle", "RS+RFD", "RS+RFD amplified"}),
    ("rs_rfd", ["two_phase", "single_phase"], {"RS+RFD", "RS+RFD amplified"}),
    ("prior_repair", ["clip_normalise", "floor_normalise"], {"RS+RFD", "RS+RFD amplified"}),
    ("rs_rfd_postprocess", ["none", "clip_normalise"], {"RS+RFD", "RS+RFD amplified"}),
    ("rs_rfd_postprocess", ["none", "second_phase_clip_normalise"], {"RS+RFD", "RS+RFD amplified"}),
    ("rs_fd_estimator", ["unbiased", "grr"], {"RS+FD", "RS+FD amplified"}),
    ("amplify", [False, True], {"RS+FD", "RS+RFD"}),
    ("postprocess", ["none", "clip_normalise"], set(MECHANISMS) - {"Uniform"}),
    ("non_copy", ["different", "any"], set(MECHANISMS)),
    ("marginal", ["pi", "uniform"], set(MECHANISMS)),
    ("data_per_run", ["new", "fixed"], set(MECHANISMS)),
]


def z_scores(rows):
    rows = rows[rows["theory"].notna() & (rows["mechanism"] != "Uniform")]
    assert len(rows)
    return (rows["mean"] - rows["theory"]) / rows["se"]


@pytest.fixture(scope="module")
def table(experiment):
    return run(experiment(GRID, {"data_per_run": ["new", "fixed"]}, RUNS))


def test_simulation_is_the_closed_form(table):
    assert set(table.loc[table["theory"].notna(), "mechanism"]) == WITH_THEORY
    assert np.abs(z_scores(table)).max() < BOUND


def test_a_wrong_closed_form_would_be_noticed(experiment, monkeypatch):
    """The planted fault: SPL as if every attribute had the whole budget."""
    right = SPL.expected_mse
    monkeypatch.setattr(
        SPL, "expected_mse", lambda self, table: right(SPL(self.epsilon * len(self.sizes), self.sizes), table)
    )
    faulty = run(experiment({**GRID, "mechanisms": ["SPL", "SMP"]}, {}, RUNS))
    spl = faulty["mechanism"] == "SPL"
    assert np.abs(z_scores(faulty[spl])).min() > 3 * BOUND
    assert np.abs(z_scores(faulty[~spl])).max() < BOUND


def test_the_uniform_guess_has_no_error_of_its_own(table):
    """It meets the same data at every epsilon, and its exact error is the mean of the runs."""
    rows = table[table["mechanism"] == "Uniform"]
    np.testing.assert_allclose(rows["mean"], rows["theory"], rtol=1e-12)
    assert rows.groupby(["d", "reading"])["mean"].nunique().eq(1).all()


@pytest.mark.parametrize("p_y", [0.0, 1.0])
def test_corr_rr_has_the_exact_error_of_fixed_copying(experiment, view, p_y):
    setting = {"views": {"made": "made"}, "epsilon": [0.5, 3], "mechanisms": ["Corr-RR"]}
    rule = {1.0: "always_copy", 0.0: "never_copy"}[p_y]
    rows = run(experiment(setting, {"py_rule": [rule], "phase1_fraction": [0.2]}, RUNS, views={"made": view}))
    table = RecordTable.from_records(view.codes, (3, 3))
    copy = np.where(np.eye(2, dtype=bool), 1.0, p_y)
    for _, row in rows.iterrows():
        exact = CorrRR(row["epsilon"], (3, 3), 0.2, Fixed(p_y)).expected_mse(table, copy)
        assert abs(row["mean"] - average_error(exact)) < BOUND * row["se"]


@pytest.fixture(scope="module")
def view():
    attributes = [{"name": name, "values": ["a", "b", "c"]} for name in ("first", "second")]
    codes = np.array([[0, 0]] * 60 + [[1, 0]] * 25 + [[2, 1]] * 10 + [[2, 2]] * 5)
    return View(codes, {"standin": True, "attributes": attributes})


def test_golden_error_of_the_uniform_guess(experiment, view):
    """Frequencies (.6, .25, .15) and (.85, .1, .05): the mean over six squared distances from 1/3 (Eq. 2)."""
    setting = {"views": {"made": "made"}, "epsilon": [1], "mechanisms": ["Uniform"]}
    (row,) = run(experiment(setting, {}, 3, views={"made": view})).to_dict("records")
    distances = np.array([0.6, 0.25, 0.15, 0.85, 0.1, 0.05]) - 1 / 3
    assert row["mean"] == pytest.approx(np.mean(distances**2), rel=1e-12)
    assert row["standin"] is True
    assert set(row) & {"n", "d", "k", "rho"} == set()


def test_columns_and_rows(table):
    settings, axes = axes_of(table)
    assert settings == ["dataset", "n", "d", "k", "rho", "epsilon"]
    assert axes == ["data_per_run"]
    assert len(table) == 2 * 2 * 2 * len(MECHANISMS)
    assert set(table["runs"]) == {RUNS}


def test_the_strict_reading_has_more_runs_and_lends_them_to_readings_that_change_nothing(experiment):
    setting = {**GRID, "d": [3], "epsilon": [0.5], "mechanisms": ["SPL", "Corr-RR"], "strict_factor": 3}
    rows = run(experiment(setting, {"py_rule": ["body", "exact"]}, runs=5)).set_index(["reading", "mechanism"])
    assert rows["runs"].unstack().to_dict("index") == {
        "strict": {"SPL": 15, "Corr-RR": 15},
        "py_rule=exact": {"SPL": 15, "Corr-RR": 5},
    }
    fewer = run(experiment({**setting, "strict_factor": 1}, {"py_rule": ["body", "exact"]}, runs=5))
    fewer = fewer.set_index(["reading", "mechanism"])["mean"]
    assert rows["mean"]["py_rule=exact", "Corr-RR"] == fewer["py_rule=exact", "Corr-RR"]
    assert rows["mean"]["strict", "Corr-RR"] != fewer["strict", "Corr-RR"]


@pytest.mark.parametrize(("axis", "values", "affected"), AFFECTED)
def test_a_reading_changes_what_it_concerns_and_shares_all_other_runs(experiment, axis, values, affected):
    small = {**GRID, "d": [3], "epsilon": [0.5]}
    rows = run(experiment(small, {axis: values}, runs=4)).set_index(["mechanism", axis])["mean"].unstack()
    changed = set(rows.index[rows[values[0]] != rows[values[1]]])
    assert changed == affected


def test_a_result_depends_neither_on_order_nor_on_what_else_is_run(experiment):
    readings = {"py_rule": ["body", "exact"], "non_copy": ["different", "any"], "phase1_fraction": [0.1, 0.2]}
    keys = ["reading", "mechanism", "d", "epsilon"]
    everything = run(experiment(GRID, readings, runs=5)).set_index(keys)["mean"]
    backwards = {name: values[::-1] for name, values in GRID.items()}
    turned = run(experiment(backwards, dict(reversed(readings.items())), runs=5)).set_index(keys)["mean"]
    few = {**GRID, "d": [3], "epsilon": [2], "mechanisms": ["Corr-RR", "SMP"]}
    part = run(
        experiment(
            few, {"py_rule": ["body", "exact"], **{a: v[:1] for a, v in readings.items() if a != "py_rule"}}, runs=5
        )
    )
    assert len(turned) == len(everything)
    assert turned.to_dict() == everything.to_dict()
    assert part.set_index(keys)["mean"].to_dict().items() <= everything.to_dict().items()


def test_another_seed_gives_other_runs(experiment):
    first, second = (run(experiment(GRID, {}, runs=3, seed=seed))["mean"] for seed in (1, 2))
    assert (first != second).all()


def test_post_processing_has_no_closed_form(experiment):
    rows = run(experiment({**GRID, "d": [2]}, {"postprocess": ["none", "clip_normalise"]}, runs=3))
    assert rows.loc[rows["postprocess"] == "clip_normalise", "theory"].isna().all()


def test_equal_marginals_and_not_correlation_make_corr_rr_accurate(experiment):
    """With equal marginals and p_y = 1 the error does not depend on rho, but for the sampling of the records (1 %)."""
    setting = {**GRID, "n": [40_000], "d": [2], "rho": [0, 0.9], "epsilon": [0.5], "mechanisms": ["Corr-RR"]}
    rows = run(experiment(setting, {"non_copy": ["marginal", "different"], "py_rule": ["always_copy"]}, RUNS))
    equal, different = (group.set_index("rho") for _, group in rows.groupby("non_copy", sort=False))
    difference = equal.loc[0, "mean"] - equal.loc[0.9, "mean"]
    assert abs(difference) < BOUND * np.hypot(*equal["se"])
    assert different.loc[0, "mean"] > 3 * different.loc[0.9, "mean"]


def test_a_data_set_for_each_run_where_there_are_more_records_than_users(experiment):
    """The theory is then the mean of the closed forms of all data sets."""
    setting = {**GRID, "n": [50], "d": [3], "k": [4], "epsilon": [2], "mechanisms": ["SPL", "SMP", "RS+FD", "Uniform"]}
    rows = run(experiment(setting, {}, 400))
    assert np.abs(z_scores(rows)).max() < BOUND
    uniform = rows[rows["mechanism"] == "Uniform"].iloc[0]
    assert uniform["mean"] == pytest.approx(uniform["theory"], rel=1e-12)
    assert uniform["se"] > 0
