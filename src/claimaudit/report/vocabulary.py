"""What the search of the start page can find: pairs of mechanisms, figures and tables, facts on the run, and claims."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from claimaudit.report.document import Document, Paper
from claimaudit.report.markup import anchor, slug
from claimaudit.report.pairs import count
from claimaudit.verdicts import AS_RUN, CONTRADICTED, NO_DATA, NOT_REPRODUCED, REPRODUCED, UNDECIDED
from claimaudit.words.verdicts import VERDICTS

Entry = dict[str, Any]

ORDER = (NOT_REPRODUCED, CONTRADICTED, AS_RUN, UNDECIDED, REPRODUCED, NO_DATA)
"""In which claims are listed: those that fail first."""


def vocabulary(document: Document) -> list[Entry]:
    """Return the entries, in the order in which results are listed.

    Each has ``link``, ``name`` (where it leads), ``states``, ``verdict`` (its place in `VERDICTS`, or None) and
    ``more``, further words by which it is found.
    """
    papers = document.papers
    claims = [entry for paper in papers for entry in _claims(paper)]
    places = [list(VERDICTS).index(verdict) for verdict in ORDER]
    return [
        *(entry for paper in papers for entry in _pairs(paper)),
        *(entry for paper in papers for entry in _exhibits(paper)),
        *_facts(document),
        *sorted(claims, key=lambda entry: places.index(entry["verdict"])),
    ]


def _entry(link: str, name: str, states: str, more: str = "", verdict: int | None = None) -> Entry:
    return {"link": link, "name": name, "states": states, "verdict": verdict, "more": more}


def _pairs(paper: Paper) -> Iterator[Entry]:
    for pair in paper.pairs:
        lower, settings = count(pair.stated)
        run = " and at {} of {} as run".format(*count(pair.run)) if pair.run else ""
        yield _entry(
            f"{paper.name}.html#{anchor('pair', paper.name, slug(pair.one), slug(pair.other))}",
            f"{paper.short}, who beats whom",
            f"{pair.one} has a lower error than {pair.other} at {lower} of {settings} settings as stated{run}.",
            paper.name,
        )


def _exhibits(paper: Paper) -> Iterator[Entry]:
    for item in (*paper.figures, *paper.tables):
        yield _entry(f"{paper.name}.html#{item.id}", f"{paper.short}, {item.name}", item.title, paper.name)


def _facts(document: Document) -> Iterator[Entry]:
    page = "provenance.html"
    for part, states, more in (
        ("cite", "How to cite this report: BibTeX and CITATION.cff.", "citation reference"),
        ("provenance", "Commit, version, seed and libraries of this run.", "date software"),
        ("stages", "How to regenerate one figure, table or paper.", "command rerun repeat"),
    ):
        yield _entry(f"{page}#{part}", "provenance", states, more)
    for record in document.data:
        yield _entry(
            f"{page}#{anchor('data', record['dataset'])}",
            "provenance",
            f"{record['title']}: licence, address, checksum.",
            f"data set {record['dataset']} {record['licence']}",
        )


def _claims(paper: Paper) -> Iterator[Entry]:
    verdicts = list(VERDICTS)
    for claim in paper.claims:
        record = claim.record
        yield _entry(
            f"{paper.name}.html#{claim.id}",
            f"{paper.short}, {record.place}",
            record.states,
            f"{paper.name} {paper.entry['title']} {record.id}",
            verdicts.index(record.verdict),
        )
