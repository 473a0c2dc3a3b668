"""The legend: a key per mechanism and line, then keys for other readings and published values."""

import itertools
import math
from collections.abc import Mapping, Sequence
from typing import Any

import pandas as pd
from matplotlib.artist import Artist
from matplotlib.axes import Axes
from matplotlib.container import Container
from matplotlib.figure import Figure
from matplotlib.legend import Legend
from matplotlib.legend_handler import HandlerTuple
from matplotlib.lines import Line2D
from matplotlib.typing import LineStyleType
from numpy.typing import ArrayLike

from claimaudit.plots import layers
from claimaudit.plots.selection import mechanisms, ordered
from claimaudit.plots.style import (
    BLACK,
    DASHES,
    MARKERS,
    NEUTRAL,
    SHADES,
    SIZES,
    SMALL,
    WIDTH,
    WIDTHS,
    Pattern,
    lighter,
    looks,
    wrapped,
)
from claimaudit.styles import Look, SettingError, Style
from claimaudit.words.names import RUN
from claimaudit.words.numbers import listed

MARKS = {Container: HandlerTuple(ndivide=None)}  # several marks side by side are one key
MOST_WHITE = 0.4  # share of white in the lightest shade of a colour
BAND = 1.96  # standard errors: 95 % confidence
SHORT, LETTERS = 30, 58  # longest text of a key beside others, and longest line of a key of its own
RING = 1.4  # points: by so much the marker of a printed number is larger than that of ours
SPACING: dict[str, float] = {  # in units of the font's size
    "borderaxespad": 0,
    "borderpad": 0.2,
    "columnspacing": 1.3,
    "handlelength": 2.4,
    "handletextpad": 0.5,
    "labelspacing": 0.35,
}

Key = Artist | Container


def key(label: str, linestyle: LineStyleType = "none", **look: Any) -> Line2D:  # noqa: ANN401
    """Return a legend key for a line, filled markers or both."""
    return Line2D([], [], label=label, linestyle=linestyle, **{"color": NEUTRAL, "markeredgewidth": 0, **look})


def mechanism_keys(numbers: pd.DataFrame, style: Style, *, joined: bool = True) -> list[Key]:
    """Return legend keys of the mechanisms, as lines or as bare markers."""
    line: LineStyleType = "solid" if joined else "none"
    return [
        key(style.text(name), line, color=look.color, linewidth=1.1, marker=look.marker, markersize=3.6)
        for name, look in looks(mechanisms(numbers, style), style.looks).items()
    ]


def line_keys(numbers: pd.DataFrame, style: Style) -> list[Key]:
    """Return legend keys of the mechanisms, unless each has its own panels, and of the values of the column `lines`."""
    if style.lines is None:
        return mechanism_keys(numbers, style)
    names = mechanisms(numbers, style)
    patterns = line_patterns(numbers, style)[names[0]]
    single = len(names) == 1
    keys: list[Key] = [] if single or "mechanism" in style.panels.values() else mechanism_keys(numbers, style)
    for (value, pattern), white in zip(patterns.items(), _whiteness(len(patterns)), strict=True):
        color = pattern.color if single else lighter(BLACK, white)
        marker = pattern.marker if single else None
        label = style.text(value) if single else line_label(value, style)
        keys.append(key(label, pattern.dash, color=color, linewidth=pattern.width, marker=marker, markersize=3.2))
    return keys


def heading(numbers: pd.DataFrame, style: Style) -> str:
    """Return what stands above the keys of the lines of one mechanism alone: its name and the column, if of numbers."""
    names = mechanisms(numbers, style)
    if style.lines is None or len(names) > 1 or not pd.api.types.is_numeric_dtype(numbers[style.lines]):
        return ""
    return f"{style.text(names[0])}, {style.label(style.lines)}:"


def line_label(value: str | float, style: Style) -> str:
    """Return the text for a value of the column `lines`."""
    text = style.text(value)
    return text if isinstance(value, str) else f"{style.label(str(style.lines))} = {text}"


