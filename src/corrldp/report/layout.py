"""How a table is laid out: rows pivoted to the rows and columns of the paper, as numbers and as Markdown."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
import pandas as pd

from corrldp.plots.selection import require, require_unique
from corrldp.styles import SettingError, TableStyle

MISSING = "–"  # noqa: RUF001 (a dash, as tables print it)
MARK = "†"
MARKS = "misfit"
LONGEST = 1e12
"""Numbers from here on are written with an exponent unless a format says otherwise."""


def pivot(rows: pd.DataFrame, style: TableStyle) -> pd.DataFrame:
    """Pivot the rows of a table.

    The heading of a pivoted column consists of the values of `style.columns`, joined by spaces, then the name of its
    values if there are several (`RR`, or `RR mean` and `RR se`). If any row rests on stand-in data, a last column
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
    ranks = {name: _ranks(found[name], style.order.get(name, ())) for name in names}
    return found.iloc[pd.DataFrame(ranks).sort_values(names, kind="stable").index]


def _ranks(column: pd.Series, first: Sequence[Any]) -> list[int]:
    order = {key: rank for rank, key in enumerate(dict.fromkeys([*first, *column]))}
    return [order[value] for value in column]


def _head(head: tuple[Any, ...], style: TableStyle) -> str:
    value, *parts = map(str, head)
    return " ".join([*parts, value] if len(style.values) > 1 else parts)


def with_marks(body: pd.DataFrame, marks: pd.DataFrame) -> pd.DataFrame:
    """Add a last column that lists in each row the columns whose numbers are marked.

    Parameters
    ----------
    body
        The table.
    marks
        Whether a number is marked: the same rows, and those columns that may be marked.
    """
    rows = marks.to_dict("records")
    return body.assign(**{MARKS: ["; ".join(str(head) for head, marked in row.items() if marked) for row in rows]})


def markdown(body: pd.DataFrame, title: str, style: TableStyle, caption: str = "", notes: Sequence[str] = ()) -> str:
    """Format a table under its title and caption; numbers are right-aligned, and a sign stands before marked ones."""
    shown = body.drop(columns=MARKS, errors="ignore")
    marked = [text.split("; ") for text in body[MARKS]] if MARKS in body else [[]] * len(body)
    names = [[str(row[name]) for name in style.index if name in shown] for _, row in shown.iterrows()]
    texts = {}
    for head, column in shown.items():
        cells = zip(column, names, marked, strict=True)
        texts[_renamed(str(head), style)] = [_cell(value, str(head), row, marks, style) for value, row, marks in cells]
    alignment = ["right" if _is_numeric(column) else "left" for _, column in shown.items()]
    table = pd.DataFrame(texts).to_markdown(index=False, disable_numparse=True, colalign=alignment)
    return "\n\n".join(filter(None, [f"**{title}**", caption, table, *notes])) + "\n"


def _is_numeric(column: pd.Series) -> bool:
    return pd.api.types.is_numeric_dtype(column)


def _cell(value: Any, head: str, names: list[str], marked: list[str], style: TableStyle) -> str:  # noqa: ANN401 (any cell)
    text = _text(value, _format_of(head, names, style), style)
    return f"{MARK} {text}" if head in marked else text


def _format_of(head: str, names: list[str], style: TableStyle) -> str | None:
    """Return the format of a cell: by its heading, a part of it, the names of its row, or the name of its values."""
    keys = [head, *head.split(" ")]
    if head not in style.index:
        keys += names
        keys += style.values if len(style.values) == 1 else ()
    return next((style.formats[key] for key in keys if key in style.formats), None)


def _renamed(head: str, style: TableStyle) -> str:
    text = style.rename.get(head) or " ".join(style.rename.get(part, part) for part in head.split(" "))
    return text.replace("|", "\\|")


def _text(value: Any, spec: str | None, style: TableStyle) -> str:  # noqa: ANN401 (any cell)
    """Return a cell as text; without a format, whole and large numbers get separators and no decimals."""
    if pd.isna(value):
        return MISSING
    if isinstance(value, bool | np.bool_):
        return "yes" if value else "no"
    if isinstance(value, str):
        return style.rename.get(value, value).replace("|", "\\|")
    if spec is None:
        whole = float(value).is_integer() or abs(value) >= 1000
        spec = ".7g" if abs(value) >= LONGEST else ",.0f" if whole else ".4g"
    try:
        return format(value, spec)
    except ValueError as error:
        raise SettingError(f"format {spec!r} for {value}: {error}") from error
