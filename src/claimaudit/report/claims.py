"""A claim as the report shows it: its verdict, its three columns, its evidence; as a card, and among the others."""

from __future__ import annotations

import textwrap
from collections.abc import Collection, Mapping
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from types import MappingProxyType

from claimaudit.audit.checks import KINDS
from claimaudit.report import evidence
from claimaudit.report.markup import anchor, environment
from claimaudit.report.sheets import Sheet
from claimaudit.results import TableRecord
from claimaudit.verdicts import (
    AS_RUN,
    CONTRADICTED,
    NO_DATA,
    NOT_REPRODUCED,
    REPRODUCED,
    UNDECIDED,
    UNTESTED,
    Names,
    Reply,
    Verdict,
    Verdicts,
    read,
)
from claimaudit.words import verdicts as words
from claimaudit.words.evidence import effect as effect_of
from claimaudit.words.evidence import single_number, states_all
from claimaudit.words.findings import DISPUTED
from claimaudit.words.names import SOURCES, alternatives, labels, place
from claimaudit.words.origins import remark
from claimaudit.words.verdicts import ANSWERED, COLUMNS, Badge

FAMILIES = {check.name: check.family for check in KINDS}
"""The kinds of check as what a claim says, in the order of the columns."""

ORDER = (NOT_REPRODUCED, CONTRADICTED, AS_RUN, UNDECIDED, REPRODUCED, NO_DATA)
"""In which claims are listed: those that fail first."""

WIDTH = 110
"""Characters in a line of a card."""


@dataclass(frozen=True)
class View:
    """What one column says of a claim: the answer, the numbers behind it, and remarks on how it came about."""

    heading: str
    answer: Badge
    effect: str
    remarks: tuple[str, ...]


@dataclass(frozen=True)
class ShownClaim:
    """One claim: the audit's verdict, its three columns, and the evidence as tables, made when first shown.

    `mark` is its verdict, or says that it is our own question, a possible slip or does not count; `counts` is ``yes``,
    ``slip`` or ``no``. `shown_by` and `experiment` are ids on the page. Sentences are empty if there is nothing to say,
    or the columns say it: `printed`, the paper's numbers if there are several; `cause`, the error with which it falls;
    `origin`, whose numbers it is judged on, if they were not computed here.
    """

    record: Verdict
    names: Names
    mark: Badge
    views: dict[str, View]
    id: str
    shown_by: str | None
    experiment: str | None
    printed: str
    reason: str
    cause: str
    counts: str
    origin: str = ""
    replies: tuple[Reply, ...] = ()

    @property
    def disputed(self) -> bool:
        return any(reply.disputes for reply in self.replies)

    @property
    def rank(self) -> tuple[int, int]:
        """Sorts verdicts on the paper before what is counted apart, and before what does not count; then by verdict."""
        return ("yes", "slip", "no").index(self.counts), ORDER.index(self.record.verdict)

    @cached_property
    def evidence(self) -> Sheet:
        return evidence.by_reading(self.record, self.names)

    @cached_property
    def comparisons(self) -> Sheet:
        """The first comparisons."""
        return evidence.comparisons(self.record, self.names)

    @property
    def total(self) -> int:
        """Number of all comparisons."""
        return sum(len(next(iter(item.comparisons.values()), ())) for item in self.record.evidence)


def describe(
    paper: str,
    figures: Collection[str],
    verdict: Verdict,
    verdicts: Verdicts,
    records: Mapping[str, TableRecord] = MappingProxyType({}),
) -> ShownClaim:
    """Return a claim of a paper as the report shows it; `records` are those of its result tables, by experiment."""
    shown, experiment = verdict.figure, verdict.table
    kind = "figure" if shown in figures else "table"
    views = {"as_stated": _as_stated, "as_run": _as_run, "own_numbers": _own_numbers}
    return ShownClaim(
        record=verdict,
        names=verdicts.names,
        mark=words.mark(verdict),
        views={name: view(verdict, verdicts.names) for name, view in views.items()},
        id=anchor("claim", paper, verdict.id),
        shown_by=anchor(kind, paper, shown) if shown else None,
        experiment=anchor("experiment", paper, experiment) if experiment else None,
        printed=_printed(verdict),
        reason=_reason(verdict, verdicts.names),
        cause=verdicts.causes[verdict.cause].states if verdict.cause else "",
        counts="no" if not verdict.counted else "slip" if verdict.weight == "slip" else "yes",
        origin=remark(records[experiment]) if experiment in records else "",
        replies=verdicts.replies_to(verdict.id),
    )


