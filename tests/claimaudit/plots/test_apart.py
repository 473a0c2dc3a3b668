"""Lines that coincide are all seen, and lines of an only panel are labelled at their ends."""

import itertools

import numpy as np
import pandas as pd
import pytest
from drawing import numbers_of
from matplotlib.figure import Figure

from claimaudit.plots import apart, curves
from claimaudit.styles import SettingError


def drawn(table, style, **changes):
    return numbers_of(table, {**style, "lines": None, "y": ["are"], "panels": {}} | changes)


WHERE = "n == 200 and ones_fraction == 0.1"


def coinciding(table):
    """Return the table with three mechanisms: RR, one hardly above it, and one far away."""
    shares = {"RR": 1, "JRR": 1.001, "k-JRR": 9}
    one = table[table["mechanism"] == "RR"]
    return pd.concat([one.assign(mechanism=name, mean=one["mean"] * share) for name, share in shares.items()])


def test_a_line_is_wider_the_more_lines_lie_on_it(table, style):
    numbers, built = drawn(coinciding(table), style, where=WHERE)
    assert apart.above(numbers, built, numbers) == {("RR", None): 1, ("JRR", None): 0, ("k-JRR", None): 0}
    figure = curves.draw(numbers, built)
    below, above, alone = (line for line in figure.axes[0].lines if line.get_linestyle() != "None")
    assert below.get_linewidth() - above.get_linewidth() > above.get_linewidth() - alone.get_linewidth()
    np.testing.assert_allclose(above.get_ydata(), 1.001 * below.get_ydata())


def test_lines_that_coincide_are_named(table, style):
    labels = {"RR": "one", "JRR": "other"}
    found = apart.said(*drawn(coinciding(table), style, where=WHERE, labels=labels))
    assert found == "Lines that (nearly) coincide: one and other"
    assert apart.said(*drawn(table, style, where=WHERE)) == ""


@pytest.mark.parametrize("share_y", [False, True, "all"])
@pytest.mark.parametrize("side", ["row", "column"])
def test_lines_coincide_on_the_axis_that_panels_share(table, style, side, share_y):
    """Beside errors a thousand times as large, all of another panel are one line."""
    errors = table["epsilon"] * np.where(table["n"] == 200, 1e3, 1) * np.where(table["mechanism"] == "RR", 1, 1.2)
    changes = {"scale": {}, "panels": {side: "n"}, "share_y": share_y, "where": "ones_fraction == 0.1"}
    found = apart.said(*drawn(table.assign(mean=errors), style, **changes))
    shared = share_y == "all" or (share_y and side == "column")
    assert found == ("Lines that (nearly) coincide: RR and JRR (b)" if shared else "")


def test_names_beside_paths_hide_neither_points_nor_each_other():
    axes = Figure(figsize=(3, 3), dpi=72).subplots()
    points = np.array([[0.2, 0.5], [0.8, 0.5]])
    axes.set(xlim=(0, 1), ylim=(0, 1))
    paths = [("first", "red", points), ("second", "blue", points), ("third", "black", points[::-1])]
    apart.label_paths(axes, paths, [("a note", (0.25, 0.55))])  # where a name would be
    axes.figure.draw_without_rendering()
    boxes = [text.get_window_extent() for text in axes.texts]
    assert [text.get_text() for text in axes.texts] == ["a note", "first", "second", "third"]
    assert not any(one.overlaps(other) for one, other in itertools.combinations(boxes, 2))
    assert not any(box.contains(*place) for box in boxes for place in axes.transData.transform(points))


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
    assert np.allclose(numbers["se"], 3 / 20 * np.sqrt(2))
    assert set(numbers["ratio_to"]) == {"JRR"}


def test_the_line_at_1_has_a_key_of_its_own_look(table, style):
    changes = {"panels": {"column": "ones_fraction"}, "y": ["mse_counts"], "ratio_to": "JRR"}
    figure = curves.draw(*drawn(table, style, where="n == 200", less_is_better=["mse_counts"], **changes))
    keys = {str(key.get_label()): key for legend in figure.legends for key in legend.get_lines()}
    (level,) = (line for line in figure.axes[0].lines if set(line.get_ydata()) == {1})
    assert keys["as JRR (↓ better)"].get_linestyle() == level.get_linestyle()
    assert keys["as JRR (↓ better)"].get_color() == level.get_color()


def test_each_mechanism_can_have_its_own_mechanism_to_compare_it_with(table, style):
    others = table.assign(mechanism=table["mechanism"].map({"RR": "GRR", "JRR": "k-JRR"}))
    both = pd.concat([table, others], ignore_index=True)
    numbers, built = drawn(both, style, where=WHERE, ratio_to={"JRR": "RR", "k-JRR": "GRR"})
    assert numbers.groupby("mechanism", sort=False)["ratio_to"].first().to_dict() == {"JRR": "RR", "k-JRR": "GRR"}
    assert np.allclose(numbers["mean"], 1 / 3)
    figure = curves.draw(numbers, built)
    assert figure.axes[0].get_ylabel() == "are / RR's or GRR's"
    with pytest.raises(SettingError, match="'k-JRR' has no mechanism to compare it with"):
        drawn(others, style, where=WHERE, ratio_to={"GRR": "GRR"})
    with pytest.raises(SettingError, match="no mechanism 'SS' is drawn; there are RR, JRR"):
        drawn(table, style, where=WHERE, ratio_to={"JRR": "SS"})


def test_a_printed_number_is_divided_by_a_printed_one(table, style, published):
    numbers, _ = numbers_of(table, style, published, y=["mse_counts"], panels={"column": "n"}, ratio_to="RR")
    assert numbers["published"].dropna().tolist() == [9e4 / 2.5e5]
