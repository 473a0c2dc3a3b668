"""The report from its files: pages with the answers, with each text, and on how it was made; and PDF files."""

from __future__ import annotations

import json
import logging
from collections.abc import Iterable, Sequence
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import typst
from jinja2 import Environment
from markupsafe import Markup

from claimaudit import yaml_files
from claimaudit.audit.summary import Score
from claimaudit.plots.figure import fonts
from claimaudit.plots.layers import FOOT, LAYERS
from claimaudit.report import inputs
from claimaudit.report.about import MethodFile, ReportJob, Term
from claimaudit.report.claims import FAMILIES
from claimaudit.report.document import Document, Picture, ShownPaper, assemble
from claimaudit.report.findings import WEIGHTS
from claimaudit.report.markup import data_tables, environment, inline_svg, pack, slug, svg_without
from claimaudit.report.mechanisms import LAYERS as WINNER_LAYERS
from claimaudit.report.mechanisms import summary, tally
from claimaudit.report.pictures import picture, ratios
from claimaudit.verdicts import LEVEL, NO_DATA, NOT_REPRODUCED, REPRODUCED
from claimaudit.words import runs
from claimaudit.words.findings import DISPUTED, by_whom, place, scores, undecided, untested
from claimaudit.words.names import exhibit_order, label, reading, title_with
from claimaudit.words.numbers import listed
from claimaudit.words.origins import origin
from claimaudit.words.verdicts import ANSWERED, COLUMNS, OPEN, UNCOUNTED, VERDICTS, mark

LOG = logging.getLogger(__name__)
HEAVY = 15_000_000
"""Bytes of a page that takes too long to open on a phone."""


def report_files(job: ReportJob, files: Sequence[Path]) -> dict[str, bytes]:
    """Make a report from all files that it shows: its pages and PDF files by name.

    Raises
    ------
    ValueError
        A file is damaged, or another one than was made.
    """
    document = assemble(job, inputs.read(files))
    contents = {name: text.encode() for name, text in render(document).items()} | typeset(document)
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
        "index.html": templates.get_template("index.html").render(
            page="index", vocabulary=_search(document, templates)
        ),
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
            page="certificate", paper=paper
        )
    return pages


def typeset(document: Document) -> dict[str, bytes]:
    """Return the report and the certificate of each paper as PDF files by name, tagged as PDF/UA-1 demands.

    The same document always yields the same bytes.
    """
    templates = _templates(document).overlay(finalize=_in_typst)
    sources = {"report": templates.get_template("report.typ").render()}
    for paper in document.papers:
        sources[f"certificate_{paper.name}"] = templates.get_template("certificate.typ").render(paper=paper)
    day = datetime.fromisoformat(document.job.source.date or "1970-01-01").replace(tzinfo=UTC)
    made = {}
    for name, source in sources.items():
        compiler = typst.Compiler(source.encode(), font_paths=fonts())
        file = compiler.compile(format="pdf", pdf_standards=["ua-1"], timestamp=day)
        assert isinstance(file, bytes)  # other formats are one file for each page
        made[f"{name}.pdf"] = file
    return made


def literal(value: object) -> Markup:
    """Return a value as JSON, of which strings are strings of Typst, too."""
    return Markup(json.dumps(value, ensure_ascii=False))


def _in_typst(value: object) -> Markup:
    """Return what a template of Typst says in its markup: plain text is a string, and never markup itself."""
    return value if isinstance(value, Markup) else Markup(f"#{literal(str(value))};")


def _templates(document: Document) -> Environment:
    method = yaml_files.load(Path(__file__).parent / "templates/glossary.yaml", MethodFile)
    templates = environment()
    in_words = (by_whom, listed, mark, origin, place, reading, scores, summary, tally, title_with)
    on_exhibits = (runs.answer, runs.broken, runs.count_inside, runs.on_runs, runs.sentences)
    on_pools = (runs.answer_on_pool, runs.beside_text, runs.likely, runs.sentences_on_pool)
    functions = (answered, literal, picture, ratios, svg_without, undecided, untested)
    templates.filters |= {one.__name__: one for one in (*in_words, *on_exhibits, *on_pools, *functions)}
    templates.globals |= {
        "title": document.about.title,
        "disputed": DISPUTED,
        "document": document,
        "verdicts": list(VERDICTS.values()),
        "verdict_of": VERDICTS,
        "answers": list(ANSWERED.values()),
        "not_reproduced": NOT_REPRODUCED,
        "reproduced": REPRODUCED,
        "no_data": NO_DATA,
        "open": OPEN,
        "uncounted": UNCOUNTED,
        "columns": COLUMNS,
        "winner_layers": WINNER_LAYERS,
        "method_words": method.terms,
        "meanings": method.verdicts,
        "terms": _terms((*document.job.glossary.root, *method.terms)),
        "level": LEVEL,
        "foot": FOOT,
    }
    return templates


def answered(score: Score, column: str) -> str:
    """Say how many claims have each answer in a column."""
    return ", ".join(f"{count} {answer}" for answer, count in score[column].items() if count)


def _terms(words: Iterable[Term]) -> Markup:
    """Return the terms for the cards of a page, as JSON that no tag can end."""
    terms = [term.model_dump(exclude={"reference"}) | {"slug": slug(term.term)} for term in words]
    return Markup(json.dumps(terms, ensure_ascii=False).replace("<", "\\u003c"))


def _search(document: Document, templates: Environment) -> str:
    """Return what the search of the start page needs, as packed JSON: the marks of claims, and what it finds."""
    claims = [(paper, claim) for paper in document.papers for claim in paper.claims]
    claims.sort(key=lambda item: item[1].rank)
    marks = list(dict.fromkeys(claim.mark for _, claim in claims))
    found = (
        templates.overlay(autoescape=False)
        .get_template("search.jsonl")
        .render(claims=claims, marks=marks, short={paper.name: paper.short for paper in document.papers})
    )
    shown = [{"name": mark.name, "slug": mark.slug, "symbol": mark.symbol} for mark in marks]
    content = {"marks": shown, "entries": [json.loads(line) for line in filter(None, found.split("\n"))]}
    return pack(json.dumps(content, ensure_ascii=False))


def _pictures(paper: ShownPaper) -> list[Picture]:
    """Return the drawings of a paper's page: its figures, and printed numbers against ours."""
    pictures = (*(item.picture for item in paper.figures), *(item.difference for item in paper.exhibits))
    return [picture for picture in pictures if picture]


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
        "rows": sorted(claims, key=lambda one: (WEIGHTS.index(one[1].record.weight), one[1].rank[0])),
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
