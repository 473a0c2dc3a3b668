"""Checks of single printed numbers: `value` and `contradiction`."""

import ast
from itertools import product
from typing import Annotated, Any, Literal

import numpy as np
import pandas as pd
from annotated_types import MinLen
from pydantic import Discriminator, Field, Tag, ValidationInfo, field_validator
from scipy import special

from corrldp.audit.checks import Check
from corrldp.audit.evidence import (
    EXACT,
    POWER,
    RESOLVING,
    Chance,
    Claim,
    Evidence,
    Levels,
    critical,
    extreme,
    interval,
    measured,
    number,
    p_words,
    passes,
    z_scores,
)
from corrldp.audit.quantities import evaluate
from corrldp.audit.readings import Reading, by_reading
from corrldp.configuration import Entry
from corrldp.digits import Printed
from corrldp.expressions import names_in, parse, require_known
from corrldp.papers.claims import (
    AS_PRINTED,
    ClaimEntry,
    Condition,
    PrintedText,
    QuantityEntry,
    Resolving,
    Runs,
    Tolerance,
)
from corrldp.results import STRICT, axes_of


def compare_value(claim: Claim, rows: pd.DataFrame) -> list[Reading]:
    """Evaluate the quantity that `judge_value` checks, with our error and the paper's.

    Returns
    -------
    list of Reading
        A row per setting: ``estimate``, ``se`` (ours) and ``se_paper``.
    """
    settings, _ = axes_of(rows)
    return by_reading(evaluate(rows, claim["quantity"], claim.get("basis"), claim.get("runs")), settings)


def judge_value(claim: Claim, numbers: Reading, levels: Levels) -> Evidence:
    """Check a printed number against ours at every selected setting.

    A printed number stands for an interval: the numbers that print like it (see `corrldp.digits`), those within a
    relative ``tolerance``, or an explicit ``interval``. The z-score is the distance of our estimate from
    that interval in combined standard errors, the paper's (from its ``runs``) and ours; p is two-sided, with Bonferroni
    over rows. The check cannot tell if at some row it would miss a printed number wrong by 50 % (or ``resolving``) with
    probability above 5 %.

    With ``extreme``, the printed number is the ``largest`` or ``smallest`` over the settings: none may lie beyond the
    interval, and one must reach it.
    """
    low, high = printed_interval(claim["printed"])
    unit = claim.get("unit", "")
    scale = max(abs(low), abs(high))
    ours = numbers["estimate"]
    distance = ours - np.clip(ours, low, high)
    inside = (ours >= low) & (ours <= high)
    se = np.hypot(numbers["se"], numbers["se_paper"])
    z = z_scores(distance, se, inside)
    outward = {"largest": 1, "smallest": -1}.get(claim.get("extreme", ""), 0)
    if outward:
        z = _of_extreme(outward * z, outward * distance) * outward
    count = len(numbers)
    p_value = float(np.minimum(1.0, 2 * count * special.ndtr(-np.abs(z)).min()))
    reach = (critical(levels.passing, 2 * count) + special.ndtri(POWER)) * se
    blind = int((reach > claim.get("resolving", RESOLVING) * scale).sum())
    holds = passes(p_value, levels, blind == 0)
    at = extreme(z, distance, np.full_like(distance, scale))
    if outward:
        at = int(np.lexsort((outward * ours, np.abs(z)))[-1])
    se_ours, se_paper = numbers["se"][at], numbers["se_paper"][at]
    spread = f"{100 * se_paper:.2g} %" if unit == "percent" else f"{se_paper:.2g}"
    paper_error = f" (± {spread} in {_runs(claim['runs'])})" if se_paper else ""
    reason = (
        p_words(f"z = {z[at]:.2f}", p_value, f" over {count} rows" if count > 1 else "", levels)
        if se[at]
        else "exact numbers"
    )
    if holds is None and blind:
        reason = f"the Monte-Carlo error is too large to detect a wrong number in {blind} of {count} rows"
    return Evidence(
        reading=numbers.name,
        holds=holds,
        rows=count,
        effect=f"{claim.get('measure', 'ours')} {measured(ours[at], se_ours, unit)}, printed "
        f"{printed_text(claim['printed'], unit)}{paper_error}{numbers.place(at)}",
        reason=reason,
        statistic=z[at],
        p_value=p_value,
        simulated=int((se != 0).sum()),
        worst=numbers.record(at),
        comparisons=numbers.table(left=ours, right=np.clip(ours, low, high), se=se),
        chance=_chance(z[at], count, blind, float(np.max(reach)), scale * claim.get("resolving", RESOLVING), levels)
        if holds is None
        else None,
        **interval(ours[at], se_ours),
    )


