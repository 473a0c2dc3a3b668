"""Check the names in a paper's claims against the paper: experiments, figures, exhibits and printed numbers."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from corrldp.audit.claims import load_with_places, refuse, variants
from corrldp.audit.evidence import Claim
from corrldp.configuration import Place
from corrldp.names import known_names
from corrldp.papers.paper import Paper

__all__ = ["Claim", "load"]


def load(path: Path, paper: Paper | None, published: Path) -> dict[str, Claim]:
    """Read the claims on a paper, by id, and check what they name, unless the paper could not be read.

    Raises
    ------
    ClaimError
        One line for each fault, with file, line and claim.
    """
    placed = load_with_places(path)
    if paper is not None:
        refuse(path, [fault for place, claim in placed for fault in _unknown(place, claim, paper, published)])
    return {claim["id"]: claim for _, claim in placed}


def _unknown(place: Place, claim: Claim, paper: Paper, published: Path) -> Iterator[tuple[Place, str]]:
    """Yield what a claim, or one of its alternatives, names and does not exist."""
    entry = paper.entry
    known = {
        "table": ("experiment", [*entry.experiments]),
        "figure": ("figure or table", [*entry.figures, *entry.tables]),
        "published": ("file of printed numbers", [file.stem for file in published.glob("*.csv")]),
        "exhibits": ("exhibit", [*entry.exhibits]),
    }
    for number, (_, complete) in enumerate(variants(claim)):
        above = (*place, "alternatives", number - 1) if number else place
        for key, (what, names) in known.items():
            given = complete.get(key, [])
            for name in [given] if isinstance(given, str) else given:
                if name not in names:
                    yield (*above, key), f"claim {claim['id']}: {key}: no {what} {name!r}{known_names(name, names)}"
