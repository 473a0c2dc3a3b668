"""Curves: a metric along a numeric column, one colour per mechanism.

The Monte-Carlo mean is a filled marker with a band of ±1.96 standard errors, a closed form a thin line, and a published
value a hollow marker. Where lines coincide, thinner ones lie on wider ones. The lines of an only panel are labelled at
their ends. Where there is no closed form, a line joins the means. Quantile curves are the same figure with the column
`percentile` as x.
"""

import math

import numpy as np
import pandas as pd
from matplotlib.axes import Axes
from matplotlib.figure import Figure

from claimaudit.plots import apart, figure, layers, legend, ticks
from claimaudit.plots.style import READING_DASHES, Pattern
from claimaudit.styles import SettingError, Style

OPACITY = 0.12  # of a band
ROUGH = 0.2  # standard error of a number, relative to it, from which on its interval may leave the panel
WIDER, LARGER = 0.9, 0.5  # points: of a line and its markers for each line that lies on it
MARKS = 24  # at most, on a line that joins the means; without such a line all are shown


def draw(numbers: pd.DataFrame, style: Style) -> Figure:
    """Draw the numbers that `drawn_numbers` selected."""
    if not pd.api.types.is_numeric_dtype(numbers[style.x]):
        raise SettingError(f"x column {style.x!r} is not numeric: use the plot 'points'")
    patterns = legend.line_patterns(numbers, style)
    dash_of = legend.other_readings(style, READING_DASHES)
    if dash_of and style.beside_ratios:  # printed numbers that tell no reading would hide those that do
        others = numbers[(numbers["reading"] != style.reading[0]) & (numbers["ratio_to"] == "")]
        telling = numbers["mechanism"].isin(others["mechanism"])
        numbers = numbers.assign(published=numbers["published"].where(telling))
    direct = numbers["panel"].nunique() == 1 and (style.lines is None or len(patterns) == 1)

    def draw_panel(axes: Axes, panel: pd.DataFrame, style: Style) -> None:
        ticks.set_scale(axes, "x", style.scale_of("x"), panel[style.x])
        above = apart.above(panel, style, numbers)
        for mechanism, pattern_of in patterns.items():
            rows = panel[panel["mechanism"] == mechanism].sort_values(style.x)
            in_full = panel["reading"].iloc[0] if style.panel_per_reading else style.reading[0]
            main = rows[rows["reading"] == in_full]
            for reading, dash in dash_of.items():
                other = rows[rows["reading"] == reading]
                best = other["theory"].fillna(other["mean"])
                color = pattern_of[None].color
                axes.plot(
                    other[style.x], best, color=color, linestyle=dash, linewidth=0.9, zorder=3.05, gid=layers.READINGS
                )
                layers.mark_values(axes, other[style.x], best)
            for value, pattern in pattern_of.items():
                line = main if value is None else main[main[style.lines] == value]
                if not line.empty:
                    _draw_line(axes, line, style.x, pattern, above.get((mechanism, value), 0))
        if direct:
            apart.label_ends(axes, panel, style, patterns)

    keys = [] if direct else legend.line_keys(numbers, style)
    dashed = {reading: legend.key("", dash, linewidth=0.9) for reading, dash in dash_of.items()}
    readings = legend.reading_keys(
        numbers, style, keys, legend.key("", "solid", linewidth=1.1, marker="o", markersize=3.2), dashed
    )
    evidence = [*readings, *legend.published_keys(numbers, style)]
    heading = "" if direct else legend.heading(numbers, style)
    return figure.build(numbers, style, draw_panel, keys, evidence, heading=heading)


def _draw_line(axes: Axes, line: pd.DataFrame, x: str, look: Pattern, above: int) -> None:
    """Draw the simulated, theoretical and published values of a line that lies below so many others."""
    xs, mean, theory, se = (line[name].to_numpy(dtype=float) for name in (x, "mean", "theory", "se"))
    low, high = _band(mean, np.where(line["runs"] > 1, se, np.nan), logarithmic=axes.get_yscale() == "log")
    limits = axes.dataLim.frozen()
    axes.fill_between(xs, low, high, color=look.color, alpha=OPACITY, linewidth=0, zorder=2)
    axes.dataLim.set(limits)
    # An interval counts for the limits of a panel unless it would leave the panel empty.
    precise = (axes.get_yscale() != "log") | (se < ROUGH * np.abs(mean))
    for heights in (low, high):
        axes.update_datalim(np.column_stack([xs, np.where(precise, heights, np.nan)]))
    joined = np.isnan(theory).all()
    axes.plot(
        xs,
        mean if joined else theory,
        color=look.color,
        linestyle=look.dash,
        linewidth=WIDER * above + (look.width if joined else 0.8 * look.width),
        zorder=2.9 if joined else 2.5,
        gid=None if joined else layers.THEORY,
    )
    axes.plot(
        xs,
        mean,
        color=look.color,
        linestyle="none",
        marker=look.marker,
        markersize=LARGER * above + (look.size if joined or len(line) <= 2 * MARKS else 1.8),
        markeredgewidth=0,
        markevery=math.ceil(len(line) / MARKS) if joined else 1,
        clip_on=False,
        in_layout=False,
        zorder=3,
    )
    layers.mark_values(axes, line[x], line["mean"].fillna(line["theory"]))
    legend.add_published(axes, look, line[x], line["published"])


def _band(mean: np.ndarray, se: np.ndarray, *, logarithmic: bool) -> tuple[np.ndarray, np.ndarray]:
    """Return the ends of the interval of each mean; of its logarithm where the axis shows that (delta method)."""
    half = legend.BAND * se
    if not logarithmic:
        return mean - half, mean + half
    with np.errstate(over="ignore"):
        factor = np.exp(half / np.where(mean > 0, mean, np.nan))
    return mean / factor, mean * factor
