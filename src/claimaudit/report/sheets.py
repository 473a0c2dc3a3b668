"""Tables as frozen cells, of which JSON, CSV, Markdown and pages are made; result tables laid out as such."""

from __future__ import annotations

import csv
import io
from collections.abc import Callable, Hashable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from typing import Any

import numpy as np
import pandas as pd
from tabulate import tabulate

from claimaudit.styles import SettingError, TableStyle, require, require_unique
from claimaudit.words.names import NO_NAMES, heading
from claimaudit.words.numbers import as_numbers_are, number

MARKS = "misfit"
"""The last column of a CSV file that lists, for each row, the columns whose numbers are marked."""

MISSING = "–"  # noqa: RUF001 (a dash, as tables print it)
MARK = "†"
LONGEST = 1e12
"""Numbers from here on are written with an exponent unless a format says otherwise."""


@dataclass(frozen=True)
class Cell:
    """One cell: the text shown, the unrounded value used for sorting and CSV, and whether the number is marked."""

    text: str
    value: str
    marked: bool = False


@dataclass(frozen=True)
class Column:
    """One column: its name in the file, its heading, whether it is numeric, and whether it is constant."""

    name: str
    heading: str
    numeric: bool
    constant: bool = False


@dataclass(frozen=True)
class Sheet:
    """A table ready to be shown; constant columns are stated once, above it, and notes below.

    `marks` says whether its numbers may be marked.
    """

    columns: list[Column]
    rows: list[list[Cell]]
    notes: tuple[str, ...] = ()
    marks: bool = False

    def to_csv(self) -> str:
        """Return the unrounded values as CSV, with a last column `misfit` if numbers may be marked."""
        text = io.StringIO()
        writer = csv.writer(text, lineterminator="\n")
        writer.writerow([*(column.name for column in self.columns), *([MARKS] if self.marks else [])])
        for row in self.rows:
            marked = [column.name for column, cell in zip(self.columns, row, strict=True) if cell.marked]
            writer.writerow([*(cell.value for cell in row), *(["; ".join(marked)] if self.marks else [])])
        return text.getvalue()

    def to_markdown(self, title: str, caption: str = "") -> str:
        """Return the texts as a pipe table under a title and a caption; numbers are right-aligned."""
        table = tabulate(
            [[_piped(cell.text) for cell in row] for row in self.rows],
            [_piped(column.heading) for column in self.columns],
            tablefmt="pipe",
            disable_numparse=True,
            colalign=["right" if column.numeric else "left" for column in self.columns],
        )
        return "\n\n".join(filter(None, [f"**{title}**", caption, table, *self.notes])) + "\n"

    @property
    def constants(self) -> list[tuple[str, str]]:
        return [
            (column.heading, cell.text)
            for column, cell in zip(self.columns, self.rows[0] if self.rows else [], strict=False)
            if column.constant
        ]

    def packed(self) -> dict[str, Any]:
        """Return the table as JSON for the page's script; a cell is its text, or [value, text] where they differ."""
        return {
            "columns": [
                {"name": column.name, "heading": column.heading, "numeric": column.numeric, "hidden": column.constant}
                for column in self.columns
            ],
            "rows": [
                [cell.text if cell.text == cell.value else [cell.value, cell.text] for cell in row] for row in self.rows
            ],
        }


def of_texts(
    rows: Iterable[Sequence[str]],
    labels: Mapping[str, str] = NO_NAMES,
    values: Callable[[str, str], str] = lambda _, value: value,
) -> Sheet:
    """Return the sheet of a tidy table, whose first row names the columns.

    `labels` has a figure's own names for columns and metrics, and `values` says what a text in a column is called.
    """
    header, *lines = rows
    columns = []
    for name, *texts in zip(header, *lines, strict=True):
        numeric = all(_is_number(text) for text in texts if text)
        columns.append(Column(name, heading(name, labels), numeric, len(texts) > 1 and len(set(texts)) == 1))
    return Sheet(
        columns, [[_cell(*pair, labels, values) for pair in zip(columns, line, strict=True)] for line in lines]
    )


@cache
def numeric_cell(value: str) -> Cell:
    """Return the cell of a number, empty if there is none; settings repeat the same few."""
    return Cell(number(value or None), value)


