"""Check what names claims without being one: config/conclusions.yaml and config/coverage/."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from fnmatch import fnmatchcase
from pathlib import Path

from corrldp import configuration
from corrldp.audit.evidence import Claim
from corrldp.configuration import Place, refuse
from corrldp.names import known_names, nearest
from corrldp.papers.claims import ConclusionEntry, ConclusionsFile, CoverageFile


def check_conclusions(path: Path, stated: Mapping[str, Mapping[str, Claim]], papers: Path) -> None:
    """Check conclusions against the claims of each paper that is replicated.

    Raises
    ------
    ConfigurationError
        One line for each fault.
    """
    entries = configuration.load(path, ConclusionsFile).root
    known = [file.stem for file in papers.glob("*.yaml")]
    refuse(path, [fault for number, entry in enumerate(entries) for fault in _unknown(number, entry, stated, known)])


def _unknown(
    number: int, entry: ConclusionEntry, stated: Mapping[str, Mapping[str, Claim]], papers: list[str]
) -> Iterator[tuple[Place, str]]:
    for name in entry.rests_on:
        paper, _, claim = name.partition("/")
        place = (number, "rests_on", name)
        if paper not in papers:
            yield place, f"no paper {paper!r}{known_names(paper, papers)}"
        elif paper in stated and claim not in stated[paper]:
            yield place, f"{paper} has no claim {claim!r}{nearest(claim, stated[paper])}"


def check_coverage(path: Path, claims: Mapping[str, Claim] | None) -> None:
    """Check that each pattern of a paper's coverage names a claim, and that each claim of the paper has a section.

    A paper may lack the file. Without `claims`, which could not be read, only its form is checked.

    Raises
    ------
    ConfigurationError
        One line for each fault.
    """
    if not path.exists():
        return
    coverage = configuration.load(path, CoverageFile)
    if claims is not None:
        refuse(path, _uncovered(coverage, claims))


def _uncovered(coverage: CoverageFile, claims: Mapping[str, Claim]) -> Iterator[tuple[Place, str]]:
    patterns = {
        pattern: ("sections", number, "claims", position)
        for number, section in enumerate(coverage.sections)
        for position, pattern in enumerate(section.claims or ())
    }
    for pattern, place in patterns.items():
        if not any(fnmatchcase(name, pattern) for name in claims):
            yield place, f"no claim {pattern!r}{nearest(pattern, claims)}"
    for name, claim in claims.items():
        if claim.get("origin", "paper") == "paper" and not any(fnmatchcase(name, pattern) for pattern in patterns):
            yield ("sections",), f"no section has the claim {name}; add it where the text makes it"
