"""Layers of an SVG figure: what the report can hide, and invisible marks that tell which number is drawn where."""

import pandas as pd
from matplotlib.axes import Axes
from matplotlib.collections import PathCollection
from matplotlib.figure import Figure
from matplotlib.path import Path
from matplotlib.transforms import Affine2D

# Each is the id (`gid`) of the groups that draw it.
PUBLISHED = "published"
THEORY = "theory"
READINGS = "readings"
VALUES = "values"


def mark_values(axes: Axes, xs: pd.Series, ys: pd.Series) -> None:
    """Lay an invisible mark over each drawn value, linked to the row of the figure's CSV file that holds it.

    The row's number, counted from 0, is the index of `xs` and `ys`; a value that is missing gets no mark.
    """
    marks = PathCollection(
        [Path([(0, 0)])],
        offsets=list(zip(xs, ys, strict=True)),
        offset_transform=axes.transData,
        transform=Affine2D(),
        facecolors="none",
        edgecolors="none",
        urls=[f"#{row}" for row in ys.index],
        clip_on=False,  # a reference to a clip path would take a sixth of the file of a figure with many points
        gid=VALUES,
    )
    marks.set_in_layout(False)
    axes.add_collection(marks, autolim=False)


def show_values(figure: Figure, *, shown: bool) -> None:
    """Switch the marks of `mark_values` on, for SVG, or off, for formats that have no use for them."""
    for marks in figure.findobj(lambda artist: artist.get_gid() == VALUES):
        marks.set_visible(shown)
