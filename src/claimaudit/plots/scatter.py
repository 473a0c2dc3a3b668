"""Scatter: one metric against another, a point per mechanism and value of the column `lines`.

The points of a mechanism are joined in the order of that column, grow with it and carry its name; those of another
reading are hollow, of mechanisms without it only the ends, in grey. `boxes` are notes, placed in shares of the panel.

Diagrams: boxes joined by arrows, with measured numbers in their texts. `boxes` maps a name to `{at: [x, y], text: ...,
to: {name: text}}`, where `to` has its arrows to other boxes; x runs from 0 at the left to 1 at the right, y from 0 at
the bottom to 1 at the top. Texts have numbers as messages do, see `claimaudit.plots.message`: `{number[heap
sort]:.2g}` is the one of a mechanism.
"""

from typing import Any

import numpy as np
import pandas as pd
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.text import Annotation

from claimaudit.plots import apart, figure, layers, legend, ticks
from claimaudit.plots.message import fill
from claimaudit.plots.selection import mechanisms, ordered
from claimaudit.plots.style import BLUE, COLORS, MARKERS, NEUTRAL, READING_DASHES, WIDTH, looks
from claimaudit.styles import Look, Style

SMALLEST, LARGEST = 3.0, 6.5  # points: size of the markers
HEIGHT, LOW = 2.1, 1.35  # inches: height of a panel, and of one above others
POINT, SMALLER = 2.4, 1.7  # points: marker size, and in a crowd
OPACITY, MANY, CROWD = 0.45, 60, 1000  # of points if a panel has so many or others stand out, and number of a crowd
EDGE = 0.05  # share of an axis left empty at each end so that no point is clipped
MARGIN = 0.08  # share of an axis left empty at each end so that names find room

DIAGRAM = 2.5  # inches: height of a diagram
BOX: dict[str, Any] = {"boxstyle": "round,pad=0.4", "facecolor": "white", "edgecolor": BLUE, "linewidth": 1.0}
TEXT: dict[str, Any] = {"ha": "center", "va": "center", "linespacing": 1.35}


def draw(numbers: pd.DataFrame, style: Style) -> Figure:
    """Draw the numbers that `drawn_numbers` selected."""
    lines = style.lines
    assert lines is not None  # by FigureStyle
    look_of = looks(mechanisms(numbers, style), style.looks)
    values = ordered(numbers, lines, style)
    dash_of = legend.other_readings(style, READING_DASHES)
    coloured = {*numbers["mechanism"][numbers["reading"].isin(dash_of)]} or {*look_of}
    size_of = dict(zip(reversed(values), np.linspace(LARGEST, SMALLEST, len(values)), strict=True))

    def draw_panel(axes: Axes, panel: pd.DataFrame, style: Style) -> None:
        ticks.set_scale(axes, "x", style.scale_of("x"), panel[style.x])
        axes.margins(MARGIN)
        axes.update_datalim(numbers[[style.x, "mean"]], updatey=False)  # as names precede the next panel
        for scale, zero in ((style.scale_of("x"), axes.axvline), (axes.get_yscale(), axes.axhline)):
            if scale == "symlog":
                zero(0, color=NEUTRAL, linewidth=0.8, zorder=1.9)
        paths = []
        for (mechanism, reading), rows in panel.sort_values(lines).groupby(["mechanism", "reading"], sort=False):
            look, other = look_of[str(mechanism)], reading in dash_of
            color = look.color if mechanism in coloured else NEUTRAL
            dash, face = (dash_of[str(reading)], "none") if other else ("solid", color)
            axes.plot(rows[style.x], rows["mean"], color=color, linestyle=dash, linewidth=0.5, alpha=0.6, zorder=2)
            shown = rows if mechanism in coloured else rows.iloc[[0, -1]]
            axes.scatter(
                shown[style.x],
                shown["mean"],
                s=shown[lines].map(size_of) ** 2,
                edgecolor=color,
                facecolor=face,
                marker=look.marker,
                linewidth=0.7 if other else 0,
                alpha=0.85 if mechanism in coloured else OPACITY,
                clip_on=False,
                zorder=3,
            )
            layers.mark_values(axes, rows[style.x], rows["mean"])
            name = ", ".join(style.text(str(part)) for part in ([mechanism, reading] if other else [mechanism]))
            paths.append((name, color, rows[[style.x, "mean"]].to_numpy(dtype=float)))
        notes = [(fill(note.text, numbers, style), note.at) for note in style.boxes.values()]
        apart.label_paths(axes, paths, notes)

    keys = [
        legend.key(f"{style.label(lines)} = {style.text(value)}", marker="o", markersize=size_of[value])
        for value in (values if len(values) > 1 else [])
    ]
    return figure.build(numbers, style, draw_panel, keys, panel_height=LOW if "row" in style.panels else HEIGHT)


