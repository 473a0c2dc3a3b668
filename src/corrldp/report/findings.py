"""Findings: a summary of the verdicts on the claims of a paper. Each sentence follows from the records by rule."""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import Any

from corrldp.audit.words import CONTRADICTORY, NOT_REPRODUCED, OTHER_READING, REPRODUCED, UNTESTED
from corrldp.report.fits import Fit, fits
from corrldp.report.wording import listed, percent, plural
from corrldp.results import STRICT

Record = dict[str, Any]
NAMED = 4  # places or readings named in a sentence


@dataclass(frozen=True)
class Finding:
    """One or two sentences, and the ids of the claims on which they rest."""

    text: str
    claims: tuple[str, ...]


@dataclass(frozen=True)
class Findings:
    """A paragraph on the whole paper, and the individual findings, most important first."""

    summary: str
    points: tuple[Finding, ...]


def findings(verdicts: list[Record]) -> Findings:
    """Derive the findings on one paper from the verdict records of its claims (report/verdicts/ID.json)."""
    verdicts = _in_words(verdicts)
    by_verdict = defaultdict(list)
    for record in verdicts:
        by_verdict[record["verdict"]].append(record)
    contradictory, other = by_verdict[CONTRADICTORY], by_verdict[OTHER_READING]
    failing = sorted(by_verdict[NOT_REPRODUCED], key=_exact, reverse=True)
    sentences = (
        _scores(by_verdict, len(verdicts)),
        _contradictions(contradictory),
        _failures(failing),
        _published(verdicts),
        _readings(other),
        _reliability(verdicts),
    )
    points = (
        *(_point(record, "The paper's own numbers disagree") for record in contradictory),
        *(_point(record, "We find otherwise") for record in failing),
        *_grouped(other, _shown_in, _rescued),
        *_grouped(by_verdict[UNTESTED], _obstacle, _open),
        *_held(by_verdict[REPRODUCED]),
    )
    return Findings(" ".join(filter(None, sentences)), points)


def _scores(by_verdict: dict[str, list[Record]], total: int) -> str:
    """State how many claims have each verdict."""
    unavailable = sum(not record["evidence"] for record in by_verdict[UNTESTED])
    printed = "contradicted by what the paper itself prints"
    parts = (
        (len(by_verdict[REPRODUCED]), "holds as stated", "hold as stated"),
        (len(by_verdict[OTHER_READING]), "holds only under another reading", "hold only under another reading"),
        (len(by_verdict[NOT_REPRODUCED]), "holds under no reading tried", "hold under no reading tried"),
        (len(by_verdict[CONTRADICTORY]), f"is {printed}", f"are {printed}"),
        (len(by_verdict[UNTESTED]) - unavailable, "cannot be decided", "cannot be decided"),
        (unavailable, "needs data that could not be obtained", "need data that could not be obtained"),
    )
    words = [plural(count, one, several) for count, one, several in parts if count]
    return f"Of {plural(total, 'checkable claim')}, {listed(words)}."


def _contradictions(records: list[Record]) -> str:
    """State where printed numbers disagree."""
    return f"Printed numbers or sentences disagree with each other in {_where(records)}." if records else ""


def _failures(records: list[Record]) -> str:
    """State where claims fail under all readings, and how many fail without any simulation."""
    if not records:
        return ""
    exact = sum(map(_exact, records))
    how = f"; {exact} of {len(records)} without simulation error, by enumeration, arithmetic or a closed form"
    return f"Claims fail under every reading in {_where(records)}{how if exact else ''}."


def _published(verdicts: list[Record]) -> str:
    """State which readings the published tables and curves fit."""
    compared = [record for record in verdicts if record["kind"] == "cells" and record["evidence"]]
    if not compared:
        return ""
    strict, chosen, unexplained = fits(compared)

    def fitting(fit: Fit, more: str) -> str:
        return f"{fit.gained}{more} under {_quoted(fit.reading)} ({percent(fit.inside)} of the cells)"

    best = [fitting(fit, " more" if position else "") for position, fit in enumerate(chosen)]
    explained = f" Best fits: {listed(best, NAMED, 'reading')}." if best else ""
    left = f" {plural(unexplained, 'fits', 'fit')} no reading tried." if unexplained else ""
    tables = plural(len(compared), "published table or curve", "published tables and curves")
    return (
        f"Compared cell by cell, {strict.fitting} of {tables} {'fits' if strict.fitting == 1 else 'fit'} the text as it"
        f" stands, with {percent(strict.inside)} of all cells inside their 95 % interval.{explained}{left}"
    )


