import numpy as np
import pandas as pd
import pytest

from corrldp.experiments.corr_rr.accuracy import run as accuracy
from corrldp.experiments.corr_rr.change import fall, run

SETTING = {
    "dataset": ["correlated"],
    "n": [1000],
    "d": [2],
    "k": [2],
    "rho": [0.1, 0.5, 0.9],
    "epsilon": [1, 5],
    "mechanisms": ["SPL", "Corr-RR"],
    "changes": [[0.1, 0.9], [0.5, 0.9]],
}


def errors(means, ses):
    rows = {"rho": [0.1, 0.9], "epsilon": 1, "reading": "strict", "mechanism": "SPL", "metric": "mse"}
    return pd.DataFrame({**rows, "mean": means, "se": ses, "runs": 9, "theory": [4.0, 1.0], "standin": False})


def test_fall_and_its_error_by_hand():
    row = fall(errors([2.0, 0.5], [0.2, 0.0]), 0.1, 0.9).iloc[0]
    assert (row["rho_from"], row["rho_to"], row["metric"]) == (0.1, 0.9, "mse_fall")
    assert (row["mean"], row["theory"]) == (0.75, 0.75)
    assert row["se"] == pytest.approx(0.25 * 0.1)


def test_falls_are_those_of_the_accuracy_table(experiment):
    table = run(experiment(SETTING, {"py_rule": ["preprint", "exact"]}, runs=3))
    before_after = accuracy(experiment(SETTING, {"py_rule": ["preprint", "exact"]}, runs=3)).set_index(
        ["rho", "epsilon", "reading", "mechanism"]
    )["mean"]
    assert len(table) == 2 * 2 * 2 * 2
    for _, row in table.iterrows():
        key = (row["epsilon"], row["reading"], row["mechanism"])
        assert row["mean"] == 1 - before_after[row["rho_to"], *key] / before_after[row["rho_from"], *key]


def test_standard_error_is_the_spread_over_repetitions(experiment):
    """Forty repetitions: their spread is within 35 % of the stated error but for 1 in 500 (chi-square)."""
    setting = {**SETTING, "epsilon": [1], "mechanisms": ["SPL"], "changes": [[0.1, 0.9]]}
    tables = [run(experiment(setting, runs=100, seed=seed)) for seed in range(40)]
    stated = np.mean([table["se"].iloc[0] for table in tables])
    assert np.std([table["mean"].iloc[0] for table in tables], ddof=1) == pytest.approx(stated, rel=0.35)


def test_correlation_outside_the_grid_is_named(experiment):
    with pytest.raises(ValueError, match=r"rho=0\.3 .* \[0\.1, 0\.5, 0\.9\]"):
        run(experiment({**SETTING, "changes": [[0.1, 0.3]]}))
