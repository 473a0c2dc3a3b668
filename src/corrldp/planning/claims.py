"""Check the names in a paper's claims against the paper: experiments and their tables, figures, exhibits, numbers."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from pathlib import Path

from corrldp.audit.claim import Claim
from corrldp.audit.claims.files import load_with_places
from corrldp.configuration import Place, refuse
from corrldp.names import known_names
from corrldp.papers.paper import Paper
from corrldp.planning.evidence import unknown_names
from corrldp.planning.tables import TableNames


def load(path: Path, paper: Paper | None, published: Path, table_of: Callable[[str], TableNames]) -> dict[str, Claim]:
    """Read the claims on a paper, by id, and check what they name, unless the paper could not be read.

    `table_of` tells of each experiment what its result table can contain.

    Raises
    ------
    ConfigurationError
        One line for each fault, with file, line and claim.
    """
    placed = load_with_places(path)
    if paper is not None:
        refuse(path, _unknown(placed, paper, published, table_of), keyed=False)
    return {claim.id: claim for _, claim in placed}


def _unknown(
    placed: list[tuple[Place, Claim]], paper: Paper, published: Path, table_of: Callable[[str], TableNames]
) -> Iterator[tuple[Place, str]]:
    """Yield what claims, or their alternatives, name and does not exist."""
    entry = paper.entry
    known = {
        "table": ("experiment", [*entry.experiments]),
        "figure": ("figure or table", [*entry.figures, *entry.tables]),
        "published": ("file of printed numbers", [file.stem for file in published.glob("*.csv")]),
        "exhibits": ("exhibit", [*entry.exhibits]),
    }
    for place, claim in placed:
        for number, (name, complete) in enumerate(claim.meanings):
            above = (*place, "alternatives", number - 1) if number else place
            where = f"claim {claim.id}" + (f", alternative {name}" if name else "")
            found = [*_missing(complete, known)]
            if complete.table and not found:
                found += unknown_names(complete, table_of(complete.table))
            for key, words in found:
                yield (*above, *key), f"{where}: {'.'.join(map(str, key))}: {words}"


def _missing(claim: Claim, known: Mapping[str, tuple[str, list[str]]]) -> Iterator[tuple[Place, str]]:
    """Yield what a complete claim names, each by its field, and the paper lacks."""
    for key, (what, names) in known.items():
        given = getattr(claim, key) or ()
        for name in [given] if isinstance(given, str) else given:
            if name not in names:
                yield (key,), f"no {what} {name!r}{known_names(name, names)}"
