import io
import re

import matplotlib.colors
import matplotlib.style
import numpy as np
import pandas as pd
import pytest
from drawing import figure_of, keys_of, numbers_of
from written import LOOKS

from claimaudit import results
from claimaudit.plots import curves, legend
from claimaudit.plots.figure import name
from claimaudit.plots.legend import MOST_WHITE
from claimaudit.plots.style import RC, SHADES, lighter
from claimaudit.styles import SettingError, symbols

pytestmark = pytest.mark.thorough


def draw_curves(table, style, published=None, **changes):
    return figure_of(curves.draw, table, style, published, **changes)


OTHER = {"show": {"reading": ["strict", "p_step=0.001"]}, "lines": None, "where": "ones_fraction == 0.1"}
FEW = {"panels": {"column": "n"}, "y": "are", "lines": None, "where": "ones_fraction == 0.1"}


def with_reading(table, name="p_step=0.001", **changes):
    return pd.concat([table, table.assign(reading=name, **changes)], ignore_index=True)


@pytest.fixture
def five(table):
    more = (table[table["n"] == 200].assign(n=n) for n in (300, 400, 500))
    return pd.concat([table, *more], ignore_index=True)


def panel(figure, letter):
    return next(axes for axes in figure.axes if axes.get_title().startswith(f"({letter})"))


def lines_of(axes, mechanism, *, hollow=False, marker=True):
    """Return the lines of a mechanism: with its filled marker, its hollow one, or (no marker) its theory."""
    look = LOOKS[mechanism]
    shades = (look.color, lighter(look.color, MOST_WHITE))
    return [
        line
        for line in axes.lines
        if matplotlib.colors.to_hex(line.get_color() if not hollow else line.get_markeredgecolor()) in shades
        and (line.get_gid() == "published") == hollow
        and (line.get_marker() == look.marker) == marker
    ]


def test_means_are_drawn_where_the_numbers_say(table, style):
    figure, numbers = draw_curves(table, style)
    for letter, of_panel in numbers.groupby("panel"):
        axes = panel(figure, letter)
        for mechanism in ("RR", "JRR"):
            rows = of_panel[of_panel["mechanism"] == mechanism]
            expected = rows.sort_values(["ones_fraction", "epsilon"])[["epsilon", "mean"]].to_numpy()
            got = np.vstack([line.get_xydata() for line in lines_of(axes, mechanism)])
            np.testing.assert_array_equal(got, expected)


def test_theory_is_a_line_of_its_own_and_only_where_there_is_one(table, style):
    figure, numbers = draw_curves(table, style)
    rows = numbers.query("panel == 'b' and mechanism == 'JRR'").sort_values(["ones_fraction", "epsilon"])
    theory = lines_of(panel(figure, "b"), "JRR", marker=False)
    np.testing.assert_array_equal(np.concatenate([line.get_ydata() for line in theory]), rows["theory"])
    assert [line.get_gid() for line in lines_of(panel(figure, "d"), "JRR", marker=False)] == [None] * 2
    assert all(line.get_linestyle() == "None" for line in lines_of(panel(figure, "b"), "JRR"))
    assert [(line.get_gid(), line.get_linestyle()) for line in theory] == [("theory", "-"), ("theory", "--")]
    keys = ["RR", "JRR", "ones_fraction = 0.1", "ones_fraction = 0.5"]
    assert sorted(keys_of(figure)) == sorted(keys)
    titled, _ = draw_curves(table, style, y=["mse_counts"], panels={"column": "mechanism"}, where="n == 200")
    assert keys_of(titled) == keys[2:]


def test_bands_on_a_logarithmic_axis_reach_1_96_standard_errors_of_the_logarithm(table, style):
    figure, numbers = draw_curves(table, style)
    rows = numbers.query("panel == 'd' and mechanism == 'RR' and ones_fraction == 0.5")
    (band,) = (
        band.get_paths()[0].vertices
        for band in panel(figure, "d").collections
        if matplotlib.colors.same_color(band.get_facecolor()[0, :3], lighter(LOOKS["RR"].color, MOST_WHITE))
    )
    at = rows[rows["epsilon"] == 0.1].iloc[0]
    heights = band[np.isclose(band[:, 0], 0.1)][:, 1]
    assert heights.min() == pytest.approx(at["mean"] * np.exp(-1.96 * at["se"] / at["mean"]))
    assert heights.max() == pytest.approx(at["mean"] * np.exp(1.96 * at["se"] / at["mean"]))


