from dataclasses import replace

import numpy as np
import pytest
from pydantic import ValidationError

from corrldp.experiments.corr_rr import errors
from corrldp.experiments.runner import Measure

SETTING = {
    "dataset": ["correlated"],
    "n": [1000],
    "d": [2],
    "k": [2],
    "epsilon": [1, 5],
    "mechanisms": ["SPL", "Corr-RR"],
    "changes": [[0.1, 0.9], [0.5, 0.9]],
}


def test_fall_and_its_error_by_hand(table, monkeypatch):
    squared = {0.1: (2.0, 0.2, 9, 4.0), 0.9: (0.5, 0.0, 9, 1.0)}
    made = replace(errors.mse, measure=lambda cell: [Measure("SPL", "mse", *squared[cell["rho"]])])
    monkeypatch.setattr(errors, "mse", made)
    left, fall = (
        row for _, row in table(errors.change, {**SETTING, "epsilon": [1], "changes": [[0.1, 0.9]]}).iterrows()
    )
    assert (fall["rho_from"], fall["rho_to"], fall["metric"]) == (0.1, 0.9, "mse_fall")
    assert (fall["mean"], fall["theory"], fall["runs"]) == (0.75, 0.75, 9)
    assert (left["metric"], left["mean"], left["theory"]) == ("mse_left", 0.25, 0.25)
    assert fall["se"] == left["se"] == pytest.approx(0.25 * 0.1)


def test_falls_are_those_of_the_accuracy_table(table):
    falls = table(errors.change, SETTING, {"py_rule": ["preprint", "exact"]}, runs=3).query("metric == 'mse_fall'")
    setting = {name: values for name, values in SETTING.items() if name != "changes"} | {"rho": [0.1, 0.5, 0.9]}
    before_after = table(errors.mse, setting, {"py_rule": ["preprint", "exact"]}, runs=3)
    before_after = before_after.set_index(["rho", "epsilon", "reading", "mechanism"])["mean"]
    assert len(falls) == 2 * 2 * 2 * 2
    for _, row in falls.iterrows():
        key = (row["epsilon"], row["reading"], row["mechanism"])
        assert row["mean"] == 1 - before_after[row["rho_to"], *key] / before_after[row["rho_from"], *key]


def test_standard_error_is_the_spread_over_repetitions(table):
    """Forty repetitions: their spread is within 35 % of the stated error, except for 1 in 500 (chi-square)."""
    setting = {**SETTING, "epsilon": [1], "mechanisms": ["SPL"], "changes": [[0.1, 0.9]]}
    tables = [table(errors.change, setting, runs=100, seed=seed) for seed in range(40)]
    stated = np.mean([falls["se"].iloc[-1] for falls in tables])
    assert np.std([falls["mean"].iloc[-1] for falls in tables], ddof=1) == pytest.approx(stated, rel=0.35)


def test_an_end_of_a_change_is_measured_once(table, monkeypatch):
    right, measured = errors.mse, []
    made = replace(right, measure=lambda cell: measured.append(cell["rho"]) or right(cell))
    monkeypatch.setattr(errors, "mse", made)
    table(errors.change, {**SETTING, "epsilon": [1], "changes": [[0.1, 0.9], [0.5, 0.9], [0.1, 0.5]]})
    assert sorted(measured) == [0.1, 0.5, 0.9]


def test_a_correlation_that_is_none_is_refused(experiment):
    with pytest.raises(ValidationError, match="less than or equal to 1"):
        experiment(errors.change, {**SETTING, "changes": [[0.1, 1.3]]})
