"""The table of a paper that runs 100 times, under a text that its printed numbers reject and one that they fit."""

import io
from dataclasses import replace

import numpy as np
import pandas as pd
import pytest

from claimaudit.digits import Printed
from claimaudit.papers.jobs import PaperExhibit, TableJob
from claimaudit.report.table import Comparison, compare
from claimaudit.styles import TableStyle
from claimaudit.verdicts import Departures, Names, Runs, StandingReading, Verdicts
from claimaudit.verdicts import Exhibit as Known

pytestmark = pytest.mark.thorough

NAN = float("nan")
STATED, RUN = "as stated", "as run"
MEANS = {
    ("strict", 0.1, "RR"): 5.0,
    ("strict", 0.1, "JRR"): 2.0,
    ("strict", 0.5, "RR"): 0.5,
    ("strict", 0.5, "JRR"): 0.2,
    ("step", 0.1, "RR"): 4.0,
    ("step", 0.1, "JRR"): 2.0,
    ("step", 0.5, "RR"): 0.4,
    ("step", 0.5, "JRR"): 0.2,
}
PRINTED = {(0.5, "RR"): 0.404, (0.5, "JRR"): 0.19, (0.1, "RR"): 3.9, (0.1, "JRR"): 2.03}
EXHIBIT = PaperExhibit("table4", "errors", "table4")


def results(means=None, spread=0.05, runs=100):
    """Result rows whose means have a relative error of `spread`; none if it is 0."""
    rows = [
        (epsilon, reading, reading == "step", mechanism, "mse", mean, mean * spread, runs if spread else 0, NAN, False)
        for (reading, epsilon, mechanism), mean in (means or MEANS).items()
    ]
    columns = ["epsilon", "reading", "p_step", "mechanism", "metric", "mean", "se", "runs", "theory", "standin"]
    return pd.DataFrame(rows, columns=columns)


def printed(numbers=None):
    read = {place: Printed.read(str(value)) for place, value in (numbers or PRINTED).items()}
    rows = [(*place, "mse", number.value, number.unit, 100) for place, number in read.items()]
    return pd.DataFrame(rows, columns=["epsilon", "mechanism", "metric", "value", "unit", "runs"])


NAMES = Names({"errors": {name: Departures(title=f"a step of {size}") for name, size in (("step", 1), ("other", 2))}})


def record(*readings, **changes):
    standing = tuple(StandingReading(name, True, "", False, 0.5, 1.0) for name in readings)
    source = "own" if readings else "rejected"
    runs = Runs(100, None, None, None, rejected=False)
    return replace(Known("errors", "table4", source, readings=standing, runs=runs), **changes)


def table(numbers=None, tables=None, style=None, exhibits=(EXHIBIT,), **known):
    style = TableStyle.model_validate({"index": "mechanism", "columns": "epsilon", **(style or {})}, strict=False)
    known = known or {"table4": record("step")}
    job = TableJob("errors", "Table 4", "", style, exhibits)
    return Comparison(job, tables or {"errors": results()}, printed(numbers), Verdicts((), known, names=NAMES))


def read(sheet):
    body = pd.read_csv(io.StringIO(sheet.to_csv()), dtype={"misfit": str})
    return body.assign(misfit=body["misfit"].fillna(""))


def body_of(*arguments, **changes):
    return read(compare(table(*arguments, **changes)))


def misfits(body):
    return {tuple(row[:2]): row[2] for row in body[["mechanism", "numbers", "misfit"]].to_numpy() if row[2]}


def test_a_table_is_as_printed_as_stated_and_as_run():
    body = body_of()
    assert list(body.columns) == ["mechanism", "numbers", "0.5", "0.1", "misfit"]
    assert body.iloc[:, :4].to_numpy().tolist() == [
        ["RR", "printed", 0.404, 3.9],
        ["RR", STATED, 0.5, 5.0],
        ["RR", RUN, 0.4, 4.0],
        ["JRR", "printed", 0.19, 2.03],
        ["JRR", STATED, 0.2, 2.0],
    ]


@pytest.mark.parametrize(
    ("changes", "misfitting"),
    [
        ({}, {("RR", STATED): "0.5; 0.1"}),
        ({(0.1, "JRR"): 3.01}, {("RR", STATED): "0.5; 0.1", ("JRR", STATED): "0.1"}),
        ({(0.5, "RR"): 0.301}, {("RR", STATED): "0.5; 0.1", ("RR", RUN): "0.5"}),
        ({(0.1, "RR"): 4.9, (0.5, "RR"): 0.6}, {("RR", RUN): "0.5; 0.1"}),
    ],
)
def test_a_number_too_low_or_too_high_is_marked_and_a_fit_is_not(changes, misfitting):
    assert misfits(body_of({**PRINTED, **changes})) == misfitting


def test_the_interval_is_that_of_the_paper_s_runs():
    many = Runs(100, 2500.0, None, None, rejected=True)
    exact = results({key: mean * 1.0 for key, mean in MEANS.items()}).assign(theory=lambda rows: rows["mean"])
    off = {**PRINTED, (0.1, "JRR"): 2.12}
    assert ("JRR", STATED) not in misfits(body_of(off, {"errors": exact}))
    assert misfits(body_of(off, {"errors": exact}, table4=record("step", runs=many)))["JRR", STATED] == "0.1"


