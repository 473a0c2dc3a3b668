"""Scatter: one metric against another, a point per mechanism and value of the column `lines`.

The points of a mechanism are joined in the order of that column and grow with it.
"""

import numpy as np
import pandas as pd
from matplotlib.axes import Axes
from matplotlib.figure import Figure

from claimaudit.plots import figure, layers, legend
from claimaudit.plots.selection import mechanisms, ordered
from claimaudit.plots.style import looks
from claimaudit.styles import SettingError, Style

SMALLEST, LARGEST = 3.0, 6.5  # points: size of the markers


def draw(numbers: pd.DataFrame, style: Style) -> Figure:
    """Draw the numbers that `drawn_numbers` selected."""
    lines = style.lines
    if lines is None:
        raise SettingError("a scatter needs 'lines', the column that distinguishes the points of a mechanism")
    look_of = looks(mechanisms(numbers, style))
    values = ordered(numbers, lines, style)
    size_of = dict(zip(values, np.linspace(SMALLEST, LARGEST, len(values)), strict=True))

    def draw_panel(axes: Axes, panel: pd.DataFrame, style: Style) -> None:
        figure.set_scale(axes, "x", style.xscale, panel[style.x])
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

    keys = legend.mechanism_keys(numbers, style, joined=False)
    for value, size in size_of.items():
        keys.append(legend.key(f"{style.label(lines)} = {style.text(value)}", marker="o", markersize=size))
    return figure.build(numbers, style, draw_panel, keys)
