"""Who beats whom: counts by hand, planted differences, and what must hold for any numbers."""

from itertools import permutations, product

import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from made_up_verdicts import prediction

from claimaudit.report.mechanisms import CLEAR, compared, count, places

pytestmark = pytest.mark.thorough

ERRORS = ("mse", "are")


def row(mechanism, value, **changes):
    return prediction(mechanism, value, **{"epsilon": 1.0, **changes})


def both(ours, theirs, **changes):
    """Rows of JRR and RR at one setting."""
    return [row("JRR", ours, **changes), row("RR", theirs, **changes)]


def pair_of(rows, one="JRR", other="RR", evidenced=None):
    pairs = compared(places(pd.DataFrame(rows), ERRORS, evidenced or {}))
    (pair,) = (pair for pair in pairs if (pair.one, pair.other) == (one, other))
    return pair


def test_each_setting_counts_once_and_those_where_it_does_not_win_are_named():
    rows = [*both(1, 2, epsilon=0.5), *both(4, 2, epsilon=1.0), *both(2, 2, epsilon=2.0)]
    (line,) = pair_of(rows).lines["stated"]
    assert (line.place, line.lower, line.higher, line.open, line.settings) == ("Figure 3", 1, 1, 1, 3)
    assert line.not_lower == ("epsilon = 1 (higher)", "epsilon = 2 (cannot tell)")
    (reverse,) = pair_of(rows, "RR", "JRR").lines["stated"]
    assert reverse.not_lower == ("epsilon = 0.5 (higher)", "epsilon = 2 (cannot tell)")


@pytest.mark.parametrize(
    ("difference", "lower"),
    [(1.01 * CLEAR * 5, 1), (0.99 * CLEAR * 5, 0), (-1.01 * CLEAR * 5, 0)],
)
def test_a_difference_counts_beyond_both_standard_errors(difference, lower):
    line = pair_of([row("JRR", 100, se=3), row("RR", 100 + difference, se=4)]).lines["stated"][0]
    assert (line.lower, line.open) == (lower, int(abs(difference) < CLEAR * 5))


def test_as_run_it_wins_only_where_it_does_under_every_standing_reading():
    numbers = {
        0.5: {"a": (1, 2), "b": (1, 3)},
        1.0: {"a": (1, 2), "b": (3, 2)},
        2.0: {"a": (1, 2), "b": (2, 2)},
        4.0: {"a": (3, 2), "b": (5, 2)},
    }
    rows = [
        each
        for epsilon, readings in numbers.items()
        for reading, values in {"strict": (9, 8), **readings, "falls": (9, 1)}.items()
        for each in both(*values, reading=reading, epsilon=epsilon)
    ]
    pair = pair_of(rows, evidenced={"fig3": ["a", "b"]})
    assert count(pair.lines["stated"]) == (0, 4)
    (line,) = pair.lines["run"]
    assert (line.lower, line.higher, line.open) == (1, 1, 2)
    assert line.not_lower == ("epsilon = 1 and 2 (cannot tell)", "epsilon = 4 (higher)")


def test_printed_numbers_are_compared_as_they_are_and_only_where_both_are_printed():
    printed = {("JRR", 0.5): 1.0, ("RR", 0.5): 2.0, ("JRR", 1.0): 3.0, ("RR", 1.0): 2.9, ("JRR", 2.0): 1.0}
    rows = [
        row(mechanism, 5.0, se=9.0, epsilon=epsilon) | {"printed": printed.get((mechanism, epsilon))}
        for epsilon in (0.5, 1.0, 2.0)
        for mechanism in ("JRR", "RR")
    ]
    pair = pair_of(rows)
    (line,) = pair.lines["printed"]
    assert (line.lower, line.higher, line.open) == (1, 1, 0)
    assert line.not_lower == ("epsilon = 1 (higher)",)
    assert count(pair.lines["stated"]) == (0, 3)


