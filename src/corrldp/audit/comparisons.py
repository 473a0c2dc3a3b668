"""Checks of inequalities, with three-valued logic: `ordering` and `monotone`.

Each comparison is *satisfied*, *violated* or *undecided*. Between exact numbers the sign decides. Otherwise a
comparison is satisfied if significant at the passing level, violated if significant at the failing level (both with
Bonferroni over all comparisons of the check), and undecided if neither.
"""

from typing import Annotated, Literal

import numpy as np
import pandas as pd
from pydantic import AfterValidator, Discriminator, Field, Tag, ValidationInfo, field_validator
from scipy import special

from corrldp.audit.checks import Check
from corrldp.audit.evidence import (
    EXACT,
    Chance,
    Claim,
    Evidence,
    Levels,
    critical,
    interval,
    measured,
    number,
    z_scores,
)
from corrldp.audit.quantities import Pivot, evaluate, number_groups, pivot
from corrldp.audit.readings import Reading, by_reading, require_readings
from corrldp.configuration import Entry
from corrldp.papers.claims import (
    AlongEntry,
    Expression,
    QuantityEntry,
    Share,
    Threshold,
    in_order,
    larger_grants,
    smaller_grants,
)
from corrldp.results import axes_of

RELATIONS = {"<": "below", "<=": "at most", ">": "above", ">=": "at least"}


def compare_ordering(claim: Claim, rows: pd.DataFrame) -> list[Reading]:
    """Compare ``quantity`` with ``against`` at every selected setting, for `judge_ordering`.

    Exact numbers within 1e-9 of each other are equal: enough for ``<=``, not for ``<``.

    Returns
    -------
    list of Reading
        A row per setting: ``left`` and ``right`` side, their ``difference`` and its ``se``, whether the sides are
        ``equal`` and whether the relation is ``strict``.
    """
    quantity, against, basis = claim["quantity"], str(claim["against"]), claim.get("basis")
    data = pivot(rows)
    frame = evaluate(data, f"({quantity}) - ({against})", basis)
    left, right = (evaluate(data, side, basis)["estimate"].reindex(frame.index) for side in (quantity, against))
    comparisons = frame.rename(columns={"estimate": "difference"}).assign(
        left=left,
        right=right,
        equal=np.isclose(left, right, rtol=EXACT, atol=0),
        strict=claim["relation"] in ("<", ">"),
    )
    settings, _ = axes_of(rows)
    return by_reading(comparisons, settings, _labels(claim, data))


def judge_ordering(claim: Claim, comparisons: Reading, levels: Levels) -> Evidence:
    """Check ``quantity relation against``.

    ``share`` states at how many settings the relation must hold: ``every`` (default), ``some``, ``none``, ``{at_least:
    share}`` or ``{at_most: share}``. The check cannot tell if the undecided settings could change the answer.
    """
    sign = 1 if claim["relation"] in (">", ">=") else -1
    return _decide(claim, comparisons, sign, claim.get("share", "every"), levels)


def compare_monotone(claim: Claim, rows: pd.DataFrame) -> list[Reading]:
    """Compare a quantity along a setting column, in each group of the other settings, for `judge_monotone`.

    The comparisons are the steps between neighbours and, strictly, from the first to the last row of each group.

    Returns
    -------
    list of Reading
        A row per step, with the columns of `compare_ordering`; ``left`` is the value at its end, ``right`` that at its
        start.

    Raises
    ------
    ValueError
        See `groups`.
    """
    settings, _ = axes_of(rows)
    frame = evaluate(rows, claim["quantity"], claim.get("basis"))
    ordered = groups(frame, settings, claim["along"], claim.get("by"))
    _, first, size = np.unique(ordered["group_number"], return_index=True, return_counts=True)
    last = first + size - 1
    in_longer = np.repeat(size > 2, size)  # in a group of two, the only step is already the one from first to last
    neighbours = np.setdiff1d(np.flatnonzero(in_longer), last)
    before, after = np.concatenate([neighbours, first]), np.concatenate([neighbours + 1, last])
    strict = np.arange(len(before)) >= len(neighbours)
    steps = _steps(ordered.iloc[before], ordered.iloc[after], claim["along"])
    return by_reading(steps.assign(strict=strict), settings)


def judge_monotone(claim: Claim, steps: Reading, levels: Levels) -> Evidence:
    """Check that a quantity increases (or decreases) along a setting column.

    Every step between neighbours must go the right way or, for exact numbers, stay level, and the last value of each
    group must lie strictly on the right side of the first.
    """
    return _decide(claim, steps, 1 if claim["direction"] == "increasing" else -1, "every", levels)


