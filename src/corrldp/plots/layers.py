"""Layers of an SVG figure: those that the report can hide, and invisible marks that locate the numbers drawn."""

import pandas as pd
from matplotlib.axes import Axes
from matplotlib.collections import PathCollection
from matplotlib.figure import Figure
from matplotlib.path import Path
from matplotlib.transforms import Affine2D

# The ids (`gid`) of the groups that draw each layer.
PUBLISHED = "published"
THEORY = "theory"
READINGS = "readings"
VALUES = "values"


def mark_values(axes: Axes, xs: pd.Series, ys: pd.Series) -> None:
    """Place an invisible mark on each drawn value, linked to its row of the figure's CSV file.

    The row number, counted from 0, is the index of `xs` and `ys`; a missing value gets no mark.
    """
    marks = PathCollection(
        [Path([(0, 0)])],
        offsets=list(zip(xs, ys, strict=True)),
        offset_transform=axes.transData,
        transform=Affine2D(),
        facecolors="none",
        edgecolors="none",
        urls=[f"#{row}" for row in ys.index],
        clip_on=False,  # references to a clip path would be a sixth of the file of a figure with many points
        gid=VALUES,
    )
    marks.set_in_layout(False)
    axes.add_collection(marks, autolim=False)


def show_values(figure: Figure, *, shown: bool) -> None:
    """Show the marks of `mark_values`, for SVG, or hide them, for other formats."""
    for marks in figure.findobj(lambda artist: artist.get_gid() == VALUES):
        marks.set_visible(shown)
