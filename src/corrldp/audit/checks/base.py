"""A kind of check: an object that owns all that is asked of its kind. `corrldp.audit.checks.registry` lists them."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import replace
from typing import ClassVar

import pandas as pd
from pydantic.fields import FieldInfo

from corrldp.audit.checks import disturbances
from corrldp.audit.claim import Claim
from corrldp.audit.rows import Rows
from corrldp.papers.claims import COMMON, ClaimEntry
from corrldp.verdicts import CHANCE, WORD, Evidence, Levels, Threshold


class Check(ABC):
    """A kind of check.

    Attributes
    ----------
    name
        As claims files write it.
    family
        What claims of this kind say, as a heading.
    entry
        The model of a complete claim in a file.
    by_the_paper
        Whether a check that fails shows that the paper's own printed numbers contradict each other.
    counts_runs
        Whether the number of runs behind a printed number counts.
    by_points
        Whether the printed points of an exhibit can answer in place of results.
    sides
        What the two numbers of a comparison are, where they are not what is checked and what it is compared with.
    """

    name: ClassVar[str]
    family: ClassVar[str]
    entry: ClassVar[type[ClaimEntry]]
    by_the_paper: ClassVar[bool] = False
    counts_runs: ClassVar[bool] = False
    by_points: ClassVar[bool] = True
    sides: ClassVar[Mapping[str, str]] = {}

    @property
    def fields(self) -> dict[str, FieldInfo]:
        """The fields of a claim besides those common to all claims."""
        return {name: field for name, field in self.entry.model_fields.items() if name not in COMMON}

    @abstractmethod
    def compare(self, claim: Claim, rows: pd.DataFrame, published: pd.DataFrame | None = None) -> list[Rows]:
        """Compare the numbers of a claim under all readings at once.

        `rows` are those that the claim selects (none if `fields` has no ``table``), `published` the printed numbers, if
        `fields` has ``published``.
        """

    @abstractmethod
    def judge(self, claim: Claim, compared: Rows, levels: Levels) -> Evidence:
        """Judge the comparisons of one reading."""

    def thresholds(self, claim: Claim, levels: Levels) -> tuple[Threshold, ...]:
        """Return the intervals of thresholds between which a claim is undecided."""
        return tuple(claim.thresholds())

    def between(self, strict: Evidence, generous: Evidence) -> Evidence:
        """Combine what both ends of an interval say: it holds at the strict end, fails at the generous one, or neither.

        More runs would leave it undecided if it fails at the one and holds at the other.
        """
        if strict.holds:
            return strict
        if generous.holds is False:
            return generous
        return replace(strict, holds=None, why=WORD if self.word_decides(strict, generous) else CHANCE)

    def word_decides(self, strict: Evidence, generous: Evidence) -> bool:
        """Return whether more runs would leave a claim between the ends."""
        return generous.holds is True

    def with_runs(self, claim: Claim, factor: float) -> Claim:
        """Return a claim whose printed numbers rest on `factor` times the stated number of runs."""
        return claim

    def repeats(self, claim: Claim, published: str | None, printed: Iterable[float]) -> bool:
        """Return whether a claim is about printed numbers of an exhibit: its file, or one of its values."""
        return False

    def disturbed(self, claim: Claim, rows: pd.DataFrame) -> Iterator[tuple[Claim, pd.DataFrame]]:
        """Yield a claim that holds with disturbed numbers, those first that the check should notice."""
        for disturb in (disturbances.one_moved, disturbances.moved, disturbances.reordered, disturbances.swapped):
            yield from ((claim, changed) for changed in disturb(claim, rows))
