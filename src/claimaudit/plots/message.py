"""Texts with numbers that are taken from what a figure draws: its message, and the texts of a diagram.

`{ratio[A|B]}` is the range of mechanism A over mechanism B, such as `0.31 to 1.2`. `{number[A]:.2g}` is the one number
that is drawn of A, `{number[A|mse]:.2g}` that for one of several metrics. Names are those of the result table.
"""

from collections.abc import Callable

import pandas as pd

from claimaudit.plots import ticks
from claimaudit.plots.selection import distinguishing
from claimaudit.styles import SettingError, Style, require


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
        "ratio": Fact(lambda names: _ratio(numbers, style, names)),
        "number": Fact(lambda names: _number(numbers, names)),
    }
    try:
        return text.format(**facts)
    except (KeyError, AttributeError, IndexError, TypeError, ValueError) as error:
        if isinstance(error, SettingError):
            raise
        raise SettingError(f"text {text!r}: {error}; write {{ratio[A|B]}} or {{number[A]:.2g}}") from error


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


def _ratio(numbers: pd.DataFrame, style: Style, names: list[str]) -> str:
    """Return the range of one mechanism's best numbers over another's, in the settings of the first reading."""
    if len(names) != 2:
        raise SettingError(f"text: {'|'.join(names)!r} must be two mechanisms")
    rows = numbers[numbers["reading"] == style.reading[0]]
    panels = [column for column in style.panels.values() if column not in ("reading", "mechanism")]
    keys = list(dict.fromkeys([*panels, "metric", *distinguishing(rows, style)]))
    best = rows.assign(best=rows["theory"].fillna(rows["mean"])).pivot(index=keys, columns="mechanism", values="best")
    require(names, best.columns, "text: no such mechanism is drawn")
    ratios = (best[names[0]] / best[names[1]]).dropna()
    if ratios.empty:
        raise SettingError(f"text: {names[0]!r} and {names[1]!r} have no setting in common")
    ends = (ticks.number(float(f"{end:.2g}")) for end in (ratios.min(), ratios.max()))
    return " to ".join(dict.fromkeys(ends))
