"""Lines that coincide are drawn apart, and lines of an only panel are labelled at their ends."""

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
import pandas as pd
from matplotlib.axes import Axes
from matplotlib.text import Annotation
from matplotlib.transforms import Bbox, ScaledTranslation, Transform

from claimaudit.plots import legend
from claimaudit.plots.selection import mechanisms, ordered
from claimaudit.plots.style import NEUTRAL, SMALL, Pattern, wrapped
from claimaudit.styles import Style
from claimaudit.words.numbers import listed

Line = tuple[str, Any]  # a mechanism and a value of the column `lines`, or None

NEAR = 0.02  # share of a panel's height within which markers hide each other
HIDDEN = 0.5  # share of the markers of a line that another one hides if they are drawn apart,
ALIKE = 0.8  # or are said to coincide
STEP, WIDEST = 1.2, 5.0  # points to the right between lines that coincide, and between the first and the last of them
RISE = 0.85  # points up or down for each to the right: lines of any slope lie side by side
LEAST = 0.075  # share of a panel's height between labels
LETTERS = 16  # longest line of a label
GAP = 4.0  # points: between a point and its label,
FAR = (1, 2.5, 4)  # or so many times as much
AROUND = [(x, y) for x in range(-9, 10) for y in range(-9, 10)]  # where a note may move, in steps
Place = tuple[Any, tuple[float, float], int, int]  # a point, the distance of a text from it in points, and its side
SIDES = ((1, 1), (1, 0), (-1, 1), (-1, 0), (0, 1), (0, -1), (1, -1), (-1, -1))
"""Places of a label to the right of a point (1) or to its left (-1), and above it (1) or below it (-1), best first."""


def shifts(panel: pd.DataFrame, style: Style) -> dict[Line, tuple[float, float]]:
    """Return by how many points each line of a panel moves to the right and up, so that none hides another.

    Lines that coincide lie side by side: they move up where they fall, and down where they rise, but not below 0.
    """
    heights = _heights(panel, style)
    none_below = (panel["mean"].min() == 0) & (style.scale_of(panel["metric"].iloc[0]) != "log")
    moves: dict[Line, tuple[float, float]] = {}
    for group in _groups(heights):
        curve = heights[group[0]]
        known = curve[~np.isnan(curve)]
        up = -RISE if len(known) and known[-1] > known[0] else RISE
        apart = min(STEP, WIDEST / max(len(group) - 1, 1))
        right = apart * (np.arange(len(group)) - (len(group) - 1) / 2)
        rise = up * right - (min(up * right) if none_below else 0)
        moves |= {line: (float(x), float(y)) for line, x, y in zip(group, right, rise, strict=True)}
    return moves


def said(numbers: pd.DataFrame, style: Style) -> str:
    """Say which mechanisms have lines that coincide, and in which panels; nothing if none do."""
    found: dict[tuple[str, ...], list[str]] = {}
    for letter, panel in numbers.groupby("panel"):
        for group in _groups(_heights(panel, style), ALIKE):
            names = tuple(
                dict.fromkeys(style.text(mechanism if value is None else value) for mechanism, value in group)
            )
            if len(names) > 1:
                found.setdefault(names, []).append(str(letter))
    panels = numbers["panel"].nunique()
    parts = [
        listed([*names]) + (f" ({', '.join(letters)})" if len(letters) < panels else "")
        for names, letters in found.items()
    ]
    return f"Lines that coincide lie side by side: {'; '.join(parts)}" if parts else ""


def _groups(heights: Mapping[Line, np.ndarray], share: float = HIDDEN) -> list[list[Line]]:
    groups: list[list[Line]] = []
    for line in heights:
        group = next(
            (group for group in groups if any(_coincide(heights[line], heights[one], share) for one in group)), None
        )
        if group is None:
            groups.append([line])
        else:
            group.append(line)
    return groups


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


def label_paths(
    axes: Axes, paths: Sequence[tuple[str, str, np.ndarray]], notes: Sequence[tuple[str, tuple[float, float]]] = ()
) -> None:
    """Write names in their colours beside points of paths, and notes near places, so that texts hide no point nor text.

    A path is a name, a colour and an array of points, shape (n, 2), of which the first and the last ones are tried
    first; a note is a text and its place in shares of the panel. A text that finds no place is written anyway.
    """
    axes.autoscale_view()
    panel = axes.get_window_extent()
    taken = [Bbox([axes.transData.transform(point)] * 2).padded(GAP) for *_, points in paths for point in points]
    for name, color, points in paths:
        text = axes.annotate(name, points[0], (0, 0), textcoords="offset points", color=color, fontsize=SMALL, zorder=4)
        places = [
            (point, (GAP * far * right, GAP * far * up), right, up)
            for far in FAR
            for point in (*points[[0, -1]], *points[1:-1])
            for right, up in SIDES
        ]
        _put(text, places, panel, taken)
    for note, at in notes:
        text = axes.annotate(
            note, at, (0, 0), "axes fraction", "offset points", color=NEUTRAL, fontsize=SMALL, zorder=4
        )
        places = [
            (at, (12.0 * x, 8.0 * y), 0, 0) for x, y in sorted(AROUND, key=lambda step: step[0] ** 2 + step[1] ** 2)
        ]
        _put(text, places, panel, taken)


def _put(text: Annotation, places: Sequence[Place], panel: Bbox, taken: list[Bbox]) -> None:
    """Move a text to the first of some places inside the panel where it hides nothing, and note that it is there."""

    def moved_to(place: Place) -> Bbox:
        text.xy, (right, up) = place[0], place[2:]
        text.set(position=place[1], ha=("center", "left", "right")[right], va=("center", "bottom", "top")[up])
        return text.get_window_extent()

    free = (
        place
        for place in places
        if panel.count_contains((box := moved_to(place)).corners()) == 4 and not box.count_overlaps(taken)
    )
    taken.append(moved_to(next(free, places[0])))


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
    rows = rows.assign(y=rows["mean"].fillna(rows["theory"]), x=rows[style.x]).sort_values("x")
    rows = rows[rows["y"].notna()]
    lines = [None] if style.lines is None else ordered(rows, style.lines, style)
    parts = dict(iter(rows.groupby(["mechanism", *filter(None, [style.lines])], sort=False)[["x", "y"]]))
    none = rows.loc[[], ["x", "y"]]
    return {
        (mechanism, value): parts.get((mechanism,) if value is None else (mechanism, value), none)
        for mechanism in mechanisms(rows, style)
        for value in lines
    }


def _heights(panel: pd.DataFrame, style: Style) -> dict[Line, np.ndarray]:
    """Return the height of each line at every x, as a share of the height of all; NaN where a line has no point."""
    curves = _curves(panel, style)
    places = np.unique(np.concatenate([curve["x"] for curve in curves.values()]))
    heights = np.full((len(curves), len(places)), np.nan)
    for own, curve in zip(heights, curves.values(), strict=True):
        own[np.searchsorted(places, curve["x"])] = curve["y"]
    if style.scale_of(panel["metric"].iloc[0]) == "log":
        heights = np.log(np.where(heights > 0, heights, np.nan))
    known = heights[~np.isnan(heights)]
    least, span = known.min(initial=np.inf), np.ptp(known) if len(known) else 0.0
    return dict(zip(curves, (heights - least) / (span if span > 0 else 1.0), strict=True))


def _coincide(one: np.ndarray, other: np.ndarray, share: float) -> bool:
    distance = np.abs(one - other)
    distance = distance[~np.isnan(distance)]
    return len(distance) > 0 and bool((distance <= NEAR).mean() >= share)
