"""A claim as the report shows it: its verdict, the three columns in which it is judged, and its evidence as tables."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from corrldp.audit.words import CONTRADICTED, NO_DATA, UNTESTED
from corrldp.report import sheets
from corrldp.report.markup import ANSWERED, COLUMNS, VERDICTS, Verdict, anchor, label
from corrldp.report.runs import SOURCES
from corrldp.report.sheets import Sheet
from corrldp.report.wording import listed, plural

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
    """One claim: the audit's verdict record, its three columns, and the evidence as tables.

    `shown_by` and `experiment` are ids on the page; `printed` holds the paper's numbers if there are several; `total`
    is the number of comparisons, of which `comparisons` shows the first. `reason` and `thresholds` are empty if the
    columns or the record's remark on the check say the same. `counts` is ``yes``, ``slip`` or ``no``.
    """

    record: dict[str, Any]
    verdict: Verdict
    views: dict[str, View]
    evidence: Sheet
    comparisons: Sheet
    total: int
    id: str
    shown_by: str | None
    experiment: str | None
    printed: Any
    reason: str
    thresholds: str
    cause: str
    counts: str


def describe(paper: str, entry: dict[str, Any], record: dict[str, Any], causes: dict[str, Any]) -> Claim:
    """Return a claim as the report shows it, from its verdict record and the causes of its paper."""
    shown, experiment = record["figure"], record["table"]
    kind = "figure" if shown in entry["figures"] else "table"
    comparisons, total = sheets.of_comparisons(record)
    return Claim(
        record=record,
        verdict=VERDICTS[record["verdict"]],
        views={name: _view(record, name) for name in COLUMNS},
        evidence=sheets.of_evidence(record),
        comparisons=comparisons,
        total=total,
        id=anchor("claim", paper, record["id"]),
        shown_by=anchor(kind, paper, shown) if shown else None,
        experiment=anchor("experiment", paper, experiment) if experiment else None,
        printed=None if sheets.single_number(record["printed"]) else record["printed"],
        reason=_reason(record),
        thresholds="" if _said(record["thresholds"], record["checked"]) else record["thresholds"],
        cause=causes[record["cause"]]["states"].strip() if record["cause"] else "",
        counts="no" if not record["counted"] else "slip" if record["weight"] == "slip" else "yes",
    )


def _view(record: dict[str, Any], name: str) -> View:
    """Return one column of a claim; numbers as run that equal those as stated are not repeated."""
    column = record[name]
    remarks: list[str] = []
    effect = column["effect"]
    if name == "as_stated":
        remarks.append(column["reason"])
    if name == "as_run" and column["answer"] != UNTESTED:
        remarks += [_source(column), column["depends"]]
        effect = "" if effect == record["as_stated"]["effect"] else effect
    return View(COLUMNS[name][0], ANSWERED[column["answer"]], effect, tuple(filter(None, remarks)))


def _source(column: dict[str, Any]) -> str:
    """Say where the answer as run comes from, with the standing readings in words."""
    source, named = column["source"], column["words"]
    if source in ("none", "rejected"):
        return f"{SOURCES[source]}, so all admissible readings were tried"
    more = [plural(len(named) - NAMED, "more reading")] if len(named) > NAMED else []
    exhibits = listed([label(name) for name in column["exhibits"]]) if column["exhibits"] else ""
    by = f"the printed numbers of {exhibits}" if source == "own" and exhibits else SOURCES[source]
    return f"{'; or '.join([*named[:NAMED], *more])} ({by})"


def _reason(record: dict[str, Any]) -> str:
    """Return the reason for a verdict if the three columns do not show it."""
    reason, stated = record["reason"], record["as_stated"]
    known = stated["effect"] and reason == f"{stated['effect']} ({stated['reason']})"
    return reason if record["verdict"] in (NO_DATA, CONTRADICTED) and not known else ""


def _said(thresholds: str, checked: str) -> bool:
    """Return whether the remark on a check states the thresholds of a vague word itself."""
    return bool(thresholds) and thresholds.split('" as ')[0] in checked
