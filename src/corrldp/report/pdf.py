"""The report as one PDF file for archives: a paper with abstract, method, results per paper, limits and an appendix."""

from __future__ import annotations

import io
from collections.abc import Iterator, Sequence
from functools import partial
from html import escape
from itertools import count
from typing import Any, cast

from pypdf import PdfWriter
from reportlab.lib import colors
from reportlab.lib.pagesizes import A4
from reportlab.lib.units import mm
from reportlab.pdfgen.canvas import Canvas
from reportlab.platypus import BaseDocTemplate, Flowable, Frame, PageTemplate

from corrldp.report import command
from corrldp.report.document import TITLE, Document
from corrldp.report.pdf_front import front, limits
from corrldp.report.pdf_paper import paper_section
from corrldp.report.pdf_parts import MARGIN, SANS, SOFT, WIDTH, EmbeddedPage, embed, grid, text
from corrldp.report.pdf_tags import Part, TaggedCanvas, Text, write_tree
from corrldp.words.names import plain

OUTLINE = {"h1": 0, "h2": 1}  # heading styles and their levels in the file's outline
WHERE = (
    ("index.html", "the report as pages: conclusions, and a page for each text with all claims, figures and tables"),
    ("provenance.html", "how the report was made, the addresses of the data, and how to cite it"),
    (
        "claims.csv, claims.json",
        "all verdicts: one row per claim; or with all evidence, as its schema in the package says",
    ),
    ("predictions.csv", "what each number of the papers' figures and tables should be, under each standing reading"),
    ("verdicts/, papers/", "the verdicts and the resolved configuration of each paper"),
    ("notebooks/", "a walk-through of each paper"),
    ("ro-crate-metadata.json", "metadata of the run: every file, data set and result table with its checksum"),
    ("../figures/, ../tables/", "all figures with the numbers drawn, and all tables"),
    ("../results/", "the result tables, each with a record of its setting, seed, versions and checksum"),
)


class _Template(BaseDocTemplate):
    """A4 pages with a running footer; headings become the file's outline."""

    def __init__(self, buffer: io.BytesIO) -> None:
        super().__init__(
            buffer,
            pagesize=A4,
            title=TITLE,
            author="The corrldp developers",
            subject="Replication and audit of research on local differential privacy for correlated data",
            lang="en",
            initialFontName=SANS,
            displayDocTitle=1,
            invariant=1,
            pageCompression=1,
        )
        frame = Frame(MARGIN, MARGIN, WIDTH, A4[1] - 2 * MARGIN, leftPadding=0, rightPadding=0)
        self.headings = count(1)
        self.addPageTemplates(PageTemplate(frames=[frame], onPage=_foot))

    def afterFlowable(self, flowable: Flowable) -> None:  # noqa: N802 (reportlab's name)
        """Add a heading to the outline."""
        if isinstance(flowable, Text) and (level := OUTLINE.get(flowable.style.name)) is not None:
            key = f"outline-{next(self.headings)}"
            self.canv.bookmarkPage(key)
            self.canv.addOutlineEntry(flowable.getPlainText(), key, level, closed=level == 0)


def _foot(canvas: Canvas, document: BaseDocTemplate) -> None:
    with cast(TaggedCanvas, canvas).artifact():
        canvas.setFont(SANS, 7)
        canvas.setFillColor(colors.HexColor(SOFT))
        canvas.drawString(MARGIN, 12 * mm, TITLE)
        canvas.drawRightString(A4[0] - MARGIN, 12 * mm, str(document.page))


def render(document: Document) -> bytes:
    """Return the PDF file; the same document always yields the same bytes."""
    story = [*front(document)]
    for paper in document.papers:
        story.extend(paper_section(paper))
    story.extend([*limits(document), *_appendix(document)])
    figures = [part for part in story if isinstance(part, EmbeddedPage)]
    buffer, root = io.BytesIO(), Part("Document")
    _Template(buffer).build(story, canvasmaker=partial(TaggedCanvas, root=root))
    writer = PdfWriter(clone_from=buffer)
    writer.pdf_header = "%PDF-1.7"
    embed(writer, figures)
    write_tree(writer, root)
    _stamp(writer, document.setting)
    out = io.BytesIO()
    writer.write(out)
    return out.getvalue()


def _stamp(writer: PdfWriter, setting: dict[str, Any]) -> None:
    """Set the file's date to that of the code, if known; remove its identifier, which depends on the environment."""
    writer._ID = None
    writer.metadata = {name: value for name, value in (writer.metadata or {}).items() if not name.endswith("Date")}
    if date := setting.get("source", {}).get("date"):
        writer.add_metadata({"/CreationDate": f"D:{date.replace('-', '')}"})


def _appendix(document: Document) -> Iterator[Flowable]:
    """Yield where everything is, the sources of the data, and what is needed to run it again."""
    yield text("h1", "Where everything is")
    yield text("body", "Paths are relative to the directory of this file.")
    yield grid(["File", "What it has"], [list(map(escape, line)) for line in WHERE], WIDTH, numeric=())
    yield text("h1", "Data and provenance")
    for record in document.data:
        doi = f" doi:{escape(record['doi'])}." if record.get("doi") else ""
        source = f"{escape(record['citation'].removesuffix('.'))}.{doi}"
        yield text(
            "small",
            f"<b>{escape(record['title'])}</b> ({record['dataset']}): {record['status']}; {record['bytes']:,} bytes; "
            f"SHA-256 {record['sha256']}; {escape(plain(record['licence']))}. {source}",
        )
    setting = document.setting
    yield text("small", f"Seed {setting['seed']}; libraries: {escape(plain(setting['versions']))}.")


def main(argv: Sequence[str] | None = None) -> None:
    """Command line: see `corrldp.report.command.run`."""
    command.run(__doc__, render, argv)


if __name__ == "__main__":
    main()
