"""The report from its files: the document, and its pages and PDF."""

from __future__ import annotations

import logging
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any

from claimaudit.checksums import read_sealed
from claimaudit.report import certificate, inputs, page, pdf
from claimaudit.report.document import Document, assemble

LOG = logging.getLogger(__name__)
HEAVY = 15_000_000  # bytes; a phone takes too long to open a larger page


def document_of(setting: Mapping[str, Any], files: Iterable[Path]) -> Document:
    """Read all files that a report shows, sorted by directory; `setting` is that of `Document` but for its papers.

    Raises
    ------
    ValueError
        A file is missing or wrong.
    """
    found = inputs.sort(files)
    full = {**setting, "papers": {path.stem: read_sealed(path) for path in found.papers}}
    return assemble(full, inputs.read(full, found))


def render(document: Document) -> dict[str, bytes]:
    """Return the pages of a report, its PDF file and the certificates by their names."""
    contents = {name: text.encode() for name, text in page.render(document).items()}
    certificates = {f"certificate_{paper.name}.pdf": certificate.render(document, paper) for paper in document.papers}
    return {**contents, "report.pdf": pdf.render(document), **certificates}


def report_files(job: dict[str, Any], files: Sequence[Path]) -> dict[str, bytes]:
    """Make a report from all files that it shows: its pages and PDF files by name."""
    contents = render(document_of(job, files))
    for name, content in contents.items():
        heavy = f", above {HEAVY / 1e6:.0f} MB; simplify figures" if len(content) > HEAVY else ""
        LOG.info(f"{name}, {len(content) / 1e6:.1f} MB{heavy}")
    return contents
