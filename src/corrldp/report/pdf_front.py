"""What the PDF report says of all papers together: title, abstract, method, scoreboard and limits."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from html import escape
from typing import Any

from reportlab.platypus import Flowable

from corrldp.audit.exhibits import LEVEL
from corrldp.audit.words import NO_DATA, UNDECIDED
from corrldp.report.document import TITLE, Document
from corrldp.report.findings import COUNTED, OPEN
from corrldp.report.pdf_paper import name, statement
from corrldp.report.pdf_parts import WIDTH, badge, grid, text
from corrldp.words.names import labels
from corrldp.words.numbers import listed, number, plural, times_stated
from corrldp.words.verdicts import COLUMNS, VERDICTS

Score = dict[str, dict[str, int]]

METHOD = f"""
<b>Claims.</b> Each checkable sentence, printed number, table cell and published curve is an entry with a place in the
text, a check and the result table that is its evidence. All simulations were run anew from the text and public data, at
the level of the counts that an aggregator sees, which have the same distribution as if each user's report were drawn;
what can be enumerated was computed exactly.

<b>Readings.</b> Where a text leaves a setting open, or states one and appears to have run another, the setting is an
axis with a strict value, the text's, and others. A reading is a value for every axis. The standing readings of a
figure, table or passage are those that its own printed numbers, all mechanisms jointly, do not reject at the level
{number(LEVEL)}; they must also fit exhibits with which it shares settings by the text. An exhibit without printed
numbers inherits what those leave, which is marked as inferred.

<b>Verdicts.</b> Each claim is judged as stated (under the strict reading), as run (under the standing readings) and by
the paper's own numbers. The verdict follows from these three answers by rule; none is written by hand. Vague words are
judged at a strict and a generous end. Claims that fall with one error share a cause and are one finding. Slips of the
pen are counted apart; our own checks, definitions and checks that could not fail are never counted.

