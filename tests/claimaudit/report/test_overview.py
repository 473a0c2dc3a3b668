"""Printed against ours: where points lie, which exhibits have a row, and what counts as chance."""

import math
import re
from dataclasses import replace

import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st
from made_up_verdicts import prediction
from small_report import record

from claimaudit.papers.jobs import Description
from claimaudit.papers.jobs import PaperExhibit as Shown
from claimaudit.report.pictures import EDGE, LETTER, WIDTH, picture, ratios
from claimaudit.report.runs import strips
from claimaudit.verdicts import Cells, Exhibit, StandingReading


def places(*pairs):
    """The places of dots, from 0 (the left end) to 1."""
    drawn = ratios({"": [(printed, ours, "") for printed, ours in pairs]})
    return [(float(x) - EDGE) / (WIDTH - 2 * EDGE) for x in re.findall('cx="(.*?)"', drawn)]


@pytest.mark.parametrize(
    ("pairs", "where"),
    [
        ([(1, 1), (2, 1), (1, 2)], [0.5, 1, 0]),
        ([(4, 1), (2, 1), (1, 4)], [1, 0.75, 0]),
        ([(1000, 1), (0.1, 1)], [1, 1 / 3]),
        ([(0, 0), (1, 0), (0, 1), (-2, -1), (-1, 1), (1, -1)], [0.5, 1, 0, 1, 0, 1]),
    ],
)
def test_place_of_a_number(pairs, where):
    assert places(*pairs) == pytest.approx(where, abs=1e-3)


POSITIVE = st.floats(1e-6, 1e6)


@given(POSITIVE, POSITIVE)
def test_places_are_symmetric(printed, ours):
    one, other = places((printed, ours), (ours, printed))
    assert 0 <= one <= 1
    assert one + other == pytest.approx(1, abs=1e-3)


@given(POSITIVE, POSITIVE, POSITIVE)
def test_a_larger_number_lies_farther_right(first, second, ours):
    smaller, larger = sorted((first, second))
    left, right = places((smaller, ours), (larger, ours))
    assert left <= right


@pytest.mark.parametrize(
    ("largest", "marks", "labels"),
    [
        (3, 3, ["0.25", "1", "4"]),
        (60, 5, ["0.01", "0.1", "1", "10", "100"]),
        (2000, 9, ["0.0001", "1", "10,000"]),
    ],
)
def test_a_scale_has_a_tick_at_each_power_and_shows_its_ends(largest, marks, labels):
    drawn = ratios({"fit": [(largest, 1, "")]})
    assert re.findall(">([^<]+)</text>", drawn) == ["fit", *labels]
    assert drawn.count("v-3") == marks


def test_printed_numbers_are_divided_by_ours_in_pictures_of_claims_as_in_those_of_exhibits():
    columns = {"left": [60.0, 3.0], "right": [1.0, 6.0], "mechanism": ["JRR", "JRR"]}
    one = replace(record("reproduced").stated, found=Cells(1, 60.0, 1.0, 9.0, 2), rows=2, comparisons=columns)
    claim = record(
        "reproduced", evidence=(one, replace(one, reading="vanishing_step")), place="Table 1 (a; b); Section 2"
    )
    drawn = picture(claim)
    dots = [float(x) for x in re.findall('cx="(.*?)"', drawn)]
    assert dots[0] < WIDTH / 2 < dots[1]
    assert "Table 1 (a; b), JRR. Printed numbers / ours; line: equal" in drawn


def test_bars_name_their_settings_as_far_as_they_differ():
    columns = {"n": [100, 100], "epsilon": [0.1, 1.0], "shares": [10, 100], "left": [3.0, 2.0], "right": [1.0, 1.5]}
    one = replace(record("reproduced").stated, rows=2, comparisons=columns)
    drawn = picture(record("reproduced", evidence=(one,)))
    assert [text for text in re.findall(">([^<]+)</text>", drawn) if "=" in text] == ["epsilon = 0.1", "epsilon = 1"]
    bars = [float(width) for width in re.findall('<rect [^>]*width="(.*?)"', drawn)]
    assert [bar / bars[0] for bar in bars] == pytest.approx([1, 1 / 3, 2 / 3, 1 / 2], rel=0.01)


def test_bars_share_a_setting_that_their_legend_names_if_the_claim_does():
    columns = {"n": [100], "step": [0.1], "left": [3.0], "right": [1.0]}
    one = replace(record("reproduced").stated, rows=1, comparisons=columns)
    check = {"where": "step == 0.1 and ones > 0"}
    assert "; line: 1; step = 0.1<" in picture(record("reproduced", evidence=(one,), check=check))
    several = replace(
        one, rows=2, comparisons={name: values * 2 for name, values in columns.items()} | {"step": [1, 2]}
    )
    assert "; line: 1<" in picture(record("reproduced", evidence=(several,), check=check))


