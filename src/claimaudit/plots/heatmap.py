"""Heatmaps: one metric over two columns, such as the correlations of every two attributes.

`x` is the column along the horizontal axis and `lines` the one down the vertical axis. If both have the same values,
a panel is a square matrix in the order of `lines`, else a table that fills it. All panels share one colour scale, white
to blue from 0 up or, if some numbers are negative, symmetric around 0 with blue above and red below. If there are few
rows or columns, each cell shows its number.
"""

import math
from typing import Any

import numpy as np
import pandas as pd
from matplotlib.axes import Axes
from matplotlib.cm import ScalarMappable
from matplotlib.colors import Normalize, SymLogNorm
from matplotlib.figure import Figure

from claimaudit.plots import figure, layers, ticks
from claimaudit.plots.selection import ordered
from claimaudit.plots.style import wrapped
from claimaudit.styles import Style

FEW_CELLS = 7  # up to this many rows or columns the numbers are legible
FEW_LABELS, MOST_LABELS = 10, 4  # up to this many rows each has its label; else there are at most so many labels
HEIGHTS = {1: 3.0, 2: 1.75, 3: 1.3}  # inches: height of a panel, by number of panel columns
LOW = 1.15  # inches: height of a panel beside three or more others
LINEAR = 0.1  # share of the scale within which colours are linear if the style's scale is symlog
CORNER = (0.6, 0, 0.1, 1)  # left, bottom, width and height of the colour bar in a free panel, in shares of it
DARK = 0.6  # share of the scale above which a white number is easier to read
SMALL = 0.3  # numbers up to this get two decimals


def draw(numbers: pd.DataFrame, style: Style) -> Figure:
    """Draw the numbers that `drawn_numbers` selected."""
    import seaborn as sns  # only here, because figures of all kinds import this module, and seaborn takes a second

    lines = style.lines
    assert lines is not None  # by FigureStyle
    symlog = style.scale_of(style.y[0]) == "symlog"
    high = float(f"{numbers['mean'].abs().max():.2g}")  # the colour bar ends at a short number
    high = ticks.powers(high, 10 * high, 4)[0] if symlog else high  # and a tenth of it is a tick
    low, colours = (-high, "RdBu") if (numbers["mean"] < 0).any() else (0.0, "Blues")
    norm = SymLogNorm(LINEAR * high, vmin=low, vmax=high) if symlog else Normalize(low, high)
    columns = numbers[style.panels["column"]].nunique() if "column" in style.panels else 1

    def draw_panel(axes: Axes, panel: pd.DataFrame, style: Style) -> None:
        axes.set_yscale("linear")  # a scale of the style is that of the colours
        named, slanted = (not pd.api.types.is_numeric_dtype(panel[name]) for name in (lines, style.x))
        down = ordered(panel, lines, style)
        across = ordered(panel, style.x, style)
        matrix = {*across} == {*down}
        across = down if matrix else across
        cells = panel.pivot(index=lines, columns=style.x, values="mean").reindex(index=down, columns=across)
        each = 1 if len(cells) <= FEW_LABELS and columns <= figure.MOST_COLUMNS else math.ceil(len(cells) / MOST_LABELS)
        few, digits = min(cells.shape) <= FEW_CELLS, 2 if named or high <= SMALL else 1
        sns.heatmap(
            cells.rename_axis(index=None, columns=None),
            ax=axes,
            norm=norm,
            cmap=colours,
            cbar=False,
            square=matrix,
            annot=cells.map(_written, digits=digits) if few else None,
            fmt="",
            xticklabels=False,  # seaborn would draw the figure to see whether its labels overlap, 80 MB each time
            yticklabels=False,
        )
        for text, value in zip(axes.texts, cells.stack().dropna(), strict=few):
            text.set_color("white" if abs(value) > DARK * high else "black")
        slant: dict[str, Any] = {"rotation": 45, "ha": "right", "rotation_mode": "anchor"} if slanted else {}
        axes.set_xticks(np.arange(0, len(across), each) + 0.5, map(style.text, across[::each]), **slant)
        axes.set_yticks(np.arange(0, len(down), each) + 0.5, map(style.text, down[::each]), va="center")
        axes.tick_params(length=0)
        axes.grid(visible=False)
        layers.mark_values(axes, panel[style.x].map(across.index) + 0.5, panel[lines].map(down.index) + 0.5)

    drawn = figure.build(numbers, style, draw_panel, [], panel_height=HEIGHTS.get(columns, LOW))
    label = figure.scaled(style.label(style.y[0]), style.scale_of(style.y[0]))
    place: dict[str, Any] = {"ax": drawn.axes, "shrink": 0.9, "aspect": 50, "pad": 0.02, "location": "top"}
    if free := [axes for axes in drawn.axes if not axes.axison]:
        place, label = {"cax": free[0].inset_axes(CORNER), "location": "left"}, wrapped(label, figure.Y_LETTERS)
    bar = drawn.colorbar(ScalarMappable(norm, colours), label=label, **place)
    within = [share * high for share in (-1, -LINEAR, 0, LINEAR, 1) if share * high >= low]
    marked = within if symlog else ticks.evenly(low, high, MOST_LABELS)
    bar.set_ticks(marked, labels=ticks.texts(marked))
    bar.minorticks_off()
    return drawn


def _written(value: float, digits: int) -> str:
    rounded = round(value, digits) + 0.0  # no minus sign before a zero
    return f"{rounded:.{digits}f}".removeprefix("0").replace("-0.", "−.")  # noqa: RUF001 (minus sign)