def test_published_values_are_hollow_in_the_colour_of_their_mechanism(table, style, published):
    figure, _ = draw_curves(table, style, published)
    (rings,) = lines_of(panel(figure, "b"), "RR", hollow=True)
    np.testing.assert_allclose(rings.get_xydata(), [[0.1, 2.5e5], [0.3, 2.9e4]])
    assert rings.get_markerfacecolor() == "none"
    assert rings.get_linestyle() == "None"
    assert lines_of(panel(figure, "a"), "RR", hollow=True) == []
    (key,) = legend.published_keys(*numbers_of(table, style, published))
    assert (key.get_label(), [mark.get_marker() for mark in key]) == (
        "published (b)",
        [LOOKS["RR"].marker, LOOKS["JRR"].marker],
    )


@pytest.mark.parametrize(("moved", "expected"), [("JRR", [0, 1, 1]), ("RR", [1, 0, 0]), (None, [1, 1, 1])])
def test_beside_ratios_published_values_tell_readings_apart(table, style, published, moved, expected):
    other = with_reading(table, "other")
    other.loc[(other["reading"] == "other") & (other["mechanism"] == moved), ["mean", "theory"]] *= 2
    rows = other if moved else table
    changes = {"y": ["mse_counts"], "lines": None, "where": "ones_fraction == 0.1"}
    changes |= {"panels": {"column": "n", "row": "ratio_to"}, "ratio_to": "RR"}
    figure, _ = draw_curves(rows, style, published, show={"reading": [*rows["reading"].unique()]}, **changes)
    places = [("b", "RR"), ("b", "JRR"), ("d", "JRR")]
    assert [len(lines_of(panel(figure, letter), name, hollow=True)) for letter, name in places] == expected
    assert ({"JRR, strict", "JRR, other"} <= {*keys_of(figure)}) == (moved == "JRR")  # RR moves the ratios, too


def test_scales_labels_and_titles_are_those_of_the_style(table, style):
    figure, _ = draw_curves(table, style, scale={"x": "log", "mse_counts": "log"}, reference={"blind choice": 0.5})
    titles = ["(a) n = 200", "(b) n = 1,000", "(c)", "(d)"]
    assert [axes.get_title() for axes in figure.axes] == titles
    assert [axes.get_yscale() for axes in figure.axes] == ["log", "log", "linear", "linear"]
    assert {axes.get_xscale() for axes in figure.axes} == {"log"}
    assert panel(figure, "a").get_ylabel() == "MSE (counts²)"
    assert figure.get_supxlabel() == "privacy budget ε"
    assert all(any(list(line.get_ydata()) == [0.5, 0.5] for line in axes.lines) for axes in figure.axes)
    assert "blind choice" in keys_of(figure)
    assert symbols("rho = 0.9, epsilon_exact") == "ρ = 0.9, epsilon_exact"  # noqa: RUF001


def test_a_grid_has_the_values_of_columns_above_it_and_of_rows_at_its_right(table, style):
    grid = {"panels": {"column": "n", "row": "epsilon"}, "labels": {}, "lines": None}
    rows = table.query("epsilon != 0.1 and (n == 200 or epsilon == 1)")
    figure, _ = draw_curves(rows, style, x="ones_fraction", y=["mse_counts"], **grid)
    drawn = [axes for axes in figure.axes if axes.axison]
    assert [axes.get_title() for axes in drawn] == ["(a) n = 200", "(b)", "(c) n = 1,000"]
    assert [[text.get_text() for text in axes.texts] for axes in drawn] == [["ε = 0.3"], [], ["ε = 1"]]
    grid["labels"] = {"panel": "{n:,}, {epsilon:g}"}
    figure, _ = draw_curves(rows, style, x="ones_fraction", y=["mse_counts"], **grid)
    assert [axes.get_title() for axes in figure.axes] == ["(a) 200, 0.3", "(b) 200, 1", "(c) 1,000, 1"]


