"""Points: a metric for each category (such as a data set), with mechanisms side by side unless they are the categories.

The Monte-Carlo mean is a filled marker with an error bar of ±1.96 standard errors, a closed form a short thin line, a
published value a hollow marker, and another reading a thin cross. Of metrics that share a panel, all but the first are
hollow, too, and bars join them.
"""

from collections.abc import Sequence
from typing import Any

import numpy as np
import pandas as pd
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.patches import Patch

from claimaudit.plots import figure, layers, legend, ticks
from claimaudit.plots.selection import mechanisms, ordered
from claimaudit.plots.style import COLORS, READING_MARKERS, looks
from claimaudit.styles import Style

MARGIN = 0.1  # share of the height left empty at each end so that no marker lies on the edge
FILLED = 0.8  # share of a category's width filled by its bars
SPREAD = 0.7  # share of a category's width over which its mechanisms spread
CROSS: dict[str, Any] = {"markersize": 3.8, "markeredgewidth": 0.8}  # points: the key of another reading
HOLLOW: dict[str, Any] = {"markeredgewidth": 0.8, "markerfacecolor": "white"}  # a metric but the first


def draw(numbers: pd.DataFrame, style: Style) -> Figure:
    """Draw the numbers that `drawn_numbers` selected."""
    look_of = looks(mechanisms(numbers, style), style.looks)
    categories = ordered(numbers, style.x, style)
    numeric = pd.api.types.is_numeric_dtype(numbers[style.x])
    names = ticks.texts(categories) if numeric else [style.text(category) for category in categories]
    step = SPREAD / len(look_of)
    marker_of = legend.other_readings(style, READING_MARKERS)
    hollow = style.y[1:] if style.lines else ()

    def draw_panel(axes: Axes, panel: pd.DataFrame, style: Style) -> None:
        _name(axes, names)
        axes.set_xlim(-0.5, len(categories) - 0.5)
        axes.margins(y=MARGIN)
        for border in np.arange(0.5, len(categories) - 1):
            axes.axvline(border, color="#e6e6e6", linewidth=0.5, zorder=0)
        for index, (mechanism, look) in enumerate(look_of.items()):
            rows = panel[panel["mechanism"] == mechanism]
            offset = 0 if style.x == "mechanism" else step * (index - (len(look_of) - 1) / 2)
            places = rows[style.x].map(categories.index) + offset
            mark: dict[str, Any] = {"color": look.color, "linestyle": "none", "markersize": 4}
            main = rows["reading"] == (rows["reading"] if style.panel_per_reading else style.reading[0])
            for metric, some in rows[main].groupby("metric"):
                axes.errorbar(
                    places[some.index],
                    some["mean"],
                    yerr=legend.BAND * some["se"].where(some["runs"] > 1),
                    marker=look.marker,
                    elinewidth=0.8,
                    zorder=3,
                    **mark,
                    **(HOLLOW if metric in hollow else {"markeredgewidth": 0}),
                )
            if style.lines:
                ends = rows["mean"].groupby(places).agg(["min", "max"])
                axes.vlines(ends.index, ends["min"], ends["max"], color=look.color, linewidth=0.7, zorder=2)
            axes.hlines(
                rows["theory"][main],
                places[main] - 0.45 * step,
                places[main] + 0.45 * step,
                color=look.color,
                linewidth=0.7,
                zorder=2.5,
                gid=layers.THEORY,
            )
            layers.mark_values(axes, places, rows["mean"].fillna(rows["theory"]))
            for reading, marker in marker_of.items():
                other = rows["reading"] == reading
                axes.plot(places[other], rows["mean"][other], marker=marker, zorder=3.5, gid=layers.READINGS, **mark)
            legend.add_published(axes, look, places[main], rows["published"][main])

    keys = [] if style.x == "mechanism" else legend.mechanism_keys(numbers, style, joined=False)
    others = {name: legend.key("", marker=marker, **CROSS) for name, marker in marker_of.items()}
    readings = legend.reading_keys(numbers, style, keys, legend.key("", marker="o", markersize=3.8), others)
    faces = [(metric, HOLLOW if metric in hollow else {}) for metric in (style.y if hollow else ())]
    metrics = [legend.key(style.label(metric), marker="o", markersize=3.8, **face) for metric, face in faces]
    evidence = [*metrics, *readings, *legend.published_keys(numbers, style)]
    return figure.build(numbers, style, draw_panel, keys, evidence)


def _name(axes: Axes, names: Sequence[str]) -> None:
    """Name the categories along a panel, slanted if they would touch."""
    level = ticks.fit(names, ticks.room(axes))
    slant: dict[str, Any] = {} if level else {"rotation": 45, "ha": "right", "rotation_mode": "anchor"}
    axes.set_xticks(range(len(names)), names, **slant)
    axes.tick_params(axis="x", length=0)
    axes.grid(visible=False, axis="x")


def draw_bars(numbers: pd.DataFrame, style: Style) -> Figure:
    """Draw the numbers that `drawn_numbers` selected."""
    lines = style.lines
    assert lines is not None  # by FigureStyle
    figure.require_one_mechanism(numbers)
    color_of = legend.assign(ordered(numbers, lines, style), COLORS, f"values of {lines}")

    def draw_panel(axes: Axes, panel: pd.DataFrame, style: Style) -> None:
        categories = ordered(panel, style.x, style)
        present = ordered(panel, lines, style)
        width = FILLED / len(present)
        for index, group in enumerate(present):
            rows = panel[panel[lines] == group]
            places = rows[style.x].map(categories.index) + width * (index - (len(present) - 1) / 2)
            axes.bar(places, rows["mean"], width=width, color=color_of[group])
            layers.mark_values(axes, places, rows["mean"])
        _name(axes, [style.text(category) for category in categories])

    keys = [Patch(color=color, label=style.text(group)) for group, color in color_of.items()]
    return figure.build(numbers, style, draw_panel, keys)
