"""The report from its files: pages with the answers, with each text, and on how it was made; and PDF files."""

from __future__ import annotations

import json
import logging
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from jinja2 import Environment
from markupsafe import Markup

from claimaudit.plots.layers import LAYERS
from claimaudit.report import certificate, inputs, pdf
from claimaudit.report.about import ReportJob
from claimaudit.report.claims import FAMILIES
from claimaudit.report.document import Document, Glossary, Picture, ShownPaper, assemble
from claimaudit.report.findings import WEIGHTS
from claimaudit.report.markup import data_tables, environment, inline_svg, pack, slug
from claimaudit.report.mechanisms import LAYERS as WINNER_LAYERS
from claimaudit.report.mechanisms import summary, tally
from claimaudit.report.pictures import picture, ratios
from claimaudit.report.vocabulary import rank, vocabulary
from claimaudit.verdicts import NO_DATA, NOT_REPRODUCED, REPRODUCED
from claimaudit.words.findings import DISPUTED, by_whom
from claimaudit.words.names import exhibit_order, label
from claimaudit.words.origins import origin
from claimaudit.words.verdicts import ANSWERED, COLUMNS, MEANS_NOT_REPRODUCED, OPEN, VERDICTS, mark

SECTIONS = {
    "exhibits": "Figures and tables",
    "replies": "Replies",
    "findings": "Conclusions",
    "pairs": "Who beats whom",
    "ran": "What was run",
    "unchecked": "What was not checked",
    "readings": "Experiments",
}
"""The sections of a paper's page, in order, by the name in their address: the headings of page and menu."""

AT_FIRST = 3
"""Findings of a weight, and questions beyond the paper, that its page shows at once."""

LOG = logging.getLogger(__name__)
HEAVY = 15_000_000
"""Bytes of a page that takes too long to open on a phone."""


def report_files(job: ReportJob, files: Sequence[Path]) -> dict[str, bytes]:
    """Make a report from all files that it shows, sorted by directory: its pages and PDF files by name.

    Raises
    ------
    ValueError
        A file is missing or wrong.
    """
    document = assemble(job, inputs.read(inputs.sort(files), job.papers))
    contents = {name: text.encode() for name, text in render(document).items()}
    contents["report.pdf"] = pdf.render(document)
    for paper in document.papers:
        contents[f"certificate_{paper.name}.pdf"] = pdf.render_certificate(certificate.facts(document, paper))
    for name, content in contents.items():
        heavy = f", above {HEAVY / 1e6:.0f} MB; simplify figures" if len(content) > HEAVY else ""
        LOG.info(f"{name}, {len(content) / 1e6:.1f} MB{heavy}")
    return contents


def render(document: Document) -> dict[str, str]:
    """Return the pages by file name; the same document always yields the same bytes.

    Each page is self-contained. The tables of numbers and evidence, and the library that sorts and saves them
    (DataTables, from the package itables), are compressed in the page of their paper; its script unpacks them when a
    reader opens the first one.
    """
    templates = _templates(document)
    pages = {
        "index.html": templates.get_template("index.html").render(page="index", vocabulary=_search(document)),
    }
    for page in ("data", "method", "glossary", "provenance", *(["ways"] if document.job.ways.ways else [])):
        pages[f"{page}.html"] = templates.get_template(f"{page}.html").render(page=page)
    library = data_tables()
    pages["claims.html"] = templates.get_template("claims.html").render(
        page="claims", library=library, **_claims(document, templates)
    )
    for paper in document.papers:
        markup = {
            picture.id: inline_svg(picture.svg, f"svg-{picture.id}", picture.title) for picture in _pictures(paper)
        }
        pages[f"{paper.name}.html"] = templates.get_template("paper.html").render(
            page=paper.name,
            paper=paper,
            layers=LAYERS,
            drawings=pack(json.dumps(markup)),
            packed=pack(json.dumps(_numbers(paper))),
            library=library,
        )
        pages[f"certificate_{paper.name}.html"] = templates.get_template("certificate.html").render(
            page="certificate", paper=paper, facts=certificate.facts(document, paper)
        )
    return pages


def sections(paper: ShownPaper) -> list[tuple[str, str]]:
    """Return the sections of a paper's page that have content: their names and headings."""
    return [(name, heading) for name, heading in SECTIONS.items() if getattr(paper, name, True)]


