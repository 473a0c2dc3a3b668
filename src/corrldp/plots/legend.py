"""The legend: a key per mechanism and line, then keys for theory, published values and Monte-Carlo error."""

import math
from collections.abc import Sequence
from typing import Any

import pandas as pd
from matplotlib.artist import Artist
from matplotlib.figure import Figure
from matplotlib.lines import Line2D

from corrldp.plots.selection import mechanisms, ordered
from corrldp.plots.setting import SettingError, Style
from corrldp.plots.style import DASHES, NEUTRAL, READING_DASHES, READING_MARKERS, looks

BAND = 1.96  # standard errors: 95 % confidence


def key(label: str, line: Any = "none", **options: Any) -> Line2D:  # noqa: ANN401 (a linestyle, Line2D's own options)
    """Return a legend key for a line, filled markers or both; grey unless given a `color`."""
    return Line2D([], [], label=label, linestyle=line, **{"color": NEUTRAL, "markeredgewidth": 0, **options})


def mechanism_keys(numbers: pd.DataFrame, style: Style, *, joined: bool = True) -> list[Artist]:
    """Return legend keys of the mechanisms, as lines or as bare markers."""
    line = "solid" if joined else "none"
    return [
        key(style.text(name), line, color=look.color, linewidth=1.1, marker=look.marker, markersize=4.2)
        for name, look in looks(mechanisms(numbers, style)).items()
    ]


def line_keys(numbers: pd.DataFrame, style: Style) -> list[Artist]:
    """Return legend keys of the values of the column `lines`."""
    keys: list[Artist] = []
    if style.lines is None:
        return keys
    for value, dash in line_dashes(numbers, style).items():
        text = style.text(value)
        label = text if isinstance(value, str) else f"{style.label(style.lines)} = {text}"
        keys.append(key(label, dash, linewidth=1.1))
    return keys


def line_dashes(numbers: pd.DataFrame, style: Style) -> dict[Any, Any]:
    """Return the dash pattern of each value of the column `lines`; empty without that column."""
    if style.lines is None:
        return {}
    return assign(ordered(numbers, style.lines, style), DASHES, f"values of {style.lines}")


def reading_dashes(style: Style) -> dict[str, Any]:
    """Return the dash pattern of each reading but the first, if readings share panels."""
    others = () if style.panel_per_reading else style.reading[1:]
    return assign(others, READING_DASHES, "other readings")


def reading_markers(style: Style) -> dict[str, str]:
    """Return the marker of each reading but the first, for figures without lines."""
    return assign(style.reading[1:], READING_MARKERS, "other readings")


def assign(values: Sequence[Any], patterns: Sequence[Any], what: str) -> dict[Any, Any]:
    """Assign a pattern to each value; more values than patterns raise a `SettingError` that names `what`."""
    if len(values) > len(patterns):
        raise SettingError(f"{len(values)} {what}: at most {len(patterns)} can be distinguished; select with where")
    return dict(zip(values, patterns, strict=False))


def evidence_keys(numbers: pd.DataFrame, style: Style, error_key: Artist) -> list[Artist]:
    """Return the remaining legend keys: theory, published values, Monte-Carlo error."""
    main = numbers[numbers["reading"] == style.reading[0]]
    keys: list[Artist] = []
    if main["theory"].notna().any():
        keys.append(key("theory", "solid", linewidth=0.7))
    if main["published"].notna().any():
        keys.append(hollow_marker(NEUTRAL, "o", label="published"))
    banded = numbers if style.panel_per_reading else main
    runs = banded.loc[banded["runs"] > 0, "runs"]
    if len(runs):
        count = " to ".join(f"{value:,}" for value in sorted({int(runs.min()), int(runs.max())}))
        error_key.set_label(f"{count} runs ± {BAND} s.e.")
        keys.append(error_key)
    return keys


def hollow_marker(color: str, marker: str, **options: Any) -> Line2D:  # noqa: ANN401 (Line2D's own options)
    """Return the hollow marker for a published value, which rings the filled one when both agree."""
    return Line2D(
        options.pop("xs", []),
        options.pop("ys", []),
        linestyle="none",
        marker=marker,
        markersize=5.8,
        markerfacecolor="none",
        markeredgecolor=color,
        markeredgewidth=0.8,
        **options,
    )


def place(figure: Figure, keys: Sequence[Artist]) -> None:
    """Add one legend below the panels, in as few rows as the width allows, read row by row."""
    for rows in range(1, len(keys) + 1):
        columns = math.ceil(len(keys) / rows)
        by_column = [key for first in range(columns) for key in keys[first::columns]]
        legend = figure.legend(
            handles=by_column, loc="outside lower center", ncols=columns, columnspacing=1.6, handlelength=2.4
        )
        if columns == 1 or legend.get_window_extent().width <= 0.97 * figure.bbox.width:
            return
        legend.remove()
