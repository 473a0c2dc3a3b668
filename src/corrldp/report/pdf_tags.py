"""Tags of the PDF report: the tree of its parts, by which screen readers tell headings, tables and figures apart.

ReportLab has no tagged PDF, so the canvas notes each part while it draws, and pypdf writes the tree into the file.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Any, cast

from pypdf import PdfWriter
from pypdf.generic import (
    ArrayObject,
    BooleanObject,
    DictionaryObject,
    IndirectObject,
    NameObject,
    NumberObject,
    TextStringObject,
)
from reportlab.pdfgen.canvas import Canvas
from reportlab.platypus import Paragraph, Table

ARTIFACT, END = "/Artifact BMC", "EMC"
STYLE_TAGS = {"title": "H1", "h1": "H2", "h2": "H3", "h3": "H4", "caption": "Caption", "head": "TH", "number": "TD"}
STYLE_TAGS |= {"cell": "TD"}


@dataclass
class Part:
    """One part of a document: its tag, the parts within it, and, if it is drawn, its page and its mark there."""

    tag: str
    alternative: str = ""
    mark: tuple[int, int] | None = None
    parts: list[Part] = field(default_factory=list)


class TaggedCanvas(Canvas):
    """A canvas that adds what it draws to `root`; pages and marks on a page are counted from 0."""

    def __init__(self, *args: Any, root: Part, **options: Any) -> None:  # noqa: ANN401 (the base class's)
        super().__init__(*args, **options)
        self._open = [root]
        self._marks = 0

    def showPage(self) -> None:  # noqa: N802 (reportlab's name)
        """End the page."""
        super().showPage()
        self._marks = 0

    def add(self, tag: str, alternative: str = "") -> int:
        """Add a part that is drawn on this page; return its mark."""
        mark = self._marks
        self._marks += 1
        self._open[-1].parts.append(Part(tag, alternative, (self.getPageNumber() - 1, mark)))
        return mark

    def begin(self, tag: str) -> None:
        """Open a part that consists of the following ones, up to `end`."""
        part = Part(tag)
        self._open[-1].parts.append(part)
        self._open.append(part)

    def end(self) -> None:
        """Close the part opened last."""
        self._open.pop()

    @contextmanager
    def drawn(self, tag: str) -> Iterator[None]:
        """Tag what is drawn in this context."""
        self.addLiteral(marked(tag, self.add(tag)))
        yield
        self.addLiteral(END)

    @contextmanager
    def artifact(self) -> Iterator[None]:
        """Mark what is drawn in this context as no part of the text."""
        self.addLiteral(ARTIFACT)
        yield
        self.addLiteral(END)


class Text(Paragraph):
    """A paragraph, tagged by its style."""

    def draw(self) -> None:
        """Draw the paragraph."""
        with cast(TaggedCanvas, self.canv).drawn(STYLE_TAGS.get(self.style.name, "P")):
            super().draw()


def tag_table(table: Table, event: str, *_: object) -> None:
    """Tag a table and its rows; lines and backgrounds are no part of the text (reportlab calls this as it draws)."""
    canvas = cast(TaggedCanvas, table.canv)
    match event:
        case "startTable":
            canvas.begin("Table")
        case "startRow":
            canvas.begin("TR")
        case "endRow" | "endTable":
            canvas.end()
        case "startBG" | "startLines":
            canvas.addLiteral(ARTIFACT)
        case "endBG" | "endLines":
            canvas.addLiteral(END)


def marked(tag: str, mark: int) -> str:
    """Return the operator that starts a marked part of a page."""
    return f"/{tag} <</MCID {mark}>> BDC"


def write_tree(writer: PdfWriter, root: Part) -> None:
    """Write the tree of a document's parts into its file (ISO 32000-1, 14.7)."""
    marks: list[list[IndirectObject]] = [[] for _ in writer.pages]
    tree = DictionaryObject({NameObject("/Type"): NameObject("/StructTreeRoot")})
    reference = writer._add_object(tree)
    tree[NameObject("/K")] = _element(writer, root, reference, marks)
    numbers = ArrayObject()
    for index, elements in enumerate(marks):
        writer.pages[index][NameObject("/StructParents")] = NumberObject(index)
        writer.pages[index][NameObject("/Tabs")] = NameObject("/S")
        numbers.extend([NumberObject(index), ArrayObject(elements)])
    parents = DictionaryObject({NameObject("/Nums"): numbers})
    tree[NameObject("/ParentTree")] = writer._add_object(parents)
    writer.root_object[NameObject("/StructTreeRoot")] = reference
    writer.root_object[NameObject("/MarkInfo")] = DictionaryObject({NameObject("/Marked"): BooleanObject(True)})


def _element(
    writer: PdfWriter, part: Part, parent: IndirectObject, marks: list[list[IndirectObject]]
) -> IndirectObject:
    """Add a part and those within it; `marks` collects the drawn parts of each page in order of their marks."""
    element = DictionaryObject(
        {
            NameObject("/Type"): NameObject("/StructElem"),
            NameObject("/S"): NameObject(f"/{part.tag}"),
            NameObject("/P"): parent,
        }
    )
    reference = writer._add_object(element)
    if part.alternative:
        element[NameObject("/Alt")] = TextStringObject(part.alternative)
    if part.tag == "TH":
        scope = {NameObject("/O"): NameObject("/Table"), NameObject("/Scope"): NameObject("/Column")}
        element[NameObject("/A")] = DictionaryObject(scope)
    if part.mark is None:
        element[NameObject("/K")] = ArrayObject(_element(writer, inner, reference, marks) for inner in part.parts)
    else:
        page, mark = part.mark
        element[NameObject("/Pg")] = writer.pages[page].indirect_reference
        element[NameObject("/K")] = NumberObject(mark)
        marks[page].append(reference)
    return reference
