"""Checks of single printed numbers: `value` and `contradiction`."""

import ast
from collections.abc import Iterator
from typing import Any

import numpy as np
import pandas as pd
from scipy import special

from corrldp.audit import checks
from corrldp.audit.checks import Check
from corrldp.audit.evidence import (
    EXACT,
    POWER,
    RESOLVING,
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
from corrldp.audit.thresholds import at_end
from corrldp.configuration import Place
from corrldp.expressions import parse, require_condition, require_known
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

    A printed number stands for an interval: the numbers that round to it (``resolution``, the unit of its last digit),
    those within a relative ``tolerance``, or an explicit ``interval``. The z-score is the distance of our estimate from
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
    inside = (ours >= low - EXACT * scale) & (ours <= high + EXACT * scale)
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
        **interval(ours[at], se_ours),
    )


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
    if "interval" in printed:
        return tuple(printed["interval"])
    centre = printed["value"]
    half_width = printed["resolution"] / 2 if "resolution" in printed else printed["tolerance"] * abs(centre)
    return centre - half_width, centre + half_width


def printed_text(printed: dict[str, Any], unit: str = "") -> str:
    """Format a printed number in a unit."""
    if "interval" in printed:
        return f"between {number(printed['interval'][0], unit)} and {number(printed['interval'][1], unit)}"
    tolerance = f" within {100 * printed['tolerance']:g} %" if "tolerance" in printed else ""
    return f"{number(printed['value'], unit)}{tolerance}"


def compare_contradiction(claim: Claim, rows: None) -> list[Reading]:
    """Evaluate the relation between printed numbers: plain arithmetic, no result table.

    Returns
    -------
    list of Reading
        The strict reading, with one row that states whether the relation ``holds``.
    """
    require_known(claim["relation"], list(claim["printed"]))
    return [Reading(STRICT, {"holds": np.array([bool(_arithmetic(claim["relation"], claim["printed"]))])}, [])]


def judge_contradiction(claim: Claim, compared: Reading, levels: Levels) -> Evidence:
    """Check printed numbers against each other: ``relation`` is true if those in ``printed`` are consistent."""
    printed, relation, holds = claim["printed"], claim["relation"], bool(compared["holds"][0])
    tree = parse(relation)
    effect = relation
    if isinstance(tree, ast.Compare) and len(tree.ops) == 1:
        left, right = (ast.unparse(side) for side in (tree.left, tree.comparators[0]))
        named = f"{claim['measure']}:" if "measure" in claim else f"{left} ="
        effect = f"{named} {number(_arithmetic(left, printed))}, against {number(_arithmetic(right, printed))}"
    numbers = ", ".join(f"{name} = {number(printed_number)}" for name, printed_number in printed.items())
    if effect == relation:
        effect = f"{claim.get('measure', 'printed')}: {numbers}"
    return Evidence(
        reading=compared.name,
        holds=holds,
        rows=1,
        effect=effect,
        reason=f"{relation} is {str(holds).lower()} for the printed {numbers}",
        comparisons={"printed": list(printed), "left": list(printed.values())},
    )


def _arithmetic(expression: str, printed: dict[str, float]) -> float:
    numbers = {name: float(number) for name, number in printed.items()}
    try:
        value: Any = pd.eval(expression, engine="python", local_dict=numbers, global_dict={})
    except OverflowError as error:
        raise ValueError(f"cannot evaluate {expression!r}: {error}") from error
    return float(value)


def value_faults(claim: Claim) -> Iterator[tuple[Place, str]]:
    """Yield an interval whose ends are exchanged."""
    low, high = printed_interval(at_end(claim, "generous")["printed"])
    if low > high:
        yield ("printed", "interval"), f"[{low:g}, {high:g}] is empty; put the smaller number first"


def contradiction_faults(claim: Claim) -> Iterator[tuple[Place, str]]:
    """Yield a relation that is neither true nor false for the printed numbers."""
    try:
        require_condition(claim["relation"])
        require_known(claim["relation"], list(claim["printed"]))
        _arithmetic(claim["relation"], claim["printed"])
    except (ValueError, ArithmeticError, TypeError) as error:
        yield ("relation",), str(error)


def _printed_schema(**fields: dict[str, Any]) -> dict[str, Any]:
    return {"type": "object", "required": list(fields), "properties": fields, "additionalProperties": False}


NUMBER = {"type": "number"}
VALUE = Check(
    compare_value,
    judge_value,
    {
        **checks.QUANTITY,
        "printed": {
            "description": "value and resolution (the unit of its last digit), value and tolerance (relative), "
            "or interval",
            "oneOf": [
                _printed_schema(value=NUMBER, resolution=checks.POSITIVE),
                _printed_schema(value=NUMBER, tolerance=checks.threshold(checks.POSITIVE)),
                _printed_schema(interval={"type": "array", "items": NUMBER, "minItems": 2, "maxItems": 2}),
            ],
        },
        "extreme": {
            "enum": ["largest", "smallest"],
            "description": "the printed number is the largest or smallest over the settings (default: at each)",
        },
        "runs": checks.RUNS,
        "resolving": checks.RESOLVING,
    },
    ("table", "quantity", "printed"),
    faults=value_faults,
)
CONTRADICTION = Check(
    compare_contradiction,
    judge_contradiction,
    {
        "printed": {"type": "object", "minProperties": 1, "additionalProperties": NUMBER},
        "relation": {**checks.TEXT, "description": "expression that is true if the numbers are consistent"},
    },
    ("printed", "relation"),
    by_the_paper=True,
    faults=contradiction_faults,
)
