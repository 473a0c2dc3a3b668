import math

import pandas as pd

from corrldp.experiments.rows import STRICT, row
from corrldp.results import axes_of

MEASURES = ["mechanism", "metric", "mean", "se", "runs", "theory", "standin"]


def test_columns_are_setting_then_reading_then_measures():
    made = row({"n": 10, "epsilon": 0.1}, ("choice=b", {"choice": "b"}), "RR", "are", 2, se=0.5, runs=9, theory=3)
    assert list(made) == ["n", "epsilon", "reading", "choice", *MEASURES]
    assert made == {
        "n": 10,
        "epsilon": 0.1,
        "reading": "choice=b",
        "choice": "b",
        "mechanism": "RR",
        "metric": "are",
        "mean": 2.0,
        "se": 0.5,
        "runs": 9,
        "theory": 3.0,
        "standin": False,
    }


def test_a_setting_that_a_reading_decides_stands_behind_it():
    """Under every reading the setting columns are the same, so that the audit can compare readings."""
    rows = pd.DataFrame(
        row({"n": n, "epsilon": 1}, (label, {"n": n}), "RR", "are", 0) for label, n in (("strict", 10), ("n=20", 20))
    )
    assert axes_of(rows) == (["epsilon"], ["n"])
    assert rows["n"].tolist() == [10, 20]


def test_a_row_without_error_is_exact():
    made = row({}, STRICT, "JRR", "p", 1)
    assert (made["reading"], made["se"], made["runs"], made["standin"]) == ("strict", 0.0, 0, False)
    assert math.isnan(made["theory"])