def groups(frame: pd.DataFrame, settings: list[str], along: str, by: list[str] | None) -> pd.DataFrame:
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
    return before.reset_index(drop=True).assign(
        **{along: [f"{low} -> {high}" for low, high in zip(before[along], after[along], strict=True)]},
        left=end,
        right=start,
        difference=end - start,
        se=np.hypot(before["se"].to_numpy(), after["se"].to_numpy()),
        equal=np.isclose(end, start, rtol=EXACT, atol=0),
    )


def _labels(claim: Claim, data: Pivot) -> dict[str, str]:
    """Name both sides of an inequality: as the claim does, or by the mechanism if a side is one variable."""
    sides = {"left": claim["quantity"], "right": str(claim["against"])}
    named = {name: str(mechanism) for name, mechanism in zip(data.names, data.mechanisms, strict=True)}
    labels = {side: named[expression] for side, expression in sides.items() if expression in named}
    if len(set(labels.values())) < len(labels):
        labels = {} if "measure" in claim else sides  # one mechanism on both sides: the metrics tell them apart
    return labels | ({"left": claim["measure"]} if "measure" in claim else {})


def _decide(claim: Claim, comparisons: Reading, sign: int, share: str | dict[str, float], levels: Levels) -> Evidence:
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
    demanding = everywhere or "at_least" in share
    at = int(order[0] if demanding else order[-1])
    counted = f"{satisfied.sum()} of {count} satisfied; {'worst' if demanding else 'best'}: " if count > 1 else ""
    outcome = np.select([satisfied, violated], ["satisfied", "violated"], "undecided")
    return Evidence(
        reading=comparisons.name,
        holds=holds,
        rows=count,
        effect=f"{counted}{_sides(claim, comparisons, at)}{comparisons.place(at)}",
        reason=f"{satisfied.sum()} satisfied, {violated.sum()} violated, {undecided.sum()} undecided",
        statistic=z[at],
        p_value=float(min(1.0, tests * special.ndtr(z[at]))) if everywhere else None,
        simulated=simulated,
        worst=comparisons.record(at),
        comparisons=comparisons.table(left=left, right=right, se=se, outcome=outcome),
        chance=_chance(z, at, undecided, levels, tests) if holds is None else None,
        **interval(difference[at], se[at]),
    )


def _chance(z: np.ndarray, at: int, undecided: np.ndarray, levels: Levels, tests: int) -> Chance:
    """Return how far the comparison that decides, or else the undecided one that is the nearest, is from an answer."""
    if undecided[at]:
        return Chance.of_score(z[at], levels, tests)
    open_ = [Chance.of_score(one, levels, tests) for one in z[undecided]]
    return min(open_, key=lambda chance: chance.runs or np.inf)


def _sides(claim: Claim, comparisons: Reading, at: int) -> str:
    """State both numbers of one comparison in the unit of the claim."""
    unit = claim.get("unit", "")
    left, right = (number(float(comparisons[side][at]), unit) for side in ("left", "right"))
    if isinstance(claim.get("against"), int | float):  # the difference has the error of the left side
        left = measured(float(comparisons["left"][at]), float(comparisons["se"][at]), unit)
    if "direction" in claim:
        measure = f"{claim['measure']} " if "measure" in claim else ""
        return f"{measure}from {right} to {left}"
    label = f"{comparisons.labels['left']} " if "left" in comparisons.labels else ""
    if "right" in comparisons.labels:
        return f"{label}{left}, {comparisons.labels['right']} {right}"
    return f"{label}{left}, claimed {RELATIONS[claim['relation']]} {right}"


def _enough(least: float, most: float, share: str | dict[str, float], count: int) -> bool | None:
    """Return whether the share of satisfied comparisons, known to lie in [least, most], matches the claim."""
    if share == "none":
        share = {"at_most": 0.0}
    elif isinstance(share, str):
        share = {"at_least": {"every": 1.0, "some": 1 / count}[share]}
    if "at_least" in share:
        certain, excluded = least >= share["at_least"], most < share["at_least"]
    else:
        certain, excluded = most <= share["at_most"], least > share["at_most"]
    return True if certain else False if excluded else None


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


ORDERING = Check(compare_ordering, judge_ordering, OrderingEntry)
MONOTONE = Check(compare_monotone, judge_monotone, MonotoneEntry)
