"""Who wins where: planted errors, by layer."""

import pandas as pd

from claimaudit.report.winners import grids, summary


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
    (grid,) = grids(pd.DataFrame(planted()), {"fig3": ["p_step=2"]})
    assert (grid.place, grid.across, grid.columns) == ("Figure 3", "epsilon", ("0.1", "1"))
    assert [row.name for row in grid.rows] == ["n = 100", "n = 200"]  # half follows from n

    def winners(layer):
        return [[cell.winner for cell in row.cells[layer]] for row in grid.rows]

    assert winners("stated") == [["JRR", "RR"], ["JRR", ""]]  # the last two are equal within their errors
    assert winners("printed") == [["RR", "RR"], ["RR", "RR"]]
    assert winners("run") == [["JRR", "JRR"], ["JRR", "JRR"]]
    assert grid.rows[0].cells["stated"][0].words == "JRR 1; RR 4 times"


def test_a_sentence_says_where_the_winner_changes():
    found = grids(pd.DataFrame(planted()), {})
    assert found[0].changes == ["n = 100: JRR up to epsilon = 0.1, RR from 1 on"]
    assert summary(found) == (
        "Lowest error as stated, of 4 settings: JRR 2, RR 1, chance leaves open 1. "
        "The winner changes within a row of Figure 3."
    )
    assert found[0].layers == {"printed": "as printed", "stated": "as stated"}
    assert summary([]) == ""


def test_readings_that_disagree_leave_a_setting_open_as_run():
    (grid,) = grids(pd.DataFrame(planted()), {"fig3": ["strict", "p_step=2"]})
    assert [cell.winner for cell in grid.rows[0].cells["run"]] == ["JRR", ""]


def test_settings_and_values_have_the_names_of_the_paper():
    rows = pd.DataFrame(planted()).assign(n=lambda table: table["n"].map({100: "kosarak", 200: "amazon"}), half=1)
    called = {"epsilon": "ε", "dataset": "data set", "kosarak": "Kosarak"}
    (grid,) = grids(rows.rename(columns={"n": "dataset"}), {}, called)
    assert [row.name for row in grid.rows] == ["Kosarak", "data set = amazon"]
    assert grid.across == "ε"
    assert grid.changes == ["Kosarak: JRR up to ε = 0.1, RR from 1 on"]