def line_patterns(numbers: pd.DataFrame, style: Style) -> dict[str, dict[Any, Pattern]]:
    """Return the pattern of each mechanism's lines, by the value of the column `lines` (None without that column).

    The lines of one mechanism alone differ in everything, those of several in the dashes and shades of each colour.
    """
    look_of = looks(mechanisms(numbers, style), style.looks)
    sizes = {name: (WIDTHS[min(i, 3)], SIZES[min(i, 3)]) for i, name in enumerate(look_of)}
    if style.lines is None:
        return {name: {None: Pattern(*look, "solid", *sizes[name])} for name, look in look_of.items()}
    values = ordered(numbers, style.lines, style)
    dashes = assign(values, DASHES, f"values of {style.lines}")
    if len(look_of) == 1:
        colors = [SHADES[i * (len(SHADES) - 1) // max(len(values) - 1, 1)] for i in range(len(values))]
        parts = zip(colors, MARKERS, dashes.values(), WIDTHS, strict=False)
        return {name: dict(zip(values, itertools.starmap(Pattern, parts), strict=False)) for name in look_of}
    return {
        name: {
            value: Pattern(lighter(look.color, share), look.marker, dashes[value], *sizes[name])
            for value, share in zip(values, _whiteness(len(values)), strict=True)
        }
        for name, look in look_of.items()
    }


def _whiteness(count: int) -> list[float]:
    return [MOST_WHITE * i / max(count - 1, 1) for i in range(count)]


def other_readings(style: Style, patterns: Sequence[Any]) -> dict[str, Any]:
    """Return a pattern, a dash or a marker, for each reading but the first, if readings share panels."""
    others = () if style.panel_per_reading else style.reading[1:]
    return assign(others, patterns, "other readings")


def assign(values: Sequence[Any], patterns: Sequence[Any], what: str) -> dict[Any, Any]:
    """Assign a pattern to each value; more values than patterns raise a `SettingError` that names `what`."""
    if len(values) > len(patterns):
        raise SettingError(f"{len(values)} {what}: at most {len(patterns)} can be distinguished; select with where")
    return dict(zip(values, patterns, strict=False))


def reading_keys(
    numbers: pd.DataFrame, style: Style, keys: Sequence[Key], first: Line2D, others: Mapping[str, Line2D]
) -> list[Key]:
    """Return the keys of readings that share panels, which are all grey unless they move one mechanism alone.

    `first` and the `others` are what is drawn of each, of no mechanism and without a text. The key of an only mechanism
    that is moved, among `keys`, says that it is of the first reading.
    """
    moved = [*numbers["mechanism"][numbers["reading"].isin(others)].unique()]
    if len(moved) != 1:
        shown = {style.reading[0]: first, **others} if moved else {}
        for reading, line in shown.items():
            line.set_label(style.text(reading))
        return [*shown.values()]
    name, color = style.text(moved[0]), looks(mechanisms(numbers, style), style.looks)[moved[0]].color
    for one in keys:
        if one.get_label() == name:
            one.set_label(f"{name}, {style.text(style.reading[0])}")
    for reading, line in others.items():
        line.set(color=color, label=f"{name}, {style.text(reading)}")
    return [*others.values()]


def published_keys(numbers: pd.DataFrame, style: Style) -> list[Key]:
    """Return the legend key of the published values, with the letters of their panels unless all have some."""
    printed = numbers[numbers["published"].notna()]
    if printed.empty:
        return []
    lines = printed[style.lines] if style.lines else [None] * len(printed)
    patterns = line_patterns(numbers, style)
    drawn = [patterns[name][value] for name, value in dict.fromkeys(zip(printed["mechanism"], lines, strict=True))]
    marks = [hollow_marker(color, marker) for color, marker in dict.fromkeys((one.color, one.marker) for one in drawn)]
    letters = printed["panel"].unique()
    where = f" ({', '.join(letters)})" if len(letters) < numbers["panel"].nunique() else ""
    return [Container(marks, label=f"published{where}")]


def evidence(numbers: pd.DataFrame, style: Style) -> list[str]:
    """Say in a few words each what points are, whose lines are theory, and what is drawn of other readings."""
    names = [style.text(reading) for reading in style.reading]
    main = numbers["reading"].isin(style.reading if style.panel_per_reading else style.reading[:1])
    runs, of_others = _runs(numbers[main]), _runs(numbers[~main])
    beside = f" ({', '.join(names[1:])}: {of_others})" if of_others not in ("", runs) else ""
    said = [f"points: {runs} runs{beside} ± {BAND} s.e." if runs != "1" else "points: one run"] if runs else []
    told_by = style.lines if style.lines and numbers["mechanism"].nunique() == 1 else "mechanism"
    exact = numbers[main].groupby(told_by, sort=False)["theory"].apply(lambda theory: theory.notna().any())
    if exact.any():
        whose = "" if exact.all() else f" of {listed([line_label(name, style) for name in exact.index[exact]])}"
        said.append(f"lines{whose}: theory")
    differs = "" if main.all() else "drawn where it differs"
    if RUN in names:
        variant = f"{RUN}: a variant that the printed numbers fit"
        ratios = [f"ratios to {style.text(base)} {RUN}" for base in style.bases if main.nunique() > 1]
        said.append(", ".join(filter(None, [variant, *ratios, differs])))
    elif differs:
        said.append(f"{', '.join(names[1:])}: {differs}")
    return said


def _runs(rows: pd.DataFrame) -> str:
    """Return the number of runs behind some numbers, or its range; empty if none was simulated."""
    runs = rows.loc[rows["runs"] > 0, "runs"]
    return " to ".join(f"{end:,}" for end in sorted({*runs.agg(["min", "max"]).astype(int)})) if len(runs) else ""


def hollow_marker(color: str, marker: str, xs: ArrayLike = (), ys: ArrayLike = (), **other: Any) -> Line2D:  # noqa: ANN401
    """Return the hollow marker for a published value, which rings the filled one when both agree."""
    look: dict[str, Any] = {"marker": marker, "markersize": 5.2, "markerfacecolor": "none", "markeredgewidth": 0.5}
    return Line2D(xs, ys, linestyle="none", clip_on=False, markeredgecolor=color, **{**look, **other})


def add_published(axes: Axes, look: Look | Pattern, xs: pd.Series, ys: pd.Series) -> None:
    """Add hollow markers for the printed numbers among `ys`, in curves hardly larger than ours."""
    printed = ys.notna()
    if printed.any():
        size = {"markersize": look.size + RING} if isinstance(look, Pattern) else {}
        place = {"zorder": 3.1, "gid": layers.PUBLISHED}
        axes.add_line(hollow_marker(look.color, look.marker, xs[printed], ys[printed], **size, **place))
        layers.mark_values(axes, xs[printed], ys[printed])


def place(figure: Figure, keys: Sequence[Key], evidence: Sequence[Key] = (), title: str = "") -> None:
    """Add a legend in as few rows as the width allows, read row by row, and one with a row for each longer key.

    The first has the title. The keys of the evidence have rows of their own if that takes no more rows.
    """
    every = [*keys, *evidence]
    short = [key for key in every if len(str(key.get_label())) <= SHORT]
    long = [key for key in every if key not in short]
    for key in long:
        key.set_label(wrapped(str(key.get_label()), LETTERS))
    if short:
        single = _add(figure, short, 1)
        widths = [72 * text.get_window_extent().width / figure.dpi for text in single.get_texts()]
        single.remove()
        _add_rows(figure, short, widths, sum(key in short for key in keys), title)
    if long:
        _add(figure, long, 1)


def _add_rows(figure: Figure, keys: Sequence[Key], widths: Sequence[float], first: int, title: str) -> None:
    """Add a legend of keys, with texts of some widths in points, or two, of the first so many and of the others."""
    whole, parts = slice(None), [slice(first), slice(first, None)]
    apart = sum(_rows(widths[part]) for part in parts) <= _rows(widths)
    for part in parts if apart else [whole]:
        if rows := _rows(widths[part]):
            columns = math.ceil(len(keys[part]) / rows)
            placed = [key for column in range(columns) for key in keys[part][column::columns]]
            _add(figure, placed, columns, "" if part.start else title)


def _rows(widths: Sequence[float]) -> int:
    """Return the fewest rows of a legend with texts of some widths in points."""
    fitting = max((n for n in range(1, len(widths) + 1) if _width(widths, n) <= 72 * WIDTH), default=1)
    return math.ceil(len(widths) / fitting)


def arrange(figure: Figure, below: float) -> float:
    """Stack the legends from `below` (inches) up; return where they end, in inches."""
    for legend in reversed(figure.legends):
        legend.set_bbox_to_anchor((0, below, WIDTH, 1), transform=figure.dpi_scale_trans)
        below += legend.get_window_extent().height / figure.dpi
    return below


def _add(figure: Figure, keys: Sequence[Key], columns: int, title: str = "") -> Legend:
    return figure.legend(
        handles=keys, loc="lower center", ncols=columns, title=title or None, handler_map=MARKS, **SPACING
    )


def _width(texts: Sequence[float], columns: int) -> float:
    handles = columns * (SPACING["handlelength"] + SPACING["handletextpad"]) + (columns - 1) * SPACING["columnspacing"]
    return sum(max(texts[first::columns]) for first in range(columns)) + (handles + 1) * SMALL
