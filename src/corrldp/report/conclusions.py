"""Conclusions: what a reader should know first, each held by the verdicts on which it rests."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any

from corrldp.names import nearest
from corrldp.report.markup import anchor
from corrldp.verdicts import ANSWERS, NO_DATA, VERDICTS, Verdicts
from corrldp.words.verdicts import effect, sentence

Entry = Mapping[str, Any]


@dataclass(frozen=True)
class Support:
    """A claim on which a conclusion rests: its paper and id, its link, its numbers, and whether it is as expected."""

    paper: str
    claim: str
    link: str
    numbers: str
    expected: str
    found: str

    @property
    def holds(self) -> bool:
        """Whether the audit says what the conclusion needs."""
        return self.found == self.expected

    @property
    def lacks_data(self) -> bool:
        """Whether the claim could not be tested."""
        return self.found == NO_DATA


@dataclass(frozen=True)
class Conclusion:
    """One sentence, the claims on which it rests, and their numbers."""

    states: str
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

    @property
    def numbers(self) -> str:
        """The numbers of the first claim."""
        return sentence(self.evidence[0].numbers) if self.evidence[0].numbers else ""


def hold(entries: Iterable[Entry], verdicts: Mapping[str, Verdicts]) -> list[Conclusion]:
    """Hold conclusions against the verdicts; those on papers that are not in `verdicts` are left out.

    Parameters
    ----------
    entries
        For each conclusion ``states``, and ``rests_on``, which maps ``paper/claim`` to the verdict or, for a check of
        ours, the answer as stated that the sentence needs.
    verdicts
        The verdicts of each paper.

    Raises
    ------
    ValueError
        If an entry has other keys, rests on nothing, or names a claim that does not exist or a verdict that is none.
    """
    found = []
    for entry in entries:
        if set(entry) != {"states", "rests_on"}:
            raise ValueError(f"conclusions: an entry has {', '.join(entry)}; it needs states and rests_on")
        if not entry["rests_on"]:
            raise ValueError(f"conclusions: {entry['states'].strip()!r} rests on nothing; name a claim")
        papers = {name.partition("/")[0] for name in entry["rests_on"]}
        if papers <= set(verdicts):
            evidence = (_evidence(name, expected, verdicts) for name, expected in entry["rests_on"].items())
            found.append(Conclusion(entry["states"].strip(), tuple(evidence)))
    return found


def _evidence(name: str, expected: str, verdicts: Mapping[str, Verdicts]) -> Support:
    paper, _, claim = name.partition("/")
    records = {verdict.id: verdict for verdict in verdicts[paper].claims}
    if claim not in records:
        raise ValueError(f"conclusions: {paper} has no claim {claim!r}{nearest(claim, records)}")
    known = list(dict.fromkeys((*VERDICTS, *ANSWERS.values())))
    if expected not in known:
        raise ValueError(f"conclusions: {name} expects {expected!r}; it must be one of {', '.join(known)}")
    verdict = records[claim]
    by_verdict = expected in VERDICTS or verdict.verdict == NO_DATA
    answer = verdict.verdict if by_verdict else verdict.as_stated.answer
    link = f"{paper}.html#{anchor('claim', paper, claim)}"
    return Support(paper, claim, link, effect(verdict), expected, answer)