<b>Tests of the method.</b> False claims are planted, and must be noticed, among true ones, which must pass. Papers are
made up whose authors ran a reading that the text does not state; the standing readings must contain it, and the
verdicts must agree with it. Intervals predicted for printed numbers must cover them. The outcomes are in
docs/benchmarks.md.
"""


def front(document: Document) -> Iterator[Flowable]:
    """Yield title, abstract, method and scoreboard."""
    yield text("title", TITLE)
    if stamp := _stamp(document.setting.get("source", {})):
        yield text("small", escape(stamp))
    yield from _abstract(document)
    yield text("h1", "Method")
    yield from (text("body", paragraph) for paragraph in METHOD.split("\n\n"))
    yield text("h1", "Scoreboard")
    yield from _scoreboard(document)


def _stamp(source: dict[str, Any]) -> str:
    """Return the day, the version and the commit of the code, as far as they are known."""
    commit = f"commit {source['commit']}" if source.get("commit") else ""
    changed = " with local changes" if source.get("changed") else ""
    version = f"version {source['version']}" if source.get("version") else ""
    return " · ".join(filter(None, (source.get("date", ""), version, commit + changed)))


def _abstract(document: Document) -> Iterator[Flowable]:
    """Yield what was done, what came out in total, and what weighs most."""
    counts = document.score["verdicts"]
    words = [plural(count, *COUNTED[verdict]) for verdict, count in counts.items() if count]
    yield text("h1", "Abstract")
    yield text(
        "body",
        f"We recomputed the figures, tables and checkable claims of {plural(len(document.texts), 'text')} on local "
        "differential privacy for correlated data from what they state and from public data, and searched for the "
        "settings under which their printed numbers arise. "
        f"Of {plural(sum(counts.values()), 'claim')}, {listed(words) if words else 'none counts'}.",
    )
    if document.setting["runs_factor"] < 1:
        factor = number(document.setting["runs_factor"])
        yield text("body", f"This is a quick run with {factor} times the papers' number of Monte-Carlo runs.")
    if document.made_up:
        names = listed([escape(standin.record["title"]) for standin in document.made_up])
        yield text("body", f"<b>Stand-in data was used</b> for {names}; claims that rest on it have no data.")
    yield from _weightiest(document)


def _weightiest(document: Document) -> Iterator[Flowable]:
    """Yield the conclusions with their numbers, and the weightiest finding on papers on which there is none."""
    for conclusion in document.conclusions:
        beware = "" if conclusion.stands else f" <b>{conclusion.beware}.</b>"
        yield text("point", f"{escape(f'{conclusion.states} {conclusion.numbers}'.rstrip())}{beware}")
    concluded = {item.paper for conclusion in document.conclusions for item in conclusion.evidence}
    for paper in document.papers:
        if paper.name not in concluded and paper.findings.points:
            yield text("point", f"<b>{name(paper)}.</b> {statement(paper.findings.points[0])}")


def _scoreboard(document: Document) -> Iterator[Flowable]:
    """Yield the counts by verdict, the answers in the three columns, and what the verdicts mean."""
    rows = [[escape(paper.short), *_verdicts(paper.score, paper.slips, paper.uncounted)] for paper in document.texts]
    slips, uncounted = (sum(getattr(paper, kind) for paper in document.texts) for kind in ("slips", "uncounted"))
    rows.append(["All papers", *_verdicts(document.score, slips, uncounted)])
    head = ["Paper", *VERDICTS, "counted", "slips", "not counted"]
    yield grid(head, rows, WIDTH, numeric=range(1, len(head)))
    rows = [[escape(paper.short), *_answers(paper.score)] for paper in document.texts]
    rows.append(["All papers", *_answers(document.score)])
    yield grid(["Paper", *(heading for heading, _ in COLUMNS.values())], rows, WIDTH, numeric=())
    for verdict in VERDICTS.values():
        yield text("small", f"{badge(verdict)}: the claim {verdict.meaning}.")


def _verdicts(score: Score, slips: int, uncounted: int) -> list[str]:
    counts = score["verdicts"]
    return list(map(str, (*counts.values(), sum(counts.values()), slips, uncounted)))


def _answers(score: Score) -> list[str]:
    """Return the answers of each column, such as ``12 holds, 3 fails``."""
    return [", ".join(f"{count} {answer}" for answer, count in score[name].items() if count) for name in COLUMNS]


def limits(document: Document) -> Iterator[Flowable]:
    """Yield what the verdicts do not cover."""
    yield text("h1", "Limits")
    setting = document.setting
    yield text(
        "point",
        "<b>Chance.</b> The probability that any true claim of a paper fails by chance is at most "
        f"{number(setting['family_level'])}, provided that simulated means are normally distributed; skewed errors can "
        f"double it. Monte-Carlo runs: {times_stated(setting['runs_factor'])}.",
    )
    yield text(
        "point",
        "<b>Texts.</b> We worked from extractions of the texts, in which a character may be misread. A verdict that "
        "hangs on one character is undecided unless the same is said elsewhere. Numbers read off figures carry the "
        "error of reading.",
    )
    yield text(
        "point",
        "<b>Readings.</b> Standing readings are those that fit among the ones tried; the authors may have run another. "
        f"A departure from the text of which we did not think is not found.{_unfit(document)}",
    )
    claims = [claim.record for paper in document.papers for claim in paper.claims]
    own = [record for record in claims if record["counted"] and record["weight"] != "slip"]
    why = Counter(record["why"] for record in own if record["verdict"] == UNDECIDED)
    if why:
        parts = [f"{OPEN[name]} ({count})" for name, count in why.most_common()]
        yield text("point", f"<b>Undecided claims.</b> What leaves them undecided: {listed(parts)}.")
    untested = sum(record["verdict"] == NO_DATA for record in own)
    if untested:
        needs, need = COUNTED[NO_DATA]
        yield text("point", f"<b>Data.</b> {plural(untested, f'claim {needs}', f'claims {need}')}.")


def _unfit(document: Document) -> str:
    """Name the exhibits whose printed numbers no reading fits."""
    unfit = [
        f"{labels(names)} of {paper.short}"
        for paper in document.papers
        if (names := [item.name for item in paper.ran if item.record["source"] == "rejected"])
    ]
    return f" No reading tried fits {escape(listed(unfit))}." if unfit else ""
