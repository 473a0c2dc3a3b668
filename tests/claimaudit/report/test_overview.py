"""Printed against ours: where points lie, which exhibits have a row, and what counts as chance."""

import math

import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st
from made_up_verdicts import prediction

from claimaudit.audit.differences import differences
from claimaudit.papers.jobs import Description
from claimaudit.papers.jobs import PaperExhibit as Shown
from claimaudit.report.runs import FARTHEST, LANES, Point, place, points, strips
from claimaudit.verdicts import Exhibit, StandingReading


@pytest.mark.parametrize(
    ("printed", "ours", "where"),
    [
        *((1, 1, 50.0), (2, 1, 75.0), (1, 2, 25.0), (4, 1, 100.0), (1, 4, 0.0)),
        *((1000, 1, 100.0), (0.001, 1, 0.0), (0, 0, 50.0), (1, 0, 100.0), (0, 1, 0.0)),
        *((-2, -1, 75.0), (-1, 1, 0.0), (1, -1, 100.0)),
    ],
)
def test_place_of_a_number(printed, ours, where):
    assert place(printed, ours) == where


POSITIVE = st.floats(1e-6, 1e6)


@given(POSITIVE, POSITIVE)
def test_places_are_symmetric_and_keep_the_ratio_up_to_the_edge(printed, ours):
    where = place(printed, ours)
    assert 0 <= where <= 100
    assert where + place(ours, printed) == pytest.approx(100, abs=0.11)
    if 0.1 < where < 99.9:
        assert FARTHEST ** (where / 50 - 1) == pytest.approx(printed / ours, rel=0.002)


def numbers(exhibit, reading, printed, value=1.0, low=0.9, high=1.1):
    rows = [
        prediction("RR", value, reading=reading, printed=one, exhibit=exhibit, low=low, high=high) for one in printed
    ]
    return pd.DataFrame(rows).drop(columns=["paper", "words", "se"])


def test_a_point_inside_its_interval_may_be_chance():
    given_points = points(differences("fig3", numbers("fig3", "strict", [1.1001, 0.9, 1.1, 0.8999]), None))
    assert [point.inside for point in given_points] == [False, True, True, False]
    assert [point.place for point in given_points] == sorted(point.place for point in given_points)


def test_points_lie_at_several_heights():
    cells = differences("fig3", numbers("fig3", "strict", [1.0] * (LANES + 2)), None)
    lanes = [point.lane for point in points(cells)]
    assert lanes == [*range(LANES), 0, 1]


def standing(*readings):
    found = tuple(StandingReading(reading, True, "", False, 0.5, 1.0) for reading in readings)
    return Exhibit("e", "table1", "own", readings=found)


def paper(name, **exhibits):
    return Description(name, "", "", "", "", exhibits={one: Shown(one, "e", file) for one, file in exhibits.items()})


def test_a_row_has_the_strict_reading_and_the_best_standing_one():
    table = pd.concat(
        [numbers("fig3", "strict", [4.0]), numbers("fig3", "a", [2.0]), numbers("fig3", "b", [1.0])], ignore_index=True
    )
    row = strips(paper("jrr", fig3="fig3"), {"fig3": standing("b", "a")}, table)["fig3"]
    assert (row.stated, row.run) == ((Point(100.0, 0, False),), (Point(50.0, 0, True),))


def test_where_nothing_stands_only_the_strict_reading_is_shown():
    (row,) = strips(paper("jrr", fig3="fig3"), {"fig3": standing()}, numbers("fig3", "strict", [2.0])).values()
    assert (len(row.stated), row.run) == (1, ())


def test_exhibits_without_printed_numbers_have_no_row():
    table = numbers("fig3", "strict", [math.nan])
    assert strips(paper("jrr", fig3=None, fig4=None), {"fig3": standing("strict"), "fig4": standing()}, table) == {}


def test_a_part_has_no_row_beside_its_whole_however_many_readings_it_has():
    whole, part = numbers("table1", "strict", [1.0, 1.0, 1.0]), numbers("table1_celeba", "strict", [1.0])
    more = [numbers("table1_celeba", reading, [1.0]) for reading in "abcde"]
    exhibits = {"table1": standing("strict"), "table1_celeba": standing(*"abcde")}
    table = pd.concat([whole, part, *more], ignore_index=True)
    found = strips(paper("cpl", table1="table1", table1_celeba="table1"), exhibits, table)
    assert {name: len(row.stated) for name, row in found.items()} == {"table1": 3}


def test_two_exhibits_with_files_of_their_own_have_a_row_each():
    table = pd.concat([numbers("fig3", "strict", [1.0, 1.0]), numbers("fig4", "strict", [1.0])], ignore_index=True)
    exhibits = {"fig3": standing("strict"), "fig4": standing("strict")}
    found = strips(paper("jrr", fig3="fig3", fig4="fig4"), exhibits, table)
    assert [*found] == ["fig3", "fig4"]
