"""Numbers of claims that a sentence quotes: ``{PAPER/CLAIM: WHAT}`` stands for a number of the record of a claim."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping

from claimaudit.verdicts import Cells, Comparisons, Evidence, Verdict
from claimaudit.words.numbers import amount, number, percent

FIELD = re.compile(r"\{([^{}]*?)(?:: ([^{}]*))?\}")


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
unit, what it is compared with, the extremes of their ratio, and how many comparisons are satisfied and made."""

AS_RUN = "as run "
"""Before what is quoted: under the standing reading that decides."""


def quotes(text: str) -> Iterator[tuple[str, str]]:
    """Yield the claims, as ``PAPER/CLAIM``, and what is quoted of each."""
    for field in FIELD.finditer(text):
        yield field[1], field[2] or ""


def unknown(what: str) -> bool:
    """Return whether nothing of this name can be quoted."""
    return what.removeprefix(AS_RUN) not in QUOTED


def quoted(text: str, claims: Mapping[str, Verdict]) -> str:
    """Return a sentence with its numbers, or nothing if a claim in it has none, because its data were missing."""
    parts = [(claims[name], what) for name, what in quotes(text)]
    if any(_evidence(verdict, what) is None for verdict, what in parts):
        return ""
    return FIELD.sub(lambda field: _quote(claims[field[1]], field[2]), text)


def _quote(verdict: Verdict, what: str) -> str:
    evidence = _evidence(verdict, what)
    return QUOTED[what.removeprefix(AS_RUN)](verdict, evidence) if evidence else ""


def _evidence(verdict: Verdict, what: str) -> Evidence | None:
    """Return the evidence from which a number is quoted; None if there is none."""
    if not verdict.evidence:
        return None
    if not what.startswith(AS_RUN):
        return verdict.stated
    return verdict.under(verdict.as_run.deciding) if verdict.as_run.deciding else None
