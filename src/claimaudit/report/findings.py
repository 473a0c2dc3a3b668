"""What verdicts amount to: findings on a paper, which follow by rule, and conclusions, which verdicts hold up."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from markupsafe import Markup

from claimaudit.papers.claims import ConclusionEntry
from claimaudit.report.markup import anchor
from claimaudit.report.pictures import picture
from claimaudit.verdicts import (
    AS_RUN,
    CONTRADICTED,
    NO_DATA,
    NOT_REPRODUCED,
    VERDICTS,
    Verdict,
    VerdictName,
    Verdicts,
    counted,
)
from claimaudit.words import findings as words
from claimaudit.words.numbers import gathered
from claimaudit.words.quoted import filled, quoted
from claimaudit.words.verdicts import UNCOUNTED, effect, reason, sentence, why_undecided

WEIGHTS = ("headline", "result", "detail", "slip")
FALLEN: tuple[VerdictName, ...] = (CONTRADICTED, NOT_REPRODUCED, AS_RUN)
"""Verdicts on claims that fail as stated, the gravest first."""


@dataclass(frozen=True)
class Finding:
    """One finding: a statement, the numbers that show it, its weight, and the claims beneath it.

    `cause` is the name of the error that the claims share; empty if the finding is one claim. `verdict` is the gravest
    one of the claims; `claim` and `place` are those of the claim with the numbers, empty if it is the statement itself.
    """

    states: str
    numbers: str
    weight: str
    verdict: VerdictName
    claims: tuple[str, ...]
    place: str = ""
    cause: str = ""
    claim: str = ""

    @property
    def text(self) -> str:
        return f"{self.states} {self.numbers}" + (f" ({self.place})" if self.place else "")


@dataclass(frozen=True)
class Findings:
    """The findings on a paper.

    `points` are errors, and claims that fail without a shared cause, the weightiest first; `slips` the same for
    misprints and rounding slips; `open` causes of which no claim fails. `beyond` is what we asked beyond the paper, and
    `left_out` has the claims of the paper that no score counts, by the reason. `scores` says in a sentence how many
    claims have each verdict, `remarks` what seems to have been run, and `apart` what is not counted.
    """

    scores: str
    remarks: str
    apart: str
    points: tuple[Finding, ...]
    slips: tuple[Finding, ...]
    open: tuple[Finding, ...]
    beyond: tuple[Verdict, ...]
    left_out: Mapping[str, list[Verdict]]

    @property
    def summary(self) -> str:
        """A paragraph on the whole paper."""
        return " ".join(filter(None, (self.scores, self.apart, self.remarks)))

    @property
    def causes(self) -> set[str]:
        """The causes of its findings; one that only questions of ours have is none."""
        return {finding.cause for finding in (*self.points, *self.slips, *self.open)}

    @property
    def more(self) -> str:
        """How many findings and questions there are beside those on headline claims and results."""
        return words.tallied(
            (len(self.of_weight("detail")), "finding on a detail", "findings on details"),
            (
                len(self.slips),
                "slip (misprint, rounding, wrong reference)",
                "slips (misprints, rounding, wrong references)",
            ),
            (len(self.open), "suspected cause of which no claim fails", "suspected causes of which no claim fails"),
            (len(self.beyond), "question of our own", "questions of our own"),
        )

    def of_weight(self, weight: str) -> list[Finding]:
        """Return the points of one weight."""
        return [point for point in self.points if point.weight == weight]


def findings(verdicts: Verdicts) -> Findings:
    """Derive the findings on one paper from its verdicts."""
    claims = verdicts.claims
    own = [verdict for verdict in claims if verdict.counted]
    beyond = [verdict for verdict in claims if verdict.origin == "ours"]
    caused = list(_causes(own, verdicts))
    shown = [finding for finding in caused if finding.verdict in FALLEN]
    single = [_alone(verdict) for verdict in own if not verdict.cause and verdict.verdict in FALLEN[:2]]
    ordered = sorted([*shown, *single], key=lambda finding: _rank(finding, own))
    remarks = (words.exhibits(verdicts.exhibits, verdicts.names), words.reliability(claims))
    return Findings(
        scores=f"{words.scores(Counter(verdict.verdict for verdict in counted(own)))} {words.undecided(own)}".strip(),
        remarks=" ".join(filter(None, remarks)),
        apart=words.apart(claims),
        points=tuple(finding for finding in ordered if finding.weight != "slip"),
        slips=tuple(finding for finding in ordered if finding.weight == "slip"),
        open=tuple(finding for finding in caused if finding.verdict not in FALLEN),
        beyond=tuple(sorted(beyond, key=lambda verdict: WEIGHTS.index(verdict.weight))),
        left_out=gathered((UNCOUNTED[one.uncounted], one) for one in claims if one.uncounted and one.origin != "ours"),
    )


def _causes(own: Sequence[Verdict], verdicts: Verdicts) -> Iterable[Finding]:
    """Yield a finding for each cause, with the numbers of the first claim that fails most clearly."""
    for name, cause in verdicts.causes.items():
        if members := [verdict for verdict in own if verdict.cause == name]:
            fallen = (verdict for verdict in members if verdict.verdict in FALLEN)
            first = min(fallen, key=lambda verdict: FALLEN.index(verdict.verdict), default=members[0])
            ids = tuple(verdict.id for verdict in members)
            numbers = sentence(effect(first) or reason(first, verdicts.names))
            at = words.place(first)
            yield Finding(cause.states, numbers, cause.weight, first.verdict, ids, at, name, first.states)


def _alone(verdict: Verdict) -> Finding:
    """Return the finding on one claim that fails without a shared cause, as a claim: others are findings of ours."""
    states = f"Claim ({words.place(verdict)}): {verdict.states}"
    return Finding(states, words.otherwise(verdict), verdict.weight, verdict.verdict, (verdict.id,))


def _rank(finding: Finding, own: Sequence[Verdict]) -> tuple[int, ...]:
    """Sort by weight; then by verdict, with what needs no simulation first; then by the number of claims."""
    exact = any(verdict.id in finding.claims and verdict.level == 0 for verdict in own)
    return (WEIGHTS.index(finding.weight), FALLEN.index(finding.verdict), not exact, -len(finding.claims))


@dataclass(frozen=True)
class Support:
    """A claim of a paper on which a conclusion rests: what is expected and found, and why it is undecided if it is.

    `ran` is the id of the settings with which alone it holds, if there are such.
    """

    paper: str
    claim: Verdict
    expected: str
    found: str
    open: str
    ran: str

    @property
    def holds(self) -> bool:
        """Whether the audit says what the conclusion needs."""
        return self.found == self.expected

    @property
    def lacks_data(self) -> bool:
        return self.found == NO_DATA


@dataclass(frozen=True)
class Conclusion:
    """One sentence, what stands behind it, its numbers as a sentence of their own, and the claims on which it rests.

    `about` is the paper whose page it answers, if any, and `picture` a drawing of the record of a claim.
    """

    states: str
    about: str
    more: str
    numbers: str
    picture: Markup
    evidence: tuple[Support, ...]

    @property
    def stands(self) -> bool:
        """Whether this run supports it."""
        return all(item.holds for item in self.evidence)

    @property
    def beware(self) -> str:
        """What to know of one that does not stand: this run finds otherwise, or has no data."""
        overturned = any(not (item.holds or item.lacks_data) for item in self.evidence)
        return "This run does not show it" if overturned else "This run has no data for it"


def hold(entries: Iterable[ConclusionEntry], verdicts: Mapping[str, Verdicts]) -> list[Conclusion]:
    """Hold conclusions, whose claims planning has checked, against the verdicts; those on other papers are left out."""
    found = []
    for entry in entries:
        named = {name: name.partition("/")[::2] for name in entry.rests_on}
        if {paper for paper, _ in named.values()} <= set(verdicts):
            claims = {name: verdicts[paper].of(claim) for name, (paper, claim) in named.items()}
            evidence = (_evidence(name, verdicts[named[name][0]], needed) for name, needed in entry.rests_on.items())
            numbers = quoted(entry.numbers.strip(), claims) or effect(next(iter(claims.values())))
            found.append(
                Conclusion(
                    filled(entry.states.strip(), claims),
                    entry.about,
                    entry.more.strip(),
                    sentence(numbers) if numbers else "",
                    picture(claims[entry.picture or next(iter(claims))]),
                    tuple(evidence),
                )
            )
    return found


def _evidence(name: str, verdicts: Verdicts, expected: str) -> Support:
    paper, _, claim = name.partition("/")
    verdict = verdicts.of(claim)
    by_verdict = expected in VERDICTS or verdict.verdict == NO_DATA
    answer = verdict.verdict if by_verdict else verdict.as_stated.answer
    pools = (pool.exhibits for pool in verdicts.pools if answer == AS_RUN)
    ran = next((anchor("settings", paper, of[0]) for of in pools if not {*of}.isdisjoint(verdict.as_run.exhibits)), "")
    return Support(paper, verdict, expected, answer, why_undecided(verdict, verdicts.names), ran)
