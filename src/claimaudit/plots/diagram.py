"""Diagrams: boxes joined by arrows, with measured numbers in their texts.

`boxes` maps a name to `{at: [x, y], text: ..., to: {name: text}}`, where `to` has its arrows to other boxes; x runs
from 0 at the left to 1 at the right, y from 0 at the bottom to 1 at the top. Texts have numbers as messages do, see
`claimaudit.plots.message`: `{number[heap sort]:.2g}` is the one of a mechanism.
"""

from typing import Any

import pandas as pd
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.text import Annotation

from claimaudit.plots import figure
from claimaudit.plots.message import fill
from claimaudit.plots.style import BLUE, SMALL, WIDTH
from claimaudit.styles import Style

HEIGHT = 2.5  # inches
BOX: dict[str, Any] = {"boxstyle": "round,pad=0.4", "facecolor": "white", "edgecolor": BLUE, "linewidth": 1.0}
TEXT: dict[str, Any] = {"fontsize": SMALL, "ha": "center", "va": "center", "linespacing": 1.35}


def draw(numbers: pd.DataFrame, style: Style) -> Figure:
    """Draw the boxes and arrows of the style, with the numbers that `drawn_numbers` selected in their texts."""
    drawn = Figure(figsize=(WIDTH, HEIGHT), dpi=figure.DPI, layout="constrained")
    axes = drawn.subplots()
    axes.set_axis_off()
    axes.set(xlim=(0, 1), ylim=(0, 1))
    boxes = {
        name: axes.annotate(fill(box.text, numbers, style), box.at, bbox=BOX, zorder=3, **TEXT)
        for name, box in style.boxes.items()
    }
    for name, box in style.boxes.items():
        for end, text in box.to.items():
            draw_arrow(axes, boxes[name], boxes[end], fill(text, numbers, style))
    if numbers["standin"].any():
        figure.watermark(axes)
    return drawn


def draw_arrow(axes: Axes, start: Annotation, end: Annotation, text: str) -> None:
    """Draw an arrow from the frame of one box to that of another, with a text beside the middle."""
    ends = {"patchA": start.get_bbox_patch(), "patchB": end.get_bbox_patch(), "shrinkA": 2, "shrinkB": 2}
    axes.annotate("", end.xy, start.xy, arrowprops={"arrowstyle": "-|>", "color": "black", "linewidth": 0.9, **ends})
    (x0, y0), (x1, y1) = start.xy, end.xy
    middle = ((x0 + x1) / 2, (y0 + y1) / 2)
    note = {"boxstyle": "square,pad=0.15", "facecolor": "white", "edgecolor": "none"}
    axes.annotate(text, middle, bbox=note, **{**TEXT, "fontsize": SMALL})
