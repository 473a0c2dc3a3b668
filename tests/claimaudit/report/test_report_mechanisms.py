"""Who wins where: planted errors, by layer."""

import pandas as pd
import pytest

from claimaudit.report.mechanisms import grids, summary
from claimaudit.words.names import together

ERRORS = ("mse", "are")


def row(mechanism, value, epsilon, reading="strict", printed=None, n=100, se=0.0):
    return {
        **{"paper": "jrr", "exhibit": "fig3", "reading": reading, "words": "", "mechanism": mechanism, "metric": "mse"},
        **{"epsilon": epsilon, "n": n, "half": n / 2, "stated": "yes" if reading == "strict" else "no"},
        **{"printed": printed, "value": value, "se": se, "low": 0, "high": 0, "their_runs": 100},
    }


def planted():
    errors = {(100, 0.1): (1, 4), (100, 1.0): (6, 2), (200, 0.1): (1, 4), (200, 1.0): (2, 2.1)}
    for (n, epsilon), (ours, other) in errors.items():
        yield row("JRR", ours, epsilon, printed=3.0, n=n, se=0.1)
        yield row("RR", other, epsilon, printed=2.0, n=n, se=0.1)
        yield row("JRR", 1, epsilon, "p_step=2", n=n)
        yield row("RR", 3, epsilon, "p_step=2", n=n)


def test_each_layer_has_its_winner_at_each_setting():
    (grid,) = grids(pd.DataFrame(planted()), ERRORS, {"fig3": ["p_step=2"]})
    assert (grid.place, grid.across, grid.columns) == ("Figure 3", "epsilon", ("0.1", "1"))
    assert [row.name for row in grid.rows] == ["n = 100", "n = 200"]  # half follows from n

    def winners(layer):
        return [[cell.winner for cell in row.cells[layer]] for row in grid.rows]

    assert winners("stated") == [["JRR", "RR"], ["JRR", ""]]  # the last two are equal within their errors
    assert winners("printed") == [["RR", "RR"], ["RR", "RR"]]
    assert winners("run") == [["JRR", "JRR"], ["JRR", "JRR"]]
    assert grid.rows[0].cells["stated"][0].words == "JRR 1; RR 4 times"


def test_sentences_give_all_layers_and_say_where_the_winner_changes():
    found = grids(pd.DataFrame(planted()), ERRORS, {"fig3": ["p_step=2"]})
    assert found[0].changes == "As stated: n = 100: JRR up to epsilon = 0.1, RR from 1 on."
    assert found[0].tallies == "As printed: RR 4. As stated: JRR 2, RR 1, open 1. As run: JRR 4."
    assert summary(found) == (
        "Mechanisms with the lowest error. As printed: RR 4 of 4 settings. "
        "As stated: JRR 2, RR 1, open 1 of 4 settings. "
        "As run: JRR 4 of 4 settings. The winner changes within a row of Figure 3."
    )
    assert grids(pd.DataFrame(planted()), ERRORS, {})[0].layers == {"printed": "as printed", "stated": "as stated"}
    assert summary([]) == ""


def test_rows_with_the_same_change_are_named_together_and_a_winner_in_between_has_its_place():
    errors = {0.1: (1, 2, 3), 0.5: (2, 1, 3), 1.0: (3, 2, 1)}
    rows = [
        row(name, value, epsilon, n=n)
        for n in (100, 200)
        for epsilon, values in errors.items()
        for name, value in zip(("JRR", "RR", "k-JRR"), values, strict=True)
    ]
    (grid,) = grids(pd.DataFrame(rows), ERRORS, {})
    assert grid.changes == "As stated: n = 100 and 200: JRR up to epsilon = 0.1, RR at 0.5, k-JRR from 1 on."


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


def test_names_have_no_order_along_which_a_winner_could_change():
    rows = [
        row(name, value, 1.0) | {"dataset": data}
        for data, values in {"a": (1, 2), "b": (2, 1)}.items()
        for name, value in zip(("JRR", "RR"), values, strict=True)
    ]
    (grid,) = grids(pd.DataFrame(rows), ERRORS, {})
    assert grid.columns == ("a", "b")
    assert grid.changes == ""


def test_a_winner_that_comes_back_is_no_change():
    errors = {0.1: (1, 2), 0.5: (2, 1), 1.0: (1, 2)}
    rows = [row(name, v, e) for e, values in errors.items() for name, v in zip(("JRR", "RR"), values, strict=True)]
    (grid,) = grids(pd.DataFrame(rows), ERRORS, {})
    assert grid.changes == ""


def test_layers_that_agree_are_named_together():
    rows = [
        row(name, value, epsilon, printed=value) for name, value in (("JRR", 1), ("RR", 2)) for epsilon in (0.1, 1.0)
    ]
    (grid,) = grids(pd.DataFrame(rows), ERRORS, {})
    assert grid.tallies == "As printed and as stated: JRR 2."


def test_a_mechanism_that_is_clearly_worse_is_not_among_those_that_chance_leaves():
    rows = [
        row(name, value, epsilon, se=0.1)
        for name, value in (("JRR", 2.0), ("RR", 2.1), ("k-JRR", 5.0))
        for epsilon in (0.1, 1.0)
    ]
    (grid,) = grids(pd.DataFrame(rows), ERRORS, {})
    assert [cell.shown for cell in grid.rows[0].cells["stated"]] == ["JRR ≈ RR", "JRR ≈ RR"]
    assert grid.tallies == "As stated: JRR or RR 2."


def test_readings_that_disagree_leave_a_setting_open_as_run():
    (grid,) = grids(pd.DataFrame(planted()), ERRORS, {"fig3": ["strict", "p_step=2"]})
    assert [cell.winner for cell in grid.rows[0].cells["run"]] == ["JRR", ""]


def test_a_metric_has_winners_if_it_is_said_that_less_of_it_is_better():
    latency = pd.DataFrame(planted()).assign(metric="latency")
    assert grids(latency, ERRORS, {}) == []
    assert len(grids(latency, [*ERRORS, "latency"], {})) == 1


def test_settings_and_values_have_the_names_of_the_paper():
    rows = pd.DataFrame(planted()).assign(n=lambda table: table["n"].map({100: "kosarak", 200: "amazon"}), half=1)
    called = {"epsilon": "ε", "dataset": "data set", "kosarak": "Kosarak"}
    (grid,) = grids(rows.rename(columns={"n": "dataset"}), ERRORS, {}, called)
    assert [row.name for row in grid.rows] == ["Kosarak", "data set = amazon"]
    assert grid.across == "ε"
    assert grid.changes == "As stated: Kosarak: JRR up to ε = 0.1, RR from 1 on."
