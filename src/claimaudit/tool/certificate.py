"""The certificate of an audit: what was judged, on whose numbers and with which verdicts, on one page."""

from __future__ import annotations

import json
from dataclasses import asdict
from datetime import UTC, datetime
from importlib import resources
from typing import Any

import typst

from claimaudit.report.document import Document
from claimaudit.report.pdf import fonts
from claimaudit.verdicts import FALLS
from claimaudit.words.findings import reply_in_words
from claimaudit.words.names import plain
from claimaudit.words.numbers import number, plural
from claimaudit.words.origins import origin
from claimaudit.words.verdicts import VERDICTS

MOST = 14
"""Claims that do not hold, of which the page has room for so many."""

REPLIES = 3
"""Replies, likewise."""


def render(document: Document) -> bytes:
    """Return the PDF file; the same document always yields the same bytes."""
    template = resources.files("claimaudit.report").joinpath("templates/certificate.typ").read_bytes()
    sys_inputs = {"facts": json.dumps(facts(document))}
    compiler = typst.Compiler(template, font_paths=fonts(), sys_inputs=sys_inputs)
    day = datetime.fromisoformat(document.setting["source"]["date"] or "1970-01-01")
    content = compiler.compile(format="pdf", pdf_standards=["ua-1"], timestamp=day.replace(tzinfo=UTC))
    assert isinstance(content, bytes)
    return content


def facts(document: Document) -> dict[str, Any]:
    """Return all that the template shows, as JSON."""
    (paper,) = document.papers
    source, entry = document.setting["source"], paper.entry
    fallen = [claim for claim in paper.claims if claim.record.counted and claim.record.verdict in FALLS]
    places = {claim.record.id: claim.record.place for claim in paper.claims}
    return {
        "title": document.about.title,
        "paper": entry["title"],
        "authors": plain(entry["authors"]),
        "venue": entry["venue"],
        "doi": entry.get("doi"),
        "software": f"{document.about.software} {source['version']}",
        "commit": source["commit"] + (" with local changes" if source["changed"] else "") if source["commit"] else None,
        "date": source["date"] or None,
        "again": document.about.again,
        "family_level": number(document.setting["family_level"]),
        "origins": paper.origins,
        "verdicts": [
            {**asdict(VERDICTS[name]), "count": str(count)} for name, count in paper.score["verdicts"].items() if count
        ],
        "claims": plural(paper.counted, "claim"),
        "fallen": [
            {
                "place": claim.record.place,
                "states": claim.record.states,
                "disputed": claim.disputed,
                **asdict(claim.verdict),
            }
            for claim in fallen[:MOST]
        ],
        "replies": [
            {"states": reply_in_words(reply), "on": ", ".join(places[claim] for claim in reply.claims) or "the audit"}
            for reply in paper.replies[:REPLIES]
        ],
        "unsaid": max(0, len(paper.replies) - REPLIES),
        "more": len(fallen) - MOST if len(fallen) > MOST else None,
        "results": [
            {"origin": origin(item.record), "sha256": item.record.get("source_sha256", item.record["sha256"])}
            for item in paper.experiments[:MOST]
        ],
    }