def test_panels_with_scales_of_their_own_show_their_own_tick_labels(table, style):
    figure, _ = draw_curves(table, style)
    figure.draw_without_rendering()
    for axes in figure.axes:
        assert any(label.get_visible() and label.get_text() for label in axes.get_yticklabels())
    shared, _ = draw_curves(table, style, share_y=True)
    assert panel(shared, "a").get_ylim() == panel(shared, "b").get_ylim() != panel(shared, "c").get_ylim()
    every, _ = draw_curves(table, style, share_y="all")
    assert len({axes.get_ylim() for axes in every.axes}) == 1
    grid = {"y": ["mse_counts"], "lines": None, "panels": {"column": "ones_fraction", "row": "n"}}
    unlike, _ = draw_curves(table.query("n == 200 or epsilon < 1"), style, **grid)
    assert len({axes.get_xlim() for axes in unlike.axes}) == 1
    below = {"y": ["mse_counts"], "panels": {"column": "n", "row": "ratio_to"}, "ratio_to": "RR"}
    own, _ = draw_curves(table.assign(theory=np.nan), style, **below, reference={"as good": 1})
    assert {"as good", "as RR"} & {*keys_of(own)} == {"as good"}
    assert [len({panel(own, letter).get_ylim() for letter in row}) for row in ("ab", "cd")] == [2, 1]
    with pytest.raises(ValueError, match=r"share_y\n.*'rows'"):
        draw_curves(table, style, share_y="rows")


def test_the_lines_of_one_mechanism_alone_differ_in_colour_marker_and_dashes(table, style):
    figure, _ = draw_curves(table, style, show={"mechanism": "JRR"}, y="are", panels={"column": "n"})
    lines, marks = panel(figure, "a").lines[::2], panel(figure, "a").lines[1::2]
    for drawn in (lines, marks):
        assert [line.get_color() for line in drawn] == [SHADES[0], SHADES[-1]]
    assert len({line.get_marker() for line in marks}) == len({line.get_linestyle() for line in lines}) == 2
    (legend,) = figure.legends
    assert legend.get_title().get_text() == "JRR, ones_fraction:"
    assert [text.get_text() for text in legend.get_texts()][:2] == ["0.1", "0.5"]


@pytest.mark.parametrize("factor", [3.0, 1.0], ids=["apart", "coinciding"])
def test_a_panel_shows_all_means_without_bands_and_theory(table, style, factor):
    table.loc[table["mechanism"] == "RR", "mean"] *= factor / 3
    figure, numbers = draw_curves(table.assign(runs=1, se=0.0, theory=np.nan), style)
    for letter, rows in numbers.groupby("panel"):
        axes = panel(figure, letter)
        for shown, values in ((axes.get_xlim(), rows["epsilon"]), (axes.get_ylim(), rows["mean"])):
            assert values.between(*shown).all()


def test_the_interval_of_a_rough_number_does_not_empty_its_panel(table, style):
    rough, precise = (
        panel(draw_curves(table.assign(theory=np.nan, se=share * table["mean"]), style)[0], "d").get_ylim()
        for share in (2.0, 0.1)
    )
    assert rough[1] / rough[0] < precise[1] / precise[0]


def test_x_must_be_numeric(table, style):
    named = table.assign(dataset="adult")[["dataset", *table.columns]]
    with pytest.raises(SettingError, match="'dataset' is not numeric"):
        draw_curves(named, style, x="dataset", where="epsilon == 1")


def test_a_single_run_has_no_band(table, style):
    figure, _ = draw_curves(table.assign(runs=1), style)
    assert not any(path.vertices.size for band in panel(figure, "d").collections for path in band.get_paths())
    assert legend.evidence(*numbers_of(table.assign(runs=1), style)) == ["points: one run", "lines: theory"]


