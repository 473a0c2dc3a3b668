"""Tables of numbers in the report: from a CSV file or a rendered table."""

from __future__ import annotations

import csv
import io
import re
from dataclasses import dataclass
from functools import cache
from typing import Any

from corrldp.report.layout import MARKS
from corrldp.words.names import heading
from corrldp.words.numbers import number

COLUMN_SEPARATOR = re.compile(r"(?<!\\)\|")


@dataclass(frozen=True)
class Cell:
    """One cell: the text shown, and the unrounded value used for sorting and CSV."""

    text: str
    value: str


@dataclass(frozen=True)
class Column:
    """One column: its name in the file, its heading, whether it is numeric, and whether it is constant."""

    name: str
    heading: str
    numeric: bool
    constant: bool = False


@dataclass(frozen=True)
class Sheet:
    """A table ready to be shown; constant columns are stated once, above it, and notes below."""

    columns: list[Column]
    rows: list[list[Cell]]
    notes: tuple[str, ...] = ()

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


def from_csv(text: str, labels: dict[str, str] | None = None) -> Sheet:
    """Return the sheet of a tidy CSV file; `labels` holds a figure's own names for columns and metrics."""
    header, *lines = csv.reader(io.StringIO(text))
    columns = []
    for name, *values in zip(header, *lines, strict=True):
        numeric = all(_is_number(value) for value in values if value)
        columns.append(Column(name, heading(name, labels), numeric, len(values) > 1 and len(set(values)) == 1))
    return Sheet(columns, [[_cell(*pair, labels) for pair in zip(columns, line, strict=True)] for line in lines])


def from_table(raw: str, formatted: str) -> Sheet:
    """Return the sheet of a table that is stored both as CSV and as the only pipe table of a Markdown text.

    Paragraphs below the table are its notes. A last column `misfit` of the CSV has no column in the text, which has a
    sign at each number.

    Raises
    ------
    ValueError
        If the text has no pipe table, or one of a different shape.
    """
    header, *lines = csv.reader(io.StringIO(raw))
    if header[-1] == MARKS:
        header, lines = header[:-1], [line[:-1] for line in lines]
    table = [_pipe_cells(line) for line in formatted.splitlines() if line.startswith("|")]
    notes = formatted.rpartition("\n|")[2].split("\n\n")[1:]
    if len(table) != len(lines) + 2 or len(table[0]) != len(header):
        shape = f"{len(lines)} rows and {len(header)} columns"
        raise ValueError(f"the Markdown text has no table of {shape}, as the CSV has; render both again")
    headings, rule, *texts = table
    return Sheet(
        [Column(name, heading, mark.endswith(":")) for name, heading, mark in zip(header, headings, rule, strict=True)],
        [[Cell(*pair) for pair in zip(*pairs, strict=True)] for pairs in zip(texts, lines, strict=True)],
        tuple(note.strip() for note in notes),
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


def _cell(column: Column, value: str, labels: dict[str, str] | None) -> Cell:
    """Return a cell of a CSV file."""
    if column.numeric:
        return numeric_cell(value)
    if column.name == "metric":
        return Cell(heading(value, labels), value)
    return Cell({"True": "yes", "False": "no"}.get(value, value), value)


def _pipe_cells(line: str) -> list[str]:
    return [cell.strip().replace("\\|", "|") for cell in COLUMN_SEPARATOR.split(line.strip())[1:-1]]
