import numpy as np
import pandas as pd
import pytest
from drawing import figure_of, numbers_of

from claimaudit.plots import layers, scatter
from claimaudit.plots.style import NEUTRAL

STYLE = {"x": "tcpl", "y": "error", "lines": "epsilon"}


@pytest.fixture
def table():
    rows = [
        {"epsilon": epsilon, "reading": "strict", "mechanism": name, "metric": metric, "mean": mean}
        for epsilon in (1.0, 3.0)
        for name, factor in (("GRR", 1.0), ("OUE", 2.0))
        for metric, mean in (("tcpl", 0.1 * epsilon * factor), ("error", factor / epsilon))
    ]
    return pd.DataFrame(rows).assign(se=0.0, runs=0, theory=np.nan, standin=False)


def test_a_metric_becomes_a_column_beside_the_other_of_its_setting(table):
    numbers, _ = numbers_of(table.sample(frac=1, random_state=1), STYLE)
    assert set(numbers["metric"]) == {"error"}
    found = numbers.set_index(["mechanism", "epsilon"]).loc[("OUE", 3.0)]
    assert (found["tcpl"], found["mean"]) == pytest.approx((0.6, 2 / 3))


def test_every_point_is_drawn_at_both_metrics_and_grows_with_the_lines(table):
    (axes,) = figure_of(scatter.draw, table, STYLE)[0].axes
    points = {
        (round(float(x), 6), round(float(y), 6)): size
        for marks in axes.collections
        for (x, y), size in zip(marks.get_offsets(), marks.get_sizes(), strict=True)
    }
    assert set(points) == {(0.1, 1.0), (0.3, 0.333333), (0.2, 2.0), (0.6, 0.666667)}
    assert points[0.1, 1.0] < points[0.3, 0.333333]


def test_points_that_coincide_are_all_marked(table):
    table.loc[table["mechanism"] == "OUE", "mean"] = table.loc[table["mechanism"] == "GRR", "mean"].to_numpy()
    figure, numbers = figure_of(scatter.draw, table, STYLE)
    points = layers.describe(figure).values
    assert sorted(row for row, _, _ in points) == list(numbers.index)
    assert len({(x, y) for _, x, y in points}) == len(numbers) / 2


def test_what_another_reading_moves_has_colour_and_the_rest_is_grey(table):
    moved = table[table["mechanism"] == "OUE"].assign(reading="as_run", mean=lambda rows: 2 * rows["mean"])
    both = {"plot": "scatter", "show": {"reading": ["strict", "as_run"]}}
    middle = table[table["epsilon"] == 1].assign(epsilon=2.0)
    (axes,) = figure_of(scatter.draw, pd.concat([table, middle, moved]), STYLE, **both)[0].axes
    assert [len(marks.get_offsets()) for marks in axes.collections] == [2, 3, 2]  # only the ends of what is grey
    grey = {text.get_text(): text.get_color() == NEUTRAL for text in axes.texts}
    assert grey == {"GRR": True, "OUE": False, "OUE, as_run": False}


def test_names_and_notes_stand_in_the_panel(table):
    note = {"at": [0.5, 0.9], "text": "first error of GRR: {number[GRR]:.2g}"}
    figure, _ = figure_of(scatter.draw, table, STYLE, where="epsilon == 1", boxes={"note": note})
    assert [text.get_text() for text in figure.axes[0].texts] == ["first error of GRR: 1", "GRR", "OUE"]
    assert figure.legends == []


def test_names_stand_in_their_panel_though_the_next_one_widens_the_axis(table):
    both = pd.concat([table, table.assign(mean=10 * table["mean"])], keys=["near", "far"], names=["site"])
    changes = {"panels": {"row": "site"}, "where": "epsilon == 3", "labels": {"OUE": "optimised unary encoding"}}
    figure, _ = figure_of(scatter.draw, both.reset_index("site"), STYLE, **changes)
    for axes in figure.axes:
        (name,) = (text for text in axes.texts if text.get_text() == "optimised unary encoding")
        assert axes.get_window_extent().count_contains(name.get_window_extent().corners()) == 4
