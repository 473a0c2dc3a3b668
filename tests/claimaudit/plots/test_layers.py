import json
import re
from pathlib import Path
from tempfile import TemporaryDirectory

import numpy as np
import pytest
from drawing import figure_of

from claimaudit.plots import curves, figure, heatmap, layers, points

pytestmark = pytest.mark.thorough


def drawing(draw, table, style, published=None):
    """Return the numbers of a figure and what a page knows of it."""
    drawn, numbers = figure_of(draw, table, style, published)
    with TemporaryDirectory() as place:
        for suffix, content in figure.render(drawn, "paper/figure", "Title", numbers).items():
            Path(place, f"fig.{suffix}").write_bytes(content)
        return numbers, layers.read(Path(place, "fig.json"))


def test_every_drawn_value_is_marked_with_its_row(table, style, published):
    numbers, drawn = drawing(curves.draw, table, style, published)
    rows = [row for row, _, _ in drawn.values]
    printed = numbers.index[numbers["published"].notna()]
    assert len(printed) == 3
    assert sorted(rows) == sorted([*numbers.index, *printed])


def test_an_error_of_zero_has_no_place_on_a_logarithmic_axis(table, style):
    """With few runs an error may vanish: of castell, Figures 5 and 7, twelve did with two runs."""
    none = table.assign(mean=table["mean"].where(table["epsilon"] > table["epsilon"].min(), 0.0))
    numbers, drawn = drawing(curves.draw, none, {**style, "scale": {"y": "log"}})
    rows = sorted(row for row, _, _ in drawn.values)
    assert rows == list(numbers.index[numbers["mean"] > 0])
    assert 0 < len(rows) < len(numbers)


@pytest.mark.parametrize(
    ("draw", "changes"),
    [
        (points.draw, {"y": "are", "where": "n == 200 and ones_fraction == 0.1"}),
        (points.draw_bars, {"y": "are", "lines": "ones_fraction", "where": "n == 200", "show": {"mechanism": ["RR"]}}),
        (heatmap.draw, {"y": "are", "lines": "ones_fraction", "where": "n == 200", "show": {"mechanism": ["RR"]}}),
    ],
)
def test_other_kinds_of_figures_mark_their_values_too(table, draw, changes):
    numbers, drawn = drawing(draw, table, {"x": "epsilon", **changes})
    assert sorted(row for row, _, _ in drawn.values) == list(numbers.index)


def test_marks_lie_in_the_svg_where_their_numbers_are_drawn(table, style):
    """A marker of the file has a number's place, and no number is a mark of its own."""
    drawn, numbers = figure_of(curves.draw, table, style, where="n == 200", y="are", panels={}, lines="ones_fraction")
    files = figure.render(drawn, "paper/figure", "Title", numbers)
    places = np.array(re.findall(r'<use [^>]*x="([\d.]+)" y="([\d.]+)"', files["svg"].decode()), dtype=float)
    values = json.loads(files["json"])["values"]
    assert len(values) == len(numbers)
    for _, *place in values:
        assert np.abs(places - place).max(axis=1).min() <= 0.01


def test_the_foot_is_measured(table, style):
    drawn, _ = figure_of(curves.draw, table, style, where="n == 200")
    figure.name(drawn, "A title", "Source: paper/figure")
    assert 6 < layers.describe(drawn).foot < 12