def test_settings_that_differ_in_the_last_one_only_are_named_together():
    higher = {(0.1, 1), (0.1, 2), (0.1, 3), (0.5, 2), (0.5, 3)}
    rows = []
    for epsilon, d in product((0.1, 0.3, 0.5), (1, 2, 3)):
        rows += both(2.5 if (epsilon, d) in higher else 1.5, 2.0, epsilon=epsilon, d=d)
    (line,) = pair_of(rows).lines["stated"]
    assert line.not_lower == ("epsilon = 0.1 (higher)", "epsilon = 0.5, d = 2 and 3 (higher)")


def test_numbers_of_one_reading_are_compared_with_each_other():
    """RR has no number under reading a: it is compared under b alone, whatever the order of the rows."""
    rows = [*both(1, 2), row("JRR", 5, reading="a"), *both(1, 2, reading="b")]
    for given_rows in (rows, rows[::-1]):
        (line,) = pair_of(given_rows, evidenced={"fig3": ["a", "b"]}).lines["run"]
        assert (line.lower, line.settings) == (1, 1)


def test_without_evidence_nothing_is_said_as_run_and_without_a_shared_exhibit_nothing_at_all():
    assert pair_of(both(1, 2), evidenced={"fig4": ["a"]}).lines.keys() == {"stated"}
    assert compared(places(pd.DataFrame([row("JRR", 1), row("RR", 2, exhibit="fig4")]), ERRORS, {})) == []


def test_only_errors_are_compared_and_metrics_are_named_if_there_are_several():
    rows = [*both(1, 2), *both(1, 2, metric="share"), *both(3, 2, metric="are"), *both(1, 2, exhibit="table2")]
    assert {line.place: line.lower for line in pair_of(rows).lines["stated"]} == {
        "Figure 3, averaged relative error": 0,
        "Figure 3, mean squared error": 1,
        "Table 2, mean squared error": 1,
    }


def test_a_setting_that_readings_change_does_not_tell_points_apart():
    """With 20 users the colluders are 2, with 40 they are 4: one tenth of both."""
    rows = [
        each
        for reading, users in (("strict", 20), ("more", 40))
        for share in (0.1, 0.2)
        for each in both(1, 2, reading=reading, users=users, colluders=share * users, share=share)
    ]
    rows[2]["value"] = 3  # JRR at a share of 0.2, as stated
    pair = pair_of(rows, evidenced={"fig3": ["more"]})
    assert pair.lines["stated"][0].not_lower == ("share = 0.2 (higher)",)
    assert count(pair.lines["run"]) == (2, 2)


def test_a_setting_that_readings_change_is_kept_where_nothing_else_tells_points_apart():
    rows = [
        each
        for reading, factor in (("strict", 1), ("more", 2))
        for colluders in (1, 3)
        for each in both(1, 2, reading=reading, colluders=colluders * factor)
    ]
    assert count(pair_of(rows).lines["stated"]) == (2, 2)


VALUES = st.floats(0.1, 10)


@given(st.lists(st.tuples(VALUES, VALUES, VALUES, VALUES), min_size=1, max_size=6))
@settings(max_examples=30)
def test_what_one_wins_the_other_loses(values):
    rows = []
    for place, (ours, theirs, *others) in enumerate(values):
        rows += both(ours, theirs, epsilon=float(place)) + both(*others, reading="a", epsilon=float(place))
    standing = {"fig3": ["strict", "a"]}
    one, other = (pair_of(rows, *names, evidenced=standing) for names in (("JRR", "RR"), ("RR", "JRR")))
    sides = ([*each.lines["stated"], *each.lines["run"]] for each in (one, other))
    for line, reverse in zip(*sides, strict=True):
        assert (line.lower, line.higher, line.open) == (reverse.higher, reverse.lower, reverse.open)
        named = "".join(line.not_lower).replace(" and ", ", ").count(", ") + len(line.not_lower)
        assert named == line.settings - line.lower
    assert one.lines["run"][0].lower <= one.lines["stated"][0].lower  # more readings can only make it less sure


def test_those_that_win_most_come_first():
    rows = [row(name, value) for name, value in (("SPL", 3), ("RS+FD", 2), ("Corr-RR", 1))]
    pairs = [(pair.one, pair.other) for pair in compared(places(pd.DataFrame(rows), ERRORS, {}))]
    assert pairs == [*permutations(("Corr-RR", "RS+FD", "SPL"), 2)]
