"""Bars: a metric for each category, such as the frequencies of an attribute's values.

The values of the column `lines` appear side by side in each category; each panel shows only the categories in its rows.
"""

import numpy as np
import pandas as pd
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.patches import Patch

from claimaudit.plots import figure, layers, legend
from claimaudit.plots.selection import ordered
from claimaudit.plots.style import COLORS
from claimaudit.styles import SettingError, Style

SPREAD = 0.8  # share of a category's width filled by its bars


def draw(numbers: pd.DataFrame, style: Style) -> Figure:
    """Draw the numbers that `drawn_numbers` selected."""
    lines = style.lines
    if lines is None or numbers["mechanism"].nunique() > 1:
        raise SettingError("bars need 'lines', the column whose values appear side by side, and one mechanism")
    color_of = legend.assign(ordered(numbers, lines, style), COLORS, f"values of {lines}")

    def draw_panel(axes: Axes, panel: pd.DataFrame, style: Style) -> None:
        categories = ordered(panel, style.x, style)
        present = ordered(panel, lines, style)
        width = SPREAD / len(present)
        for index, group in enumerate(present):
            rows = panel[panel[lines] == group]
            places = rows[style.x].map(categories.index) + width * (index - (len(present) - 1) / 2)
            axes.bar(places, rows["mean"], width=width, color=color_of[group])
            layers.mark_values(axes, places, rows["mean"])
        axes.grid(visible=False, axis="x")
        axes.set_xticks(np.arange(len(categories)), [style.text(category) for category in categories])
        axes.tick_params(axis="x", length=0)

    keys = [Patch(color=color, label=style.text(group)) for group, color in color_of.items()]
    return figure.build(numbers, style, draw_panel, keys)
