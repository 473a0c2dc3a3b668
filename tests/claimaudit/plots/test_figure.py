"""The files of a figure: drawn once for each format, from one layout."""

import pytest
from matplotlib.figure import Figure

from claimaudit.plots import curves, figure
from claimaudit.plots.draw import KINDS
from claimaudit.plots.selection import drawn_numbers
from claimaudit.styles import PLOTS, Style

pytestmark = pytest.mark.thorough


@pytest.fixture
def numbers(table, style):
    return drawn_numbers(table, Style.model_validate(style, strict=False), None)


@pytest.fixture
def drawing(numbers, style):
    return curves.draw(numbers, Style.model_validate(style, strict=False))


def test_a_figure_is_drawn_once_for_all_formats(drawing, numbers, monkeypatch):
    drawn = []
    draw = Figure.draw
    monkeypatch.setattr(Figure, "draw", lambda self, renderer: drawn.append(self) or draw(self, renderer))
    assert list(figure.render(drawing, "paper/figure", "Title", numbers)) == ["csv", "svg", "pdf", "png", "json"]
    assert drawn == [drawing]


def test_places_of_panels_are_rounded(drawing, numbers):
    """The solver of the layout iterates over sets, so its last digits depend on the seed of hashes."""
    figure.render(drawing, "paper/figure", "Title", numbers)
    corners = [axes.get_position().get_points() for axes in drawing.axes]
    assert [(points == points.round(figure.PLACES)).all() for points in corners] == [True] * len(corners)


def test_every_kind_of_figure_can_be_drawn():
    assert sorted(KINDS) == sorted(PLOTS)