def _view(name: str, answer: str, effect: str, *remarks: str) -> View:
    return View(COLUMNS[name][0], ANSWERED[answer], effect, tuple(filter(None, remarks)))


def _as_stated(verdict: Verdict, names: Names) -> View:
    effect = effect_of(verdict, verdict.stated) if verdict.evidence else ""
    return _view("as_stated", verdict.as_stated.answer, effect, words.reason_as_stated(verdict, names))


def _as_run(verdict: Verdict, names: Names) -> View:
    """Return the answer as run; numbers that equal those as stated are not repeated."""
    answer, effect = verdict.as_run.answer, words.effect_as_run(verdict)
    if answer == UNTESTED:
        return _view("as_run", answer, effect)
    if len(verdict.evidence) == 1:
        return _view("as_run", answer, "", "the text leaves no setting open here")
    differ = answer == UNDECIDED and (verdict.as_run.holding or verdict.as_run.failing)
    sides = words.sides(verdict, names) if differ else []
    same = effect == effect_of(verdict, verdict.stated)
    return _view("as_run", answer, "" if same else effect, _source(verdict, names), *sides)


def _own_numbers(verdict: Verdict, names: Names) -> View:
    """Return what the paper's own numbers say; those that equal ours are not repeated."""
    effect = words.effect_of_own_numbers(verdict)
    same = bool(verdict.evidence) and effect == effect_of(verdict, verdict.stated)
    ours = f'by our reading of "{verdict.word}"' if verdict.word and verdict.verdict == CONTRADICTED else ""
    return _view("own_numbers", verdict.own_numbers.answer, "" if same else effect, ours)


def _source(verdict: Verdict, names: Names) -> str:
    """Say where the answer as run comes from, with the standing readings in words."""
    run = verdict.as_run
    if not run.readings:
        return f"{SOURCES[run.source]}, so all settings that keep the conditions of the paper were tried"
    named = alternatives(names, verdict.table, run.readings, words.with_runs(run.runs_factor))
    by = f"the printed numbers of {labels(run.exhibits, names)}" if run.source == "own" else SOURCES[run.source]
    return f"{'; or '.join(named)} ({by})"


def _reason(verdict: Verdict, names: Names) -> str:
    """Return the reason for a verdict if the three columns do not show it."""
    shown = verdict.because in ("relation", "points")
    return words.reason(verdict, names) if verdict.verdict in (NO_DATA, CONTRADICTED) and not shown else ""


def _printed(verdict: Verdict) -> str:
    """Return the paper's numbers in words if there are several that the columns do not state."""
    printed = verdict.printed
    if printed is None or single_number(printed):
        return ""
    return "" if verdict.evidence and states_all(verdict) else place(printed)


def card(paper: str, verdicts: Verdicts, name: str) -> str:
    """Return what the page says of a claim: its sentence, verdict, three answers with their numbers, and replies."""
    claim = describe(paper, (), verdicts.of(name), verdicts)
    found = {"paper": paper, "claim": claim, "record": claim.record, "disputed": DISPUTED, "uncounted": words.UNCOUNTED}
    first, *lines = environment().overlay(autoescape=False).get_template("card.txt").render(found).splitlines()
    wrapped = (textwrap.fill(line, WIDTH, subsequent_indent="    " * line.startswith(" ")) for line in lines)
    return "\n".join([first, *wrapped])


class Answer(str):
    """A text that notebooks show as Markdown."""

    __slots__ = ()

    def _repr_markdown_(self) -> str:
        return str(self)


def answer(paper: str, claim: str, verdicts: Path = Path("report/verdicts")) -> Answer:
    """Return the verdict on a claim, its numbers and its three columns as text.

    Raises
    ------
    ValueError
        If the verdicts on the paper have no such claim.
    """
    known = read(verdicts / f"{paper}.json")
    verdict = next((one for one in known.claims if one.id == claim), None)
    if verdict is None:
        raise ValueError(f"the verdicts on {paper} have no claim {claim!r}; correct the name")
    numbers = words.sentence(words.effect(verdict) or words.reason(verdict, known.names))
    template = environment().overlay(autoescape=False).get_template("answer.md")
    return Answer(template.render(paper=paper, verdict=verdict, columns=COLUMNS, numbers=numbers).removesuffix("\n"))
