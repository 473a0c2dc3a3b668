"""Building blocks of the PDF report: fonts, paragraphs, tables and embedded pages of other PDF files."""

from __future__ import annotations

import io
from collections.abc import Iterable, Sequence
from importlib.resources import as_file, files
from typing import cast

from pypdf import PageObject, PdfReader, PdfWriter
from pypdf.generic import ArrayObject, DictionaryObject, IndirectObject, NameObject, StreamObject
from reportlab.lib import colors
from reportlab.lib.enums import TA_RIGHT
from reportlab.lib.pagesizes import A4
from reportlab.lib.styles import ParagraphStyle
from reportlab.lib.units import mm
from reportlab.pdfbase import pdfmetrics
from reportlab.pdfbase.ttfonts import TTFont
from reportlab.platypus import Flowable, Table, TableStyle

from corrldp.report.pdf_tags import END, TaggedCanvas, Text, marked, tag_table
from corrldp.words.verdicts import Verdict

SANS, BOLD, ITALIC = "DejaVuSans", "DejaVuSans-Bold", "DejaVuSans-Oblique"
INK, SOFT, RULE = "#1d2125", "#565e66", "#dcdfe2"
VERDICT_COLORS = {
    "reproduced": "#0b4f8f",
    "as-run": "#6a4700",
    "not-reproduced": "#94300a",
    "contradicted": "#762a68",
    "undecided": "#4a5158",
    "no-data": "#565e66",
}
MARGIN = 20 * mm
WIDTH = A4[0] - 2 * MARGIN
CELL_SIZE = 7.0
CELL_PADDING = 3.0


class EmbeddedPage(Flowable):
    """Space, no wider than the text, for the first page of a PDF file, which `embed` draws as vectors.

    It stays on one page with the caption that follows.
    """

    keepWithNext = 1  # noqa: N815 (reportlab's name)
    place: tuple[int, float, float]
    mark: int

    def __init__(self, pdf: bytes, width: float, alternative: str) -> None:
        super().__init__()
        self.alternative = alternative
        self.source: PageObject = PdfReader(io.BytesIO(pdf)).pages[0]
        box = self.source.mediabox
        self.scale = min(1.0, width / float(box.width))
        self.width, self.height = float(box.width) * self.scale, float(box.height) * self.scale
        self.hAlign = "CENTER"

    def draw(self) -> None:
        """Record the page (counted from 0), the position and the mark assigned by the layout."""
        x, y = self.canv.absolutePosition(0, 0)
        self.mark = cast(TaggedCanvas, self.canv).add("Figure", self.alternative)
        self.place = (self.canv.getPageNumber() - 1, x, y)


def embed(writer: PdfWriter, figures: Iterable[EmbeddedPage]) -> None:
    """Draw the embedded pages where the layout placed them."""
    for index, figure in enumerate(figures):
        number, x, y = figure.place
        page, name = writer.pages[number], NameObject(f"/Figure{index}")
        resources = cast(DictionaryObject, page["/Resources"])
        resources.setdefault(NameObject("/XObject"), DictionaryObject())[name] = _form(writer, figure.source)
        drawing = StreamObject()
        placed = f"q {figure.scale:.6f} 0 0 {figure.scale:.6f} {x:.4f} {y:.4f} cm {name} Do Q"
        drawing.set_data(f"{marked('Figure', figure.mark)} {placed} {END}".encode())
        contents = page["/Contents"].get_object()
        streams = contents if isinstance(contents, ArrayObject) else [page.raw_get("/Contents")]
        page[NameObject("/Contents")] = ArrayObject([*streams, writer._add_object(drawing)])


def _form(writer: PdfWriter, page: PageObject) -> IndirectObject:
    """Add a page to a file as a form, a drawing that its pages can reuse."""
    form = StreamObject()
    contents = page.get_contents()
    form.set_data(contents.get_data() if contents is not None else b"")
    form.update(
        {
            NameObject("/Type"): NameObject("/XObject"),
            NameObject("/Subtype"): NameObject("/Form"),
            NameObject("/BBox"): page.mediabox,
            NameObject("/Resources"): page["/Resources"].clone(writer),
        }
    )
    return writer._add_object(form.flate_encode())


