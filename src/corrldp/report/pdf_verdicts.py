"""What the PDF report says of one paper in words: its findings, what seems to have been run, and its claims."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from html import escape

from reportlab.platypus import Flowable, KeepTogether
from reportlab.platypus import Paragraph as Text

from corrldp.report import tidy
from corrldp.report.document import Claim, Paper
from corrldp.report.findings import WEIGHTS, Finding
from corrldp.report.markup import DASH, VERDICTS, Verdict, anchor, label, labels, p_words, plain
from corrldp.report.pdf_parts import BOLD, INK, VERDICT_COLORS, paragraph_styles
from corrldp.report.wording import listed

STYLES = paragraph_styles()
TITLES = {"headline": "On the headline claims", "result": "On results", "detail": "On details"}
NAMED = 6  # claims named beneath a finding


def text(style: str, markup: str) -> Text:
    """Return a paragraph in a named style."""
    return Text(markup, STYLES[style])


def badge(verdict: Verdict, count: int | None = None) -> str:
    """Return a verdict with its symbol and colour, and how often it occurs."""
    words = verdict.name if count is None else f"{count} {verdict.name}"
    unbroken = f"{verdict.symbol} {words}".replace(" ", "&nbsp;")
    return f'<font name="{BOLD}" color="{VERDICT_COLORS[verdict.slug]}">{unbroken}</font>'


def findings(paper: Paper) -> Iterator[Flowable]:
    """Yield the findings by weight, the slips, our own questions, and what the score leaves out."""
    found = paper.findings
    for weight in WEIGHTS[:-1]:
        yield from _listed(TITLES[weight], map(_finding, found.of_weight(weight)))
    yield from _listed("Suspected causes with which no claim falls", map(_finding, found.open))
    yield from _listed("Slips: misprints, rounding, wrong references", map(_finding, found.slips))
    asked = (
        f"<b>{record['as_stated']['answer']}:</b> {escape(record['states'])} "
        f"{escape(tidy.evidence(tidy.sentence(record['effect'] or record['reason'])))} <i>{record['id']}</i>"
        for record in found.beyond
    )
    yield from _listed("What we asked beyond the paper", asked)
    left = (
        f"{escape(record['where'])}: {escape(record['states'])} Because {escape(reason)}. <i>{record['id']}</i>"
        for reason, records in found.left_out.items()
        for record in records
    )
    yield from _listed("Claims that the score leaves out", left)


def _listed(title: str, points: Iterable[str]) -> Iterator[Flowable]:
    points = list(points)
    if points:
        yield text("h3", title)
    for point in points:
        yield text("point", point)


def _finding(finding: Finding) -> str:
    verdict = VERDICTS[finding.verdict]
    symbol = f'<font name="{BOLD}" color="{VERDICT_COLORS[verdict.slug]}">{verdict.symbol}</font>'
    names = listed(list(finding.claims), NAMED, "claim")
    return f"{symbol} {escape(finding.text)} <i>{escape(names)}</i>"


def ran(paper: Paper) -> Iterator[Flowable]:
    """Yield what seems to have been run for each exhibit."""
    for item in paper.ran:
        if item.silent:
            continue
        lines = [f"<b>{escape(label(item.name))}: {escape(item.short)}.</b> {escape(' '.join(item.sentences))}"]
        for reading in item.readings:
            fit = "" if reading["p_value"] is None else f" ({p_words(reading['p_value'])})"
            broken = "" if reading["admissible"] else f"; not admissible: {reading['condition']}"
            lines.append(f"{DASH} {escape(reading['words'] + fit + broken)}")
        yield text("point", "<br/>".join(lines))
    silent = [item.name for item in paper.ran if item.silent]
    if silent:
        yield text("point", f"Nothing printed says what was run for {escape(labels(silent))}.")
    if not paper.ran:
        yield text("point", "The paper has no exhibit whose numbers could tell.")


def claim_block(paper: Paper, claim: Claim) -> Flowable:
    """Return one claim: its place, its verdict, its statement, the three columns and what explains them."""
    record = claim.record
    name = anchor("claim", paper.name, record["id"])
    weight = "" if record["weight"] == "result" else f" &nbsp; {record['weight']}"
    lines: list[Flowable] = [
        text("claim", f'<a name="{name}"/><b>{escape(record["where"])}</b> &nbsp; {badge(claim.verdict)}{weight}'),
        text("stated", escape(record["states"])),
    ]
    views = []
    for view in claim.views.values():
        effect = f": {view.effect}" if view.effect else ""
        remarks = f" [{'; '.join(view.remarks)}]" if view.remarks else ""
        views.append(f"<b>{view.heading.capitalize()}</b> {view.answer.name}{escape(effect + remarks)}.")
    lines.append(text("detail", "<br/>".join(views)))
    details = list(_details(claim))
    if details:
        lines.append(text("detail", escape(" ".join(details))))
    shown = f', <link href="#{claim.shown_by}" color="{INK}">{label(record["figure"])}</link>' if claim.shown_by else ""
    lines.append(text("detail", f"{record['id']}, {record['kind']}{shown}"))
    return KeepTogether(lines)


def _details(claim: Claim) -> Iterator[str]:
    """Yield what explains a verdict, as sentences."""
    record = claim.record
    if record["checked"]:
        yield f"Checked: {_sentence(record['checked'])}"
    if claim.thresholds:
        yield claim.thresholds
    if claim.reason:
        yield f"Reason: {_sentence(claim.reason)}"
    if claim.open:
        yield f"Open: {_sentence(claim.open)}"
    if claim.cause:
        yield f"Cause: {_sentence(claim.cause)}"
    if record["doubt"] and record["doubt"] not in claim.open:
        yield f"Doubt: {_sentence(record['doubt'])}"
    if record["uncounted"]:
        yield f"Not counted: {_sentence(record['uncounted'])}"
    if record["refines"]:
        yield f"Refines: {record['refines']}."
    if claim.printed:
        yield f"Printed: {plain(claim.printed)}."
    if record["note"]:
        yield f"Note: {_sentence(record['note'])}"


def _sentence(words: str) -> str:
    return f"{words.removesuffix('.')}."
