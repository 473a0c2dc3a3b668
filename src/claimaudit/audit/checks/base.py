"""A kind of check: an object that owns all that is asked of its kind. `claimaudit.audit.checks.registry` lists them."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import replace
from itertools import combinations
from typing import ClassVar

import numpy as np
import pandas as pd
from pydantic.fields import FieldInfo

from claimaudit.audit.claim import Claim
from claimaudit.audit.quantities import Rows, variable
from claimaudit.digits import Printed
from claimaudit.expressions import names_in
from claimaudit.papers.claims import CheckEntry
from claimaudit.results import axes_of
from claimaudit.verdicts import CHANCE, WORD, Evidence, Levels, Threshold

FACTORS = (1.5, 0.5, 4.0, 0.25, -1.0)
"""By how much numbers are moved."""

PAIRS = 12
"""Pairs of mechanisms that are swapped, at most."""

Disturb = Callable[[Claim, pd.DataFrame], Iterator[pd.DataFrame]]


def moved(claim: Claim, rows: pd.DataFrame, theory: bool = True) -> Iterator[pd.DataFrame]:
    """Move all numbers of one metric of one mechanism, and their closed forms if `theory`."""
    for factor in FACTORS:
        for chosen in _series(claim, rows):
            yield _times(rows, chosen, factor, theory)


def one_moved(claim: Claim, rows: pd.DataFrame, theory: bool = True) -> Iterator[pd.DataFrame]:
    """Move the first and the last number of one metric of one mechanism."""
    for factor in FACTORS:
        for chosen in _series(claim, rows):
            for place in (chosen[:1], chosen[-1:]):
                yield _times(rows, place, factor, theory)


def swapped(claim: Claim, rows: pd.DataFrame) -> Iterator[pd.DataFrame]:
    """Exchange the names of two mechanisms that the claim compares."""
    mechanisms = rows.loc[np.concatenate(_series(claim, rows)), "mechanism"].unique()
    for one, other in list(combinations(mechanisms, 2))[:PAIRS]:
        yield rows.assign(mechanism=rows["mechanism"].replace({one: other, other: one}))


def reordered(claim: Claim, rows: pd.DataFrame) -> Iterator[pd.DataFrame]:
    """Reverse the order of the values of a setting."""
    settings, _ = axes_of(rows)
    for name in [claim.along] if claim.along else settings:
        values = sorted(rows[name].dropna().unique(), key=lambda value: (str(type(value)), value))
        if len(values) > 1:
            yield rows.assign(**{name: rows[name].map(dict(zip(values, reversed(values), strict=True)))})


def prints_moved(printed: dict[str, str | float]) -> Iterator[dict[str, str | float]]:
    """Move each of some printed numbers."""
    for name, each in printed.items():
        number = Printed.read(each).value if isinstance(each, str) else each
        for factor in FACTORS:
            yield {**printed, name: number * factor + (number == 0)}


def _series(claim: Claim, rows: pd.DataFrame) -> list[np.ndarray]:
    """Return the index labels of each metric of each mechanism that the claim's expressions name, or of all."""
    sides = [side for side in (claim.quantity, claim.against) if isinstance(side, str) and side]
    known = {name for side in sides for name in names_in(side)}
    groups = {
        variable(str(metric), str(mechanism)): group.index.to_numpy()
        for (metric, mechanism), group in rows.groupby(["metric", "mechanism"], sort=False)
    }
    return [labels for name, labels in groups.items() if name in known] or list(groups.values())


def _times(rows: pd.DataFrame, chosen: np.ndarray, factor: float, theory: bool) -> pd.DataFrame:
    changed = rows.copy()
    mean = rows.loc[chosen, "mean"]
    # A number of 0 is moved as well, to either side.
    changed.loc[chosen, "mean"] = mean * factor + np.where(mean == 0, factor - 1, 0.0)
    if theory:
        changed.loc[chosen, "theory"] *= factor
    return changed


class Check(ABC):
    """A kind of check.

    Attributes
    ----------
    name
        What verdicts call it.
    family
        What claims of this kind say, as a heading.
    entry
        The model of the fields that a claim's check states.
    by_the_paper
        Whether a check that fails shows that the paper's own printed numbers contradict each other.
    counts_runs
        Whether the number of runs behind a printed number counts.
    by_points
        Whether the printed points of an exhibit can answer in place of results.
    disturbances
        How tables are disturbed, those first that the check should notice: one that holds whatever the numbers are is
        no evidence.
    sides
        What the two numbers of a comparison are, where they are not what is checked and what it is compared with.
    """

    name: ClassVar[str]
    family: ClassVar[str]
    entry: ClassVar[type[CheckEntry]]
    by_the_paper: ClassVar[bool] = False
    counts_runs: ClassVar[bool] = False
    by_points: ClassVar[bool] = True
    sides: ClassVar[Mapping[str, str]] = {}
    disturbances: ClassVar[tuple[Disturb, ...]] = (one_moved, moved, reordered, swapped)

    @property
    def fields(self) -> dict[str, FieldInfo]:
        """The fields of its checks."""
        return self.entry.model_fields

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

    def combine_ends(self, strict: Evidence, generous: Evidence) -> Evidence:
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
        """Yield a claim that holds with disturbed numbers."""
        for disturb in self.disturbances:
            yield from ((claim, changed) for changed in disturb(claim, rows))