def _is_number(cell: str) -> bool:
    try:
        float(cell)
    except ValueError:
        return False
    return True


def _cell(column: Column, value: str, labels: Mapping[str, str], values: Callable[[str, str], str]) -> Cell:
    if column.numeric:
        return numeric_cell(value)
    if column.name == "metric":
        return Cell(heading(value, labels), value)
    return Cell({"True": "yes", "False": "no"}.get(value) or values(column.name, value), value)


def _piped(text: str) -> str:
    return text.replace("|", "\\|")


def pivot(rows: pd.DataFrame, style: TableStyle) -> pd.DataFrame:
    """Pivot the rows of a table.

    The name of a pivoted column is a tuple of the values of `style.columns`, then the name of its values if there are
    several: ``("A",)``, or ``("A", "mean")`` and ``("A", "se")``. If any row rests on stand-in data, a last column
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
        cells = cells[heads].set_axis(
            pd.Index([_head(head, style) for head in heads], tupleize_cols=False), axis="columns"
        )
        body = body.merge(cells.reset_index(), on=index)
    else:
        body = body.merge(rows[[*index, *values]], on=index)
    if rows["standin"].any():
        body = body.merge(rows.groupby(index, as_index=False)["standin"].any(), on=index)
    return body


def _distinct(rows: pd.DataFrame, names: list[str], style: TableStyle) -> pd.DataFrame:
    found = rows[names].drop_duplicates(ignore_index=True)
    ranks = {name: _ranks(found[name], style.show.get(name, ())) for name in names}
    return found.iloc[pd.DataFrame(ranks).sort_values(names, kind="stable").index]


def _ranks(column: pd.Series, first: Sequence[Any]) -> list[int]:
    order = {key: rank for rank, key in enumerate(dict.fromkeys([*first, *column]))}
    return [order[value] for value in column]


def _head(head: tuple[Any, ...], style: TableStyle) -> tuple[str, ...]:
    value, *parts = map(str, head)
    return (*parts, value) if len(style.values) > 1 else tuple(parts)


def sheet(body: pd.DataFrame, style: TableStyle, marks: pd.DataFrame | None = None, notes: Sequence[str] = ()) -> Sheet:
    """Return a table as it is shown, with notes below; a sign stands before marked numbers.

    `marks` has the rows of `body`, and those of its columns that may be marked; it is None if none may.
    """
    heads = list(body)
    names = [[str(row[name]) for name in style.index if name in body] for _, row in body.iterrows()]
    marked = [set()] * len(body) if marks is None else [{*marks.columns[row]} for row in marks.to_numpy()]
    columns = [
        Column(" ".join(_parts(head)), _labelled(_parts(head), style), pd.api.types.is_numeric_dtype(body[head]))
        for head in heads
    ]
    texts = [
        [_laid_out(value, _parts(head), of_row, head in signs, style) for head, value in zip(heads, row, strict=True)]
        for row, of_row, signs in zip(zip(*(body[head] for head in heads), strict=True), names, marked, strict=True)
    ]
    return Sheet(columns, texts, tuple(notes), marks is not None)


def _parts(head: Hashable) -> tuple[str, ...]:
    return head if isinstance(head, tuple) else (str(head),)


def _laid_out(
    value: str | float | None, head: tuple[str, ...], names: list[str], marked: bool, style: TableStyle
) -> Cell:
    text = _text(value, _format_of(head, names, style), style)
    return Cell(f"{MARK} {text}" if marked else text, "" if pd.isna(value) else str(value), marked)


def _format_of(head: tuple[str, ...], names: list[str], style: TableStyle) -> str | None:
    """Return the format of a cell: by its heading, a part of it, the names of its row, or the name of its values."""
    keys = [" ".join(head), *head]
    if head[0] not in style.index:
        keys += names
        keys += style.values if len(style.values) == 1 else ()
    return next((style.formats[key] for key in keys if key in style.formats), None)


def _labelled(head: tuple[str, ...], style: TableStyle) -> str:
    return style.labels.get(" ".join(head)) or " ".join(style.labels.get(part, part.replace("_", " ")) for part in head)


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
