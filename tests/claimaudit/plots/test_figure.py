"""The files of a figure: drawn once for each format, from one layout."""

import pytest
from drawing import figure_of
from matplotlib.figure import Figure

from claimaudit.plots import curves, figure
from claimaudit.plots.draw import KINDS
from claimaudit.styles import PLOTS

pytestmark = pytest.mark.thorough


def test_a_figure_is_drawn_once_for_all_formats_and_places_of_panels_are_rounded(table, style, monkeypatch):
    """The solver of the layout iterates over sets, so its last digits depend on the seed of hashes."""
    drawing, numbers = figure_of(curves.draw, table, style)
    times, draw = [], Figure.draw
    monkeypatch.setattr(Figure, "draw", lambda self, renderer: times.append(self) or draw(self, renderer))
    assert list(figure.render(drawing, "paper/figure", "Title", numbers)) == ["csv", "svg", "pdf", "png", "json"]
    assert times == [drawing]
    corners = [axes.get_position().get_points() for axes in drawing.axes]
    assert [(points == points.round(figure.PLACES)).all() for points in corners] == [True] * len(corners)


def test_every_kind_of_figure_can_be_drawn():
    assert sorted(KINDS) == sorted(PLOTS)
