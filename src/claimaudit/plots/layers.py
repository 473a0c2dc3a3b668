"""What a page must know of a drawing: its layers, which a reader can hide, and the place of every number drawn."""

import hashlib
from collections.abc import Mapping
from dataclasses import asdict, dataclass
from pathlib import Path

import numpy as np
import pandas as pd
from matplotlib.artist import Artist
from matplotlib.axes import Axes
from matplotlib.figure import Figure

from claimaudit.storage import read_sealed, sealed, to_json, verify

# The ids (`gid`) of the groups that draw each layer, and their names.
PUBLISHED, THEORY, READINGS = "published", "theory", "readings"
LAYERS = {PUBLISHED: "published points", THEORY: "theory", READINGS: "other readings"}
FOOT = "foot"  # the id of the text below a figure that names it


@dataclass(frozen=True)
class Drawing:
    """A figure as drawn; all lengths are in points.

    `message` is what it says, or else its title, and `foot` is the height of the lines that name it, at its lower edge.
    `values` holds the row of each number in the figure's CSV file, counted from 0, with its distance from the left and
    from the top.
    """

    width: float
    height: float
    foot: float
    layers: list[str]
    values: list[tuple[int, float, float]]
    message: str


SHOWN = ("svg", "csv")  # the files of a figure that a page takes besides its drawing


def record(drawing: Drawing, contents: Mapping[str, bytes]) -> bytes:
    """Return a drawing as JSON, sealed, with the checksums of those of the figure's files that a page takes."""
    files = {suffix: hashlib.sha256(contents[suffix]).hexdigest() for suffix in SHOWN}
    return to_json(sealed({**asdict(drawing), "files": files}))


def read(path: Path) -> Drawing:
    """Read what `record` returned; a ValueError says what to do if the figure's files are not what was drawn."""
    content = read_sealed(path)
    for suffix, digest in content.pop("files").items():
        verify(path.with_suffix(f".{suffix}"), digest, path.name)
    return Drawing(**content)


class Values(Artist):
    """Numbers drawn on some axes, which appear in `describe` and in no file."""

    def __init__(self, drawn_on: Axes, xs: pd.Series, ys: pd.Series) -> None:
        super().__init__()
        self.drawn_on = drawn_on
        self.rows = ys.index
        self.places = np.column_stack([xs, ys]).astype(float)
        self.set_in_layout(False)

    def visible(self) -> np.ndarray:
        """Return which numbers the axes can show: finite ones, and on a logarithmic axis positive ones."""
        positive = [axis.get_scale() == "log" for axis in (self.drawn_on.xaxis, self.drawn_on.yaxis)]
        return (np.isfinite(self.places) & ((self.places > 0) | ~np.array(positive))).all(axis=1)


def mark_values(axes: Axes, xs: pd.Series, ys: pd.Series) -> None:
    """Note where numbers are drawn; the index of `xs` and `ys` is their row in the figure's CSV file."""
    axes.add_artist(Values(axes, xs, ys))


def describe(figure: Figure) -> Drawing:
    """Describe a figure that is laid out; numbers that its axes cannot show have no place."""
    points = 72 / figure.dpi
    width, height = (round(72 * float(inches), 4) for inches in figure.get_size_inches())
    values = []
    parts = [part for axes in figure.axes for part in axes.get_children()]
    for marks in (part for part in parts if isinstance(part, Values)):
        visible = marks.visible()
        places = marks.drawn_on.transData.transform(marks.places[visible]) * points
        for row, (left, bottom) in zip(marks.rows[visible], places, strict=True):
            values.append((int(row), round(float(left), 2), round(height - float(bottom), 2)))
    present = {part.get_gid() for part in parts}
    feet = [text.get_window_extent().y1 * points for text in figure.texts if text.get_gid() == FOOT]
    shown = [name for name in LAYERS if name in present]
    return Drawing(width, height, round(max(feet, default=0.0), 2), shown, values, str(figure.get_label()))
