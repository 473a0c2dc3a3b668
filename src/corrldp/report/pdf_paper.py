"""What the PDF report says of one paper: its findings, what seems to have been run, and its most telling figures."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from html import escape

from reportlab.platypus import Flowable

from corrldp.report.document import Exhibit, Paper
from corrldp.report.findings import FALLEN, Finding
from corrldp.report.pdf_parts import BOLD, VERDICT_COLORS, WIDTH, EmbeddedPage, badge, text
from corrldp.report.runs import Ran, Settings
from corrldp.words.names import labels, plain, title_with
from corrldp.words.numbers import listed, number, plural
from corrldp.words.verdicts import VERDICTS

FIGURES = 6  # figures shown of one paper
TOLD = {"headline": "On the headline claims", "result": "On results"}


def paper_section(paper: Paper) -> Iterator[Flowable]:
    """Yield the results on one paper."""
    entry = paper.entry
    yield text("h1", name(paper))
    year = f", {entry['year']}" if "year" in entry else ""
    doi = f", doi:{escape(entry['doi'])}" if "doi" in entry else ""
    yield text("small", f"{escape(plain(entry['authors']))}. {escape(entry['venue'])}{year}{doi}.")
    counts = paper.score["verdicts"]
    yield text("body", " &nbsp; ".join(badge(VERDICTS[name], count) for name, count in counts.items() if count))
    yield text("body", escape(paper.findings.summary))
    yield from _findings(paper)
    yield from _ran(paper)
    yield from _figures(paper)
    if paper.tables:
        names = "; ".join(escape(table.title) for table in paper.tables)
        yield text("small", f"Tables, in the directory tables/{paper.name}: {names}.")


def name(paper: Paper) -> str:
    """Return a paper's title, with the short name by which the report calls it unless the title starts with it."""
    return escape(title_with(paper.short, paper.entry["title"]))


def statement(finding: Finding) -> str:
    """Return a finding with the symbol of its verdict."""
    verdict = VERDICTS[finding.verdict]
    symbol = f'<font name="{BOLD}" color="{VERDICT_COLORS[verdict.slug]}">{verdict.symbol}</font>'
    return f"{symbol} {escape(finding.text)}"


def _findings(paper: Paper) -> Iterator[Flowable]:
    """Yield the findings on headline claims and results, and count the others."""
    found = paper.findings
    if found.points:
        yield text("h2", "Findings")
    for weight, title in TOLD.items():
        if points := found.of_weight(weight):
            yield text("h3", title)
            yield from (text("point", statement(point)) for point in points)
    parts = [
        (len(found.of_weight("detail")), "finding on a detail", "findings on details"),
        (
            len(found.slips),
            "slip (misprint, rounding, wrong reference)",
            "slips (misprints, rounding, wrong references)",
        ),
        (len(found.open), "suspected cause with which no claim falls", "suspected causes with which no claim falls"),
        (len(found.beyond), "question of our own", "questions of our own"),
    ]
    words = [plural(count, *names) for count, *names in parts if count]
    if words:
        yield text("body", f"The pages beside this file have in addition {listed(words)}.")


def _ran(paper: Paper) -> Iterator[Flowable]:
    """Yield what seems to have been run, for exhibits with the same standing readings together."""
    if not paper.ran:
        return
    yield text("h2", "What seems to have been run")
    for group in paper.settings:
        yield text("point", _group(group))
    yield from (text("point", escape(sentence)) for sentence in _runs(paper.ran))
    if silent := [item.name for item in paper.ran if item.silent]:
        yield text("point", f"Nothing printed says what was run for {escape(labels(silent))}.")


def _group(group: Settings) -> str:
    """Say which setting explains the printed numbers of some exhibits, with the text's values."""
    names = [labels(group.own), *([f"{labels(group.inferred)} (inferred)"] if group.inferred else [])]
    departing = [f"{standing} (the text: {stated})" for stated, standing, _ in group.axes]
    what = listed(departing) if departing else group.answer
    return f"<b>{escape(listed(names))}:</b> {escape(what)}. {escape(' '.join(group.sentences))}"


def _runs(ran: Iterable[Ran]) -> Iterator[str]:
    """Say where the scatter of printed numbers rejects the stated number of runs."""
    groups: dict[str, list[str]] = {}
    for item in ran:
        runs = item.record.get("runs")
        if runs and runs["rejected"]:
            estimate, low, high = (number(round(runs[name])) for name in ("estimate", "low", "high"))
            words = f"about {estimate} (95 % interval {low} to {high}), not of the stated {number(runs['stated'])}"
            groups.setdefault(words, []).append(item.name)
    for words, names in groups.items():
        yield f"The scatter of the printed numbers of {labels(names)} tells of {words} runs."


def _figures(paper: Paper) -> Iterator[Flowable]:
    """Yield the most telling figures, each kept together with its caption."""
    shown = telling(paper)
    if not shown:
        return
    yield text("h2", "Figures")
    for exhibit in shown:
        beware = " It rests on stand-in data." if exhibit.standin else ""
        caption = exhibit.entry["caption"]
        alternative = f"{exhibit.title}. {caption} Its numbers are in figures/{paper.name}/{exhibit.name}.csv."
        if exhibit.pdf is not None:
            yield EmbeddedPage(exhibit.pdf, WIDTH, alternative)
            yield text("caption", f"<b>{escape(exhibit.title)}.</b> {escape(caption)}{beware}")


def telling(paper: Paper) -> list[Exhibit]:
    """Return the figures that the report shows, in the paper's order.

    Figures with printed numbers come first, then those about which most counted claims fail as stated, then the paper's
    before ours.
    """

    def rank(exhibit: Exhibit) -> tuple[bool, int, bool]:
        printed = exhibit.entry.get("published") or (exhibit.ran and "numbers" in exhibit.ran.record)
        fallen = sum(claim.record["counted"] and claim.record["verdict"] in FALLEN for claim in exhibit.claims)
        return not printed, -fallen, exhibit.shows is None

    chosen = sorted(paper.figures, key=rank)[:FIGURES]
    return [exhibit for exhibit in paper.figures if exhibit in chosen]
