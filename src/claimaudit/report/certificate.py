"""The certificate of an audit: what was judged, from what, on which data and with which outcome, on one page."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import asdict
from typing import Any

from claimaudit.report.document import Document, ShownPaper
from claimaudit.storage import CHECKSUM, sealed
from claimaudit.words.findings import DISPUTED, reply_in_words, undecided
from claimaudit.words.names import plain, title_with
from claimaudit.words.numbers import number, plural
from claimaudit.words.origins import origin
from claimaudit.words.verdicts import COLUMNS, VERDICTS

Facts = dict[str, Any]

MOST = 6
"""Findings on headline claims and results, of which the page has room for so many."""

RESULTS = 12
"""Results that were given or made by commands, likewise."""

REPLIES = 3
"""Replies, likewise."""


def facts(document: Document, paper: ShownPaper) -> Facts:
    """Return all that the certificate of a paper says, as JSON.

    `identity` is the SHA-256 of what identifies the text. `data` has the name, state and checksums of each data set,
    `findings` verdict, statement, numbers and a word if it is disputed, `replies` what each is on and says, and
    `results` origin and checksum of those that were not computed here. So many more findings (`more`) and replies
    (`unsaid`) are left out. Replies are to be sent `answer_to`.
    """
    job, text = document.job, paper.text
    identity = {"title": text.title, "authors": text.authors, "venue": text.published_in} | (
        {"doi": text.doi} if text.doi else {}
    )
    found = tuple(_findings(paper))
    lacking = paper.counted - paper.tested
    places = {claim.record.id: claim.record.place for claim in paper.claims}
    not_run_here = [item.record for item in paper.experiments if item.record.source]
    return {
        "paper": paper.name,
        "title": title_with(paper.short, text.title),
        "authors": plain(text.authors),
        "venue": text.published_in,
        "doi": text.doi,
        "identity": sealed(identity)[CHECKSUM],
        "software": f"{document.about.software} {job.source.version}",
        "commit": job.source.commit_in_words,
        "date": job.source.date,
        "family_level": number(job.family_level),
        "origins": paper.origins,
        "data": tuple(_data(document, paper)),
        "claims": plural(paper.counted, "claim") + (f", {lacking} of them without data" if lacking else ""),
        "verdicts": tuple((asdict(VERDICTS[name]), count) for name, count in paper.score["verdicts"].items() if count),
        "answers": tuple(
            (heading, ", ".join(f"{count} {answer}" for answer, count in paper.score[key].items() if count))
            for key, (heading, _) in COLUMNS.items()
        ),
        "findings": found,
        "more": len(paper.findings.points) - len(found),
        "unchecked": undecided(claim.record for claim in paper.claims),
        "replies": tuple(
            (", ".join(places[name] for name in reply.claims) or "the audit", reply_in_words(reply))
            for reply in paper.replies[:REPLIES]
        ),
        "unsaid": max(0, len(paper.replies) - REPLIES),
        "results": tuple((origin(record), record.source_sha256 or record.sha256) for record in not_run_here[:RESULTS]),
        "page": f"{paper.name}.html",
        "answer_to": job.source.repository and f"{job.source.repository}/issues",
        "again": document.about.judge_paper.replace("PAPER", paper.name),
    }


def _data(document: Document, paper: ShownPaper) -> Iterator[tuple[str, str, str]]:
    """Yield the data sets of a paper with their state in this run and their checksums."""
    rows = next((rows for other, rows in document.data_of_texts if other is paper), [])
    for row in rows:
        states = ", ".join(f"{one.name} ({one.state})" for one in row.datasets)
        sums = ", ".join(one.sha256[:12] for one in row.datasets if one.sha256 and not one.missing)
        yield row.name, states or "made here", sums


def _findings(paper: ShownPaper) -> Iterator[tuple[Facts, str, str, str]]:
    disputed = {claim.record.id for claim in paper.claims if claim.disputed}
    main = [point for point in paper.findings.points if point.weight != "detail"]
    for point in main[:MOST]:
        mark = DISPUTED if disputed.intersection(point.claims) else ""
        claim = f"Claim ({point.place}): {point.claim} Found: " if point.claim else ""
        yield asdict(VERDICTS[point.verdict]), f"{claim}{point.states}", point.numbers, mark