def test_exact_numbers_are_judged_by_the_last_printed_digit():
    numbers = {**PRINTED, (0.5, "RR"): 0.49, (0.1, "RR"): 4.9, (0.5, "JRR"): 0.2, (0.1, "JRR"): 2.0}
    exact = results(MEANS | {("strict", 0.1, "RR"): 4.96, ("strict", 0.5, "RR"): 0.501}, spread=0)
    assert misfits(body_of(numbers, {"errors": exact}, exhibits=())) == {("RR", STATED): "0.5"}


def test_if_the_text_is_named_first_nothing_else_is_shown_as_run():
    shown = compare(table(table4=record("strict", "step")))
    assert RUN not in set(read(shown)["numbers"])
    assert len(shown.notes) == 1


def test_what_ran_is_said_in_words():
    notes = compare(table(table4=record("step", "other"))).notes
    assert notes[0] == "As run: a step of 1. 1 other setting fits as well."
    assert notes[-1].endswith("(misfits: as stated, 2 of 4; as run, 0 of 2).")
    broken = record(readings=(StandingReading("step", False, "", False, 0.5, 1.0),))
    assert "breaks a condition" in compare(table(table4=broken)).notes[0]
    assert compare(table(table4=record())).notes[0] == "No setting of ours fits the printed numbers."


def test_without_columns_numbers_stand_side_by_side():
    body = body_of(style={"index": ["mechanism", "epsilon"], "columns": []})
    assert list(body.columns) == ["mechanism", "epsilon", "printed", STATED, RUN, "misfit"]
    assert body["misfit"].tolist() == [STATED, STATED, "", ""]
    assert body[RUN].fillna(0).tolist() == [0.4, 4.0, 0, 0]


def test_a_printed_number_that_was_not_repeated_is_shown():
    body = body_of({**PRINTED, (0.1, "SUE"): 7.0})
    assert body.loc[body["mechanism"] == "SUE", "numbers"].tolist() == ["printed"]


def test_further_readings_of_the_style_are_named():
    body = body_of(style={"show": {"reading": ["strict", "step"]}}, exhibits=())
    assert body["numbers"].tolist() == [*["printed", STATED, "step"] * 2]
    assert misfits(body) == {("RR", STATED): "0.5; 0.1"}


def test_the_last_exhibit_that_holds_a_number_judges_it():
    part = PaperExhibit("table4_jrr", "errors", "table4", "mechanism == 'JRR'")
    body = body_of(exhibits=(EXHIBIT, part), table4=record(), table4_jrr=record("step"))
    assert RUN not in set(body["numbers"])  # JRR's numbers are the strict ones
    other = PaperExhibit("table4_rr", "errors", "table4", "mechanism == 'RR'")
    shown = compare(table(exhibits=(EXHIBIT, other), table4=record(), table4_rr=record("step")))
    body = read(shown)
    assert body.loc[body["numbers"] == RUN, "mechanism"].tolist() == ["RR"]
    assert shown.notes[:2] == (
        "As run: a step of 1.",
        "Numbers as run are missing where no setting of ours fits the printed numbers.",
    )


def test_an_exhibit_of_another_experiment_has_its_rows():
    more = results({("strict", 0.1, "LoPub"): 9.0, ("strict", 0.1, "RR"): 77.0})
    lopub = PaperExhibit("table4_lopub", "lopub", "table4", "mechanism == 'LoPub'")
    body = body_of(
        {**PRINTED, (0.1, "LoPub"): 1.0},
        {"errors": results(), "lopub": more},
        exhibits=(lopub,),
        table4_lopub=record(),
    )
    assert body.loc[body["mechanism"] == "LoPub", ["numbers", "0.1", "misfit"]].to_numpy().tolist() == [
        ["printed", 1.0, ""],
        [STATED, 9.0, "0.1"],
    ]
    assert 77.0 not in body["0.1"].to_numpy()


def test_means_over_a_setting_have_no_mark():
    numbers = printed()
    mean = pd.DataFrame({"epsilon": "mean", "mechanism": ["RR"], "metric": "mse", "value": [2.1], "runs": 100})
    body = read(compare(replace(table(), printed=pd.concat([numbers, mean]))))
    assert list(body.columns) == ["mechanism", "numbers", "0.5", "0.1", "mean", "misfit"]
    assert body["mean"].to_numpy() == pytest.approx([2.1, 2.75, 2.2, np.nan, 1.1], nan_ok=True)
    assert misfits(body) == {("RR", STATED): "0.5; 0.1"}


def test_stand_ins_are_named_and_never_marked():
    rows = results()
    body = body_of(tables={"errors": rows.assign(standin=rows["mechanism"] == "RR")}, other=record())
    assert body.loc[body["standin"], ["mechanism", "numbers"]].to_numpy().tolist() == [["RR", STATED]]
    assert misfits(body) == {}
    shown = compare(table(tables={"errors": rows.assign(standin=True)}, other=record()))
    assert set(read(shown)["misfit"]) == {""}
    assert shown.notes == ()
