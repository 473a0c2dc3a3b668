from dataclasses import replace

import numpy as np
import pytest

from corrldp.data.table import Table
from corrldp.experiments.corr_rr import errors
from corrldp.experiments.runner import Measure

SETTING = {
    "dataset": ["correlated"],
    "n": [1000],
    "d": [2],
    "k": [2],
    "rho": [0.5],
    "epsilon": [1],
    "mechanisms": ["SPL", "RS+FD", "Corr-RR"],
}


def test_saving_and_ratio_with_their_errors_by_hand(table, monkeypatch):
    squared = [Measure("SPL", "mse", 4.0, 0.4, 9), Measure("Corr-RR", "mse", 1.0, 0.0, 9)]
    monkeypatch.setattr(errors, "mse", replace(errors.mse, measure=lambda cell: squared))
    rows = table(errors.gain, SETTING).set_index("metric")
    assert list(rows["mechanism"]) == ["SPL", "SPL"]
    assert (rows.loc["saving", "mean"], rows.loc["times", "mean"]) == (0.75, 4.0)
    assert rows.loc["saving", "se"] == pytest.approx(0.25 * 0.1)
    assert rows.loc["times", "se"] == pytest.approx(4 * 0.1)


def test_gains_are_those_of_the_accuracy_table(table):
    squared = table(errors.mse, SETTING, runs=3).set_index("mechanism")["mean"]
    for _, row in table(errors.gain, SETTING, runs=3).iterrows():
        ratio = squared[row["mechanism"]] / squared["Corr-RR"]
        assert row["mean"] == pytest.approx(ratio if row["metric"] == "times" else 1 - 1 / ratio)


def test_the_numbering_of_values_matters_to_real_data(table):
    """Two attributes that agree in every record, with names of their values in opposite orders."""
    codes = np.repeat([[0, 0], [1, 1]], [900, 100], axis=0)
    views = {"both": Table(codes, ("a", "b"), (("no", "yes"), ("yes", "no")))}
    setting = {"views": {"real": "both"}, "epsilon": [5], "mechanisms": ["SPL", "Corr-RR"]}
    rows = table(errors.gain, setting, {"encoding": ["recipe", "alphabetical"]}, runs=50, views=views)
    saving = rows[rows["metric"] == "saving"].set_index("reading")["mean"]
    assert saving["strict"] > saving["encoding=alphabetical"]
