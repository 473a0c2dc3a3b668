"""Conclusions: what a reader should know first, each held by the verdicts on which it rests."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from claimaudit.papers.claims import ConclusionEntry
from claimaudit.report.markup import anchor
from claimaudit.verdicts import NO_DATA, VERDICTS, Verdicts
from claimaudit.words.verdicts import effect, sentence


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


def hold(entries: Iterable[ConclusionEntry], verdicts: Mapping[str, Verdicts]) -> list[Conclusion]:
    """Hold conclusions against the verdicts; those on papers that are not in `verdicts` are left out.

    Parameters
    ----------
    entries
        The conclusions as config/conclusions.yaml has them; planning has checked that their claims exist.
    verdicts
        The verdicts of each paper.
    """
    found = []
    for entry in entries:
        papers = {name.partition("/")[0] for name in entry.rests_on}
        if papers <= set(verdicts):
            evidence = (_evidence(name, expected, verdicts) for name, expected in entry.rests_on.items())
            found.append(Conclusion(entry.states.strip(), tuple(evidence)))
    return found


def _evidence(name: str, expected: str, verdicts: Mapping[str, Verdicts]) -> Support:
    paper, _, claim = name.partition("/")
    verdict = next(verdict for verdict in verdicts[paper].claims if verdict.id == claim)
    by_verdict = expected in VERDICTS or verdict.verdict == NO_DATA
    answer = verdict.verdict if by_verdict else verdict.as_stated.answer
    link = f"{paper}.html#{anchor('claim', paper, claim)}"
    return Support(paper, claim, link, effect(verdict), expected, answer)
