"""Tables as frozen cells, of which JSON, CSV, Markdown and pages are made: numbers of figures, tables, evidence."""

from __future__ import annotations

import csv
import io
import json
from collections.abc import Callable
from dataclasses import asdict, dataclass
from functools import cache
from typing import Any

from tabulate import tabulate

from corrldp.words.names import heading, plain
from corrldp.words.numbers import DASH, number, p_value
from corrldp.words.verdicts import truth

LONGEST = 200
"""Comparisons of one claim that the page shows, at most."""
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
    def from_json(cls, text: str) -> Sheet:
        """Return the table that `to_json` wrote."""
        content = json.loads(text)
        columns = [Column(**column) for column in content["columns"]]
        rows = [[Cell(**cell) for cell in row] for row in content["rows"]]
        return cls(columns, rows, tuple(content["notes"]), content["marks"])

    def to_json(self) -> str:
        """Return the table as JSON, complete."""
        return json.dumps(asdict(self), ensure_ascii=False) + "\n"

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


def from_csv(text: str, labels: dict[str, str] | None = None) -> Sheet:
    """Return the sheet of a tidy CSV file; `labels` holds a figure's own names for columns and metrics."""
    header, *lines = csv.reader(io.StringIO(text))
    columns = []
    for name, *values in zip(header, *lines, strict=True):
        numeric = all(_is_number(value) for value in values if value)
        columns.append(Column(name, heading(name, labels), numeric, len(values) > 1 and len(set(values)) == 1))
    return Sheet(columns, [[_cell(*pair, labels) for pair in zip(columns, line, strict=True)] for line in lines])


def of_evidence(claim: dict[str, Any]) -> Sheet:
    """Return the evidence of a verdict record, one row per reading, without empty columns."""
    rows = [_evidence_row(evidence, claim["printed"]) for evidence in claim["evidence"]]
    shown = [name for name in EVIDENCE if name == "holds" or any(row[name] not in (None, "") for row in rows)]
    if not any(row["standing"] for row in rows):  # nothing says what was run
        shown = [name for name in shown if name != "standing"]
    return Sheet(
        [Column(name, heading(name), EVIDENCE[name] in (number, p_value)) for name in shown],
        [[_evidence_cell(name, row[name]) for name in shown] for row in rows],
    )


def of_comparisons(claim: dict[str, Any], longest: int = LONGEST) -> tuple[Sheet, int]:
    """Return the comparisons of a claim under the strict and the standing readings, and how many there are in all.

    If there are more than `longest`, those under the strict reading come first, and of these the violated ones.
    """
    rows = [
        {"reading": item["words"] or item["reading"], **dict(zip(item["comparisons"], values, strict=True))}
        for item in claim["evidence"]
        for values in zip(*item["comparisons"].values(), strict=True)
    ]
    total = len(rows)
    if total > longest:
        first = rows[0]["reading"]
        rows = sorted(rows, key=lambda row: (row["reading"] != first, row.get("outcome") != "violated"))[:longest]
    names = list(dict.fromkeys(name for row in rows for name in row))
    headings = {"left": "ours", "right": "printed"} if claim.get("kind") == "cells" else {}
    columns = [_comparison_column(name, [row.get(name) for row in rows], headings) for name in names]
    cells = [[_comparison_cell(column, row.get(column.name)) for column in columns] for row in rows]
    return Sheet(columns, cells), total


def _comparison_column(name: str, values: list[Any], headings: dict[str, str]) -> Column:
    known = [value for value in values if value is not None]
    numeric = bool(known) and all(isinstance(value, int | float) and not isinstance(value, bool) for value in known)
    constant = len(values) > 1 and len({str(value) for value in values}) == 1
    return Column(name, headings.get(name) or heading(name), numeric, constant)


def _comparison_cell(column: Column, value: Any) -> Cell:  # noqa: ANN401 (any setting)
    raw = "" if value is None else str(value)
    return _numeric_cell(raw) if column.numeric else Cell(_text(value), raw)


@cache
def _numeric_cell(value: str) -> Cell:
    """Return the cell of a number, empty if there is none; settings repeat the same few."""
    return Cell(number(value or None), value)


def single_number(printed: Any) -> str | None:  # noqa: ANN401 (whatever a claim prints)
    """Return the number or interval that a paper prints for a claim as text; None if there is no single one."""
    if not isinstance(printed, dict):
        return None if printed is None else plain(printed)
    if "interval" in printed:
        return "{} to {}".format(*map(plain, printed["interval"]))
    return plain(printed["value"]) if "value" in printed else None


def _evidence_row(evidence: dict[str, Any], printed: Any) -> dict[str, Any]:  # noqa: ANN401 (whatever a claim prints)
    """Return the values of one reading's evidence by the names in `EVIDENCE`."""
    low, high = evidence.get("low"), evidence.get("high")
    between = None if low is None or low == high else f"{number(low)} to {number(high)}"
    named = evidence.get("words") or evidence.get("reading")
    worst = _known(evidence.get("worst"))
    derived = {"reading": named, "interval": between, "printed": single_number(printed), "worst": worst}
    return {name: derived[name] if name in derived else evidence.get(name) for name in EVIDENCE}


def _known(setting: dict[str, Any] | None) -> dict[str, Any] | None:
    """Return a setting without columns that do not apply; None if nothing is left."""
    return {name: value for name, value in (setting or {}).items() if value is not None} or None


def _yes(value: bool) -> str:
    return "yes" if value else "no"


def _text(value: Any) -> str:  # noqa: ANN401 (any configuration value)
    return plain(value) if value else DASH


# The columns of a claim's evidence, each with its formatter.
EVIDENCE: dict[str, Callable[[Any], str]] = {
    "reading": _text,
    "standing": _yes,
    "holds": truth,
    "meaning": _text,
    "estimate": number,
    "se": number,
    "interval": _text,
    "printed": _text,
    "statistic": number,
    "p_value": p_value,
    "rows": number,
    "simulated": number,
    "effect": _text,
    "worst": _text,
}


def _evidence_cell(name: str, value: Any) -> Cell:  # noqa: ANN401 (any evidence)
    """Return a cell of evidence; only numbers have an unrounded value."""
    text = EVIDENCE[name](value)
    if EVIDENCE[name] in (number, p_value):
        return Cell(text, "" if value is None else str(value))
    return Cell(text, text)


def _is_number(cell: str) -> bool:
    try:
        float(cell)
    except ValueError:
        return False
    return True


def _cell(column: Column, value: str, labels: dict[str, str] | None) -> Cell:
    """Return a cell of a CSV file."""
    if column.numeric:
        return _numeric_cell(value)
    if column.name == "metric":
        return Cell(heading(value, labels), value)
    return Cell({"True": "yes", "False": "no"}.get(value, value), value)


def _piped(text: str) -> str:
    return text.replace("|", "\\|")
