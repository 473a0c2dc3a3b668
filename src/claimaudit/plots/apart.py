"""Lines that coincide are all seen, and lines of an only panel are labelled at their ends."""

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
import pandas as pd
from matplotlib.axes import Axes
from matplotlib.text import Annotation
from matplotlib.transforms import Bbox

from claimaudit.plots import legend
from claimaudit.plots.selection import mechanisms, ordered, sharing
from claimaudit.plots.style import NEUTRAL, Pattern, wrapped
from claimaudit.styles import Style
from claimaudit.words.numbers import gathered, listed

Line = tuple[str, Any]  # a mechanism and a value of the column `lines`, or None

NEAR = 0.031  # share of a panel's height within which markers hide each other
HIDDEN = 0.75  # share of the markers of a line that another one hides if they coincide
LEAST = 0.075  # share of a panel's height between labels
LETTERS = 16  # longest line of a label
MARKER, GAP = 3.2, 4.0  # points: half of a large marker; between a point and its label,
FAR = (1, 2.5, 4)  # or so many times as much
FRONT = 2  # lines behind it are of the panel itself, such as that of zero
Place = tuple[Any, tuple[float, float], int, int]  # a point, the distance of a text from it in points, and its side
SIDES = ((1, 1), (1, 0), (-1, 1), (-1, 0), (0, 1), (0, -1), (1, -1), (-1, -1))
"""Places of a label to the right of a point (1) or to its left (-1), and above it (1) or below it (-1), best first."""


def above(panel: pd.DataFrame, style: Style, numbers: pd.DataFrame) -> dict[Line, int]:
    """Return how many lines that coincide with each line of a panel, which is one of `numbers`, are drawn after it."""
    groups = _groups(_heights(panel, style, numbers))
    return {line: len(group) - 1 - below for group in groups for below, line in enumerate(group)}


def said(numbers: pd.DataFrame, style: Style) -> str:
    """Say which mechanisms have lines that coincide, and in which panels; nothing if none do."""
    first = int(len(mechanisms(numbers, style)) == 1)  # the only mechanism goes without saying

    def names(line: Line) -> str:
        return " ".join(legend.line_label(part, style) for part in line[first:] if part is not None)

    found = gathered(
        (tuple(map(names, group)), str(letter))
        for letter, panel in numbers.groupby("panel")
        for group in _groups(_heights(panel, style, numbers))
        if len(group) > 1
    )
    panels = numbers["panel"].nunique()
    parts = [
        listed([*together]) + (f" ({', '.join(letters)})" if len(letters) < panels else "")
        for together, letters in found.items()
    ]
    return f"Lines that (nearly) coincide: {'; '.join(parts)}" if parts else ""


def _groups(curves: Mapping[Line, pd.Series]) -> list[list[Line]]:
    groups: list[list[Line]] = []
    for line, curve in curves.items():
        near = [group for group in groups if any((curve - curves[one]).abs().quantile(HIDDEN) <= NEAR for one in group)]
        if not near:
            groups.append([])
        (near or groups[-1:])[0].append(line)
    return groups


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
            va="center",
            linespacing=1,
            annotation_clip=False,
        )


def label_paths(
    axes: Axes, paths: Sequence[tuple[str, str, np.ndarray]], notes: Sequence[tuple[str, tuple[float, float]]] = ()
) -> None:
    """Write notes at their places, and names in their colours beside points of paths, so that they hide nothing.

    A path is a name, a colour and the points that its lines join, shape (n, 2), of which the first and last are tried
    first; a note is a text and its place in shares of the panel. A name that finds no place is written anyway.
    """
    axes.autoscale_view()
    panel = axes.get_window_extent()
    pixels = [axes.transData.transform(points) for *_, points in paths]
    between = [path[:-1] + share * np.diff(path, axis=0) for path in pixels for share in (0.25, 0.5, 0.75)]
    sizes = ((pixels, MARKER * axes.figure.dpi / 72), (between, axes.figure.dpi / 72))
    taken = [Bbox([pixel] * 2).padded(half) for some, half in sizes for path in some for pixel in path]
    taken += [line.get_window_extent() for line in axes.lines if line.get_zorder() < FRONT]
    gray: dict[str, Any] = {"color": NEUTRAL, "ha": "center", "va": "center"}
    taken += [axes.text(*at, note, transform=axes.transAxes, **gray).get_window_extent() for note, at in notes]
    for name, color, points in paths:
        text = axes.annotate(name, points[0], (0, 0), textcoords="offset points", color=color, zorder=4)
        places = [
            (point, (GAP * far * right, GAP * far * up), right, up)
            for far in FAR
            for point in (*points[[0, -1]], *points[1:-1])
            for right, up in SIDES
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
    rows = rows.assign(y=rows["theory"].fillna(rows["mean"]), x=rows[style.x]).sort_values("x")
    rows = rows[rows["y"].notna()]
    lines = [None] if style.lines is None else ordered(rows, style.lines, style)
    parts = dict(iter(rows.groupby(["mechanism", *filter(None, [style.lines])], sort=False)[["x", "y"]]))
    none = rows.loc[[], ["x", "y"]]
    return {
        (mechanism, value): parts.get((mechanism,) if value is None else (mechanism, value), none)
        for mechanism in mechanisms(rows, style)
        for value in lines
    }


def _heights(panel: pd.DataFrame, style: Style, numbers: pd.DataFrame) -> dict[Line, pd.Series]:
    """Return the height of each line at the x of its points, in lengths of the axis from its zero."""
    axis = sharing(panel, style, numbers)
    heights = {line: curve.set_index("x")["y"] for line, curve in _curves(panel, style).items()}
    reach = axis["mean"].fillna(axis["theory"])
    if style.scale_of(panel["metric"].iloc[0]) == "log":
        heights = {line: np.log(curve.where(curve > 0)) for line, curve in heights.items()}
        reach = np.log(reach.where(reach > 0))
    span = reach.max() - reach.min()
    return {line: curve / (span if span > 0 else 1.0) for line, curve in heights.items()}
