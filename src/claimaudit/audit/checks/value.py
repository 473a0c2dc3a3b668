"""The kind of check `value`: a single printed number."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import replace
from typing import Annotated, Any, Literal

import numpy as np
import pandas as pd
from pydantic import Discriminator, Field, Tag, field_validator
from scipy import special

from claimaudit.audit.checks.base import Check
from claimaudit.audit.claim import Claim
from claimaudit.audit.quantities import Rows, by_reading, evaluate
from claimaudit.audit.statistics import (
    EXACT,
    POWER,
    chance_of_score,
    critical,
    extreme,
    interval,
    passes,
    z_scores,
)
from claimaudit.configuration import Entry
from claimaudit.digits import Printed
from claimaudit.papers.claims import AS_PRINTED, PrintedText, QuantityEntry, Resolving, Runs, Tolerance
from claimaudit.results import axes_of
from claimaudit.verdicts import RESOLVING, Chance, Evidence, Levels, PrintedNumber


class PrintedDigits(Entry):
    """A number as printed; it stands for all numbers that print like it."""

    value: PrintedText


class PrintedWithin(Entry):
    """A printed number, and how far ours may be from it in relation to it."""

    value: float
    tolerance: Tolerance


class PrintedInterval(Entry):
    """The interval in which our number must lie."""

    interval: tuple[float, float]

    @field_validator("interval")
    @classmethod
    def _in_order(cls, interval: tuple[float, float]) -> tuple[float, float]:
        low, high = interval
        if low > high:
            raise ValueError(f"[{low:g}, {high:g}] is empty; put the smaller number first")
        return interval


def _form(content: object) -> str:
    keys = content if isinstance(content, dict) else ()
    return next((f"({key})" for key in ("interval", "tolerance") if key in keys), "(value)")


class ValueEntry(QuantityEntry):
    """A printed number, or an interval, that a quantity must have."""

    printed: Annotated[
        Annotated[PrintedDigits, Tag("(value)")]
        | Annotated[PrintedWithin, Tag("(tolerance)")]
        | Annotated[PrintedInterval, Tag("(interval)")],
        Discriminator(_form),
        Field(description=f"value ({AS_PRINTED}), value and tolerance (relative), or interval"),
    ]
    extreme: Annotated[
        Literal["largest", "smallest"] | None,
        Field(description="the printed number is the largest or smallest over the settings (default: at each)"),
    ] = None
    runs: Runs | None = None
    resolving: Resolving = RESOLVING


class Value(Check):
    """A printed number against ours at every selected setting.

    A printed number stands for an interval: the numbers that print like it (see `claimaudit.digits`), those within a
    relative ``tolerance``, or an explicit ``interval``. The z-score is the distance of our estimate from
    that interval in combined standard errors, the paper's (from its ``runs``) and ours; p is two-sided, with Bonferroni
    over rows. The check cannot tell if at some row it would miss a printed number wrong by 50 % (or ``resolving``) with
    probability above 5 %.

    With ``extreme``, the printed number is the ``largest`` or ``smallest`` over the settings: none may lie beyond the
    interval, and one must reach it.
    """

    name = "value"
    family = "single numbers"
    entry = ValueEntry
    counts_runs = True

    def compare(self, claim: Claim, rows: pd.DataFrame, published: pd.DataFrame | None = None) -> list[Rows]:
        """Evaluate the quantity: ``estimate``, ``se`` (ours) and ``se_paper`` at each setting."""
        settings, _ = axes_of(rows)
        return by_reading(evaluate(rows, claim.quantity, claim.basis, claim.runs), settings)

    def judge(self, claim: Claim, compared: Rows, levels: Levels) -> Evidence:
        """Measure the distance of our number from the interval."""
        assert claim.printed is not None
        low, high = printed_interval(claim.printed)
        scale = max(abs(low), abs(high))
        ours = compared["estimate"]
        distance = ours - np.clip(ours, low, high)
        inside = (ours >= low) & (ours <= high)
        se = np.hypot(compared["se"], compared["se_paper"])
        z = z_scores(distance, se, inside)
        outward = {"largest": 1, "smallest": -1}.get(claim.extreme, 0)
        if outward:
            z = _of_extreme(outward * z, outward * distance) * outward
        count = len(compared)
        p_value = float(np.minimum(1.0, 2 * count * special.ndtr(-np.abs(z)).min()))
        reach = (critical(levels.passing, 2 * count) + special.ndtri(POWER)) * se
        resolving = scale * claim.resolving
        blind = int((reach > resolving).sum())
        holds = passes(p_value, levels, blind == 0)
        at = extreme(z, distance, np.full_like(distance, scale))
        if outward:
            at = int(np.lexsort((outward * ours, np.abs(z)))[-1])
        chance = None
        if holds is None:
            chance = _chance(z[at], count, blind, float(np.max(reach)), resolving, levels)
        return Evidence(
            reading=compared.name,
            holds=holds,
            rows=count,
            found=PrintedNumber(float(compared["se_paper"][at]), claim.runs, claim.printed.get("tolerance"), blind),
            grounds="blind" if holds is None and blind else "test" if se[at] else "exact",
            statistic=z[at],
            p_value=p_value,
            simulated=int((se != 0).sum()),
            worst=compared.record(at),
            varying=compared.varying,
            comparisons=compared.table(left=ours, right=np.clip(ours, low, high), se=se),
            chance=chance,
            **interval(ours[at], compared["se"][at]),
        )

    def with_runs(self, claim: Claim, factor: float) -> Claim:
        """Return a claim whose printed number rests on `factor` times the stated number of runs."""
        return replace(claim, runs=claim.runs * factor) if claim.runs else claim

    def repeats(self, claim: Claim, published: str | None, printed: Iterable[float]) -> bool:
        """Return whether the number is one of those that an exhibit prints."""
        value = (claim.printed or {}).get("value")
        return (Printed.read(value).value if isinstance(value, str) else value) in set(printed)


def _chance(z: float, count: int, blind: int, reach: float, resolving: float, levels: Levels) -> Chance:
    """Return how far a number is from failing or, where the error hides a wrong one, from being resolved."""
    if blind:
        return Chance(resolving, reach, (reach / resolving) ** 2)
    return chance_of_score(-abs(z), levels, 2 * count)


def _of_extreme(z: np.ndarray, distance: np.ndarray) -> np.ndarray:
    """Return the z-scores of a largest number: of the rows that fall short, only the nearest counts, if all do."""
    short = z < 0
    nearest = np.lexsort((distance, z))[-1]
    if short.all():
        short[nearest] = False
    return np.where(short, 0.0, z)


def printed_interval(printed: Mapping[str, Any]) -> tuple[float, float]:
    """Return the interval for which a printed number stands."""
    value = printed.get("value")
    if isinstance(value, str):
        return Printed.read(value).interval
    low, high = printed["interval"] if value is None else (value, value)
    half_width = printed.get("tolerance", 0.0) * abs(low) + EXACT * max(abs(low), abs(high))
    return low - half_width, high + half_width