def draw_cloud(numbers: pd.DataFrame, style: Style) -> Figure:
    """Draw the numbers that `drawn_numbers` selected."""
    assert style.lines is not None  # by FigureStyle
    figure.require_one_mechanism(numbers)
    groups, patterns = ordered(numbers, style.lines, style), list(map(Look, COLORS, MARKERS))
    look_of = legend.assign(groups, patterns, f"values of {style.lines}")

    def draw_panel(axes: Axes, panel: pd.DataFrame, style: Style) -> None:
        ticks.set_scale(axes, "x", style.scale_of("x"), panel[style.x])
        axes.margins(EDGE)
        # The largest group first, as it would hide the others.
        for group in panel[style.lines].value_counts().index:
            rows = panel[panel[style.lines] == group]
            small = len(rows) >= CROWD or MANY < len(panel) < len(numbers)  # panels beside each other are narrow
            axes.plot(
                rows[style.x],
                rows["mean"],
                color=look_of[group].color,
                marker=look_of[group].marker,
                linestyle="none",
                markersize=SMALLER if small else POINT,
                markeredgewidth=0,
                alpha=OPACITY if len(panel) > MANY else None,
                rasterized=True,
            )
            layers.mark_values(axes, rows[style.x], rows["mean"])
        for _, same in panel.groupby(style.x) if style.lines == "metric" else ():  # such as a smallest and a largest
            axes.plot(same[style.x], same["mean"], color=NEUTRAL, linewidth=0.8, zorder=1.9)

    keys = [
        legend.key(legend.line_label(group, style), color=look.color, marker=look.marker, markersize=1.5 * POINT)
        for group, look in look_of.items()
    ]
    return figure.build(numbers, style, draw_panel, keys)


def draw_diagram(numbers: pd.DataFrame, style: Style) -> Figure:
    """Draw the boxes and arrows of the style, with the numbers that `drawn_numbers` selected in their texts."""
    drawn = Figure(figsize=(WIDTH, DIAGRAM), dpi=figure.DPI, layout="constrained")
    axes = drawn.subplots()
    axes.set_axis_off()
    boxes = {
        name: axes.annotate(fill(box.text, numbers, style), box.at, bbox=BOX, zorder=3, **TEXT)
        for name, box in style.boxes.items()
    }
    for name, box in style.boxes.items():
        for end, text in box.to.items():
            _draw_arrow(axes, boxes[name], boxes[end], fill(text, numbers, style))
    if numbers["standin"].any():
        figure.watermark(axes)
    return drawn


def _draw_arrow(axes: Axes, start: Annotation, end: Annotation, text: str) -> None:
    """Draw an arrow from the frame of one box to that of another, with a text beside the middle."""
    ends = {"patchA": start.get_bbox_patch(), "patchB": end.get_bbox_patch(), "shrinkA": 2, "shrinkB": 2}
    axes.annotate("", end.xy, start.xy, arrowprops={"arrowstyle": "-|>", "color": "black", "linewidth": 0.9, **ends})
    middle: Any = np.mean([start.xy, end.xy], axis=0)
    note = {"boxstyle": "square,pad=0.15", "facecolor": "white", "edgecolor": "none"}
    axes.annotate(text, middle, bbox=note, **TEXT)
