"""The evidence of a claim as tables, and numbers of it that a sentence quotes."""

from dataclasses import replace

import pytest
from small_report import NAMES, record, texts

from claimaudit.report import evidence
from claimaudit.report.sheets import Cell, Sheet
from claimaudit.verdicts import Inequalities, Range
from claimaudit.words.numbers import DASH
from claimaudit.words.quoted import quoted, unknown


def test_evidence_shows_numbers_and_keeps_their_values():
    sheet = evidence.by_reading(record("undecided"), NAMES)
    row = {column.name: cell for column, cell in zip(sheet.columns, sheet.rows[0], strict=True)}
    assert row["estimate"] == Cell("0.05812", "0.0581234567")
    assert row["p_value"] == Cell("< 0.001", "2e-05")
    assert row["interval"].text == "0.0576 to 0.0586"
    assert row["printed"].text == "0.058"
    assert row["holds"].text == "cannot tell"
    assert row["worst"].text == "n = 10,000"
    assert row["reading"].text == "the text as it stands"
    assert "meaning" not in row
    between = evidence.by_reading(record("undecided", printed={"interval": [0.1, 0.2]}), NAMES)
    assert "0.1 to 0.2" in [cell.text for cell in between.rows[0]]


def test_exact_evidence_has_no_interval():
    exact = replace(record("reproduced").evidence[0], se=0, low=0.05, high=0.05, found=Range(0.05, 0.05, 0.0, 0))
    sheet = evidence.by_reading(record("reproduced", evidence=(exact,), printed=None, kind="flat"), NAMES)
    assert not {"interval", "printed", "standing"} & {column.name for column in sheet.columns}


def compared(**outcomes):
    one = record("reproduced").evidence[0]
    items = [
        replace(one, reading=name, comparisons={"n": list(range(len(given))), "outcome": given})
        for name, given in outcomes.items()
    ]
    return record("reproduced", evidence=(*items, replace(one, reading="other", comparisons={})))


def test_comparisons_keep_their_order_if_all_are_shown_and_else_the_strict_and_violated_ones_come_first():
    first, second, third = [["a", "0", "satisfied"], ["a", "1", "violated"], ["step", "0", "violated"]]
    for longest, shown in (({}, [first, second, third]), ({"longest": 2}, [second, first])):
        sheet = evidence.comparisons(compared(a=["satisfied", "violated"], step=["violated"]), NAMES, **longest)
        assert texts(sheet) == shown


def test_comparisons_may_have_missing_values_and_the_headings_of_their_kind():
    one = replace(record("reproduced").evidence[0], comparisons={"epsilon": [(0.1, 1.0)], "left": [None]})
    sheet = evidence.comparisons(record("reproduced", evidence=(one,), kind="cells"), NAMES)
    assert texts(sheet) == [["the text as it stands", "0.1 → 1", DASH]]
    assert [column.heading for column in sheet.columns] == ["reading", "epsilon", "ours"]


def test_comparisons_with_an_expression_have_the_ratio_of_both_sides():
    one = replace(record("reproduced").evidence[0], comparisons={"left": [0.3, 0.3], "right": [0.5, 0], "se": [0.1, 0]})
    sheet = evidence.comparisons(record("reproduced", evidence=(one,), check={"against": "b / 2"}), NAMES)
    assert [row[-2:] for row in texts(sheet)] == [["0.6", "0.2"], [DASH, DASH]]


def test_no_evidence_has_no_comparisons():
    assert evidence.comparisons(record("no data"), NAMES) == Sheet([], [])


def test_settings_of_comparisons_have_the_names_of_the_paper():
    compared = {"dataset": ["kosarak", "x"], "left": [1, 2]}
    settings = {"worst": {"dataset": "kosarak"}, "varying": ("dataset",)}
    one = replace(record("reproduced").evidence[0], comparisons=compared, **settings)
    verdict = record("reproduced", evidence=(one,), called={"dataset": "data set", "kosarak": "Kosarak"})
    sheet = evidence.comparisons(verdict, NAMES)
    assert [column.heading for column in sheet.columns][1] == "data set"
    assert [row[1] for row in sheet.rows] == [Cell("Kosarak", "kosarak"), Cell("x", "x")]
    assert "Kosarak" in [cell.text for cell in evidence.by_reading(verdict, NAMES).rows[0]]


COLUMNS = {"epsilon": [0.1, 1.0], "left": [0.25, 0.855], "right": [0.5, 0.5], "se": [0.0, 0.0]}


@pytest.fixture
def shares():
    """A claim on a share in percent, checked at two settings, which another reading makes larger."""
    one = record("reproduced").stated
    found = Inequalities(1, 1, 0, True, 0.25, 0.5, ">", 0.0, "share")
    strict = replace(one, found=found, rows=2, comparisons=COLUMNS)
    other = replace(strict, reading="other", comparisons={**COLUMNS, "left": [0.9, 0.95]})
    claim = record("reproduced", id="shares", unit="percent", evidence=(strict, other))
    return replace(claim, as_run=replace(claim.as_run, readings=("other",), holding=("other",)))


@pytest.mark.parametrize(
    ("what", "text"),
    [
        ("least", "25 %"),
        ("most", "85.5 %"),
        ("threshold", "50 %"),
        ("least share", "50 %"),
        ("most ratio", "1.71"),
        ("satisfied", "1"),
        ("rows", "2"),
        ("as run least", "90 %"),
        ("most ratio at epsilon = 1.0", "1.71"),
        ("least at epsilon = 0.1", "25 %"),
    ],
)
def test_a_number_is_that_of_the_record(shares, what, text):
    assert quoted(f"It is {{jrr/shares: {what}}} here.", {"jrr/shares": shares}) == f"It is {text} here."


def test_a_sentence_whose_claim_has_no_evidence_is_left_out():
    assert quoted("{jrr/a: least} of all", {"jrr/a": record("no data", id="a")}) == ""


def test_a_setting_that_was_not_compared_is_an_error(shares):
    with pytest.raises(ValueError, match="claim shares has no comparison at epsilon = 2"):
        quoted("{jrr/shares: most at epsilon = 2}", {"jrr/shares": shares})
    assert unknown("rows at w = 2")
    assert not unknown("as run most ratio at w = 2")
