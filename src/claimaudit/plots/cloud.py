"""Cloud: one metric against another, a small point for each row, such as each pair of attributes.

The values of the column `lines` differ in colour and marker; all other settings distinguish the points of one value. A
line joins the theory of all. In SVG and PDF files the many points are a bitmap; axes and texts remain
vectors.
"""

import pandas as pd
from matplotlib.axes import Axes
from matplotlib.figure import Figure

from claimaudit.plots import figure, layers, legend
from claimaudit.plots.selection import ordered
from claimaudit.plots.style import COLORS, MARKERS, NEUTRAL
from claimaudit.styles import Look, SettingError, Style

SIZE = 2.4  # points: marker size
OPACITY = 0.45
MARGIN = 0.02  # share of an axis left empty at each end so that no point is clipped


def draw(numbers: pd.DataFrame, style: Style) -> Figure:
    """Draw the numbers that `drawn_numbers` selected."""
    if style.lines is None or numbers["mechanism"].nunique() > 1:
        raise SettingError("a cloud needs 'lines', the column whose values differ in colour, and one mechanism")
    patterns = list(map(Look, COLORS, MARKERS))
    look_of = legend.assign(ordered(numbers, style.lines, style), patterns, f"values of {style.lines}")

    def draw_panel(axes: Axes, panel: pd.DataFrame, style: Style) -> None:
        figure.set_scale(axes, "x", style.scale_of("x"), panel[style.x])
        axes.margins(MARGIN)
        # The largest group first, as it would hide the others.
        for group in panel[style.lines].value_counts().index:
            rows = panel[panel[style.lines] == group]
            axes.plot(
                rows[style.x],
                rows["mean"],
                color=look_of[group].color,
                marker=look_of[group].marker,
                linestyle="none",
                markersize=SIZE,
                markeredgewidth=0,
                alpha=OPACITY,
                rasterized=True,
            )
            layers.mark_values(axes, rows[style.x], rows["mean"])
        line = panel.dropna(subset="theory").sort_values(style.x)
        axes.plot(line[style.x], line["theory"], color=NEUTRAL, linewidth=0.8, zorder=2.5, gid=layers.THEORY)

    keys = [
        legend.key(legend.line_label(group, style), color=look.color, marker=look.marker, markersize=1.5 * SIZE)
        for group, look in look_of.items()
    ]
    if numbers["theory"].notna().any():
        keys.append(legend.key(style.label("theory"), "solid", linewidth=0.8))
    return figure.build(numbers, style, draw_panel, keys)
