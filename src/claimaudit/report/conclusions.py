"""Conclusions: what a reader should know first, each held by the verdicts on which it rests."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from claimaudit.papers.claims import ConclusionEntry
from claimaudit.report.markup import anchor
from claimaudit.verdicts import NO_DATA, VERDICTS, Verdict, Verdicts
from claimaudit.words.quoted import quoted
from claimaudit.words.verdicts import Badge, effect, mark, sentence


@dataclass(frozen=True)
class Support:
    """A claim on which a conclusion rests: its paper and id, its link, its mark, and whether it is as expected."""

    paper: str
    claim: str
    link: str
    mark: Badge
    ours: bool
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
    """One sentence, the numbers in it as a sentence of their own, and the claims on which it rests."""

    states: str
    numbers: str
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
    def signs(self) -> list[tuple[Badge, int]]:
        """The verdicts on the paper's claims among the evidence, each with their number."""
        return [*Counter(item.mark for item in self.evidence if not item.ours).items()]

    @property
    def asked(self) -> int:
        """Number of our own questions among the evidence."""
        return sum(item.ours for item in self.evidence)


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
            found.append(Conclusion(entry.states.strip(), _numbers(entry, verdicts), tuple(evidence)))
    return found


def _numbers(entry: ConclusionEntry, verdicts: Mapping[str, Verdicts]) -> str:
    """Return the numbers that an entry quotes, or else those of its first claim."""
    claims = {name: _verdict(name, verdicts) for name in entry.rests_on}
    found = quoted(entry.numbers.strip(), claims) or effect(claims[next(iter(claims))])
    return sentence(found) if found else ""


def _verdict(name: str, verdicts: Mapping[str, Verdicts]) -> Verdict:
    paper, _, claim = name.partition("/")
    return next(verdict for verdict in verdicts[paper].claims if verdict.id == claim)


def _evidence(name: str, expected: str, verdicts: Mapping[str, Verdicts]) -> Support:
    paper, _, claim = name.partition("/")
    verdict = _verdict(name, verdicts)
    by_verdict = expected in VERDICTS or verdict.verdict == NO_DATA
    answer = verdict.verdict if by_verdict else verdict.as_stated.answer
    link = f"{paper}.html#{anchor('claim', paper, claim)}"
    return Support(paper, claim, link, mark(verdict), verdict.origin == "ours", expected, answer)
