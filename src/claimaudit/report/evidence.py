"""The evidence of a claim as tables: a row per reading, and a row per comparison."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from claimaudit.audit.checks import CHECKS
from claimaudit.report.sheets import Cell, Column, Sheet, numeric_cell
from claimaudit.verdicts import Evidence, Names, Scalar, Step, Verdict
from claimaudit.words import evidence as words
from claimaudit.words.names import heading, place, plain, reading, step
from claimaudit.words.numbers import DASH, number, p_value
from claimaudit.words.verdicts import truth

LONGEST = 200
"""Comparisons of one claim that the page shows, at most."""


NUMERIC: dict[str, Callable[[float | None], str]] = {
    **dict.fromkeys(("estimate", "se", "statistic", "rows", "simulated"), number),
    "p_value": p_value,
}
"""The columns of numbers, each with its format; only they have an unrounded value."""

COLUMNS = (
    *("reading", "standing", "holds", "meaning", "estimate", "se", "interval", "printed"),
    *("statistic", "p_value", "rows", "simulated", "effect", "worst"),
)
"""The columns of the evidence, in order."""


def by_reading(verdict: Verdict, names: Names) -> Sheet:
    """Return a row per reading, without empty columns."""
    rows = [_row(verdict, item, names) for item in verdict.evidence]
    shown = [name for name in COLUMNS if name == "holds" or any(row[name].text != DASH for row in rows)]
    if not any(item.standing for item in verdict.evidence):  # nothing says what was run
        shown = [name for name in shown if name != "standing"]
    columns = [Column(name, heading(name), name in NUMERIC) for name in shown]
    return Sheet(columns, [[row[name] for name in shown] for row in rows])


def _row(verdict: Verdict, item: Evidence, names: Names) -> dict[str, Cell]:
    """Return one reading's evidence by the names in `COLUMNS`."""
    between = "" if item.low is None or item.low == item.high else f"{number(item.low)} to {number(item.high)}"
    texts = {
        "reading": reading(names, verdict.table, item.reading),
        "standing": truth(item.standing),
        "holds": truth(item.holds),
        "meaning": item.meaning,
        "interval": between,
        "printed": words.single_number(verdict.printed),
        "effect": words.effect(verdict, item),
        "worst": place(item.worst, verdict.called),
    }
    found = ((name, form, getattr(item, name)) for name, form in NUMERIC.items())
    numbers = {name: Cell(form(value), "" if value is None else str(value)) for name, form, value in found}
    return {name: Cell(text or DASH, text or DASH) for name, text in texts.items()} | numbers


def comparisons(verdict: Verdict, names: Names, longest: int = LONGEST) -> Sheet:
    """Return the comparisons of a claim under the strict and the standing readings.

    If there are more than `longest`, those under the strict reading come first, and of these the violated ones.
    """
    rows: list[dict[str, Any]] = [
        {"reading": reading(names, verdict.table, item.reading), **dict(zip(item.comparisons, values, strict=True))}
        for item in verdict.evidence
        for values in zip(*item.comparisons.values(), strict=True)
    ]
    if isinstance(verdict.check.get("against"), str):
        rows = [_with_ratio(row) for row in rows]
    if len(rows) > longest:
        first = rows[0]["reading"]
        rows = sorted(rows, key=lambda row: (row["reading"] != first, row.get("outcome") != "violated"))[:longest]
    columns = list(dict.fromkeys(name for row in rows for name in row))
    sides = CHECKS[verdict.kind].sides
    found = [
        _column(name, [row.get(name) for row in rows], sides.get(name) or heading(name, verdict.called))
        for name in columns
    ]
    cells = [[_compared(column, row.get(column.name), verdict.called) for column in found] for row in rows]
    return Sheet(found, cells)


def _with_ratio(row: dict[str, Any]) -> dict[str, Any]:
    """Add the ratio of two positive sides; its error is that of their difference, as where the ratio is near 1."""
    left, right, error = (row.get(name) or 0.0 for name in ("left", "right", "se"))
    return {**row, "over": left / right, "se_over": error / right} if left > 0 < right else row


def _column(name: str, values: list[Scalar | Step], title: str) -> Column:
    known = [value for value in values if value is not None]
    numeric = bool(known) and all(isinstance(value, int | float) and not isinstance(value, bool) for value in known)
    constant = len(values) > 1 and len({str(value) for value in values}) == 1
    return Column(name, title, numeric, constant)


def _compared(column: Column, value: Scalar | Step, called: Mapping[str, str]) -> Cell:
    if isinstance(value, tuple):
        return Cell(step(value, called), step(value))
    raw = "" if value is None else str(value)
    return numeric_cell(raw) if column.numeric else Cell(called.get(raw) or (plain(value) if value else DASH), raw)
