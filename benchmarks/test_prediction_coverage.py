"""The benchmark counts printed numbers inside their intervals, and hides an exhibit's own numbers out of sample."""

import numpy as np
import pandas as pd
import prediction_coverage as benchmark
import pytest

from claimaudit.audit.arrays import Result
from claimaudit.audit.fitting.standing import Material
from claimaudit.papers.jobs import Outline, PaperExhibit, Shared, ShownRows
from claimaudit.published import read_files
from claimaudit.results import MEASURES

SHARES = {"strict": 1.0, "twice": 2.0}
SHOWN = ShownRows(None, None, 100)


@pytest.fixture
def rng():
    return np.random.default_rng(20250601)


def numbers(rng, factor, runs, readings=("strict",)):
    rows = [
        (d, name, SHARES[name], "A", "mse", mean, mean / np.sqrt(2 * runs), runs, np.nan, False)
        for name in readings
        for d in range(1, 21)
        for mean in [d * factor * SHARES[name] * rng.chisquare(4 * runs) / (4 * runs)]
    ]
    return pd.DataFrame(rows, columns=["d", "reading", "axis", *MEASURES])


@pytest.fixture
def evidence(rng, tmp_path):
    for name, factor in (("fig1", 2), ("fig2", 2), ("odd", 1)):
        printed = numbers(rng, factor, 100).rename(columns={"mean": "value"})
        printed[["d", "mechanism", "metric", "value"]].assign(runs=100).to_csv(tmp_path / f"{name}.csv", index=False)
    exhibits = (
        *(PaperExhibit(name, "table", name) for name in ("fig1", "fig2", "odd")),
        PaperExhibit("fig2_small", "table", "fig2", rows="d < 6"),
    )
    known = Outline(exhibits, (Shared(("axis",), ("fig1", "fig2", "fig2_small")),))
    return Material(known, {"table": Result(numbers(rng, 1, 2000, SHARES))}, read_files(tmp_path.glob("*.csv")))


@pytest.mark.thorough
def test_out_of_sample_the_readings_come_from_others(evidence):
    found = dict(benchmark.coverage(evidence, {"fig1": SHOWN}, "fig1"))
    for sample, source in ((benchmark.IN, "own"), (benchmark.OUT, "inferred")):
        assert found[sample].source == source
        assert found[sample].standing == ("twice",)
        assert found[sample].of("twice") >= 17  # of 20: 95 % are expected
        assert found[sample].of("strict") <= 2


def test_numbers_shown_twice_are_hidden_twice(evidence):
    hidden = benchmark.without(evidence, "fig2")
    assert {item.name: item.published for item in hidden.outline.exhibits} == {
        **{"fig1": "fig1", "fig2": None, "fig2_small": None, "odd": "odd"}
    }


def test_an_exhibit_that_shares_nothing_is_not_predicted_out_of_sample(evidence):
    assert list(dict(benchmark.coverage(evidence, {"odd": SHOWN}, "odd"))) == [benchmark.IN]


def test_totals_count_each_number_once():
    rows = [
        {"exhibit": "a fig1", "figure": True, "numbers": 10, "stated": 5, "any in": 9, "best in": 8},
        {"exhibit": "a fig1_x (part)", "figure": True, "numbers": 5, "stated": 5, "any in": 5, "best in": 5},
        {
            "exhibit": "a table1",
            "figure": False,
            "numbers": 30,
            "stated": 0,
            "any in": 30,
            "best in": 30,
            "any out": 15,
            "best out": 0,
        },
    ]
    found = {row["exhibit"]: row for row in benchmark.totals(rows)}
    assert found["a, all"]["numbers"] == 40
    assert found["a, all"]["any in"] == "97.5 %"
    assert found["all figures"]["stated"] == "50.0 %"
    assert found["all"]["any out"] == "50.0 %"