def _chance(z: float, count: int, blind: int, reach: float, resolving: float, levels: Levels) -> Chance:
    """Return how far a number is from failing or, where the error hides a wrong one, from being resolved."""
    if blind:
        return Chance(resolving, reach, (reach / resolving) ** 2)
    return Chance.of_score(-abs(z), levels, 2 * count)


def _of_extreme(z: np.ndarray, distance: np.ndarray) -> np.ndarray:
    """Return the z-scores of a largest number: of the rows that fall short, only the nearest counts, if all do."""
    short = z < 0
    nearest = np.lexsort((distance, z))[-1]
    if short.all():
        short[nearest] = False
    return np.where(short, 0.0, z)


def _runs(count: float) -> str:
    return f"{count:.0f} run" if count == 1 else f"{count:.0f} runs"


def printed_interval(printed: dict[str, Any]) -> tuple[float, float]:
    """Return the interval for which a printed number stands."""
    value = printed.get("value")
    if isinstance(value, str):
        return Printed.read(value).interval
    low, high = printed["interval"] if value is None else (value, value)
    half_width = printed.get("tolerance", 0.0) * abs(low) + EXACT * max(abs(low), abs(high))
    return low - half_width, high + half_width


def printed_text(printed: dict[str, Any], unit: str = "") -> str:
    """Format a printed number in a unit."""
    if "interval" in printed:
        return f"between {number(printed['interval'][0], unit)} and {number(printed['interval'][1], unit)}"
    if isinstance(printed["value"], str):
        shown = Printed.read(printed["value"]).shown(unit == "percent")
        return shown if unit == "percent" else f"{shown} {unit}".rstrip()
    return f"{number(printed['value'], unit)} within {100 * printed['tolerance']:g} %"


def compare_contradiction(claim: Claim, rows: None) -> list[Reading]:
    """Evaluate the relation between printed numbers: plain arithmetic, no result table.

    Returns
    -------
    list of Reading
        The strict reading, with one row that states whether the relation ``holds``.
    """
    require_known(claim["relation"], list(claim["printed"]))
    return [Reading(STRICT, {"holds": np.array([_consistent(parse(claim["relation"]), claim["printed"])])}, [])]


def judge_contradiction(claim: Claim, compared: Reading, levels: Levels) -> Evidence:
    """Check printed numbers against each other: ``relation`` is true if those in ``printed`` are consistent.

    A text in ``printed`` stands for all numbers that print like it, and a number for itself. Each comparison in the
    relation holds if it does for some of them; `not` of one, if it does for all.
    """
    printed, relation, holds = claim["printed"], claim["relation"], bool(compared["holds"][0])
    tree = parse(relation)
    effect = relation
    if isinstance(tree, ast.Compare) and len(tree.ops) == 1:
        left, right = (ast.unparse(side) for side in (tree.left, tree.comparators[0]))
        named = f"{claim['measure']}:" if "measure" in claim else f"{left} ="
        values = {name: np.array([_value(each)]) for name, each in printed.items()}
        ours, theirs = (float(_arithmetic(side, values)[0]) for side in (left, right))
        effect = f"{named} {number(ours)}, against {number(theirs)}"
    numbers = ", ".join(f"{name} = {each if isinstance(each, str) else number(each)}" for name, each in printed.items())
    if effect == relation:
        effect = f"{claim.get('measure', 'printed')}: {numbers}"
    return Evidence(
        reading=compared.name,
        holds=holds,
        rows=1,
        effect=effect,
        reason=f"{relation} is {str(holds).lower()} for the printed {numbers}",
        comparisons={"printed": list(printed), "left": [_value(each) for each in printed.values()]},
    )


