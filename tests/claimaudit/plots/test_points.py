import numpy as np
import pandas as pd
import pytest
from drawing import figure_of, keys_of
from written import LOOKS

from claimaudit.plots import layers, points

pytestmark = pytest.mark.thorough

SETS = ("kosarak", "amazon", "census")


@pytest.fixture
def data_sets(table):
    """The table at n = 200 as three data sets, in an order that is not alphabetical."""
    base = table.query("n == 200 and ones_fraction == 0.1 and metric == 'mse_counts'")
    parts = [
        base.assign(dataset=name, **(base[["mean", "theory"]] * times)) for times, name in enumerate(SETS, start=1)
    ]
    return pd.concat(parts, ignore_index=True)[["dataset", *table.columns]]


@pytest.fixture
def style():
    return {
        "x": "dataset",
        "y": "mse_counts",
        "panels": {"column": "epsilon"},
        "scale": {"y": "log"},
        "labels": {"kosarak": "Kosarak", "mse_counts": "MSE"},
        "looks": LOOKS,
    }


def points_of(table, style, published=None, **changes):
    return figure_of(points.draw, table, style, published, **changes)


def markers_of(axes, mechanism):
    marker = LOOKS[mechanism].marker
    return next(line for line in axes.lines if (line.get_marker(), line.get_gid()) == (marker, None)).get_xydata()


def test_mechanisms_stand_beside_each_other_in_each_category(data_sets, style):
    figure, numbers = points_of(data_sets, style)
    assert [axes.axison for axes in figure.axes] == [True, True, True]
    for axes, letter in zip(figure.axes, "abc", strict=True):
        for mechanism, offset in (("RR", -points.SPREAD / 4), ("JRR", points.SPREAD / 4)):
            got = markers_of(axes, mechanism)
            rows = numbers[(numbers["panel"] == letter) & (numbers["mechanism"] == mechanism)]
            np.testing.assert_allclose(got[:, 0], np.arange(3) + offset)
            np.testing.assert_array_equal(got[:, 1], rows["mean"])
        assert axes.get_yscale() == "log"
    for axes in figure.axes[1:3]:  # the lowest of their columns
        assert [label.get_text() for label in axes.get_xticklabels()] == ["Kosarak", "amazon", "census"]


def test_mechanisms_that_are_the_categories_stand_at_their_names(data_sets, style):
    figure, _ = points_of(data_sets, style, x="mechanism", panels={"column": "epsilon", "row": "dataset"})
    for place, mechanism in enumerate(("RR", "JRR")):
        assert markers_of(figure.axes[0], mechanism)[:, 0] == [place]
    assert not {"RR", "JRR"} & {*keys_of(figure)}


def test_error_bars_reach_1_96_standard_errors_to_both_sides(data_sets, style):
    figure, numbers = points_of(data_sets, style)
    rows = numbers.query("panel == 'a' and mechanism == 'RR'")
    segments = np.array(figure.axes[0].containers[0][2][0].get_segments())
    np.testing.assert_allclose(segments[:, 0, 1], rows["mean"] - 1.96 * rows["se"])
    np.testing.assert_allclose(segments[:, 1, 1], rows["mean"] + 1.96 * rows["se"])


def test_theory_is_a_short_line_at_its_height(data_sets, style):
    figure, numbers = points_of(data_sets, style)
    lines = [np.array(one.get_segments()) for one in figure.axes[1].collections if one.get_gid() == layers.THEORY]
    heights = numbers.query("panel == 'b'").groupby("mechanism", sort=False)["theory"].apply(list)
    np.testing.assert_array_equal([one[:, 0, 1] for one in lines], [*heights])


def test_metrics_of_one_panel_are_filled_and_hollow_markers_that_a_bar_joins(data_sets, style):
    lower = data_sets.assign(metric="are", mean=data_sets["mean"] / 100)
    ends = [rows.query("epsilon == 1 and mechanism == 'JRR'")["mean"] for rows in (lower, data_sets)]
    metrics = {"y": ["mse_counts", "are"], "lines": "metric", "panels": {}, "where": "epsilon == 1"}
    figure, _ = points_of(pd.concat([data_sets, lower]), style, **metrics)
    hollow, filled = [line for line in figure.axes[0].lines if line.get_marker() == LOOKS["JRR"].marker]
    assert [line.get_markerfacecolor() for line in (filled, hollow)] == [LOOKS["JRR"].color, "white"]
    np.testing.assert_array_equal([hollow.get_ydata(), filled.get_ydata()], ends)
    bars = [one.get_segments() for one in figure.axes[0].collections if one.get_gid() is None][-1]
    np.testing.assert_array_equal(np.array(bars)[:, :, 1].T, ends)
    assert keys_of(figure) == ["RR", "JRR", "MSE", "are"]


def test_published_values_are_hollow_above_their_own_mechanism_and_other_readings_crosses(data_sets, style):
    columns = ["dataset", "epsilon", "mechanism", "metric", "value"]
    published = pd.DataFrame([("amazon", 0.1, "JRR", "mse_counts", 4e4)], columns=columns)
    other = data_sets.assign(reading="other", **{name: 2 * data_sets[name] for name in ("mean", "theory")})
    figure, _ = points_of(pd.concat([data_sets, other]), style, published, show={"reading": ["strict", "other"]})
    (first, _) = [line for line in figure.axes[0].lines if line.get_marker() == "x"]
    np.testing.assert_array_equal(first.get_ydata(), 2 * markers_of(figure.axes[0], "RR")[:, 1])
    assert "other" in keys_of(figure)
    (rings,) = [line for line in figure.axes[0].lines if line.get_gid() == "published"]
    np.testing.assert_allclose(rings.get_xydata(), [[1 + points.SPREAD / 4, 4e4]])
    assert rings.get_markerfacecolor() == "none"
    assert rings.get_markeredgecolor() == LOOKS["JRR"].color
    assert not [line for axes in figure.axes[1:] for line in axes.lines if line.get_gid() == "published"]
