"""Tables of numbers as the page shows them: from a CSV file, a Markdown table, or a claim's evidence."""

from __future__ import annotations

import csv
import io
import re
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

from corrldp.report.markup import DASH, number, p_value, plain, truth, words

# A page must stay light: longer tables are cut here, the CSV file behind the link is always whole.
SHOWN_ROWS = 400
COLUMN_SEPARATOR = re.compile(r"(?<!\\)\|")


@dataclass(frozen=True)
class Cell:
    """One cell: what is read, and the unrounded value that sorts it."""

    text: str
    value: str


@dataclass(frozen=True)
class Column:
    """One column: its name in the file, its heading, and whether it holds numbers."""

    name: str
    heading: str
    numeric: bool


@dataclass(frozen=True)
class Sheet:
    """A table ready to be shown.

    `constants` are (heading, text) of the columns that have the same value in every row and are therefore said once;
    `total` counts the rows of the whole file, of which `rows` are the first.
    """

    columns: list[Column]
    rows: list[list[Cell]]
    total: int
    constants: list[tuple[str, str]] = field(default_factory=list)


def from_csv(text: str, labels: dict[str, str] | None = None) -> Sheet:
    """Return the sheet of a tidy CSV file; `labels` are a figure's own names for columns and metrics."""
    header, *lines = csv.reader(io.StringIO(text))
    shown, constants = [], []
    for index, name in enumerate(header):
        values = [line[index] for line in lines]
        column = Column(name, words(name, labels), all(_is_number(value) for value in values if value))
        if len(values) > 1 and len(set(values)) == 1:
            constants.append((column.heading, _cell(column, values[0], labels).text))
        else:
            shown.append((index, column))
    return Sheet(
        columns=[column for _, column in shown],
        rows=[[_cell(column, line[index], labels) for index, column in shown] for line in lines[:SHOWN_ROWS]],
        total=len(lines),
        constants=constants,
    )


def from_markdown(text: str) -> Sheet:
    """Return the sheet of the one pipe table in a Markdown text; cells keep the format that the text gives them.

    Raises
    ------
    ValueError
        If the text has no pipe table.
    """
    table = [_pipe_cells(line) for line in text.splitlines() if line.startswith("|")]
    if len(table) < 2:
        raise ValueError("no table in the Markdown text; its lines start with '|'")
    headings, rule, *rows = table
    return Sheet(
        columns=[Column(heading, heading, mark.endswith(":")) for heading, mark in zip(headings, rule, strict=True)],
        rows=[[Cell(cell, cell) for cell in row] for row in rows],
        total=len(rows),
    )


def of_evidence(claim: dict[str, Any]) -> Sheet:
    """Return the evidence of a verdict record, one row per reading; a column with no value in any row is left out."""
    rows = [_evidence_row(evidence, claim["printed"]) for evidence in claim["evidence"]]
    shown = [name for name in EVIDENCE if name == "holds" or any(row[name] is not None for row in rows)]
    return Sheet(
        columns=[Column(name, words(name), EVIDENCE[name] in (number, p_value)) for name in shown],
        rows=[[Cell(EVIDENCE[name](row[name]), str(row[name])) for name in shown] for row in rows],
        total=len(rows),
    )


def single_number(printed: Any) -> str | None:  # noqa: ANN401 (whatever a claim prints)
    """Return the one number or interval that a paper prints for a claim, in words; None if there is no single one."""
    if not isinstance(printed, dict):
        return None if printed is None else plain(printed)
    if "interval" in printed:
        return "{} to {}".format(*map(plain, printed["interval"]))
    return plain(printed["value"]) if "value" in printed else None


def _evidence_row(evidence: dict[str, Any], printed: Any) -> dict[str, Any]:  # noqa: ANN401 (whatever a claim prints)
    """Return the values of one reading's evidence under the names of `EVIDENCE`."""
    low, high = evidence.get("low"), evidence.get("high")
    between = None if low is None or low == high else f"{number(low)} to {number(high)}"
    derived = {"interval": between, "printed": single_number(printed), "worst": evidence.get("worst") or None}
    return {name: derived[name] if name in derived else evidence.get(name) for name in EVIDENCE}


def _text(value: Any) -> str:  # noqa: ANN401 (any configuration value)
    return plain(value) if value else DASH


# The columns of a claim's evidence and the way each is written.
EVIDENCE: dict[str, Callable[[Any], str]] = {
    "reading": _text,
    "holds": truth,
    "estimate": number,
    "se": number,
    "interval": _text,
    "printed": _text,
    "statistic": number,
    "p_value": p_value,
    "rows": number,
    "effect": _text,
    "worst": _text,
}


def _is_number(cell: str) -> bool:
    try:
        float(cell)
    except ValueError:
        return False
    return True


def _cell(column: Column, value: str, labels: dict[str, str] | None) -> Cell:
    """Return a cell of a CSV file."""
    if column.numeric:
        return Cell(number(value or None), value)
    if column.name == "metric":
        return Cell(words(value, labels), value)
    return Cell({"True": "yes", "False": "no"}.get(value, value), value)


def _pipe_cells(line: str) -> list[str]:
    return [cell.strip().replace("\\|", "|") for cell in COLUMN_SEPARATOR.split(line.strip())[1:-1]]
