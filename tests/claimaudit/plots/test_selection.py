import numpy as np
import pandas as pd
import pytest

from claimaudit.plots.selection import drawn_numbers
from claimaudit.styles import SettingError, Style


def drawn(table, style, published=None, **changes):
    return drawn_numbers(table, Style.model_validate({**style, **changes}, strict=False), published)


def test_panels_are_lettered_along_the_rows_of_the_grid(table, style):
    places = drawn(table, style).groupby("panel")[["metric", "n"]].first()
    panels = [("mse_counts", 200), ("mse_counts", 1000), ("are", 200), ("are", 1000)]
    assert [tuple(place) for place in places.to_numpy()] == panels
    assert list(places.index) == ["a", "b", "c", "d"]


def test_numbers_are_those_of_the_table(table, style):
    numbers = drawn(table, style)
    assert list(numbers.columns) == ["panel", *table.columns[:-1], "published", "standin"]
    keys = ["n", "ones_fraction", "epsilon", "mechanism", "metric"]
    ours = numbers.drop(columns=["panel", "published"]).sort_values(keys, ignore_index=True)
    pd.testing.assert_frame_equal(ours, table.sort_values(keys, ignore_index=True))


def test_published_values_find_their_rows(table, style, published, capsys):
    numbers = drawn(table, style, published)
    found = numbers.dropna(subset="published")
    assert set(found["n"]) == {1000}
    assert set(found["ones_fraction"]) == {0.1}
    got = {(m, round(e, 3)): v for m, e, v in found[["mechanism", "epsilon", "published"]].to_numpy()}
    assert got == {("RR", 0.1): 2.5e5, ("RR", 0.3): 2.9e4, ("JRR", 0.1): 9e4}
    assert "1 of 4 published numbers" in capsys.readouterr().err


def test_only_the_first_reading_is_drawn_by_default_and_has_published_values(table, style, published):
    both = pd.concat([table, table.assign(reading="p_step=0.001", mean=2 * table["mean"])], ignore_index=True)
    assert len(drawn(both, style)) == len(table)
    changes = {"show": {"reading": ["strict", "p_step=0.001"]}, "lines": None, "where": "ones_fraction == 0.1"}
    numbers = drawn(both, style, published, **changes)
    assert set(numbers.loc[numbers["published"].notna(), "reading"]) == {"strict"}
    changes |= {"panels": {"column": "n", "row": "reading"}, "y": "mse_counts"}
    numbers = drawn(both, style, published, **changes)
    assert set(numbers.loc[numbers["published"].notna(), "reading"]) == {"strict", "p_step=0.001"}


def test_ambiguous_published_values_are_an_error(table, style, published):
    twice = pd.concat([published, published], ignore_index=True)
    with pytest.raises(SettingError, match=r"published: .* do not distinguish 4 values"):
        drawn(table, style, twice)


@pytest.mark.parametrize(("moved", "shown"), [([1.02] * 6, False), ([1.04] * 6, True), ([1, 1, 0.96, 1, 1, 1], True)])
def test_a_reading_is_drawn_if_it_moves_a_number_visibly(table, style, moved, shown):
    other = table.query("metric == 'mse_counts' and mechanism == 'RR' and ones_fraction == 0.1")
    other = other.assign(reading="loose", theory=other["theory"] * np.array(moved))
    changes = {"y": ["mse_counts"], "lines": None, "where": "ones_fraction == 0.1"}
    numbers = drawn(pd.concat([table, other]), style, show={"reading": ["strict", "loose"]}, **changes)
    assert (numbers["reading"] == "loose").sum() == (len(moved) if shown else 0)


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"x": "epsilom"}, r"unknown column.*'epsilom'; available: n, ones_fraction, epsilon"),
        ({"y": ["mse", "are"]}, r"metric not in the result table: 'mse'; available: mse_counts, are"),
        ({"show": {"mechanism": ["RR", "GRR"]}}, r"mechanism not in the result table: 'GRR'; available: RR, JRR"),
        ({"where": "n == 5"}, r"selects no row"),
        ({"lines": None}, r"2 rows for .*\['ones_fraction'\] varies"),
    ],
)
def test_a_style_that_the_table_cannot_serve_is_one_clear_error(table, style, changes, message):
    with pytest.raises(SettingError, match=rf"\A.*{message}.*\Z"):
        drawn(table, style, **changes)


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"panels": {"col": "n"}}, "'row' or 'column'"),
        ({"scale": {"x": "logarithmic"}}, "'linear', 'log' or 'symlog'"),
        ({"scale": {"area": "log"}}, "no axis or metric 'area'.*did you mean are"),
        ({"panels": {"column": "n"}}, "y has several metrics"),
        ({"show": {"reading": ["strict", "other"]}}, "both need the line style"),
        *(
            ({"plot": plot, "lines": None, "panels": {"row": "metric"}}, f"'{plot}' needs 'lines', the column ")
            for plot in ("bars", "cloud", "heatmap", "scatter")
        ),
        ({"plot": "points"}, "neither lines but 'metric' nor a scale"),
        ({"plot": "diagram"}, "a diagram needs 'boxes'"),
        ({"show": {"mechanism": ["JRR"]}, "ratio_to": "RR"}, "ratio_to: 'RR' must be among the mechanisms of show"),
    ],
)
def test_a_style_is_validated_when_built(style, changes, message):
    with pytest.raises(ValueError, match=message):
        Style.model_validate({**style, **changes}, strict=False)


def test_ratios_stand_below_the_numbers_themselves(table, style):
    changes = {"y": ["mse_counts"], "panels": {"column": "n", "row": "ratio_to"}, "ratio_to": "RR"}
    numbers = drawn(table, style, **changes)
    upper, lower = (numbers[numbers["panel"].isin(panels)] for panels in (["a", "b"], ["c", "d"]))
    assert (sorted(upper["mechanism"].unique()), {*lower["mechanism"]}) == (["JRR", "RR"], {"JRR"})
    rr, jrr = (upper[upper["mechanism"] == name].reset_index(drop=True) for name in ("RR", "JRR"))
    np.testing.assert_allclose(lower["theory"], jrr["theory"] / rr["theory"])
    alone = drawn(table, style, **{**changes, "panels": {"column": "n", "row": "mechanism"}})
    np.testing.assert_allclose(alone["theory"], lower["theory"])


def test_an_explicit_order_beats_the_ascending_one(table, style):
    numbers = drawn(table, style, show={"n": [1000, 200]})
    assert numbers.loc[numbers["panel"] == "a", "n"].unique() == np.array([1000])
