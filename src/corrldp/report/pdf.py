"""The report as one PDF file for archives: scoreboard, findings, vector figures, tables and every claim."""

from __future__ import annotations

import io
from collections.abc import Iterator, Sequence
from html import escape
from itertools import count

from reportlab.lib import colors
from reportlab.lib.pagesizes import A4
from reportlab.lib.units import mm
from reportlab.pdfgen.canvas import Canvas
from reportlab.platypus import BaseDocTemplate, Flowable, Frame, KeepTogether, PageBreak, PageTemplate
from reportlab.platypus import Paragraph as Text

from corrldp.report import command
from corrldp.report.document import TITLE, Claim, Document, Exhibit, Paper
from corrldp.report.markup import VERDICTS, Verdict, anchor, number, plain, times_stated
from corrldp.report.pdf_parts import BOLD, INK, SANS, VERDICT_COLORS, EmbeddedPage, embed, grid, paragraph_styles
from corrldp.report.wording import plural

MARGIN = 20 * mm
WIDTH = A4[0] - 2 * MARGIN
STYLES = paragraph_styles()
OUTLINE = {"h1": 0, "h2": 1, "h3": 2}  # heading styles and their levels in the file's outline


class _Template(BaseDocTemplate):
    """A4 pages with a running footer; headings become the file's outline."""

    def __init__(self, buffer: io.BytesIO) -> None:
        super().__init__(
            buffer, pagesize=A4, title=TITLE, author="corrldp", invariant=1, pageCompression=1, allowSplitting=1
        )
        frame = Frame(MARGIN, MARGIN, WIDTH, A4[1] - 2 * MARGIN, leftPadding=0, rightPadding=0)
        self.headings = count(1)
        self.addPageTemplates(PageTemplate(frames=[frame], onPage=_foot))

    def afterFlowable(self, flowable: Flowable) -> None:  # noqa: N802 (reportlab's name)
        """Add a heading to the outline."""
        if isinstance(flowable, Text) and (level := OUTLINE.get(flowable.style.name)) is not None:
            key = f"outline-{next(self.headings)}"
            self.canv.bookmarkPage(key)
            self.canv.addOutlineEntry(flowable.getPlainText(), key, level, closed=level > 0)


def _foot(canvas: Canvas, document: BaseDocTemplate) -> None:
    canvas.setFont(SANS, 7)
    canvas.setFillColor(colors.HexColor("#565e66"))
    canvas.drawString(MARGIN, 12 * mm, TITLE)
    canvas.drawRightString(A4[0] - MARGIN, 12 * mm, str(document.page))


def render(document: Document) -> bytes:
    """Return the PDF file; the same document always yields the same bytes."""
    buffer = io.BytesIO()
    story = [*_front(document)]
    for paper in document.papers:
        story.extend([PageBreak(), *_paper(paper)])
    story.extend([PageBreak(), *_provenance(document)])
    figures = [part for part in story if isinstance(part, EmbeddedPage)]
    _Template(buffer).build(story)
    return embed(buffer.getvalue(), figures)


def _text(style: str, markup: str) -> Text:
    return Text(markup, STYLES[style])


def _badge(verdict: Verdict, count: int | None = None) -> str:
    words = verdict.name if count is None else f"{count} {verdict.name}"
    unbroken = f"{verdict.symbol} {words}".replace(" ", "&nbsp;")
    return f'<font name="{BOLD}" color="{VERDICT_COLORS[verdict.slug]}">{unbroken}</font>'


def _front(document: Document) -> Iterator[Flowable]:
    """Yield the title, warnings and the scoreboard."""
    yield _text("title", TITLE)
    yield _text(
        "body",
        f"Every figure, table and checkable claim of {plural(len(document.papers), 'text')} was recomputed from the "
        "text and the public data, and compared with what the authors print. Each verdict follows from evidence by "
        "rule; none is written by hand. The page index.html beside this file has the evidence for every reading.",
    )
    if document.setting["runs_factor"] < 1:
        factor = number(document.setting["runs_factor"])
        yield _text("body", f"This is a quick run with {factor} times the papers' number of Monte-Carlo runs.")
    if document.made_up:
        names = ", ".join(escape(record["title"]) for record in document.made_up)
        yield _text("body", f"<b>Stand-in data was used</b> for {names}; claims that rest on it are untested.")
    yield _text("h1", "Scoreboard")
    rows = [
        [f"{escape(paper.entry['title'])} ({paper.name})", *_counts(paper), str(len(paper.claims))]
        for paper in document.papers
    ]
    totals = [str(document.totals[name]) for name in VERDICTS]
    rows.append(["All papers", *totals, str(document.totals.total())])
    yield grid(["Paper", *VERDICTS, "claims"], rows, WIDTH, numeric=range(1, len(VERDICTS) + 2))
    for verdict in VERDICTS.values():
        yield _text("small", f"{_badge(verdict)}: {verdict.meaning}.")
    level = number(document.setting["family_level"])
    chance = "The probability that any true claim of a paper fails by chance is at most"
    limit = "provided that simulated means are normally distributed; skewed errors can double it"
    yield _text("small", f"{chance} {level}, {limit}.")


