"""Claims by what they say and by the exhibit of which they speak."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from claimaudit.audit.checks import KINDS
from claimaudit.report.claims import ShownClaim
from claimaudit.words.names import exhibit_order, label
from claimaudit.words.verdicts import VERDICTS, Badge

FAMILIES = {check.name: check.family for check in KINDS}
"""The kinds of check as what a claim says, in the order of the columns."""

TEXT = "theory and text"


@dataclass(frozen=True)
class Cell:
    """The claims of one family on one exhibit: how many have each verdict, and the filter that shows them."""

    verdicts: tuple[tuple[Badge, int], ...]
    query: str


@dataclass(frozen=True)
class Row:
    """One exhibit with a cell for each family."""

    name: str
    cells: tuple[Cell, ...]


def families(claims: Iterable[ShownClaim]) -> dict[str, str]:
    """Return the families of counted claims that occur, with their headings."""
    kinds = {claim.record.kind for claim in claims if claim.counts == "yes"}
    return {kind: heading for kind, heading in FAMILIES.items() if kind in kinds}


def rows(claims: Iterable[ShownClaim]) -> list[Row]:
    """Return the matrix of counted claims; claims without an exhibit come last."""
    counted = [claim for claim in claims if claim.counts == "yes"]
    shown = sorted({claim.record.figure for claim in counted}, key=exhibit_order)
    kinds = families(counted)
    return [Row(label(name) if name else TEXT, tuple(_cell(counted, name, kind) for kind in kinds)) for name in shown]


def _cell(claims: list[ShownClaim], figure: str, kind: str) -> Cell:
    chosen = [claim.verdict for claim in claims if claim.record.figure == figure and claim.record.kind == kind]
    counts = tuple((verdict, chosen.count(verdict)) for verdict in VERDICTS.values() if verdict in chosen)
    return Cell(counts, f"counts=yes&figure={figure or '-'}&kind={kind}")
