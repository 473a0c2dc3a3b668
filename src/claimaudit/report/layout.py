"""How a table is laid out: rows of a result table pivoted to the rows and columns of the paper."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
import pandas as pd

from claimaudit.report.sheets import Cell, Column, Sheet
from claimaudit.selection import require, require_unique
from claimaudit.styles import SettingError, TableStyle
from claimaudit.words.numbers import as_numbers_are

MISSING = "–"  # noqa: RUF001 (a dash, as tables print it)
MARK = "†"
LONGEST = 1e12
"""Numbers from here on are written with an exponent unless a format says otherwise."""


def pivot(rows: pd.DataFrame, style: TableStyle) -> pd.DataFrame:
    """Pivot the rows of a table.

    The heading of a pivoted column consists of the values of `style.columns`, joined by spaces, then the name of its
    values if there are several (`A`, or `A mean` and `A se`). If any row rests on stand-in data, a last column
    `standin` marks those that do.

    Raises
    ------
    SettingError
        If a column is unknown or several rows compete for one cell.
    """
    index, columns, values = list(style.index), list(style.columns), list(style.values)
    require([*index, *columns, *values], rows.columns, "unknown column in the style")
    require_unique(rows, [*index, *columns], "name it in index or columns, or fix it with where")
    body = _distinct(rows, index, style)
    if columns:
        cells = rows.pivot(index=index, columns=columns, values=values)
        heads = [(value, *head) for head in _distinct(rows, columns, style).to_numpy() for value in values]
        cells = cells[heads].set_axis([_head(head, style) for head in heads], axis="columns")
        body = body.merge(cells.reset_index(), on=index)
    else:
        body = body.merge(rows[[*index, *values]], on=index)
    if rows["standin"].any():
        body = body.merge(rows.groupby(index, as_index=False)["standin"].any(), on=index)
    return body


def _distinct(rows: pd.DataFrame, names: list[str], style: TableStyle) -> pd.DataFrame:
    """Return the different values of some columns, sorted by each column in turn."""
    found = rows[names].drop_duplicates(ignore_index=True)
    ranks = {name: _ranks(found[name], style.show.get(name, ())) for name in names}
    return found.iloc[pd.DataFrame(ranks).sort_values(names, kind="stable").index]


def _ranks(column: pd.Series, first: Sequence[Any]) -> list[int]:
    order = {key: rank for rank, key in enumerate(dict.fromkeys([*first, *column]))}
    return [order[value] for value in column]


def _head(head: tuple[Any, ...], style: TableStyle) -> str:
    value, *parts = map(str, head)
    return " ".join([*parts, value] if len(style.values) > 1 else parts)


def sheet(body: pd.DataFrame, style: TableStyle, marks: pd.DataFrame | None = None, notes: Sequence[str] = ()) -> Sheet:
    """Return a table as it is shown; a sign stands before marked numbers.

    Parameters
    ----------
    body
        The table.
    style
        Its style.
    marks
        Whether a number is marked: the same rows, and those columns that may be marked; None if none may.
    notes
        Paragraphs below the table.
    """
    heads = list(map(str, body))
    names = [[str(row[name]) for name in style.index if name in body] for _, row in body.iterrows()]
    marked = [set()] * len(body) if marks is None else [{*marks.columns[row]} for row in marks.to_numpy()]
    columns = [Column(head, _labelled(head, style), _is_numeric(body[head])) for head in heads]
    texts = [
        [_cell(value, head, of_row, head in signs, style) for head, value in zip(heads, row, strict=True)]
        for row, of_row, signs in zip(zip(*(body[head] for head in heads), strict=True), names, marked, strict=True)
    ]
    return Sheet(columns, texts, tuple(notes), marks is not None)


def _is_numeric(column: pd.Series) -> bool:
    return pd.api.types.is_numeric_dtype(column)


def _cell(value: str | float | None, head: str, names: list[str], marked: bool, style: TableStyle) -> Cell:
    text = _text(value, _format_of(head, names, style), style)
    return Cell(f"{MARK} {text}" if marked else text, "" if pd.isna(value) else str(value), marked)


def _format_of(head: str, names: list[str], style: TableStyle) -> str | None:
    """Return the format of a cell: by its heading, a part of it, the names of its row, or the name of its values."""
    keys = [head, *head.split(" ")]
    if head not in style.index:
        keys += names
        keys += style.values if len(style.values) == 1 else ()
    return next((style.formats[key] for key in keys if key in style.formats), None)


def _labelled(head: str, style: TableStyle) -> str:
    return style.labels.get(head) or " ".join(style.labels.get(part, part) for part in head.split(" "))


def _text(value: str | float | None, spec: str | None, style: TableStyle) -> str:
    """Return a cell as text; without a format, whole and large numbers get separators and no decimals."""
    if pd.isna(value):
        return MISSING
    if isinstance(value, bool | np.bool_):
        return "yes" if value else "no"
    if isinstance(value, str):
        return style.labels.get(value, value)
    if spec is None:
        whole = float(value).is_integer() or abs(value) >= 1000
        spec = ".7g" if abs(value) >= LONGEST else ",.0f" if whole else ".4g"
    try:
        return as_numbers_are(format(value, spec))
    except ValueError as error:
        raise SettingError(f"format {spec!r} for {value}: {error}") from error