def paragraph_styles() -> dict[str, ParagraphStyle]:
    """Return the paragraph styles by name, set in DejaVu Sans, which has the symbols of all verdicts."""
    fonts = files("matplotlib").joinpath("mpl-data/fonts/ttf")
    for name in (SANS, BOLD, ITALIC):
        with as_file(fonts.joinpath(f"{name}.ttf")) as path:
            pdfmetrics.registerFont(TTFont(name, str(path)))
    pdfmetrics.registerFontFamily(SANS, normal=SANS, bold=BOLD, italic=ITALIC, boldItalic=BOLD)
    body = ParagraphStyle("body", fontName=SANS, fontSize=9, leading=13, spaceAfter=5, textColor=colors.HexColor(INK))
    heading = ParagraphStyle("heading", body, fontName=BOLD, keepWithNext=1)
    small = ParagraphStyle("small", body, fontSize=7.5, leading=10.5, spaceAfter=3)
    styles = [
        body,
        small,
        ParagraphStyle("title", heading, fontSize=19, leading=24, spaceAfter=10, keepWithNext=0),
        ParagraphStyle("h1", heading, fontSize=14, leading=18, spaceBefore=10, spaceAfter=6),
        ParagraphStyle("h2", heading, fontSize=11, leading=15, spaceBefore=12, spaceAfter=5),
        ParagraphStyle("h3", heading, fontSize=9, leading=12, spaceBefore=8, spaceAfter=3),
        ParagraphStyle("caption", small, textColor=colors.HexColor(SOFT), spaceAfter=8),
        ParagraphStyle("point", body, bulletFontName=SANS, bulletFontSize=9, leftIndent=10, spaceAfter=4),
    ]
    return {style.name: style for style in styles}


STYLES = paragraph_styles()


def text(style: str, markup: str) -> Text:
    """Return a paragraph in a named style; a ``point`` has a bullet."""
    return Text(markup, STYLES[style], bulletText="•" if style == "point" else None)


def badge(verdict: Verdict, count: int | None = None) -> str:
    """Return a verdict with its symbol and colour, and how often it occurs."""
    words = verdict.name if count is None else f"{count} {verdict.name}"
    unbroken = f"{verdict.symbol} {words}".replace(" ", "&nbsp;")
    return f'<font name="{BOLD}" color="{VERDICT_COLORS[verdict.slug]}">{unbroken}</font>'


def grid(head: Sequence[str], rows: Sequence[Sequence[str]], width: float, numeric: Iterable[int]) -> Table:
    """Return a table whose header is repeated on every page; numeric columns are right-aligned, the widest wrap."""
    numeric = set(numeric)
    widths = _capped([_natural_width(*column) for column in zip(head, *rows, strict=True)], width)
    left = ParagraphStyle("cell", fontName=SANS, fontSize=CELL_SIZE, leading=1.3 * CELL_SIZE)
    styles = {
        "cell": left,
        "number": ParagraphStyle("number", left, alignment=TA_RIGHT),
        "head": ParagraphStyle("head", left, fontName=BOLD),
        "right": ParagraphStyle("head", left, fontName=BOLD, alignment=TA_RIGHT),
    }
    texts = [
        [Text(cell, styles[names[column in numeric]]) for column, cell in enumerate(line)]
        for names, line in [(("head", "right"), head), *((("cell", "number"), row) for row in rows)]
    ]
    style = TableStyle(
        [
            ("LINEBELOW", (0, 0), (-1, 0), 0.6, colors.HexColor(SOFT)),
            ("LINEBELOW", (0, 1), (-1, -1), 0.3, colors.HexColor(RULE)),
            ("FONTNAME", (0, 0), (-1, -1), SANS),
            ("VALIGN", (0, 0), (-1, -1), "TOP"),
            ("TOPPADDING", (0, 0), (-1, -1), 1.5),
            ("BOTTOMPADDING", (0, 0), (-1, -1), 1.5),
            ("LEFTPADDING", (0, 0), (-1, -1), CELL_PADDING),
            ("RIGHTPADDING", (0, 0), (-1, -1), CELL_PADDING),
        ]
    )
    return Table(
        texts,
        widths,
        repeatRows=1,
        style=style,
        hAlign="LEFT",
        spaceBefore=4,
        spaceAfter=8,
        renderCB=tag_table,  # type: ignore[arg-type]  # the stubs want a class; any callable does
    )


def _natural_width(head: str, *texts: str) -> float:
    """Return the width at which no text wraps in a column; its header may wrap between words."""
    longest = max(pdfmetrics.stringWidth(text, BOLD, CELL_SIZE) for text in [*head.split(), *texts])
    return longest + 2 * CELL_PADDING + 1


def _capped(widths: list[float], total: float) -> list[float]:
    """Return the widths capped at the largest common bound for which they fit the total."""
    room, bound = total, total
    for rank, entry in enumerate(sorted(widths)):
        bound = room / (len(widths) - rank)
        if entry > bound:
            break
        room -= entry
    return [min(entry, bound) for entry in widths] if sum(widths) > total else widths
