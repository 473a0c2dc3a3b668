"""Printed numbers against ours, under a text that they reject and a reading that they fit."""

import io
import re

import pandas as pd
import pytest

from claimaudit.plots.difference import differences, draw_files
from claimaudit.styles import DifferenceJob
from claimaudit.verdicts import Exhibit as Known
from claimaudit.verdicts import StandingReading
from claimaudit.words.names import FITS_BROKEN, RUN

pytestmark = pytest.mark.thorough

JOB = DifferenceJob("jrr", "errors", "Table 4", "JRR", {"JRR": "joint"}, {})
STANDING = Known("errors", "table4", "own", readings=(StandingReading("step", True, "", False, 0.5, 1.0),))

NUMBERS = [
    ("other", "RR", 4.08, 9.0, 8.5, 9.5),
    ("strict", "RR", 4.08, 5.0, 4.8, 5.2),
    ("strict", "JRR", 2.0, 2.0, 1.9, 2.1),
    ("step", "RR", 4.08, 4.0, 3.8, 4.2),
    ("step", "JRR", 2.0, 2.0, 1.9, 2.1),
]
"""The text rejects RR's number, the reading `step` fits it; nobody asks for the reading `other`."""


def predicted(numbers=NUMBERS, exhibit="errors", metric="mse"):
    columns = ["reading", "mechanism", "printed", "value", "low", "high"]
    same = {"exhibit": exhibit, "metric": metric, "epsilon": 0.1, "rho": float("nan"), "their_runs": 100.0}
    return pd.DataFrame(numbers, columns=columns).assign(**same)


def test_each_number_is_compared_as_stated_and_as_run():
    elsewhere = predicted([("strict", "RR", 1.0, 9.0, 8.0, 10.0)], "fig1")
    cells = differences("errors", pd.concat([elsewhere, predicted()]), STANDING)
    found = cells.set_index(["reading", "mechanism"])
    assert found["mean"].to_dict() == pytest.approx(
        {("strict", "RR"): 0.816, ("strict", "JRR"): 1, ("step", "RR"): 1.02, ("step", "JRR"): 1}
    )
    assert found["fits"].tolist() == [False, True, True, True]
    assert tuple(found.loc[("step", "RR"), ["low", "high"]]) == pytest.approx((4.08 / 4.2, 4.08 / 3.8))
    assert "epsilon" in cells
    assert "rho" not in cells


def test_without_a_standing_reading_there_is_only_the_text_and_what_is_printed():
    assert set(differences("errors", predicted(), None)["reading"]) == {"strict"}
    numbers = [NUMBERS[1], ("strict", "JRR", float("nan"), 2.0, 1.9, 2.1)]
    assert differences("errors", predicted(numbers), None)["mechanism"].tolist() == ["RR"]


def test_numbers_that_are_not_positive_are_subtracted():
    numbers = [("strict", "RR", -0.4, -0.5, -0.6, -0.3), ("strict", "JRR", 2.0, 2.0, 1.9, 2.1)]
    cells = differences("errors", predicted(numbers), None)
    assert set(cells["unit"]) == {"difference"}
    assert cells["mean"].tolist() == pytest.approx([0.1, 0.0])
    assert cells["low"].tolist() == pytest.approx([-0.1, -0.1])


@pytest.mark.parametrize(
    ("called", "fit"), [(RUN, "printed numbers fit as run"), (FITS_BROKEN, "fit, but break a condition")]
)
def test_the_figure_counts_what_fits_and_keeps_its_numbers(called, fit):
    cells = differences("errors", predicted(), STANDING)
    files = draw_files(JOB, cells, called)
    assert {*files} == {"csv", "json", "pdf", "svg", "png"}
    text = " ".join(re.findall(r">([^<>]+)</text>", files["svg"].decode()))
    for part in ("1 of 2 printed numbers fit as stated;", f"2 of 2 {fit}", f"(b) {called}", "printed / ours", "joint"):
        assert part in text
    kept = pd.read_csv(io.BytesIO(files["csv"]))
    assert kept["mean"].tolist() == pytest.approx(cells["mean"].tolist())
    assert kept["panel"].tolist() == ["a", "a", "b", "b"]
