"""Render the report as one self-contained HTML page."""

from __future__ import annotations

import base64
import gzip
import json
from importlib import resources
from typing import Any

from jinja2 import Environment, PackageLoader, StrictUndefined
from markupsafe import Markup

from corrldp.report import svg, tidy
from corrldp.report.claims import NAMED
from corrldp.report.document import TITLE, Document, Paper
from corrldp.report.findings import WEIGHTS
from corrldp.report.markup import ANSWERED, COLUMNS, FILTERS, VERDICTS


def render(document: Document) -> str:
    """Return the page; the same document always yields the same bytes.

    The tables of numbers and evidence, and the library that sorts and saves them (DataTables, from the package
    itables), are compressed in the page; its script unpacks them when a reader opens the first one.
    """
    environment = Environment(
        loader=PackageLoader("corrldp.report"),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
        keep_trailing_newline=True,
    )
    environment.filters.update(FILTERS)
    environment.filters["numbers"] = tidy.evidence
    environment.filters["evidence"] = lambda text: tidy.evidence(tidy.sentence(text))
    drawings = {
        figure.id: svg.inline(figure.svg, f"svg-{paper.name}-{figure.name}", figure.entry["title"])
        for paper in document.papers
        for figure in paper.figures
        if figure.svg is not None
    }
    return environment.get_template("page.html").render(
        title=TITLE,
        document=document,
        verdicts=list(VERDICTS.values()),
        verdict_of=VERDICTS,
        answers=list(ANSWERED.values()),
        answer_of=ANSWERED,
        columns=COLUMNS,
        weights=WEIGHTS,
        named=NAMED,
        kinds=sorted({claim.record["kind"] for paper in document.papers for claim in paper.claims}),
        layers=svg.LAYERS,
        layers_of={name: drawing.layers for name, drawing in drawings.items()},
        drawing_of={name: Markup(drawing.markup) for name, drawing in drawings.items()},
        packed={paper.name: pack(json.dumps(_numbers(paper, drawings))) for paper in document.papers},
        library=pack(resources.files("itables").joinpath("html/dt_bundle.js").read_text(encoding="utf-8")),
    )


def pack(text: str) -> str:
    """Return a text compressed with gzip and encoded in base64, which needs no escaping inside a page."""
    return base64.b64encode(gzip.compress(text.encode(), mtime=0)).decode()


def _numbers(paper: Paper, drawings: dict[str, svg.Drawing]) -> dict[str, Any]:
    """Return the tables behind a paper's figures, tables and claims, and the positions of rows in figures."""
    sheets = {item.id: item.numbers for item in [*paper.figures, *paper.tables]}
    sheets |= {claim.id: claim.evidence for claim in paper.claims}
    sheets |= {f"{claim.id}-comparisons": claim.comparisons for claim in paper.claims if claim.total}
    return {
        "sheets": {name: sheet.packed() for name, sheet in sheets.items()},
        "points": {figure.id: drawings[figure.id].points for figure in paper.figures},
    }
