"""Texts with numbers that are taken from what a figure draws: its message, and the texts of a diagram.

`{below[A|B]}` is the number of settings in which mechanism A lies below B, and of all, such as `12 of 15`;
`{least[A]}` the same against all others; `{ratio[A|B]}` the range of A over B, such as `0.31 to 1.2`. A reading may
follow, as in `{below[A|B|refitted]}`; without one, the first of the style counts. `{number[A]:.2g}` is the one number
that is drawn of A, `{number[A|mse]:.2g}` that for one of several metrics. Names are those of the result table.
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import pandas as pd

from claimaudit.plots import ticks
from claimaudit.styles import SettingError, Style


class Fact:
    """A text or number for the names in brackets of a field of a format string."""

    def __init__(self, of: Callable[[list[str]], str | float]) -> None:
        self._of = of

    def __getitem__(self, names: str) -> str | float:
        return self._of(names.split("|"))

    def __format__(self, form: str) -> str:
        raise ValueError("a fact needs names in brackets")


def fill(text: str, numbers: pd.DataFrame, style: Style) -> str:
    """Return a text with its numbers; a field or name that is unknown raises a `SettingError`."""
    facts = {
        "below": Fact(lambda names: _count(_pair(numbers, style, names), lambda a, b: a < b)),
        "least": Fact(lambda names: _least(numbers, style, names)),
        "ratio": Fact(lambda names: _range(_pair(numbers, style, names))),
        "number": Fact(lambda names: _number(numbers, names)),
    }
    try:
        return text.format(**facts)
    except (KeyError, AttributeError, IndexError, TypeError, ValueError) as error:
        if isinstance(error, SettingError):
            raise
        remedy = "write {below[A|B]}, {least[A]}, {ratio[A|B]} or {number[A]:.2g}"
        raise SettingError(f"text {text!r}: {error}; {remedy}") from error


def _number(numbers: pd.DataFrame, names: list[str]) -> float:
    """Return the number of a mechanism and, if it has several, of a metric."""
    rows = numbers
    for column, name in zip(("mechanism", "metric"), names, strict=False):
        if name not in {*rows[column]}:
            raise SettingError(f"text: no {column} {name!r} is drawn; there are {', '.join(rows[column].unique())}")
        rows = rows[rows[column] == name]
    if len(rows) > 1:
        raise SettingError(f"text: {'|'.join(names)!r} has {len(rows)} numbers; name a metric, or select with 'where'")
    return float(rows["mean"].iloc[0])


def _settings(numbers: pd.DataFrame, style: Style, reading: list[str]) -> pd.DataFrame:
    """Return the best number of each mechanism (columns) in each setting (rows) of a reading.

    A mechanism that a reading leaves as it is, so that it is drawn once, has the numbers of the first reading.
    """
    chosen = reading[0] if reading else style.reading[0]
    if chosen not in style.reading:
        raise SettingError(f"text: no reading {chosen!r} is drawn; there are {', '.join(style.reading)}")
    panels = [column for column in style.panels.values() if column != "reading"]
    named = [*filter(None, [style.lines]), *style.points, style.x]
    keys = list(dict.fromkeys([*panels, "metric", *named]))
    drawn = numbers.assign(drawn=numbers["theory"].fillna(numbers["mean"]))
    first, other = (
        drawn[drawn["reading"] == name].pivot(index=keys, columns="mechanism", values="drawn")
        for name in (style.reading[0], chosen)
    )
    table = other if style.panel_per_reading else other.combine_first(first)
    return table.assign(**dict.fromkeys(style.bases, 1.0))


def _column(table: pd.DataFrame, name: str) -> pd.Series:
    if name not in table:
        raise SettingError(f"text: no mechanism {name!r} is drawn; there are {', '.join(map(str, table.columns))}")
    return table[name]


def _pair(numbers: pd.DataFrame, style: Style, names: list[str]) -> tuple[pd.Series, pd.Series]:
    """Return the numbers of two mechanisms in the settings that have both."""
    if len(names) not in (2, 3):
        raise SettingError(f"text: {'|'.join(names)!r} needs two mechanisms, and perhaps a reading")
    table = _settings(numbers, style, names[2:])
    others = {style.base_of(name) if name not in style.bases else name for name in names[:2]}
    if len(others) > 1:
        raise SettingError(f"text: {names[0]!r} and {names[1]!r} are not in ratio to the same mechanism")
    both = pd.concat([_column(table, name) for name in names[:2]], axis="columns").dropna()
    if both.empty:
        raise SettingError(f"text: {names[0]!r} and {names[1]!r} have no setting in common")
    return both.iloc[:, 0], both.iloc[:, 1]


def _count(pair: tuple[pd.Series, pd.Series], holds: Callable[[pd.Series, pd.Series], pd.Series]) -> str:
    return f"{int(holds(*pair).sum()):,} of {len(pair[0]):,}"


def _least(numbers: pd.DataFrame, style: Style, names: list[str]) -> str:
    table = _settings(numbers, style, names[1:])
    own, others = _column(table, names[0]), table.drop(columns=names[0])
    known = own.notna() & others.notna().any(axis="columns")
    return _count((own[known], others[known].min(axis="columns")), lambda a, b: a < b)


def _range(pair: tuple[pd.Series, pd.Series]) -> str:
    """Return the smallest and the largest ratio with two digits."""
    ratios = pair[0] / pair[1]
    ends = (ticks.number(float(f"{end:.2g}")) for end in (np.nanmin(ratios), np.nanmax(ratios)))
    return " to ".join(dict.fromkeys(ends))
