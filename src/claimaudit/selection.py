"""Rows of a result table that a figure or a table shows, and the errors if it asks for others."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from numbers import Real
from typing import Any

import pandas as pd

from claimaudit import expressions
from claimaudit.styles import SettingError


def select(table: pd.DataFrame, where: str | None, keep: Mapping[str, Iterable[Any]]) -> pd.DataFrame:
    """Return the rows of a table that satisfy a query and have one of the values to keep in each column.

    Raises
    ------
    SettingError
        If the table lacks a column or value, or nothing is selected.
    """
    for column, wanted in keep.items():
        require(wanted, table[column].unique(), f"{column} not in the result table")
        table = table[table[column].isin(list(wanted))]
    try:
        table = expressions.select(table, where)
    except ValueError as error:
        raise SettingError(f"where {where!r}: {error}; available columns: {', '.join(table.columns)}") from error
    if table.empty:
        raise SettingError(f"nothing to show: where {where!r} with {dict(keep)} selects no row")
    return table.reset_index(drop=True)


def require(wanted: Iterable[Any], available: Iterable[Any], message: str) -> None:
    """Raise SettingError that names the first wanted value not available."""
    available = list(available)
    for value in wanted:
        if value not in available:
            raise SettingError(f"{message}: {value!r}; available: {', '.join(map(str, available))}")


def require_unique(table: pd.DataFrame, keys: list[str], remedy: str) -> None:
    """Raise SettingError if rows share all keys, that is, if a column that the style ignores varies."""
    clash = table[table.duplicated(keys, keep=False)]
    if clash.empty:
        return
    first = clash[(clash[keys] == clash[keys].iloc[0]).all(axis=1)]
    settings = list(first.columns[: first.columns.get_loc("mechanism")])
    varying = [column for column in settings if column not in keys and first[column].nunique() > 1]
    place = ", ".join(f"{key}={first[key].iloc[0]}" for key in keys)
    raise SettingError(f"{len(first)} rows for {place}; {varying or 'no setting column'} varies: {remedy}")


def cell_keys(table: pd.DataFrame, columns: list[str]) -> list[tuple[Any, ...]]:
    """Return rows as tuples, with numbers rounded to 12 digits so that 0.1 + 0.2 matches 0.3."""
    texts = [[f"{v:.12g}" if isinstance(v, Real) else v for v in table[c]] for c in columns]
    return list(zip(*texts, strict=True))