def _counts(paper: Paper) -> list[str]:
    return [str(paper.counts[name]) for name in VERDICTS]


def _paper(paper: Paper) -> Iterator[Flowable]:
    """Yield one paper: findings, figures, tables, claims."""
    entry = paper.entry
    yield _text("h1", f"{escape(entry['title'])} ({paper.name})")
    year = f", {entry['year']}" if "year" in entry else ""
    doi = f" doi:{escape(entry['doi'])}" if "doi" in entry else ""
    yield _text("small", f"{escape(plain(entry['authors']))}. {escape(entry['venue'])}{year}.{doi}")
    yield _text("h2", "Findings")
    counts = [_badge(verdict, paper.counts[name]) for name, verdict in VERDICTS.items() if paper.counts[name]]
    yield _text("body", " &nbsp; ".join(counts))
    yield _text("body", escape(paper.findings.summary))
    for point in paper.findings.points:
        yield _text("point", f"{escape(point.text)} <i>{escape(', '.join(point.claims[:6]))}</i>")
    for heading, exhibits in (("Figures", paper.figures), ("Tables", paper.tables)):
        if exhibits:
            yield _text("h2", heading)
        for exhibit in exhibits:
            yield from _exhibit(exhibit)
    yield _text("h2", "Claims")
    for claim in paper.claims:
        yield _claim(paper, claim)


def _exhibit(exhibit: Exhibit) -> Iterator[Flowable]:
    """Yield a figure, kept together with its heading and caption, or a table, which may span pages."""
    beware = " (rests on stand-in data)" if exhibit.standin else ""
    yield _text("h3", f'<a name="{exhibit.id}"/>{escape(exhibit.entry["title"])} ({exhibit.name}){beware}')
    if exhibit.pdf:
        yield EmbeddedPage(exhibit.pdf, WIDTH)
        yield _text("caption", escape(exhibit.entry["caption"]))
        return
    numbers = exhibit.numbers
    yield _text("lead", escape(exhibit.entry["caption"]))
    yield grid(
        [escape(column.heading) for column in numbers.columns],
        [[escape(cell.text) for cell in row] for row in numbers.rows],
        WIDTH,
        numeric=[index for index, column in enumerate(numbers.columns) if column.numeric],
    )


def _claim(paper: Paper, claim: Claim) -> Flowable:
    """Return one claim: its place, its verdict, its statement and the reason for the verdict."""
    record = claim.record
    name = anchor("claim", paper.name, record["id"])
    lines: list[Flowable] = [
        _text("claim", f'<a name="{name}"/><b>{escape(record["where"])}</b> &nbsp; {_badge(claim.verdict)}'),
        _text("stated", escape(record["states"])),
    ]
    details = []
    if record["effect"] and record["effect"] not in record["reason"]:
        details.append(f"Found: {escape(record['effect'].removesuffix('.'))}.")
    details.append(f"Reason: {escape(record['reason'].removesuffix('.'))}.")
    if record["reading"] and record["reading"] != "strict":
        details.append(f"Reading: {escape(record['words'])}.")
    if record["origin"] == "ours":
        details.append("Origin: our own check, not a statement of the paper.")
    details += [f"{name.capitalize()}: {escape(record[name])}." for name in ("refines", "cause") if record[name]]
    if claim.printed:
        details.append(f"Printed: {escape(plain(claim.printed))}.")
    if record["note"]:
        details.append(f"Note: {escape(record['note'])}")
    lines.append(_text("detail", " ".join(details)))
    shown = f', <link href="#{claim.shown_by}" color="{INK}">{record["figure"]}</link>' if claim.shown_by else ""
    lines.append(_text("detail", f"{record['id']}, {record['kind']}{shown}"))
    return KeepTogether(lines)


def _provenance(document: Document) -> Iterator[Flowable]:
    """Yield the sources of the data and what is needed to reproduce this report."""
    yield _text("h1", "Data and provenance")
    for record in document.data:
        doi = f" doi:{escape(record['doi'])}." if record.get("doi") else ""
        yield _text(
            "small",
            f"<b>{escape(record['title'])}</b> ({record['dataset']}): {record['status']}; {record['bytes']:,} bytes; "
            f"SHA-256 {record['sha256']}; {escape(plain(record['licence']))}. {escape(record['citation'])}.{doi}",
        )
    setting = document.setting
    yield _text(
        "small",
        f"Seed {setting['seed']}; Monte-Carlo runs: {times_stated(setting['runs_factor'])}; "
        f"libraries: {escape(plain(setting['versions']))}.",
    )
    for paper in document.papers:
        for experiment in paper.experiments:
            record = experiment.record
            yield _text(
                "detail",
                f"{paper.name} {experiment.name}: {experiment.runner}, seed {record['seed']}, result table SHA-256 "
                f"{record['sha256']}.",
            )


def main(argv: Sequence[str] | None = None) -> None:
    """Command line: see `corrldp.report.command.run`."""
    command.run(__doc__, render, argv)


if __name__ == "__main__":
    main()
