"""Who wins where: planted errors, by layer."""

import pandas as pd
import pytest
from made_up_verdicts import prediction

from claimaudit.report.mechanisms import grids, places, summary
from claimaudit.words.names import together

ERRORS = ("mse", "are")


def row(mechanism, value, epsilon, reading="strict", printed=None, n=100, se=0.0):
    """A number, printed as another one, or as it is."""
    shown = value if printed is True else printed
    return prediction(mechanism, value, se, reading, shown, epsilon=epsilon, n=n, half=n / 2)


def planted():
    errors = {(100, 0.1): (1, 4), (100, 1.0): (6, 2), (200, 0.1): (1, 4), (200, 1.0): (2, 2.1)}
    for (n, epsilon), (ours, other) in errors.items():
        yield row("JRR", ours, epsilon, printed=3.0, n=n, se=0.1)
        yield row("RR", other, epsilon, printed=2.0, n=n, se=0.1)
        yield row("JRR", 1, epsilon, "p_step=2", n=n)
        yield row("RR", 3, epsilon, "p_step=2", n=n)


def test_each_layer_has_its_winner_at_each_setting():
    (grid,) = grids(places(pd.DataFrame(planted()), ERRORS, {"fig3": ["p_step=2"]}))
    assert (grid.place, grid.across, grid.columns) == ("Figure 3", "epsilon", ("0.1", "1"))
    assert [row.name for row in grid.rows] == ["n = 100", "n = 200"]  # half follows from n

    def winners(layer):
        return [[cell.winner for cell in row.cells[layer]] for row in grid.rows]

    assert winners("stated") == [["JRR", "RR"], ["JRR", ""]]  # the last two are equal within their errors
    assert winners("printed") == [["RR", "RR"], ["RR", "RR"]]
    assert winners("run") == [["JRR", "JRR"], ["JRR", "JRR"]]
    assert grid.rows[0].cells["stated"][0].words == "JRR 1; RR 4 times"


def test_sentences_give_all_layers_and_say_where_the_winner_changes():
    found = grids(places(pd.DataFrame(planted()), ERRORS, {"fig3": ["p_step=2"]}))
    assert found[0].changes == "As stated: n = 100: JRR up to epsilon = 0.1, RR from 1 on."
    assert found[0].tallies == "As printed: RR 4. As stated: JRR 2, RR 1, open 1. As run: JRR 4."
    assert summary(found) == (
        "Mechanisms with the lowest error. As printed: RR 4 of 4 settings. "
        "As stated: JRR 2, RR 1, open 1 of 4 settings. "
        "As run: JRR 4 of 4 settings. The winner changes within a row of Figure 3."
    )
    assert list(grids(places(pd.DataFrame(planted()), ERRORS, {}))[0].layers) == ["printed", "stated"]
    assert summary([]) == ""


def grid_of(errors, ns=(100,), names=("JRR", "RR", "k-JRR"), **more):
    """The only grid of errors by epsilon, which are the same for each n."""
    numbers = ((n, epsilon, zip(names, values, strict=False)) for n in ns for epsilon, values in errors.items())
    rows = [row(name, value, epsilon, n=n, **more) for n, epsilon, named in numbers for name, value in named]
    (grid,) = grids(places(pd.DataFrame(rows), ERRORS, {}))
    return grid


@pytest.mark.parametrize(
    ("errors", "se", "changes"),
    [
        ({0.1: (1, 2, 3), 0.5: (2, 1, 3), 1.0: (3, 2, 1)}, 0.0, "RR at 0.5, k-JRR from 1 on."),
        ({0.1: (1, 3, 3), 0.5: (2, 1, 1.1), 1.0: (2, 1, 1.1)}, 0.1, "RR or k-JRR from 0.5 on."),
        ({0.1: (1, 3), 0.5: (1, 1.1)}, 0.1, ""),
        ({0.1: (1, 2), 0.5: (2, 1), 1.0: (1, 2)}, 0.0, ""),  # it comes back
        ({"a": (1, 2), "b": (2, 1)}, 0.0, ""),  # names have no order
    ],
)
def test_rows_with_the_same_change_are_named_together(errors, se, changes):
    told = f"As stated: n = 100 and 200: JRR up to epsilon = 0.1, {changes}" if changes else ""
    assert grid_of(errors, (100, 200), se=se).changes == told


@pytest.mark.parametrize(
    ("rows", "named"),
    [
        ([(100, "adult"), (100, "b")], "n = 100, Adult and b"),
        ([(100, "adult"), (200, "adult")], "Adult, n = 100 and 200"),
        ([(100, "adult"), (200, "b"), (200, "adult")], "n = 100, Adult; n = 200, data set = b and Adult"),
        ([(100, "adult")], "n = 100, Adult"),
        ([()], ""),
    ],
)
def test_settings_that_are_named_together_keep_each_value_with_its_column(rows, named):
    settings = [tuple(zip(("n", "dataset"), row, strict=False)) for row in rows]
    assert together(settings, {"adult": "Adult", "dataset": "data set"}) == named


def test_layers_that_agree_are_named_together():
    assert grid_of({0.1: (1, 2), 1.0: (1, 2)}, printed=True).tallies == "As printed and as stated: JRR 2."


def test_a_mechanism_that_is_clearly_worse_is_not_among_those_that_chance_leaves():
    grid = grid_of(dict.fromkeys((0.1, 1.0), (2.0, 2.1, 5.0)), se=0.1)
    assert [cell.shown for cell in grid.rows[0].cells["stated"]] == ["JRR ≈ RR", "JRR ≈ RR"]
    assert grid.tallies == "As stated: JRR or RR 2."


def test_readings_that_disagree_leave_a_setting_open_as_run():
    (grid,) = grids(places(pd.DataFrame(planted()), ERRORS, {"fig3": ["strict", "p_step=2"]}))
    assert [cell.winner for cell in grid.rows[0].cells["run"]] == ["JRR", ""]


def test_a_metric_has_winners_if_it_is_said_that_less_of_it_is_better():
    latency = pd.DataFrame(planted()).assign(metric="latency")
    assert grids(places(latency, ERRORS, {})) == []
    assert len(grids(places(latency, [*ERRORS, "latency"], {}))) == 1


def test_settings_and_values_have_the_names_of_the_paper():
    rows = pd.DataFrame(planted()).assign(n=lambda table: table["n"].map({100: "kosarak", 200: "amazon"}), half=1)
    called = {"epsilon": "ε", "dataset": "data set", "kosarak": "Kosarak"}
    (grid,) = grids(places(rows.rename(columns={"n": "dataset"}), ERRORS, {}, called))
    assert [row.name for row in grid.rows] == ["Kosarak", "data set = amazon"]
    assert grid.across == "ε"
    assert grid.changes == "As stated: Kosarak: JRR up to ε = 0.1, RR from 1 on."
