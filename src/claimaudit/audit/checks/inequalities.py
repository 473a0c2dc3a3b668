"""Checks of inequalities, with three-valued logic: `ordering` and `monotone`.

Each comparison is *satisfied*, *violated* or *undecided*. Between exact numbers the sign decides. Otherwise a
comparison is satisfied if significant at the passing level, violated if significant at the failing level (both with
Bonferroni over all comparisons of the check), and undecided if neither.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Annotated, Any, Literal

import numpy as np
import pandas as pd
from pydantic import AfterValidator, Discriminator, Field, Tag, ValidationInfo, field_validator
from scipy import special

from claimaudit.audit.checks.base import Check, moved, one_moved, reordered, swapped
from claimaudit.audit.claim import Claim
from claimaudit.audit.claim import Share as ShareOf
from claimaudit.audit.quantities import Pivot, Rows, by_reading, evaluate, number_groups, pivot, require_readings
from claimaudit.audit.statistics import EXACT, chance_of_score, critical, interval, z_scores
from claimaudit.configuration import Entry
from claimaudit.papers.claims import (
    AlongEntry,
    Expression,
    QuantityEntry,
    Share,
    Threshold,
    in_order,
    larger_grants,
    smaller_grants,
)
from claimaudit.results import axes_of
from claimaudit.verdicts import Chance, Evidence, Inequalities, Levels


class AtLeast(Entry):
    """The smallest share of the comparisons that must hold."""

    at_least: Annotated[Threshold[Share], AfterValidator(smaller_grants)]


class AtMost(Entry):
    """The largest share of the comparisons that may hold."""

    at_most: Annotated[Threshold[Share], AfterValidator(larger_grants)]


def _kind_of_share(content: object) -> str:
    if isinstance(content, dict):
        return "(at_most)" if "at_most" in content else "(at_least)"
    return "(word)"


class OrderingEntry(QuantityEntry):
    """An inequality between two quantities, at every setting or a share of them."""

    relation: Literal["<", "<=", ">", ">="]
    against: Threshold[Expression | float]
    share: Annotated[
        Annotated[Literal["every", "some", "none"], Tag("(word)")]
        | Annotated[AtLeast, Tag("(at_least)")]
        | Annotated[AtMost, Tag("(at_most)")],
        Discriminator(_kind_of_share),
        Field(description="every, some, none, {at_least: share} or {at_most: share}"),
    ] = "every"

    @field_validator("against")
    @classmethod
    def _in_order(cls, against: Threshold[str | float], info: ValidationInfo) -> Threshold[str | float]:
        return in_order(against, 1 if info.data.get("relation") in ("<", "<=") else -1)


class MonotoneEntry(AlongEntry):
    """A quantity that grows or falls along a setting."""

    direction: Literal["increasing", "decreasing"]


class _Inequality(Check):
    """What the kinds that compare two numbers at each setting have in common."""

    def word_decides(self, strict: Evidence, generous: Evidence) -> bool:
        """Return whether the worst estimate violates the strict end and satisfies the generous one.

        Only a check that must hold everywhere (it has a p-value) is judged by its worst setting.
        """
        if strict.p_value is None:
            return super().word_decides(strict, generous)
        return (strict.statistic or 0) < 0 < (generous.statistic or 0)


class Ordering(_Inequality):
    """A quantity compared with another one, ``quantity relation against``, at every selected setting.

    ``share`` states at how many settings the relation must hold: ``every`` (default), ``some``, ``none``, ``{at_least:
    share}`` or ``{at_most: share}``. The check cannot tell if the undecided settings could change the answer. Exact
    numbers within 1e-9 of each other are equal: enough for ``<=``, not for ``<``.
    """

    name = "ordering"
    family = "who is better, by how much"
    entry = OrderingEntry
    disturbances = (swapped, moved, reordered, one_moved)

    def compare(self, claim: Claim, rows: pd.DataFrame, published: pd.DataFrame | None = None) -> list[Rows]:
        """Compare both sides: a row per setting.

        Columns: ``left`` and ``right`` side, their ``difference`` and its ``se``, whether the sides are ``equal`` and
        whether the relation is ``strict``.
        """
        against = str(claim.against)
        data = pivot(rows)
        frame = evaluate(data, f"({claim.quantity}) - ({against})", claim.basis)
        left, right = (
            evaluate(data, side, claim.basis)["estimate"].reindex(frame.index) for side in (claim.quantity, against)
        )
        comparisons = frame.rename(columns={"estimate": "difference"}).assign(
            left=left,
            right=right,
            equal=np.isclose(left, right, rtol=EXACT, atol=0),
            strict=claim.relation in ("<", ">"),
        )
        settings, _ = axes_of(rows)
        return by_reading(comparisons, settings, _labels(claim, data))

    def judge(self, claim: Claim, compared: Rows, levels: Levels) -> Evidence:
        """Count the settings at which the relation holds."""
        sign = 1 if claim.relation in (">", ">=") else -1
        return _decide(claim, compared, sign, claim.share, levels)


class Monotone(_Inequality):
    """A quantity that increases (or decreases) along a setting column, in each group of the other settings.

    Every step between neighbours must go the right way or, for exact numbers, stay level, and the last value of each
    group must lie strictly on the right side of the first.
    """

    name = "monotone"
    family = "trends"
    entry = MonotoneEntry
    disturbances = (reordered, one_moved)

    def compare(self, claim: Claim, rows: pd.DataFrame, published: pd.DataFrame | None = None) -> list[Rows]:
        """Compare neighbours and, strictly, the first and the last row of each group: a row per step.

        The columns are those of `Ordering.compare`; ``left`` is the value at the end of a step, ``right`` at its start.

        Raises
        ------
        ValueError
            See `groups`.
        """
        settings, _ = axes_of(rows)
        frame = evaluate(rows, claim.quantity, claim.basis)
        ordered = groups(frame, settings, claim.along, claim.by)
        _, first, size = np.unique(ordered["group_number"], return_index=True, return_counts=True)
        last = first + size - 1
        in_longer = np.repeat(size > 2, size)  # in a group of two, the only step is already the one from first to last
        neighbours = np.setdiff1d(np.flatnonzero(in_longer), last)
        before, after = np.concatenate([neighbours, first]), np.concatenate([neighbours + 1, last])
        strict = np.arange(len(before)) >= len(neighbours)
        steps = _steps(ordered.iloc[before], ordered.iloc[after], claim.along)
        return by_reading(steps.assign(strict=strict), settings, {"left": claim.measure} if claim.measure else {})

    def judge(self, claim: Claim, compared: Rows, levels: Levels) -> Evidence:
        """Count the steps that go the right way."""
        return _decide(claim, compared, 1 if claim.direction == "increasing" else -1, "every", levels)


def groups(frame: pd.DataFrame, settings: list[str], along: str, by: Sequence[str] | None) -> pd.DataFrame:
    """Group the rows of each reading by the columns `by` (default: all but `along`), sorted along `along`.

    Returns
    -------
    DataFrame
        The rows of groups of two or more, group by group, with a column ``group_number``.

    Raises
    ------
    ValueError
        If a column is not a setting, a reading has no such group, or two rows of a group share a value of `along`.
    """
    by = [name for name in settings if name != along] if by is None else by
    unknown = [name for name in (along, *by) if name not in settings]
    if unknown:
        raise ValueError(f"unknown setting column {', '.join(unknown)}; there are: {', '.join(settings)}")
    number, _ = number_groups(frame, ["reading", *by])
    found = frame.assign(group_number=number)[np.bincount(number)[number] > 1]
    fault = f"no two selected settings differ in {along} alone; name the grouping columns with `by`"
    require_readings(found["reading"], frame["reading"], fault)
    if found.duplicated(["group_number", along]).any():
        raise ValueError(f"two settings share a value of {along}; select with `rows` or group with `by`")
    return found.sort_values(["group_number", along])


def _steps(before: pd.DataFrame, after: pd.DataFrame, along: str) -> pd.DataFrame:
    """Compare rows of a group pair by pair."""
    start, end = before["estimate"].to_numpy(), after["estimate"].to_numpy()
    steps = pd.Series(list(zip(before[along], after[along], strict=True)), dtype=object)
    return before.reset_index(drop=True).assign(
        **{along: steps},
        left=end,
        right=start,
        difference=end - start,
        se=np.hypot(before["se"].to_numpy(), after["se"].to_numpy()),
        equal=np.isclose(end, start, rtol=EXACT, atol=0),
    )


def _labels(claim: Claim, data: Pivot) -> dict[str, str]:
    """Name both sides of an inequality: as the claim does, or by the mechanism if a side is one variable."""
    sides = {"left": claim.quantity, "right": str(claim.against)}
    named = {name: str(mechanism) for name, mechanism in zip(data.names, data.mechanisms, strict=True)}
    labels = {side: named[expression] for side, expression in sides.items() if expression in named}
    if len(set(labels.values())) < len(labels):
        labels = {} if claim.measure else sides  # one mechanism on both sides: the metrics tell them apart
    return labels | ({"left": claim.measure} if claim.measure else {})


def _decide(claim: Claim, comparisons: Rows, sign: int, share: ShareOf, levels: Levels) -> Evidence:
    """Judge comparisons whose ``sign * difference`` should be positive, with a three-valued outcome."""
    left, right, difference, se = (comparisons[name] for name in ("left", "right", "difference", "se"))
    z = sign * z_scores(difference, se, comparisons["equal"])
    level_is_enough = np.where(comparisons["strict"], -np.inf, np.inf)
    z = np.where((se == 0) & comparisons["equal"], level_is_enough, z)
    count, simulated = len(comparisons), int((se != 0).sum())
    tests = max(simulated, 1)
    satisfied, violated = z > critical(levels.passing, tests), z < -critical(levels.failing, tests)
    undecided = ~satisfied & ~violated
    holds = _enough(satisfied.mean(), (satisfied | undecided).mean(), share, count)
    with np.errstate(invalid="ignore"):
        margin = sign * difference / np.where(right == 0, 1.0, np.abs(right))
    order = np.lexsort((margin, z))
    everywhere = share == "every"
    worst = everywhere or "at_least" in share
    at = int(order[0] if worst else order[-1])
    found = Inequalities(
        satisfied=int(satisfied.sum()),
        violated=int(violated.sum()),
        undecided=int(undecided.sum()),
        worst=worst,
        left=float(left[at]),
        right=float(right[at]),
        error=float(se[at]) if isinstance(claim.against, int | float) else 0.0,
        left_name=comparisons.labels.get("left", ""),
        right_name=comparisons.labels.get("right", ""),
        relation=claim.relation,
    )
    outcome = np.select([satisfied, violated], ["satisfied", "violated"], "undecided")
    return Evidence(
        reading=comparisons.name,
        holds=holds,
        rows=count,
        found=found,
        statistic=z[at],
        p_value=float(min(1.0, tests * special.ndtr(z[at]))) if everywhere else None,
        simulated=simulated,
        worst=comparisons.record(at),
        varying=comparisons.varying,
        comparisons=comparisons.table(left=left, right=right, se=se, outcome=outcome),
        chance=_chance(z, at, undecided, levels, tests) if holds is None else None,
        **interval(difference[at], se[at]),
    )


def _chance(z: np.ndarray, at: int, undecided: np.ndarray, levels: Levels, tests: int) -> Chance:
    """Return how far the comparison that decides, or else the undecided one that is the nearest, is from an answer."""
    if undecided[at]:
        return chance_of_score(z[at], levels, tests)
    open_ = [chance_of_score(one, levels, tests) for one in z[undecided]]
    return min(open_, key=lambda chance: chance.runs or np.inf)


def _enough(least: float, most: float, share: ShareOf, count: int) -> bool | None:
    """Return whether the share of satisfied comparisons, known to lie in [least, most], matches the claim."""
    bounds: Any = {"every": {"at_least": 1.0}, "some": {"at_least": 1 / count}, "none": {"at_most": 0.0}}
    bounds = bounds[share] if isinstance(share, str) else share
    if "at_least" in bounds:
        certain, excluded = least >= bounds["at_least"], most < bounds["at_least"]
    else:
        certain, excluded = most <= bounds["at_most"], least > bounds["at_most"]
    return True if certain else False if excluded else None
