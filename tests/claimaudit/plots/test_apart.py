"""Lines that coincide are drawn apart, and lines of an only panel are labelled at their ends."""

import numpy as np

from claimaudit.plots import apart, curves
from claimaudit.plots.selection import drawn_numbers
from claimaudit.styles import Style


def drawn(table, style, **changes):
    built = Style.from_dict({**style, "lines": None, "y": ["are"], "panels": {}, **changes})
    return drawn_numbers(table, built), built


WHERE = "n == 200 and ones_fraction == 0.1"


def test_markers_move_only_where_lines_coincide(table, style):
    numbers, built = drawn(table, style, where=WHERE)
    assert set(apart.shifts(numbers, built).values()) == {0.0}
    same = table.assign(mean=np.where(table["mechanism"] == "RR", 3 / table["epsilon"] / table["n"], table["mean"]))
    same.loc[same["mechanism"] == "JRR", "mean"] = 3.001 / same["epsilon"] / same["n"]
    numbers, built = drawn(same, style, where=WHERE)
    assert sorted(apart.shifts(numbers, built).values()) == [-apart.STEP / 2, apart.STEP / 2]


def test_labels_that_would_touch_move_apart_and_keep_their_order():
    heights = apart.spread([0.1, 0.5, 0.5, 0.51, 0.9])
    assert heights[0] == 0.1
    assert heights[-1] == 0.9
    assert np.diff(heights).min() >= apart.LEAST - 1e-12
    assert np.isclose(np.mean(heights[1:4]), np.mean([0.5, 0.5, 0.51]))


def test_the_lines_of_an_only_panel_carry_their_names(table, style):
    numbers, built = drawn(table, style, where=WHERE)
    figure = curves.draw(numbers, built)
    (axes,) = figure.axes
    ends = {text.get_text(): text.xy[1] for text in axes.texts}
    assert list(ends) == ["JRR", "RR"]
    assert ends["JRR"] < ends["RR"]
    assert {"JRR", "RR"}.isdisjoint(text.get_text() for legend in figure.legends for text in legend.get_texts())


def test_a_ratio_view_divides_by_the_same_setting(table, style):
    numbers, _ = drawn(table, style, where=WHERE, ratio_to="JRR")
    assert set(numbers["mechanism"]) == {"RR"}
    assert np.allclose(numbers["mean"], 3)
    assert np.allclose(numbers["se"], 3 / 20)
    assert set(numbers["ratio_to"]) == {"JRR"}


def test_a_printed_number_is_divided_by_a_printed_one(table, style, published):
    built = Style.from_dict({**style, "y": ["mse_counts"], "panels": {"column": "n"}, "ratio_to": "RR"})
    numbers = drawn_numbers(table, built, published)
    printed = numbers["published"].dropna()
    assert printed.tolist() == [9e4 / 2.5e5]
