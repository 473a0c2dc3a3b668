"""The certificate of an audit: what was judged, from what, on which data and with which outcome, on one page."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import asdict
from typing import Any

from claimaudit.checksums import CHECKSUM, sealed
from claimaudit.report.document import Document, ShownPaper
from claimaudit.report.typeset import typeset
from claimaudit.verdicts import NO_DATA
from claimaudit.words.findings import COUNTED, DISPUTED, reply_in_words, undecided
from claimaudit.words.names import plain, title_with
from claimaudit.words.numbers import number, plural
from claimaudit.words.origins import origin
from claimaudit.words.verdicts import COLUMNS, VERDICTS

MOST = 7
"""Findings on headline claims and results, of which the page has room for so many."""

RESULTS = 12
"""Results that were given or made by commands, likewise."""

REPLIES = 3
"""Replies, likewise."""

IDENTIFIES = ("title", "authors", "venue", "doi")
"""Parts of a paper's entry that identify the text."""


def render(document: Document, paper: ShownPaper) -> bytes:
    """Return a paper's certificate as a PDF file; the same document always yields the same bytes."""
    return typeset(document, "certificate_page.typ", facts(document, paper))


def facts(document: Document, paper: ShownPaper) -> dict[str, Any]:
    """Return all that the certificate of a paper says, as JSON."""
    source, entry = document.setting["source"], paper.entry
    identity = {key: entry[key] for key in IDENTIFIES if key in entry}
    found = list(_findings(paper))
    not_run_here = [item for item in paper.experiments if "source" in item.record]
    return {
        "title": title_with(paper.short, entry["title"]),
        "authors": plain(entry["authors"]),
        "venue": entry["venue"],
        "doi": entry.get("doi"),
        "identity": sealed(identity)[CHECKSUM],
        "software": f"{document.about.software} {source['version']}",
        "commit": source["commit"] + (" with local changes" if source["changed"] else "") if source["commit"] else None,
        "date": source["date"] or None,
        "family_level": number(document.setting["family_level"]),
        "origins": paper.origins,
        "data": list(_data(document, paper)),
        "claims": plural(paper.counted, "claim"),
        "verdicts": [
            {**asdict(VERDICTS[name]), "count": str(count)} for name, count in paper.score["verdicts"].items() if count
        ],
        "answers": [
            {
                "heading": heading,
                "found": ", ".join(f"{count} {answer}" for answer, count in paper.score[key].items() if count),
            }
            for key, (heading, _) in COLUMNS.items()
        ],
        "findings": found,
        "more": len(paper.findings.points) - len(found) or None,
        "unchecked": _unchecked(paper),
        "replies": [
            {"states": reply_in_words(reply), "on": _places(paper, reply.claims) or "the audit"}
            for reply in paper.replies[:REPLIES]
        ],
        "unsaid": max(0, len(paper.replies) - REPLIES),
        "results": [
            {"origin": origin(item.record), "sha256": item.record.get("source_sha256", item.record["sha256"])}
            for item in not_run_here[:RESULTS]
        ],
        "page": f"{paper.name}.html",
        "answer_to": f"{source['repository']}/issues" if source.get("repository") else None,
        "again": document.about.judge_paper.replace("PAPER", paper.name),
    }


def _data(document: Document, paper: ShownPaper) -> Iterator[dict[str, str]]:
    """Yield the data sets of a paper with their state in this run and their checksums."""
    rows = next((rows for other, rows in document.data_of_texts if other is paper), [])
    for row in rows:
        states = ", ".join(f"{one.name} ({one.state})" for one in row.datasets)
        sums = ", ".join(one.sha256[:12] for one in row.datasets if one.sha256 and not one.missing)
        yield {"name": row.name, "state": states or "made here", "sha256": sums}


def _findings(paper: ShownPaper) -> Iterator[dict[str, Any]]:
    """Yield the weightiest findings on a paper."""
    disputed = {claim.record.id for claim in paper.claims if claim.disputed}
    main = [point for point in paper.findings.points if point.weight != "detail"]
    for point in main[:MOST]:
        mark = DISPUTED if disputed.intersection(point.claims) else None
        yield {**asdict(VERDICTS[point.verdict]), "states": point.states, "numbers": point.numbers, "disputed": mark}


def _unchecked(paper: ShownPaper) -> str:
    """Say what could not be checked, and why."""
    records = [claim.record for claim in paper.claims]
    lacking = paper.score["verdicts"][NO_DATA]
    need, needs = (f"claim {COUNTED[NO_DATA][0]}", f"claims {COUNTED[NO_DATA][1]}")
    return " ".join(filter(None, (f"{plural(lacking, need, needs)}." if lacking else "", undecided(records))))


def _places(paper: ShownPaper, ids: tuple[str, ...]) -> str:
    places = {claim.record.id: claim.record.place for claim in paper.claims}
    return ", ".join(places[name] for name in ids)
