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
from reportlab.platypus import BaseDocTemplate, Flowable, Frame, PageBreak, PageTemplate
from reportlab.platypus import Paragraph as Text

from corrldp.report import command
from corrldp.report.document import TITLE, Document, Exhibit, Paper
from corrldp.report.markup import COLUMNS, VERDICTS, number, plain, times_stated
from corrldp.report.pdf_parts import SANS, EmbeddedPage, embed, grid
from corrldp.report.pdf_verdicts import badge, claim_block, findings, ran, text
from corrldp.report.wording import plural

MARGIN = 20 * mm
WIDTH = A4[0] - 2 * MARGIN
Score = dict[str, dict[str, int]]
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


def _front(document: Document) -> Iterator[Flowable]:
    """Yield the title, warnings and the scoreboard."""
    yield text("title", TITLE)
    yield text(
        "body",
        f"Every figure, table and checkable claim of {plural(len(document.papers), 'text')} was recomputed from the "
        "text and the public data, and compared with what the authors print. Each verdict follows from evidence by "
        "rule; none is written by hand. The page index.html beside this file has the evidence for every reading.",
    )
    if document.setting["runs_factor"] < 1:
        factor = number(document.setting["runs_factor"])
        yield text("body", f"This is a quick run with {factor} times the papers' number of Monte-Carlo runs.")
    if document.made_up:
        names = ", ".join(escape(record["title"]) for record in document.made_up)
        yield text("body", f"<b>Stand-in data was used</b> for {names}; claims that rest on it have no data.")
    yield text("h1", "Scoreboard")
    yield text(
        "small",
        "Counted are the claims that the papers make, that could fail, and that are no mere slips of the pen. Our own "
        "checks and definitions are shown and never counted.",
    )
    yield from _scoreboard(document)
    for verdict in VERDICTS.values():
        yield text("small", f"{badge(verdict)}: the claim {verdict.meaning}.")
    level = number(document.setting["family_level"])
    chance = "The probability that any true claim of a paper fails by chance is at most"
    limit = "provided that simulated means are normally distributed; skewed errors can double it"
    yield text("small", f"{chance} {level}, {limit}.")


def _scoreboard(document: Document) -> Iterator[Flowable]:
    """Yield the counts by verdict, and the answers in the three columns."""
    rows = [
        [f"{escape(paper.entry['title'])} ({paper.name})", *_verdicts(paper.score, paper.slips, paper.uncounted)]
        for paper in document.papers
    ]
    slips, uncounted = (sum(getattr(paper, name) for paper in document.papers) for name in ("slips", "uncounted"))
    rows.append(["All papers", *_verdicts(document.score, slips, uncounted)])
    head = ["Paper", *VERDICTS, "counted", "slips", "not counted"]
    yield grid(head, rows, WIDTH, numeric=range(1, len(head)))
    rows = [[paper.name, *_answers(paper.score)] for paper in document.papers]
    rows.append(["All papers", *_answers(document.score)])
    yield grid(["Paper", *(heading for heading, _ in COLUMNS.values())], rows, WIDTH, numeric=())


def _verdicts(score: Score, slips: int, uncounted: int) -> list[str]:
    counts = score["verdicts"]
    return list(map(str, (*counts.values(), sum(counts.values()), slips, uncounted)))


def _answers(score: Score) -> list[str]:
    """Return the answers of each column, such as ``12 holds, 3 fails``."""
    return [", ".join(f"{count} {answer}" for answer, count in score[name].items() if count) for name in COLUMNS]


def _paper(paper: Paper) -> Iterator[Flowable]:
    """Yield one paper: findings, figures, tables, claims."""
    entry = paper.entry
    yield text("h1", f"{escape(entry['title'])} ({paper.name})")
    year = f", {entry['year']}" if "year" in entry else ""
    doi = f" doi:{escape(entry['doi'])}" if "doi" in entry else ""
    yield text("small", f"{escape(plain(entry['authors']))}. {escape(entry['venue'])}{year}.{doi}")
    yield text("h2", "Findings")
    counts = paper.score["verdicts"]
    yield text("body", " &nbsp; ".join(badge(VERDICTS[name], count) for name, count in counts.items() if count))
    yield text("body", escape(paper.findings.summary))
    yield from findings(paper)
    yield text("h2", "What seems to have been run")
    yield from ran(paper)
    for heading, exhibits in (("Figures", paper.figures), ("Tables", paper.tables)):
        if exhibits:
            yield text("h2", heading)
        for exhibit in exhibits:
            yield from _exhibit(exhibit)
    yield text("h2", "Claims")
    for claim in paper.claims:
        yield claim_block(paper, claim)


def _exhibit(exhibit: Exhibit) -> Iterator[Flowable]:
    """Yield a figure, kept together with its heading and caption, or a table, which may span pages."""
    beware = " (rests on stand-in data)" if exhibit.standin else ""
    yield text("h3", f'<a name="{exhibit.id}"/>{escape(exhibit.title)} ({exhibit.name}){beware}')
    if exhibit.pdf:
        yield EmbeddedPage(exhibit.pdf, WIDTH)
        yield text("caption", escape(exhibit.entry["caption"]))
        return
    numbers = exhibit.numbers
    yield text("lead", escape(exhibit.entry["caption"]))
    yield grid(
        [escape(column.heading) for column in numbers.columns],
        [[escape(cell.text) for cell in row] for row in numbers.rows],
        WIDTH,
        numeric=[index for index, column in enumerate(numbers.columns) if column.numeric],
    )


def _provenance(document: Document) -> Iterator[Flowable]:
    """Yield the sources of the data and what is needed to reproduce this report."""
    yield text("h1", "Data and provenance")
    for record in document.data:
        doi = f" doi:{escape(record['doi'])}." if record.get("doi") else ""
        yield text(
            "small",
            f"<b>{escape(record['title'])}</b> ({record['dataset']}): {record['status']}; {record['bytes']:,} bytes; "
            f"SHA-256 {record['sha256']}; {escape(plain(record['licence']))}. {escape(record['citation'])}.{doi}",
        )
    setting = document.setting
    yield text(
        "small",
        f"Seed {setting['seed']}; Monte-Carlo runs: {times_stated(setting['runs_factor'])}; "
        f"libraries: {escape(plain(setting['versions']))}.",
    )
    for paper in document.papers:
        for experiment in paper.experiments:
            record = experiment.record
            yield text(
                "detail",
                f"{paper.name} {experiment.name}: {experiment.runner}, seed {record['seed']}, result table SHA-256 "
                f"{record['sha256']}.",
            )


def main(argv: Sequence[str] | None = None) -> None:
    """Command line: see `corrldp.report.command.run`."""
    command.run(__doc__, render, argv)


if __name__ == "__main__":
    main()