def _readings(records: list[Record]) -> str:
    """State under which readings most of the claims that fail as stated hold."""
    if len(records) < 2:
        return ""
    counts = Counter(reading for record in records for reading in _holding(record))
    (first, times), *others = counts.most_common(NAMED)
    most = [f"{times} hold under {_quoted(first)}", *(f"{count} under {_quoted(name)}" for name, count in others)]
    return f"Of the claims that hold only under another reading, {listed(most)}."


def _reliability(verdicts: list[Record]) -> str:
    """State the probability that a claim fails by chance."""
    levels = [record["level"] for record in verdicts if record["level"]]
    if not levels:
        return "No check rests on simulation."
    return (
        f"{plural(len(levels), 'check rests', 'checks rest')} on simulation; the probability that any true claim among "
        f"them fails by chance is at most {sum(levels):.2g}, provided that simulated means are normally distributed."
    )


def _point(record: Record, remark: str) -> Finding:
    return Finding(f"{_stated(record)} {remark}: {record['effect']}.", (record["id"],))


def _grouped(
    records: list[Record], key: Callable[[Record], str], word: Callable[[str, list[Record]], str]
) -> Iterable[Finding]:
    """Summarise records by key, the largest groups first."""
    groups = defaultdict(list)
    for record in records:
        groups[key(record)].append(record)
    for name, members in sorted(groups.items(), key=lambda group: -len(group[1])):
        yield Finding(word(name, members), _ids(members))


def _rescued(name: str, records: list[Record]) -> str:
    """State that claims fail as stated, and under which readings all or most of them hold."""
    counts = Counter(reading for record in records for reading in _holding(record))
    most, total = max(counts.values()), len(records)
    best = listed([_quoted(reading) for reading in counts if counts[reading] == most], 2, "reading", "or")
    if total == 1:
        return f"{_stated(records[0])} It fails as stated and holds under {best}."
    share = ("both" if total == 2 else f"all {total}") if most == total else f"{most} of {total}"
    how = f"{share} under {best}" if most > 1 else "no two under the same"
    return f"{name[0].upper()}{name[1:]}: {total} claims fail as stated and hold under another reading, {how}."


def _open(name: str, records: list[Record]) -> str:
    return f"{name}: {plural(len(records), 'claim')}, in {_where(records)}."


def _held(records: list[Record]) -> Iterable[Finding]:
    """State in one sentence where claims hold."""
    counts = Counter(map(_shown_in, records))
    if counts:
        places = listed([f"{name} ({count})" for name, count in counts.most_common()])
        yield Finding(f"Claims hold as stated for {places}.", _ids(records))


def _obstacle(record: Record) -> str:
    """Explain why a claim is untested."""
    if not record["evidence"]:
        return record["reason"][0].upper() + record["reason"][1:]
    fails = record["evidence"][0]["holds"] is False
    return "Fails as stated, but the check cannot tell under another reading" if fails else "The check cannot tell"


def _in_words(verdicts: list[Record]) -> list[Record]:
    """Replace the name of each reading but the strict one by its words, the longest of any experiment."""
    words: dict[str, str] = {}
    for item in (item for record in verdicts for item in record["evidence"]):
        name = item["reading"]
        words[name] = name if name == STRICT else max(words.get(name, ""), item["words"] or name, key=len)
    return [
        {**record, "evidence": [{**item, "reading": words[item["reading"]]} for item in record["evidence"]]}
        for record in verdicts
    ]


def _holding(record: Record) -> list[str]:
    return [item["reading"] for item in record["evidence"] if item["holds"]]


def _exact(record: Record) -> bool:
    return record["level"] == 0


def _ids(records: list[Record]) -> tuple[str, ...]:
    return tuple(record["id"] for record in records)


def _where(records: list[Record]) -> str:
    """List the first distinct places of claims, without details after a comma or semicolon."""
    places = dict.fromkeys(re.split("[,;]", record["where"])[0] for record in records)
    return listed(list(places), NAMED, "place")


def _stated(record: Record) -> str:
    """Return the place of a claim, its statement, and whether it is our own."""
    ours = ", our own check" if record["origin"] == "ours" else ""
    return f"{record['where']}{ours}: {record['states']}"


def _quoted(reading: str) -> str:
    return "the strict reading" if reading == STRICT else f'"{reading}"'


def _shown_in(record: Record) -> str:
    """Return the figure, table or experiment to which a claim refers."""
    name = record["figure"] or record["table"]
    numbered = re.fullmatch(r"(fig|table)(\d+)", name)
    if numbered:
        return f"{'Figure' if numbered[1] == 'fig' else 'Table'} {numbered[2]}"
    return f"experiment {name}" if name else "printed numbers"