def test_panels_wrap_unless_there_are_three(five, style):
    with matplotlib.style.context(RC):
        figure, _ = draw_curves(five, style, y="are", panels={"column": "n"})
    assert [axes.get_subplotspec().get_geometry()[:2] for axes in figure.axes] == [(3, 2)] * 6
    assert [axes.axison for axes in figure.axes] == [True] * 5 + [False]
    for letter, lowest in zip("abcde", (False, False, False, True, True), strict=True):
        assert panel(figure, letter).xaxis.get_tick_params()["labelbottom"] == lowest
    three, _ = draw_curves(five[five["n"] <= 400], style, **FEW)
    assert {axes.get_subplotspec().rowspan.start for axes in three.axes} == {0}


def test_one_label_stands_for_the_same_axes_of_all_panels(table, style):
    one, _ = draw_curves(table, style, **FEW)
    assert one.get_supylabel() == ""  # a single row
    assert [axes.get_ylabel() for axes in one.axes] == ["are", ""]
    with matplotlib.style.context(RC):
        rows, _ = draw_curves(table, style, y="are", panels={"column": "n", "row": "ones_fraction"}, lines=None)
        name(rows, "A figure", "Source: own run")
        rows.draw_without_rendering()
    assert (rows.get_supylabel(), {axes.get_ylabel() for axes in rows.axes}) == ("are", {""})
    label = next(text for text in rows.texts if text.get_text() == "privacy budget ε").get_window_extent()
    assert rows.legends[0].get_window_extent().y1 <= label.y0 < label.y1
    assert all(label.y1 <= axes.get_tightbbox().y0 for axes in rows.axes)


def test_message_title_source_and_legend_stand_around_the_panels(table, style, published):
    figure, _ = draw_curves(table, style, published)
    before, texts = figure.get_figheight(), ["JRR wins", "Figure 3: Impact of the budget", "Source: own run"]
    name(figure, *texts[1:], texts[0])
    figure.draw_without_rendering()
    message, title, source = (next(one for one in figure.texts if one.get_text() == text) for text in texts)
    assert before < figure.get_figheight() < before + 0.6
    legend, panels = figure.legends[0].get_window_extent(), [axes.get_tightbbox() for axes in figure.axes]
    assert source.get_window_extent().y1 <= legend.y0 < legend.y1 <= min(box.y0 for box in panels) + 1
    assert 0 <= legend.x0 < legend.x1 <= figure.bbox.width
    top = max(box.y1 for box in panels)
    assert top <= title.get_window_extent().y0 < title.get_window_extent().y1 <= message.get_window_extent().y0 + 1


def test_the_foot_names_the_runs_of_all_readings_that_have_panels(table, style):
    changes = {"show": OTHER["show"], "panels": {"column": "n", "row": "reading"}, "y": "mse_counts"}
    said = legend.evidence(*numbers_of(with_reading(table, runs=20), style, **changes))
    assert said == ["points: 20 to 100 runs ± 1.96 s.e.", "lines: theory"]


def test_the_foot_names_the_lines_of_a_mechanism_that_are_theory(table, style):
    one = table[table["mechanism"] == "RR"]
    some = one.assign(theory=one["theory"].where(one["ones_fraction"] == 0.1))
    said = legend.evidence(*numbers_of(some, style, y="mse_counts", panels={"column": "n"}))
    assert said[1] == "lines of ones_fraction = 0.1: theory"


def test_another_reading_is_a_thin_labelled_line_without_markers(table, style):
    figure, numbers = draw_curves(with_reading(table, mean=table["mean"] * 2), style, **OTHER)
    rows = numbers.query("panel == 'd' and mechanism == 'RR' and reading != 'strict'").sort_values("epsilon")
    (thin,) = (line for line in lines_of(panel(figure, "d"), "RR", marker=False) if line.get_gid() == "readings")
    np.testing.assert_array_equal(thin.get_ydata(), rows["mean"])
    assert "p_step=0.001" in keys_of(figure)


def test_stand_in_data_is_watermarked_in_its_panel_only(table, style):
    table.loc[table["n"] == 1000, "standin"] = True
    figure, _ = draw_curves(table, style)
    marked = [any(text.get_text() == "STAND-IN DATA" for text in axes.texts) for axes in figure.axes]
    assert marked == [False, True, False, True]