def _templates(document: Document) -> Environment:
    templates = environment()
    templates.filters |= {
        "tally_of": tally,
        "picture": picture,
        "ratios": ratios,
    }
    templates.globals |= {
        "title": document.about.title,
        "origin_of": origin,
        "by_whom": by_whom,
        "disputed": DISPUTED,
        "document": document,
        "verdicts": list(VERDICTS.values()),
        "verdict_of": VERDICTS,
        "answers": list(ANSWERED.values()),
        "not_reproduced": NOT_REPRODUCED,
        "reproduced": REPRODUCED,
        "no_data": NO_DATA,
        "open": OPEN,
        "means_not_reproduced": MEANS_NOT_REPRODUCED,
        "mark_of": mark,
        "columns": COLUMNS,
        "winner_layers": WINNER_LAYERS,
        "winners_in_short": summary,
        "glossary": document.glossary,
        "terms": _terms(document.glossary),
        "at_first": AT_FIRST,
        "sections_of": sections,
    }
    return templates


def _terms(glossary: Glossary) -> Markup:
    """Return the terms for the cards of a page, as JSON that no tag can end."""
    terms = [
        term.model_dump(exclude={"reference"}) | {"slug": slug(term.term)}
        for term in (*glossary.papers, *glossary.method)
    ]
    return Markup(json.dumps(terms, ensure_ascii=False).replace("<", "\\u003c"))


def _search(document: Document) -> str:
    """Return what the search of the start page needs, as packed JSON."""
    entries, marks = vocabulary(document)
    shown = [{"name": mark.name, "slug": mark.slug, "symbol": mark.symbol} for mark in marks]
    content = {"marks": shown, "entries": entries}
    return pack(json.dumps(content, ensure_ascii=False))


def _pictures(paper: ShownPaper) -> list[Picture]:
    """Return the drawings of a paper's page: its figures, and printed numbers against ours."""
    differences = [item.difference for _, item in paper.exhibits if item.difference]
    return [*(figure.picture for figure in paper.figures), *differences]


def _numbers(paper: ShownPaper) -> dict[str, Any]:
    """Return the tables behind a paper's figures and tables, and the positions of rows in figures."""
    pictures = _pictures(paper)
    sheets = {table.id: table.numbers for table in paper.tables} | {one.id: one.numbers for one in pictures}
    return {
        "sheets": {name: sheet.packed() for name, sheet in sheets.items()},
        "points": {picture.id: picture.drawing.values for picture in pictures},
    }


def _claims(document: Document, templates: Environment) -> dict[str, Any]:
    """Return what the page of claims needs: what to filter by, and, packed, the cards and the tables behind them."""
    card = templates.get_template("claim.html").make_module({}).card  # type: ignore[attr-defined]
    claims = [(paper, claim) for paper in (*document.texts, *document.ours) for claim in paper.claims]
    named = {(claim.record.figure, label(claim.record.figure, paper.names)) for paper, claim in claims}
    sheets = {claim.id: claim.evidence for _, claim in claims}
    sheets |= {f"{claim.id}-comparisons": claim.comparisons for _, claim in claims if claim.total}
    return {
        "rows": sorted(claims, key=lambda one: (WEIGHTS.index(one[1].record.weight), rank(one[1])[0])),
        "papers": {paper.name: paper.short for paper in document.papers},
        "figures": {
            name or "-": " or ".join(sorted(shown for one, shown in named if one == name))
            if name
            else "theory and text"
            for name in sorted({one for one, _ in named}, key=exhibit_order)
        },
        "kinds": {kind: FAMILIES[kind] for kind in sorted({claim.record.kind for _, claim in claims})},
        "shown": {one.slug: f"{one.symbol} {one.name}" for one in VERDICTS.values()},
        "found": {one.slug: f"{one.symbol} {one.name}" for one in ANSWERED.values()},
        "weights": {weight: weight for weight in WEIGHTS},
        "cards": pack(json.dumps({claim.id: card(paper, claim) for paper, claim in claims})),
        "packed": pack(json.dumps({"sheets": {name: sheet.packed() for name, sheet in sheets.items()}})),
    }
