"""Findings: what the verdicts on a paper amount to. Each sentence follows from the records by rule."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

from corrldp.audit.summary import score
from corrldp.audit.words import (
    AS_RUN,
    CHANCE,
    CONTRADICTED,
    GLYPH,
    NO_DATA,
    NOT_REPRODUCED,
    READINGS,
    REPRODUCED,
    UNDECIDED,
    WORD,
)
from corrldp.report import tidy
from corrldp.results import STRICT
from corrldp.words.names import labels
from corrldp.words.numbers import listed, plural

Record = dict[str, Any]

WEIGHTS = ("headline", "result", "detail", "slip")
FALLEN = (CONTRADICTED, NOT_REPRODUCED, AS_RUN)
"""Verdicts on claims that fail as stated, the gravest first."""

COUNTED = {
    REPRODUCED: ("holds as stated", "hold as stated"),
    AS_RUN: ("holds only as run", "hold only as run"),
    NOT_REPRODUCED: ("is not reproduced", "are not reproduced"),
    CONTRADICTED: ("is contradicted by the paper's own numbers", "are contradicted by the paper's own numbers"),
    UNDECIDED: ("is undecided", "are undecided"),
    NO_DATA: ("needs data that could not be obtained", "need data that could not be obtained"),
}
OPEN = {
    CHANCE: "chance",
    WORD: "a vague word",
    GLYPH: "a character that may be misread",
    READINGS: "settings that the text leaves open",
}
"""What leaves claims undecided, in words."""


@dataclass(frozen=True)
class Finding:
    """One finding: a statement, the numbers that show it, its weight, and the claims beneath it.

    `cause` is the name of the error that the claims share; empty if the finding is one claim. `verdict` is the gravest
    one of the claims, and `place` that of the claim with the numbers; empty if the statement names it.
    """

    states: str
    numbers: str
    weight: str
    verdict: str
    claims: tuple[str, ...]
    place: str = ""
    cause: str = ""

    @property
    def text(self) -> str:
        """The finding as one or two sentences that can be quoted."""
        return f"{self.states} {self.numbers}" + (f" ({self.place})" if self.place else "")


@dataclass(frozen=True)
class Findings:
    """The findings on a paper.

    Attributes
    ----------
    scores
        How many claims have each verdict, as a sentence.
    remarks
        A paragraph on the rest of the paper: what is undecided, what is not counted, what seems to have been run.
    points
        Errors, and claims that fail without a shared cause, the weightiest first.
    slips
        The same for misprints and rounding slips.
    open
        Causes with which no claim falls, because the claims are undecided or hold.
    beyond
        What we asked beyond the paper: our own checks, headline ones first.
    left_out
        Claims of the paper that no score counts, by the reason.
    """

    scores: str
    remarks: str
    points: tuple[Finding, ...]
    slips: tuple[Finding, ...]
    open: tuple[Finding, ...]
    beyond: tuple[Record, ...]
    left_out: dict[str, tuple[Record, ...]]

    @property
    def summary(self) -> str:
        """A paragraph on the whole paper."""
        return " ".join(filter(None, (self.scores, self.remarks)))

    def of_weight(self, weight: str) -> list[Finding]:
        """Return the points of one weight."""
        return [point for point in self.points if point.weight == weight]


def findings(verdicts: Record) -> Findings:
    """Derive the findings on one paper from its verdicts: ``claims``, ``exhibits`` and ``causes``."""
    claims = verdicts["claims"]
    own = [record for record in claims if record["counted"]]
    caused = list(_causes(own, verdicts["causes"]))
    shown = [finding for finding in caused if finding.verdict in FALLEN]
    single = [_alone(record) for record in own if not record["cause"] and record["verdict"] in FALLEN[:2]]
    ordered = sorted([*shown, *single], key=lambda finding: _rank(finding, own))
    remarks = (_undecided(own), _apart(claims), _exhibits(verdicts["exhibits"]), _reliability(claims))
    return Findings(
        scores=_scores(own),
        remarks=" ".join(filter(None, remarks)),
        points=tuple(finding for finding in ordered if finding.weight != "slip"),
        slips=tuple(finding for finding in ordered if finding.weight == "slip"),
        open=tuple(finding for finding in caused if finding.verdict not in FALLEN),
        beyond=tuple(sorted((record for record in claims if record["origin"] == "ours"), key=_weight)),
        left_out=_left_out(claims),
    )


def _causes(own: list[Record], causes: Record) -> Iterable[Finding]:
    """Yield a finding for each cause, with the numbers of the first claim that fails most clearly."""
    for name, cause in causes.items():
        members = [record for record in own if record["cause"] == name]
        if not members:
            continue
        fallen = [record for record in members if record["verdict"] in FALLEN[:2]]
        fallen = fallen or [record for record in members if record["verdict"] == AS_RUN]
        first = min(fallen, key=lambda record: FALLEN.index(record["verdict"])) if fallen else members[0]
        verdict = first["verdict"]
        numbers = tidy.told(first["effect"] or first["reason"])
        weight = cause.get("weight", "result")
        yield Finding(cause["states"].strip(), numbers, weight, verdict, _ids(members), _place(first), name)


def _alone(record: Record) -> Finding:
    """Return the finding on one claim that fails without a shared cause."""
    otherwise = "The paper's own numbers say otherwise" if record["verdict"] == CONTRADICTED else "We find otherwise"
    numbers = f"{otherwise}: {tidy.evidence(record['effect'].removesuffix('.'))}."
    states = f"{_place(record)}: {record['states']}"
    return Finding(states, numbers, record["weight"], record["verdict"], (record["id"],))


def _rank(finding: Finding, own: list[Record]) -> tuple[int, ...]:
    """Sort by weight; then by verdict, with what needs no simulation first; then by the number of claims."""
    exact = any(record["id"] in finding.claims and record["level"] == 0 for record in own)
    return (WEIGHTS.index(finding.weight), FALLEN.index(finding.verdict), not exact, -len(finding.claims))


def _scores(own: list[Record]) -> str:
    """State how many claims have each verdict."""
    verdicts = score(own)["verdicts"]
    words = [plural(count, *COUNTED[verdict]) for verdict, count in verdicts.items() if count]
    return f"Of {plural(sum(verdicts.values()), 'claim')} of the paper, {listed(words)}." if words else ""


def _undecided(own: list[Record]) -> str:
    """State what leaves claims undecided."""
    why = Counter(record["why"] for record in own if record["verdict"] == UNDECIDED and record["weight"] != "slip")
    parts = [f"{OPEN[name]} ({count})" for name, count in why.most_common()]
    return f"What leaves claims undecided: {listed(parts)}." if parts else ""


def _apart(claims: list[Record]) -> str:
    """State what the score leaves out."""
    slips = sum(record["counted"] and record["weight"] == "slip" for record in claims)
    ours = sum(record["origin"] == "ours" for record in claims)
    rest = sum(not record["counted"] and record["origin"] != "ours" for record in claims)
    parts = [
        (slips, "claim on a possible slip", "claims on possible slips"),
        (ours, "check of our own", "checks of our own"),
        (rest, "claim that holds by definition or could not fail", "claims that hold by definition or could not fail"),
    ]
    words = [plural(count, *names) for count, *names in parts if count]
    return f"Not among these: {listed(words)}." if words else ""


def _exhibits(exhibits: Record) -> str:
    """State which exhibits with printed numbers fit the text, which another setting, and which nothing."""
    printed = {name: record for name, record in exhibits.items() if "numbers" in record}
    if not printed:
        return ""
    groups: dict[str, list[str]] = {
        "the text as it stands": [],
        "the text, with other values than ours where it states none": [],
        "another setting": [],
        "no reading tried": [],
    }
    text, open_, other, none = groups.values()
    for name, record in printed.items():
        named = record["readings"][0] if record["readings"] else None
        if named is None:
            none.append(name)
        else:
            (text if named["reading"] == STRICT else open_ if named["open"] else other).append(name)
    parts = [f"{labels(names)} fit{'s' * (len(names) == 1)} {words}" for words, names in groups.items() if names]
    return f"Of {plural(len(printed), 'exhibit')} with printed numbers, {'; '.join(parts)}."


def _reliability(claims: list[Record]) -> str:
    """State the probability that a claim fails by chance."""
    levels = [record["level"] for record in claims if record["level"]]
    if not levels:
        return "No check rests on simulation."
    return (
        f"{plural(len(levels), 'check rests', 'checks rest')} on simulation; the probability that any true claim among "
        f"them fails by chance is at most {sum(levels):.2g}, provided that simulated means are normally distributed."
    )


def _left_out(claims: list[Record]) -> dict[str, tuple[Record, ...]]:
    """Return the claims of the paper that do not count, by the reason."""
    found: dict[str, tuple[Record, ...]] = {}
    for record in claims:
        if not record["counted"] and record["origin"] != "ours":
            found[record["uncounted"]] = (*found.get(record["uncounted"], ()), record)
    return found


def _weight(record: Record) -> int:
    return WEIGHTS.index(record["weight"])


def _ids(records: list[Record]) -> tuple[str, ...]:
    return tuple(record["id"] for record in records)


def _place(record: Record) -> str:
    """Return the first place of a claim."""
    return record["where"].split(";")[0]
