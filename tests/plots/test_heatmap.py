import matplotlib.colors
import numpy as np
import pandas as pd
import pytest

from corrldp.plots import heatmap
from corrldp.plots.selection import drawn_numbers
from corrldp.plots.setting import SettingError, Style

MATRIX = np.array([[1.0, 0.4, -0.5], [0.4, 1.0, 0.1], [-0.5, 0.1, 1.0]])
STYLE = {"x": "second", "y": "correlation", "lines": "first", "panels": {"column": "dataset"}}


def rows_of(dataset, matrix):
    return [
        {
            "dataset": dataset,
            "first": i + 1,
            "second": j + 1,
            "reading": "strict",
            "mechanism": "data",
            "metric": "correlation",
            "mean": value,
            "se": 0.0,
            "runs": 0,
            "theory": np.nan,
            "standin": dataset == "made up",
        }
        for (i, j), value in np.ndenumerate(matrix)
    ]


@pytest.fixture
def table():
    rng = np.random.default_rng(1)
    large = np.where(np.eye(12, dtype=bool), 1, rng.uniform(-0.2, 0.2, (12, 12)))
    return pd.DataFrame([*rows_of("small", MATRIX), *rows_of("made up", large)]).sample(frac=1, random_state=1)


def figure_of(table, **changes):
    style = Style.from_dict({**STYLE, **changes})
    return heatmap.draw(drawn_numbers(table, style), style)


def panel_of(figure, title):
    return next(axes for axes in figure.axes if title in axes.get_title())


def test_every_cell_stands_where_its_row_and_column_say(table):
    axes = panel_of(figure_of(table), "small")
    (image,) = axes.images
    np.testing.assert_array_equal(image.get_array(), MATRIX)
    assert image.get_extent() == [0.5, 3.5, 3.5, 0.5]  # row 1 above, column 1 to the left
    assert (axes.get_xlabel(), axes.get_ylabel()) == ("second", "first")


def test_the_scale_is_that_of_the_largest_number_off_the_diagonal_for_all_panels(table):
    figure = figure_of(table)
    images = [image for axes in figure.axes for image in axes.images]
    assert len(images) == 2
    assert {image.get_clim() for image in images} == {(-0.5, 0.5)}
    red, _, blue = images[0].to_rgba(np.array([-0.5, 0, 0.5]))[:, [0, 2]]
    assert red[0] > red[1]
    assert blue[1] > blue[0]


def test_few_cells_are_written_and_many_are_not(table):
    figure = figure_of(table)
    written = {text.get_position(): text for text in panel_of(figure, "small").texts}
    assert len(written) == 9
    assert (written[2, 1].get_text(), written[3, 1].get_text(), written[1, 1].get_text()) == (".4", "−.5", "1.0")  # noqa: RUF001
    assert matplotlib.colors.to_hex(written[3, 1].get_color()) == "#ffffff"
    assert [text.get_text() for text in panel_of(figure, "made up").texts] == ["STAND-IN DATA"]


def test_a_heatmap_needs_both_axes(table):
    with pytest.raises(SettingError, match="'lines'"):
        figure_of(table[table["first"] == 1], lines=None)


def test_two_numbers_for_one_cell_are_an_error(table):
    doubled = pd.concat([table, table.assign(dataset="small")])
    with pytest.raises(SettingError, match="rows for"):
        figure_of(doubled)


def test_names_stand_at_both_axes_in_the_order_of_the_rows():
    names = ["gender", "smoke", "cardio"]
    rows = [
        {**cell, "first": names[cell["first"] - 1], "second": names[cell["second"] - 1]}
        for cell in rows_of("small", MATRIX)
        if cell["first"] != cell["second"]
    ]
    axes = panel_of(figure_of(pd.DataFrame(rows), panels={}), "")
    assert [text.get_text() for text in axes.get_xticklabels()] == names
    assert [text.get_text() for text in axes.get_yticklabels()] == names
    (image,) = axes.images
    np.testing.assert_array_equal(np.ma.getmaskarray(image.get_array()), np.eye(3, dtype=bool))
    written = {text.get_position(): text.get_text() for text in axes.texts}
    assert len(written) == 6  # none on the diagonal, which has no row
    assert written[2, 0] == "−.50"  # noqa: RUF001