def test_bars_against_a_line_name_each_of_five_settings_and_the_error_of_its_number():
    columns = {
        "w": [2, 3, 4, 5, 6],
        "left": [9.0, 8.0, 7.0, 6.0, 5.0],
        "right": [2.0] * 5,
        "se": [0.5, 0.4, 0.3, 0.2, 0],
    }
    one = replace(record("reproduced").stated, rows=5, comparisons=columns)
    drawn = picture(record("reproduced", evidence=(one,)))
    shown = ["w = 2", "9 ± 0.5", "w = 3", "8 ± 0.4", "w = 4", "7 ± 0.3", "w = 5", "6 ± 0.2", "w = 6", "5"]
    assert re.findall(">([^<]+)</text>", drawn) == shown
    assert "line: 2; ± standard error" in drawn
    long = replace(one, comparisons=columns | {"left": [0.0912345] * 5, "se": [0.00123] * 5, "right": [0.1] * 5})
    labels = re.findall('<text x="(.*?)".*?>([^<]+)</text>', picture(record("reproduced", evidence=(long,))))
    assert max(float(x) + LETTER * len(label) for x, label in labels) <= WIDTH + 4  # the gap before a number


def test_printed_numbers_that_contradict_a_claim_are_drawn_in_place_of_ours():
    claim = record("contradicted by the paper")
    columns = {"left": [0.22], "right": [0.5], "outcome": ["violated"]}
    points = replace(claim.own_numbers.points, comparisons=columns)
    drawn = picture(replace(claim, own_numbers=replace(claim.own_numbers, points=points)))
    assert "0.22" in drawn
    assert "line: 0.5, as printed" in drawn


def numbers(exhibit, reading, printed, value=1.0, low=0.9, high=1.1):
    rows = [
        prediction("RR", value, reading=reading, printed=one, exhibit=exhibit, low=low, high=high) for one in printed
    ]
    return pd.DataFrame(rows).drop(columns=["paper", "words", "se"])


def test_a_number_inside_its_interval_may_be_chance():
    table = numbers("fig3", "strict", [1.1001, 0.9, 1.1, 0.8999])
    ((name, pairs),) = strips(paper("jrr", fig3="fig3"), {"fig3": standing()}, table)["fig3"].items()
    assert name == "2 of 4 printed numbers fit as stated"
    assert [(printed, look) for printed, _, look in pairs] == [
        *((0.8999, "violated"), (0.9, ""), (1.1, ""), (1.1001, "violated"))
    ]


def standing(*readings, condition=""):
    found = tuple(StandingReading(reading, not condition, condition, False, 0.5, 1.0) for reading in readings)
    return Exhibit("e", "table1", "own", readings=found)


def paper(name, **exhibits):
    shown = {one: Shown(one, "e", file) for one, file in exhibits.items()}
    return Description.model_construct(id=name, exhibits=shown)


@pytest.mark.parametrize(
    ("condition", "called"),
    [("", "1 of 1 printed numbers fit as run"), ("Everybody reports.", "1 of 1 fit, but break a condition")],
)
def test_a_row_has_the_strict_reading_and_the_best_standing_one(condition, called):
    table = pd.concat(
        [numbers("fig3", "strict", [4.0]), numbers("fig3", "a", [2.0]), numbers("fig3", "b", [1.0])], ignore_index=True
    )
    known = {"fig3": standing("b", "a", condition=condition)}
    rows = strips(paper("jrr", fig3="fig3"), known, table)["fig3"]
    assert rows == {"0 of 1 printed numbers fit as stated": [(4.0, 1.0, "violated")], called: [(1.0, 1.0, "")]}


def test_exhibits_without_printed_numbers_have_no_row():
    table = numbers("fig3", "strict", [math.nan])
    assert strips(paper("jrr", fig3=None, fig4=None), {"fig3": standing("strict"), "fig4": standing()}, table) == {}


def test_a_part_has_no_row_beside_its_whole_unless_it_has_a_file_of_its_own():
    whole, part = numbers("table1", "strict", [1.0, 1.0, 1.0]), numbers("table1_celeba", "strict", [1.0])
    more = [numbers("table1_celeba", reading, [1.0]) for reading in "abcde"]
    exhibits = {"table1": standing("strict"), "table1_celeba": standing(*"abcde")}
    table = pd.concat([whole, part, *more], ignore_index=True)
    found = strips(paper("cpl", table1="table1", table1_celeba="table1"), exhibits, table)
    told = {name: next(iter(rows)) for name, rows in found.items()}
    assert told == {"table1": "3 of 3 printed numbers fit as stated"}
    assert [*strips(paper("cpl", table1="table1", table1_celeba="table1_celeba"), exhibits, table)] == [*exhibits]
