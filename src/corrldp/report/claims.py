"""A claim as the report shows it: its verdict, the three columns in which it is judged, and its evidence as tables."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import Any

from corrldp.audit.words import CONTRADICTED, GLYPH, NO_DATA, UNTESTED
from corrldp.report import sheets, tidy
from corrldp.report.findings import OPEN
from corrldp.report.markup import anchor
from corrldp.report.runs import SOURCES
from corrldp.report.sheets import Sheet
from corrldp.words.names import labels, plain
from corrldp.words.numbers import plural
from corrldp.words.verdicts import ANSWERED, COLUMNS, VERDICTS, Verdict

NAMED = 3
"""Standing readings that a claim names; the evidence has them all."""


@dataclass(frozen=True)
class View:
    """What one column says of a claim: the answer, the numbers behind it, and remarks on how it came about."""

    heading: str
    answer: Verdict
    effect: str
    remarks: tuple[str, ...]


@dataclass(frozen=True)
class Claim:
    """One claim: the audit's verdict record, its three columns, and the evidence as tables, made when first shown.

    Attributes
    ----------
    shown_by, experiment
        Ids on the page.
    printed
        The paper's numbers if there are several that the columns do not state.
    reason, thresholds
        Empty if the columns or the record's remark on the check say the same.
    open
        Why the claim is undecided.
    cause
        The error with which it falls, as a sentence.
    counts
        ``yes``, ``slip`` or ``no``.
    """

    record: dict[str, Any]
    verdict: Verdict
    views: dict[str, View]
    id: str
    shown_by: str | None
    experiment: str | None
    printed: Any
    reason: str
    thresholds: str
    open: str
    cause: str
    counts: str

    @cached_property
    def evidence(self) -> Sheet:
        """Its evidence, one row per reading."""
        return sheets.of_evidence(self.record)

    @property
    def comparisons(self) -> Sheet:
        """The first comparisons."""
        return self._compared[0]

    @property
    def total(self) -> int:
        """How many comparisons there are in all."""
        return self._compared[1]

    @cached_property
    def _compared(self) -> tuple[Sheet, int]:
        return sheets.of_comparisons(self.record)


def describe(paper: str, entry: dict[str, Any], record: dict[str, Any], causes: dict[str, Any]) -> Claim:
    """Return a claim as the report shows it, from its verdict record and the causes of its paper."""
    shown, experiment = record["figure"], record["table"]
    kind = "figure" if shown in entry["figures"] else "table"
    return Claim(
        record=record,
        verdict=VERDICTS[record["verdict"]],
        views={name: _view(record, name) for name in COLUMNS},
        id=anchor("claim", paper, record["id"]),
        shown_by=anchor(kind, paper, shown) if shown else None,
        experiment=anchor("experiment", paper, experiment) if experiment else None,
        printed=None if _seen(record) else record["printed"],
        reason=_reason(record),
        thresholds="" if _said(record["thresholds"], record["checked"]) else record["thresholds"],
        open=_open(record),
        cause=causes[record["cause"]]["states"].strip() if record["cause"] else "",
        counts="no" if not record["counted"] else "slip" if record["weight"] == "slip" else "yes",
    )


def _view(record: dict[str, Any], name: str) -> View:
    """Return one column of a claim; numbers that equal those as stated are not repeated."""
    column = record[name]
    remarks: list[str] = []
    effect = column["effect"]
    if name == "as_stated":
        remarks.append(tidy.reason(column["reason"]))
    elif effect == record["as_stated"]["effect"]:
        effect = ""
    if name == "as_run" and column["answer"] != UNTESTED:
        alone = len(record["evidence"]) == 1
        differ = column["depends"].startswith(("holds", "fails"))
        depends = tidy.sides(column["depends"]) if differ else []
        remarks += ["the text leaves no setting open here"] if alone else [_source(column), *depends]
    return View(COLUMNS[name][0], ANSWERED[column["answer"]], tidy.evidence(effect), tuple(filter(None, remarks)))


def _source(column: dict[str, Any]) -> str:
    """Say where the answer as run comes from, with the standing readings in words."""
    source, named = column["source"], column["words"]
    if source in ("inadmissible", "none", "rejected"):
        return f"{SOURCES[source]}, so all admissible readings were tried"
    more = [plural(len(named) - NAMED, "more reading")] if len(named) > NAMED else []
    by = f"the printed numbers of {labels(column['exhibits'])}" if source == "own" else SOURCES[source]
    return f"{'; or '.join([*named[:NAMED], *more])} ({by})"


def _open(record: dict[str, Any]) -> str:
    """Say why a claim is undecided and what would decide it."""
    if not record["why"]:
        return ""
    why = OPEN[record["why"]]
    if record["why"] == GLYPH:
        return f"{why}: {record['doubt']}"
    return f"{why}; {record['decides']} would decide it"


def _reason(record: dict[str, Any]) -> str:
    """Return the reason for a verdict if the three columns do not show it."""
    reason, stated = record["reason"], record["as_stated"]
    known = stated["effect"] and reason == f"{stated['effect']} ({stated['reason']})"
    known = known or (record["own_numbers"]["effect"] and record["own_numbers"]["effect"] in reason)
    return tidy.evidence(reason) if record["verdict"] in (NO_DATA, CONTRADICTED) and not known else ""


def _seen(record: dict[str, Any]) -> bool:
    """Return whether the columns state the paper's numbers."""
    printed = record["printed"]
    return sheets.single_number(printed) is not None or plain(printed) in record["as_stated"]["effect"]


def _said(thresholds: str, checked: str) -> bool:
    """Return whether the remark on a check states the thresholds of a vague word itself."""
    return bool(thresholds) and thresholds.split('" as ')[0] in checked
