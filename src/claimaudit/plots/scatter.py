"""Scatter: one metric against another, a point per mechanism and value of the column `lines`.

The points of a mechanism are joined in the order of that column, grow with it and carry its name. The style's `boxes`
are notes without frames; `at` is their place in shares of the panel.
"""

from typing import Any

import numpy as np
import pandas as pd
from matplotlib.axes import Axes
from matplotlib.figure import Figure

from claimaudit.plots import apart, figure, layers, legend
from claimaudit.plots.message import fill
from claimaudit.plots.selection import mechanisms, ordered
from claimaudit.plots.style import NEUTRAL, SMALL, looks
from claimaudit.styles import SettingError, Style

SMALLEST, LARGEST = 3.0, 6.5  # points: size of the markers
HEIGHT = 2.1  # inches: height of a panel
NOTE: dict[str, Any] = {"fontsize": SMALL, "color": NEUTRAL, "ha": "center", "va": "center"}
MARGIN = 0.08  # share of an axis left empty at each end so that names find room


def draw(numbers: pd.DataFrame, style: Style) -> Figure:
    """Draw the numbers that `drawn_numbers` selected."""
    lines = style.lines
    if lines is None:
        raise SettingError("a scatter needs 'lines', the column that distinguishes the points of a mechanism")
    look_of = looks(mechanisms(numbers, style), style.looks)
    values = ordered(numbers, lines, style)
    size_of = dict(zip(reversed(values), np.linspace(LARGEST, SMALLEST, len(values)), strict=True))

    def draw_panel(axes: Axes, panel: pd.DataFrame, style: Style) -> None:
        figure.set_scale(axes, "x", style.scale_of("x"), panel[style.x])
        axes.margins(MARGIN)
        for scale, zero in ((style.scale_of("x"), axes.axvline), (axes.get_yscale(), axes.axhline)):
            if scale == "symlog":
                zero(0, color=NEUTRAL, linewidth=0.8, zorder=1.9)
        paths = []
        for mechanism, look in look_of.items():
            rows = panel[panel["mechanism"] == mechanism].sort_values(lines)
            axes.plot(rows[style.x], rows["mean"], color=look.color, linewidth=0.5, alpha=0.6, zorder=2)
            for value, row in rows.set_index(lines).iterrows():
                axes.plot(
                    row[style.x],
                    row["mean"],
                    color=look.color,
                    marker=look.marker,
                    markersize=size_of[value],
                    markeredgewidth=0,
                    alpha=0.85,
                    clip_on=False,
                    zorder=3,
                )
            layers.mark_values(axes, rows[style.x], rows["mean"])
            paths.append((style.text(mechanism), look.color, rows[[style.x, "mean"]].to_numpy(dtype=float)))
        apart.label_paths(axes, paths)
        for note in style.boxes.values():
            axes.text(*note.at, fill(note.text, numbers, style), transform=axes.transAxes, **NOTE)

    keys = [
        legend.key(f"{style.label(lines)} = {style.text(value)}", marker="o", markersize=size_of[value])
        for value in (values if len(values) > 1 else [])
    ]
    return figure.build(numbers, style, draw_panel, keys, panel_height=HEIGHT)