def _consistent(relation: ast.expr, printed: dict[str, str | float]) -> bool:
    """Return whether a relation can be true of numbers that print like those printed."""
    match relation:
        case ast.BoolOp(ast.And(), parts):
            return all(_consistent(part, printed) for part in parts)
        case ast.BoolOp(ast.Or(), parts):
            return any(_consistent(part, printed) for part in parts)
        case ast.UnaryOp(ast.Not(), refused):
            return not _consistent(refused, printed)
        case ast.Compare(left, operators, rights):
            sides = [left, *rights]
            return all(map(_can_be, operators, sides, sides[1:], [printed] * len(operators)))
    raise ValueError(f"{ast.unparse(relation)!r} is not a comparison; join comparisons by `and`, `or` and `not`")


def _can_be(operator: ast.cmpop, left: ast.expr, right: ast.expr, printed: dict[str, str | float]) -> bool:
    """Return whether a comparison is true at some corner of the printed intervals or, if it is ==, between corners.

    Expressions in claims change with each of their numbers in one direction, so that corners are their extremes.
    """
    names = sorted(names_in(ast.unparse(left)) | names_in(ast.unparse(right)))
    ends = [Printed.read(each).interval if isinstance(each := printed[name], str) else (each,) for name in names]
    corners = np.array([*product(*ends)], dtype=float).T
    values = dict(zip(names, corners, strict=True))
    first, second = (_arithmetic(ast.unparse(side), values) for side in (left, right))
    difference = first - second
    scale = EXACT * (np.abs(first) + np.abs(second)).max()
    match operator:
        case ast.Eq():
            return bool(difference.min() <= scale and difference.max() >= -scale)
        case ast.Lt():
            return bool((difference < -scale).any())
        case ast.LtE():
            return bool((difference <= scale).any())
        case ast.Gt():
            return bool((difference > scale).any())
        case ast.GtE():
            return bool((difference >= -scale).any())
    raise ValueError("a relation between printed numbers has one of ==, <, <=, > and >=")


def _value(printed: str | float) -> float:
    return Printed.read(printed).value if isinstance(printed, str) else float(printed)


def _arithmetic(expression: str, values: dict[str, np.ndarray]) -> np.ndarray:
    """Evaluate an expression at several values of its names at once."""
    try:
        with np.errstate(divide="raise", over="raise", invalid="raise"):
            found: Any = pd.eval(expression, engine="python", local_dict=values, global_dict={})
    except (OverflowError, FloatingPointError) as error:
        raise ValueError(f"cannot evaluate {expression!r}: {error}") from error
    return np.atleast_1d(np.asarray(found, dtype=float))


class PrintedNumber(Entry):
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
        Annotated[PrintedNumber, Tag("(value)")]
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


class ContradictionEntry(ClaimEntry):
    """A relation between printed numbers that is true if they are consistent."""

    printed: Annotated[
        dict[
            str,
            Annotated[
                Annotated[float, Tag("(number)")] | Annotated[PrintedText, Tag("(text)")],
                Discriminator(lambda number: "(text)" if isinstance(number, str) else "(number)"),
            ],
        ],
        MinLen(1),
    ]
    relation: Condition

    @field_validator("relation")
    @classmethod
    def _is_decided(cls, relation: str, info: ValidationInfo) -> str:
        if "printed" in info.data:
            try:
                compare_contradiction({"printed": info.data["printed"], "relation": relation}, None)
            except (ArithmeticError, TypeError) as error:
                raise ValueError(str(error)) from error
        return relation


VALUE = Check(compare_value, judge_value, ValueEntry)
CONTRADICTION = Check(compare_contradiction, judge_contradiction, ContradictionEntry, by_the_paper=True)