@pytest.mark.parametrize(
    ("standin", "heads"),
    [(False, ["JRR clearly wins, 3 times", "A figure"]), (True, ["Stand-in data, made up: A figure"])],
)
def test_a_figure_of_made_up_data_says_so_in_its_title_and_concludes_nothing(draw, table, standin, heads):
    message, changes = "JRR clearly wins, {ratio[RR|JRR]} times", {"y": ["mse_counts"], "panels": {"column": "n"}}
    made = draw(message=message, table=table.assign(standin=standin), **changes)
    texts = re.findall(">(.*?)</text>", made["svg"].decode())
    assert [text for text in texts if "JRR clearly" in text or text.endswith("A figure")] == heads
    assert any("clearly: over 3.3 s.e." in text for text in texts) is not standin


def test_a_panel_that_the_paper_does_not_have_is_marked_as_ours(table, style):
    figure, _ = draw_curves(table, style, prints="n >= 500")
    assert [axes.get_title() for axes in figure.axes[:2]] == ["(a) n = 200 [ours]", "(b) n = 1,000"]


def test_values_that_a_logarithmic_axis_cannot_show_are_announced(table, style, capsys):
    table.loc[0, "mean"] = 0.0
    draw_curves(table, style)
    assert "1 values <= 0 are not visible on the logarithmic y axis" in capsys.readouterr().err


@pytest.mark.filterwarnings("error")
def test_values_that_differ_by_rounding_have_room_on_a_logarithmic_axis(table, style):
    table["theory"] = table["se"] = np.nan
    table["mean"] = np.where(table["mechanism"] == "RR", 0.001, np.nextafter(0.001, 1))
    figure, _ = draw_curves(table, style)
    for axes in figure.axes:
        low, high = axes.get_ylim()
        assert low < 0.0007
        assert high > 0.0014


def test_symlog_shows_zero(table, style):
    table.loc[0, "mean"] = 0.0
    figure, numbers = draw_curves(table, style, scale={"y": "symlog"})
    axes = panel(figure, "b")
    smallest = numbers.query("panel == 'b' and mean > 0")["mean"].min()
    assert axes.get_yscale() == "symlog"
    assert axes.yaxis.get_transform().linthresh == pytest.approx(smallest)
    assert "linear near 0" in figure.axes[0].get_ylabel().replace("\n", " ")


def test_the_files_of_a_figure_have_exactly_the_numbers_drawn(draw, table):
    made = draw()
    assert set(made) == {"pdf", "svg", "png", "csv", "json"}
    assert draw() == made
    foot = " ".join(re.findall(">([^<>]*)</text>", made["svg"].decode()))
    assert "published (b)" in foot
    numbers = results.read_numbers(io.BytesIO(made["csv"]))
    assert list(numbers.columns)[:4] == ["panel", "n", "ones_fraction", "epsilon"]
    keys = ["n", "ones_fraction", "epsilon", "mechanism", "metric"]
    merged = numbers.merge(table, on=keys, suffixes=("", "_input"))
    assert len(merged) == len(table)
    for column in ("mean", "se", "theory"):
        np.testing.assert_array_equal(merged[column], merged[f"{column}_input"])
    assert sorted(numbers["published"].dropna()) == [2.9e4, 9e4, 2.5e5]
    assert results.read_numbers(io.BytesIO(draw(printed=False)["csv"]))["published"].isna().all()


def test_a_panel_that_repeats_that_of_the_first_reading_is_drawn_once(table, style):
    both = with_reading(table, "other", mean=table["mean"].where(table["n"] == 200, 2 * table["mean"]))
    changes = {"show": {"reading": ["strict", "other"]}, "panels": {"column": "reading", "row": "n"}, "y": "are"}
    numbers, _ = numbers_of(both, style, **changes)
    panels = {("a", 200, "strict"), ("b", 1000, "strict"), ("c", 1000, "other")}
    assert {*zip(numbers["panel"], numbers["n"], numbers["reading"], strict=True)} == panels
