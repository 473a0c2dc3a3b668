"""Texts with numbers that are taken from what a figure draws: its message, and the texts of a diagram.

`{below[A|B]}` is the number of settings in which mechanism A lies below B beyond chance, and of all, such as `12 of
15`; the foot explains a message's `clearly`. `{least[A]}` is the same against all others. Settings that the paper does
not have are not counted. `{ratio[A|B]}` is the range of A over B, such as `0.31 to 1.2`. A reading may follow, as in
`{below[A|B|refitted]}`; without one, the first of the style counts. `{number[A]:.2g}` is the one number that is drawn
of A, `{number[A|mse]:.2g}` that for one of several metrics. Names are those of the result table.
"""

from collections.abc import Callable

import numpy as np
import pandas as pd

from claimaudit.plots import ticks
from claimaudit.plots.selection import distinguishing, of_the_paper
from claimaudit.results import CLEAR
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
        "below": Fact(lambda names: _count(_clearly_below(*_pair(of_the_paper(numbers, style), style, names)))),
        "least": Fact(lambda names: _least(of_the_paper(numbers, style), style, names)),
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
    """Return the best number of each mechanism and its error (columns) in each setting (rows) of a reading.

    A mechanism that a reading leaves as it is, so that it is drawn once, has the numbers of the first reading.
    """
    chosen = reading[0] if reading else style.reading[0]
    if chosen not in style.reading:
        raise SettingError(f"text: no reading {chosen!r} is drawn; there are {', '.join(style.reading)}")
    panels = [column for column in style.panels.values() if column not in ("reading", "mechanism")]
    keys = list(dict.fromkeys([*panels, "metric", *distinguishing(numbers, style)]))
    exact = numbers["theory"].notna()
    drawn = numbers.assign(drawn=numbers["theory"].where(exact, numbers["mean"]), error=numbers["se"].mask(exact, 0.0))
    first, other = (
        drawn[drawn["reading"] == name].pivot(index=keys, columns="mechanism", values=["drawn", "error"])
        for name in (style.reading[0], chosen)
    )
    return other if style.panel_per_reading else other.combine_first(first)


def _column(table: pd.DataFrame, name: str) -> pd.DataFrame:
    known = table["drawn"].columns
    if name not in known:
        raise SettingError(f"text: no mechanism {name!r} is drawn; there are {', '.join(map(str, known))}")
    return pd.DataFrame({part: table[part, name] for part in ("drawn", "error")}).dropna(subset="drawn")


def _pair(numbers: pd.DataFrame, style: Style, names: list[str]) -> tuple[pd.DataFrame, pd.DataFrame]:
    if len(names) not in (2, 3):
        raise SettingError(f"text: {'|'.join(names)!r} needs two mechanisms, and perhaps a reading")
    table = _settings(numbers, style, names[2:])
    one, other = (_column(table, name) for name in names[:2])
    both = one.index.intersection(other.index)
    if both.empty:
        raise SettingError(f"text: {names[0]!r} and {names[1]!r} have no setting in common")
    return one.loc[both], other.loc[both]


def _least(numbers: pd.DataFrame, style: Style, names: list[str]) -> str:
    table = _settings(numbers, style, names[1:])
    own = _column(table, names[0])
    others = [_column(table, name).reindex(own.index) for name in table["drawn"] if name != names[0]]
    known = [other["drawn"].notna() for other in others]
    least = [_clearly_below(own, other) | ~has for other, has in zip(others, known, strict=True)]
    return _count(np.logical_and.reduce(least)[np.logical_or.reduce(known)])


def _clearly_below(one: pd.DataFrame, other: pd.DataFrame) -> pd.Series:
    return other["drawn"] - one["drawn"] > CLEAR * np.hypot(one["error"], other["error"])


def _count(holds: pd.Series | np.ndarray) -> str:
    return f"{int(holds.sum()):,} of {len(holds):,}"


def _range(pair: tuple[pd.DataFrame, pd.DataFrame]) -> str:
    ratios = pair[0]["drawn"] / pair[1]["drawn"]
    ends = (ticks.number(float(f"{end:.2g}")) for end in (np.nanmin(ratios), np.nanmax(ratios)))
    return " to ".join(dict.fromkeys(ends))
