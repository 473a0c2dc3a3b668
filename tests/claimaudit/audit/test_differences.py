"""Printed numbers against ours, under a text that they reject and a reading that they fit."""

import io
import re

import pandas as pd
import pytest

from claimaudit.audit.differences import differences
from claimaudit.digits import Printed
from claimaudit.papers.jobs import DifferenceJob, Exhibit
from claimaudit.plots import difference
from claimaudit.verdicts import Exhibit as Known
from claimaudit.verdicts import StandingReading

pytestmark = pytest.mark.thorough

MEANS = {("strict", "RR"): 5.0, ("strict", "JRR"): 2.0, ("step", "RR"): 4.0, ("step", "JRR"): 2.0, ("other", "RR"): 9.0}
JOB = DifferenceJob("jrr", Exhibit("table4", "errors", "table4"), "Table 4", "JRR", {"JRR": "joint"}, {})
STANDING = Known("errors", "table4", "own", readings=(StandingReading("step", True, "", False, 0.5, 1.0),))


def results(means=MEANS):
    rows = [
        (0.1, reading, reading, name, "mse", mean, 0.05, 100, float("nan"), False)
        for (reading, name), mean in means.items()
    ]
    columns = ["epsilon", "reading", "p_step", "mechanism", "metric", "mean", "se", "runs", "theory", "standin"]
    return pd.DataFrame(rows, columns=columns)


def printed(**numbers):
    read = {name: Printed.read(text) for name, text in numbers.items()}
    rows = [(0.1, name, "mse", number.value, number.unit, 100) for name, number in read.items()]
    return pd.DataFrame(rows, columns=["epsilon", "mechanism", "metric", "value", "unit", "runs"])


def test_each_number_is_compared_as_stated_and_as_run():
    cells = differences(JOB, results(), printed(RR="4.08", JRR="2.00"), STANDING)
    found = cells.set_index(["reading", "mechanism"])
    assert found["mean"].to_dict() == pytest.approx(
        {("strict", "RR"): 0.816, ("strict", "JRR"): 1, ("step", "RR"): 1.02, ("step", "JRR"): 1}
    )
    assert found["fits"].tolist() == [False, True, True, True]
    assert found.loc[("step", "RR"), "se"] == pytest.approx(0.05 * 2**0.5 / 4, rel=0.01)


def test_without_a_standing_reading_there_is_only_the_text():
    assert set(differences(JOB, results(), printed(RR="4.08"), None)["reading"]) == {"strict"}


def test_numbers_that_are_not_positive_are_subtracted():
    means = {("strict", "RR"): -0.5, ("strict", "JRR"): 2.0}
    cells = differences(JOB, results(means), printed(RR="-0.4", JRR="2.0"), None)
    assert set(cells["unit"]) == {"difference"}
    assert cells["mean"].tolist() == pytest.approx([0.1, 0.0])


def test_the_figure_counts_what_fits_and_keeps_its_numbers():
    cells = differences(JOB, results(), printed(RR="4.08", JRR="2.00"), STANDING)
    files = difference.draw_files(JOB, cells)
    assert {*files} == {"csv", "json", "pdf", "svg", "png"}
    text = " ".join(re.findall(r">([^<>]+)</text>", files["svg"].decode()))
    for part in ("1 of 2 as stated", "2 of 2 as run", "(b) as run", "printed / ours", "joint"):
        assert part in text
    kept = pd.read_csv(io.BytesIO(files["csv"]))
    assert kept["mean"].tolist() == pytest.approx(cells["mean"].tolist())
    assert kept["panel"].tolist() == ["a", "a", "b", "b"]


def test_several_metrics_have_panels_of_their_own():
    rows, numbers = results(), printed(RR="4.08", JRR="2.00")
    both = differences(
        JOB,
        pd.concat([rows, rows.assign(metric="are")]),
        pd.concat([numbers, numbers.assign(metric="are")]),
        STANDING,
    )
    titles = [axes.get_title() for axes in difference.draw(both.assign(panel="a"), JOB).axes]
    assert [title.partition(") ")[2].replace("\n", " ") for title in titles] == [
        "mean squared error, as stated",
        "averaged relative error, as stated",
        "mean squared error, as run",
        "averaged relative error, as run",
    ]
