"""Lines that coincide are drawn apart, and lines of an only panel are labelled at their ends."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
import pandas as pd
from matplotlib.axes import Axes
from matplotlib.transforms import Bbox, ScaledTranslation, Transform

from claimaudit.plots import legend
from claimaudit.plots.selection import mechanisms, ordered
from claimaudit.plots.style import SMALL, Pattern, wrapped
from claimaudit.styles import Style

Line = tuple[str, Any]
"""A mechanism and a value of the column `lines`, or None."""

NEAR = 0.02  # share of a panel's height within which markers hide each other
HIDDEN = 0.5  # share of the markers of a line that another one hides if the two coincide
STEP, WIDEST = 1.2, 5.0  # points to the right between lines that coincide, and between the first and the last of them
RISE = 0.85  # points up or down for each to the right: lines of any slope lie side by side
LEAST = 0.075  # share of a panel's height between labels
LETTERS = 16  # longest line of a label
LETTER, CLEAR = 3.5, 4.0  # points: mean width of a letter of a label, and between a point and its label
SIDES = ((1, 1), (1, 0), (-1, 1), (-1, 0), (0, 1), (0, -1), (1, -1), (-1, -1))
"""Places of a label to the right of a point (1) or to its left (-1), and above it (1) or below it (-1), best first."""


def shifts(panel: pd.DataFrame, style: Style) -> dict[Line, tuple[float, float]]:
    """Return by how many points each line of a panel moves to the right and up, so that none hides another.

    Lines that coincide lie side by side: they move up where they fall, and down where they rise.
    """
    heights = _heights(panel, style)
    groups: list[list[Line]] = []
    for line in heights:
        group = next((group for group in groups if any(_coincide(heights[line], heights[one]) for one in group)), None)
        if group is None:
            groups.append([line])
        else:
            group.append(line)
    moves: dict[Line, tuple[float, float]] = {}
    for group in groups:
        curve = heights[group[0]]
        up = -RISE if len(curve) and curve.iloc[-1] > curve.iloc[0] else RISE
        moves |= {line: (right, up * right) for line, right in zip(group, _row(len(group)), strict=True)}
    return moves


def _row(count: int) -> np.ndarray:
    """Return places around 0 in points."""
    return min(STEP, WIDEST / max(count - 1, 1)) * (np.arange(count) - (count - 1) / 2)


def moved(axes: Axes, right: float, up: float) -> Transform:
    """Return the transformation of the data of some axes that moves them by some points."""
    return axes.transData + ScaledTranslation(right / 72, up / 72, axes.figure.dpi_scale_trans)


def label_ends(axes: Axes, panel: pd.DataFrame, style: Style, patterns: Mapping[str, Mapping[Any, Pattern]]) -> None:
    """Write the name of each line at its right end, in the margin if it is the furthest; names do not touch."""
    ends = {line: _place(axes, *curve.iloc[-1]) for line, curve in _curves(panel, style).items() if len(curve)}
    furthest = max(x for x, _ in ends.values())
    lines = sorted(ends, key=lambda line: ends[line][1])
    for line, height in zip(lines, spread([ends[line][1] for line in lines]), strict=True):
        mechanism, value = line
        text = style.text(mechanism) if value is None else legend.line_label(value, style)
        axes.annotate(
            wrapped(text, LETTERS),
            (ends[line][0] if ends[line][0] < furthest else 1, height),
            xycoords="axes fraction",
            xytext=(4, 0),
            textcoords="offset points",
            color=patterns[mechanism][value].color,
            fontsize=SMALL,
            va="center",
            linespacing=1,
            annotation_clip=False,
        )


def label_paths(axes: Axes, paths: Sequence[tuple[str, str, np.ndarray]]) -> None:
    """Write names in their colours beside the first or last points of paths, where they hide no point nor name.

    A path is a name, a colour and an array of points, shape (n, 2). A name without such a place is written anyway.
    """
    panel = Bbox.from_bounds(0, 0, *(72 * size / axes.figure.dpi for size in (axes.bbox.width, axes.bbox.height)))
    taken = [_beside(panel, _place(axes, *point), (CLEAR, CLEAR), (0, 0)) for *_, points in paths for point in points]
    for name, color, points in paths:
        size = (LETTER * len(name), SMALL)
        places = [
            (point, side, _beside(panel, _place(axes, *point), size, side))
            for point in points[[0, -1]]
            for side in SIDES
        ]
        inside = [place for place in places if panel.count_contains(place[-1].corners()) == 4]
        free = [place for place in inside if not place[-1].count_overlaps(taken)]
        point, (right, up), box = (free or inside or places)[0]
        taken.append(box)
        axes.annotate(
            name,
            point,
            xytext=(right * CLEAR, up * CLEAR),
            textcoords="offset points",
            color=color,
            fontsize=SMALL,
            ha=("center", "left", "right")[right],
            va=("center", "bottom", "top")[up],
            zorder=4,
        )


def _beside(panel: Bbox, point: tuple[float, float], size: tuple[float, float], side: tuple[int, int]) -> Bbox:
    """Return the box of a text of some size in points on one side of a point, given in shares of the panel."""
    left, bottom = (
        share * length + toward * CLEAR + (toward - 1) / 2 * extent
        for share, length, extent, toward in zip(point, panel.size, size, side, strict=True)
    )
    return Bbox.from_bounds(left, bottom, *size)


def spread(heights: Sequence[float]) -> list[float]:
    """Return ascending heights moved as little as needed for `LEAST` between neighbours.

    Heights that are too close together form a block around their mean (the pool-adjacent-violators algorithm).
    """
    blocks: list[list[float]] = []
    for height in heights:
        blocks.append([height])
        while len(blocks) > 1 and _start(blocks[-1]) < _start(blocks[-2]) + LEAST * len(blocks[-2]):
            last = blocks.pop()
            blocks[-1].extend(last)
    return [_start(block) + LEAST * i for block in blocks for i in range(len(block))]


def _start(block: Sequence[float]) -> float:
    return float(np.mean(block)) - LEAST * (len(block) - 1) / 2


def _place(axes: Axes, x: float, y: float) -> tuple[float, float]:
    """Return a point as shares of the axes, whose limits follow from what is drawn so far."""
    axes.autoscale_view()
    across, up = axes.transAxes.inverted().transform(axes.transData.transform((x, y)))
    return float(across), float(up)


def _curves(panel: pd.DataFrame, style: Style) -> dict[Line, pd.DataFrame]:
    """Return x and y of each line of a panel in the reading that is drawn in full, by ascending x."""
    reading = panel["reading"].iloc[0] if style.panel_per_reading else style.reading[0]
    rows = panel[panel["reading"] == reading]
    rows = rows.assign(y=rows["mean"].fillna(rows["theory"]), x=rows[style.x]).dropna(subset="y").sort_values("x")
    lines = [None] if style.lines is None else ordered(rows, style.lines, style)
    return {
        (mechanism, value): rows.loc[
            (rows["mechanism"] == mechanism) & (True if value is None else rows[style.lines] == value), ["x", "y"]
        ]
        for mechanism in mechanisms(rows, style)
        for value in lines
    }


def _heights(panel: pd.DataFrame, style: Style) -> dict[Line, pd.Series]:
    """Return the height of each line by x, as a share of the height of all."""
    curves = {line: curve.set_index("x")["y"] for line, curve in _curves(panel, style).items()}
    if style.scale_of(panel["metric"].iloc[0]) == "log":
        curves = {line: np.log(curve[curve > 0]) for line, curve in curves.items()}
    every = pd.concat(curves.values())
    span = every.max() - every.min()
    return {line: (curve - every.min()) / (span if span > 0 else 1.0) for line, curve in curves.items()}


def _coincide(one: pd.Series, other: pd.Series) -> bool:
    distance = (one - other).abs().dropna()
    return len(distance) > 0 and bool((distance <= NEAR).mean() >= HIDDEN)
