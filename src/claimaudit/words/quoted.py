"""Numbers of claims that a sentence quotes: ``{PAPER/CLAIM: WHAT}`` stands for a number of the record of a claim."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping
from dataclasses import replace

from claimaudit.verdicts import Cells, Comparisons, Evidence, Verdict
from claimaudit.words.names import RUN
from claimaudit.words.numbers import amount, number, percent

FIELD = re.compile(r"\{([^{}]*?)(?:: ([^{}]*))?\}")
AT = re.compile(r"(?P<what>.+) at (?P<column>\w+) = (?P<value>\S+)")


def _column(evidence: Evidence, name: str) -> list[float]:
    return [float(value) for value in evidence.comparisons[name] if isinstance(value, int | float)]


def _ratios(evidence: Evidence) -> list[float]:
    return [left / right for left, right in zip(_column(evidence, "left"), _column(evidence, "right"), strict=True)]


def _satisfied(evidence: Evidence) -> str:
    match evidence.found:
        case Comparisons(satisfied=count) | Cells(inside=count):
            return number(count)
    return number(None)


QUOTED: dict[str, Callable[[Verdict, Evidence], str]] = {
    "least": lambda verdict, evidence: amount(min(_column(evidence, "left")), verdict.unit),
    "most": lambda verdict, evidence: amount(max(_column(evidence, "left")), verdict.unit),
    "threshold": lambda verdict, evidence: amount(_column(evidence, "right")[0], verdict.unit),
    "least ratio": lambda _, evidence: number(min(_ratios(evidence)), 3),
    "most ratio": lambda _, evidence: number(max(_ratios(evidence)), 3),
    "least share": lambda _, evidence: percent(min(_ratios(evidence))),
    "most share": lambda _, evidence: percent(max(_ratios(evidence))),
    "satisfied": lambda _, evidence: _satisfied(evidence),
    "rows": lambda _, evidence: number(evidence.rows),
}
"""What a sentence may quote of a claim, under the strict reading: the extremes of the number checked, in the claim's
unit, what it is compared with, the extremes of their ratio, and how many comparisons are satisfied and made. It is
quoted at one setting with `` at COLUMN = VALUE`` after it."""

AS_RUN = f"{RUN} "
"""Before what is quoted: under the standing reading that decides."""

WHOLE = ("satisfied", "rows")
"""What is quoted of all comparisons only; the rest also of those ``at COLUMN = VALUE``."""


def quotes(text: str) -> Iterator[tuple[str, str]]:
    """Yield the claims, as ``PAPER/CLAIM``, and what is quoted of each."""
    for field in FIELD.finditer(text):
        yield field[1], field[2] or ""


def unknown(what: str) -> bool:
    """Return whether nothing of this name can be quoted."""
    name, at = _parts(what)
    return name not in QUOTED or (at is not None and name in WHOLE)


def quoted(text: str, claims: Mapping[str, Verdict]) -> str:
    """Return a sentence with its numbers, or nothing if a claim in it has none, because its data were missing."""
    parts = [(claims[name], what) for name, what in quotes(text)]
    if any(_evidence(verdict, what) is None for verdict, what in parts):
        return ""
    return filled(text, claims)


def filled(text: str, claims: Mapping[str, Verdict]) -> str:
    """Return a text with its numbers, each a dash where the claim has none."""
    return FIELD.sub(lambda field: _quote(claims[field[1]], field[2]), text)


def _parts(what: str) -> tuple[str, tuple[str, str] | None]:
    """Return what is quoted, and the column and its value if it is quoted at one setting only."""
    at = AT.fullmatch(what.removeprefix(AS_RUN))
    return (at["what"], (at["column"], at["value"])) if at else (what.removeprefix(AS_RUN), None)


def _quote(verdict: Verdict, what: str) -> str:
    evidence = _evidence(verdict, what)
    if not evidence:
        return number(None)
    name, at = _parts(what)
    return QUOTED[name](verdict, _at(evidence, verdict, *at) if at else evidence)


def _at(evidence: Evidence, verdict: Verdict, column: str, value: str) -> Evidence:
    settings = evidence.comparisons.get(column, [])
    rows = [row for row, each in enumerate(settings) if str(each) == value]
    if not rows:
        raise ValueError(f"claim {verdict.id} has no comparison at {column} = {value}, which a conclusion quotes")
    return replace(evidence, comparisons={k: [of[row] for row in rows] for k, of in evidence.comparisons.items()})


def _evidence(verdict: Verdict, what: str) -> Evidence | None:
    """Return the evidence from which a number is quoted; None if there is none."""
    if not verdict.evidence:
        return None
    if not what.startswith(AS_RUN):
        return verdict.stated
    return verdict.under(verdict.as_run.deciding) if verdict.as_run.deciding else None
