import matplotlib.colors
import numpy as np
import pandas as pd
import pytest
from drawing import exact, figure_of
from matplotlib.collections import QuadMesh

from claimaudit.plots import heatmap, layers

MATRIX = np.array([[1.0, 0.4, -0.5], [0.4, 1.0, 0.1], [-0.5, 0.1, 1.0]])
STYLE = {"plot": "heatmap", "x": "second", "y": "correlation", "lines": "first", "panels": {"column": "dataset"}}


def rows_of(dataset, matrix, names=range(1, 13)):
    rows = [(dataset, names[i], names[j], value) for (i, j), value in np.ndenumerate(matrix)]
    columns = ["dataset", "first", "second", "mean"]
    return exact(rows, columns, mechanism="data", metric="correlation", standin=dataset == "made up")


@pytest.fixture
def table():
    rng = np.random.default_rng(1)
    large = np.where(np.eye(12, dtype=bool), 1, rng.uniform(-0.2, 0.2, (12, 12)))
    return pd.concat([rows_of("small", MATRIX), rows_of("made up", large)]).sample(frac=1, random_state=1)


def heatmap_of(table, **changes):
    return figure_of(heatmap.draw, table, STYLE, **changes)[0]


def panel_of(figure, title):
    return next(axes for axes in figure.axes if title in axes.get_title())


def cells_of(axes):
    (cells,) = (artist for artist in axes.collections if isinstance(artist, QuadMesh))
    return cells


def test_every_cell_stands_where_its_row_and_column_say(table):
    axes = panel_of(heatmap_of(table), "small")
    np.testing.assert_array_equal(cells_of(axes).get_array(), MATRIX)
    assert (axes.get_xlim(), axes.get_ylim()) == ((0, 3), (3, 0))  # row 1 above, column 1 to the left
    assert [text.get_text() for text in axes.get_xticklabels()] == ["1", "2", "3"]
    assert axes.figure.get_supxlabel() == "second"
    assert [one.get_ylabel() for one in axes.figure.axes[:2]] == ["first", ""]


def test_the_scale_is_that_of_the_largest_number_of_all_panels(table):
    figure = heatmap_of(table)
    panels = [cells_of(panel_of(figure, title)) for title in ("small", "made up")]
    assert {cells.get_clim() for cells in panels} == {(-1, 1)}
    none_negative = heatmap_of(table.assign(mean=table["mean"].abs()))
    assert cells_of(panel_of(none_negative, "small")).get_clim() == (0, 1)
    red, _, blue = panels[0].to_rgba(np.array([-0.5, 0, 0.5]))[:, [0, 2]]
    assert red[0] > red[1]
    assert blue[1] > blue[0]


def test_the_colour_bar_names_its_ends_and_fills_a_free_place(table):
    grid = pd.concat([table.assign(level=1), table.query("dataset == 'small'").assign(level=2)])
    figure = heatmap_of(grid[["level", *table.columns]], panels={"column": "dataset", "row": "level"})
    ((place, bar),) = ((axes, bar) for axes in figure.axes for bar in axes.child_axes)
    assert not place.axison
    assert [text.get_text() for text in bar.get_yticklabels()] == ["−1", "−0.5", "0", "0.5", "1"]  # noqa: RUF001


def test_marks_of_values_lie_in_the_middle_of_their_cells(table):
    figure, numbers = figure_of(heatmap.draw, table, STYLE)
    (marks,) = panel_of(figure, "small").findobj(layers.Values)
    np.testing.assert_array_equal(marks.places, numbers.loc[marks.rows, ["second", "first"]] - 0.5)


def test_few_cells_are_written_and_many_are_not(table):
    figure = heatmap_of(table)
    written = {text.get_position(): text for text in panel_of(figure, "small").texts}
    assert len(written) == 9
    first_row = [written[column, 0.5].get_text() for column in (0.5, 1.5, 2.5)]
    assert first_row == ["1.0", ".4", "−.5"]  # noqa: RUF001
    assert matplotlib.colors.to_hex(written[0.5, 0.5].get_color()) == "#ffffff"
    assert matplotlib.colors.to_hex(written[2.5, 0.5].get_color()) == "#000000"
    assert [text.get_text() for text in panel_of(figure, "made up").texts] == ["STAND-IN DATA"]


def test_names_stand_at_both_axes_in_the_order_of_the_rows():
    names = ["gender", "smoke", "cardio"]
    rows = rows_of("small", MATRIX, names).query("first != second")
    axes = panel_of(heatmap_of(rows, panels={}), "")
    assert [text.get_text() for text in axes.get_xticklabels()] == names
    assert [text.get_text() for text in axes.get_yticklabels()] == names
    np.testing.assert_array_equal(np.ma.getmaskarray(cells_of(axes).get_array()), np.eye(3, dtype=bool))
    written = {text.get_position(): text.get_text() for text in axes.texts}
    assert len(written) == 6  # none on the diagonal, which has no row
    assert written[2.5, 0.5] == "−.50"  # noqa: RUF001


def test_other_columns_than_rows_make_a_table_with_every_number():
    rows = rows_of("small", np.arange(24).reshape(8, 3) / 24).assign(first=lambda table: table["first"].map(str))
    axes = panel_of(heatmap_of(rows, panels={}), "")
    assert [text.get_text() for text in axes.get_xticklabels()] == ["1", "2", "3"]
    assert [text.get_text() for text in axes.get_yticklabels()] == [*map(str, range(1, 9))]
    assert len(axes.texts) == 24
