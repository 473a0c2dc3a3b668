"""Tables as frozen cells, of which JSON, CSV, Markdown and pages are made: numbers of figures, tables, evidence."""

from __future__ import annotations

import csv
import io
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from typing import Any

from tabulate import tabulate

from claimaudit.words.names import NO_NAMES, heading
from claimaudit.words.numbers import number

MARKS = "misfit"
"""The last column of a CSV file that lists, for each row, the columns whose numbers are marked."""


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

    @classmethod
    def from_dict(cls, content: dict[str, Any]) -> Sheet:
        """Return the table that `dataclasses.asdict` took apart."""
        columns = [Column(**column) for column in content["columns"]]
        rows = [[Cell(**cell) for cell in row] for row in content["rows"]]
        return cls(columns, rows, tuple(content["notes"]), content["marks"])

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
        """Headings and texts of the constant columns."""
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


def from_csv(
    text: str, labels: Mapping[str, str] = NO_NAMES, values: Callable[[str, str], str] = lambda _, value: value
) -> Sheet:
    """Return the sheet of a tidy CSV file.

    `labels` has a figure's own names for columns and metrics, and `values` says what a text in a column is called.
    """
    return of_texts([*csv.reader(io.StringIO(text))], labels, values)


def of_texts(
    rows: Sequence[Sequence[str]],
    labels: Mapping[str, str] = NO_NAMES,
    values: Callable[[str, str], str] = lambda _, value: value,
) -> Sheet:
    """Return the sheet of a tidy table, whose first row names the columns; see `from_csv`."""
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
    """Return a cell of a CSV file."""
    if column.numeric:
        return numeric_cell(value)
    if column.name == "metric":
        return Cell(heading(value, labels), value)
    return Cell({"True": "yes", "False": "no"}.get(value) or values(column.name, value), value)


def _piped(text: str) -> str:
    return text.replace("|", "\\|")
