"""What a check found under one reading: the numbers that decide, and why it holds, fails or cannot tell."""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import Any

from claimaudit.digits import Printed
from claimaudit.verdicts import (
    FARTHEST,
    READINGS,
    RESOLVING,
    Cells,
    Chance,
    Comparisons,
    Deviation,
    Evidence,
    Inequalities,
    Levels,
    PrintedNumber,
    Range,
    Relation,
    Steps,
    Verdict,
)
from claimaudit.words.names import expression, place, plain
from claimaudit.words.numbers import MINUS, amount, apart, measured, number, p_words, plural, relative

RELATIONS = {"<": "below", "<=": "at most", ">": "above", ">=": "at least"}

MANY = 1000
"""Times as many runs beyond which numbers count as equal within their error."""


def effect(verdict: Verdict, evidence: Evidence) -> str:
    """Return the numbers of the row that decides."""
    match evidence.found:
        case Inequalities() as found:
            words = _counted(evidence, found) + _inequality(verdict, found)
        case Steps() as found:
            words = _counted(evidence, found) + _step(verdict, found)
        case Range() as found:
            words = _range(verdict, found)
        case Deviation() as found:
            words = _deviation(found)
        case Cells() as found:
            words = (
                f"{found.inside} of {evidence.rows} cells inside their 95 % interval; farthest: printed "
                f"{number(found.printed)}, ours {number(found.ours)} ({score(found.score)})"
            )
        case PrintedNumber() as found:
            words = _printed_number(verdict, evidence, found)
        case Relation() as found:
            words = _relation(verdict, found, evidence.holds)
    where = place({name: evidence.worst[name] for name in evidence.varying}, verdict.called)
    return f"{words} at {where}" if where else words


def reason(verdict: Verdict, evidence: Evidence) -> str:
    """Return why a check holds, fails or cannot tell, where the numbers beside it do not show that."""
    because = _reason(verdict, evidence)
    return "; ".join(filter(None, (because, meaning(evidence))))


def meaning(evidence: Evidence) -> str:
    """Return in which other meaning, or on which other data, a check holds; empty if there are none."""
    if not evidence.meaning:
        return ""
    return f"holds {evidence.meaning}" if evidence.why == READINGS else f"holds if it means: {evidence.meaning}"


def _reason(verdict: Verdict, evidence: Evidence) -> str:
    match evidence.found:
        case Comparisons(violated=violated, undecided=undecided):
            counts = ((violated, "violated"), (undecided, "undecided")) if undecided else ()
            return ", ".join(f"{count} {word}" for count, word in counts if count)
        case Range(dof=dof, tolerance=tolerance):
            if evidence.grounds == "tolerance":
                return f"no deviation beyond {amount(tolerance, 'percent')}"
            statistic, of = _chi_square(evidence, dof), ""
        case Deviation(dof=dof, tests=tests):
            statistic, of = _chi_square(evidence, dof), f" over {tests} tests"
        case Cells(dof=dof):
            statistic, of = _chi_square(evidence, dof), ""
        case PrintedNumber(blind=blind):
            if evidence.grounds == "blind":
                rows = f"{blind} of {plural(evidence.rows, 'row')}"
                return f"the Monte-Carlo error is too large to detect a wrong number in {rows}"
            statistic = score(evidence.statistic)
            of = f" over {plural(evidence.rows, 'row')}" if evidence.rows > 1 else ""
        case Relation():
            return ""
    if evidence.grounds == "exact":
        return ""
    if evidence.grounds == "blind":
        wrong = amount(verdict.check.get("resolving", RESOLVING), "percent")
        return f"the Monte-Carlo error is too large to detect numbers wrong by {wrong}"
    if evidence.grounds == "few runs":
        return f"disagrees ({p_words(evidence.p_value)}), but with so few runs that proves nothing"
    return f"{statistic}, {p_words(evidence.p_value)}{of}{_between(evidence.p_value, verdict.levels)}"


def _between(p_value: float | None, levels: Levels) -> str:
    if p_value is None or not levels.failing <= p_value < levels.passing:
        return ""
    return f"; below {number(levels.passing, 2)} (cannot hold) but not {number(levels.failing, 2)} (cannot fail)"


def _chi_square(evidence: Evidence, dof: int) -> str:
    return f"chi-square = {number(evidence.statistic)} ({dof} dof)"


def score(z: float | None) -> str:
    """Return a z-score as an equation; beyond `FARTHEST` its size is not known."""
    if z is None or abs(z) >= FARTHEST:
        return f"z < {MINUS}{FARTHEST:.0f}" if z is not None and z < 0 else f"z > {FARTHEST:.0f}"
    return f"z = {z:.2f}".replace("-", MINUS)


def chance(found: Chance) -> str:
    """Say how many more runs would decide."""
    if found.runs is None or found.runs > MANY:
        return "the numbers are equal within their error"
    times = f"about {number(max(found.runs, 1.1), 2)} times as many"
    return f"{times}; it is at {number(found.statistic, 3)}, and {number(found.needed, 3)} decides"


def _counted(evidence: Evidence, found: Comparisons) -> str:
    """Count the satisfied comparisons, if there are several, before the least or the most satisfied one."""
    if evidence.rows == 1:
        return ""
    if found.worst:
        shown = "fails most clearly" if found.violated else "nearest to failing"
    else:
        shown = "holds most clearly" if found.satisfied else "nearest to holding"
    return f"{found.satisfied} of {evidence.rows} satisfied; {shown}: "


def _inequality(verdict: Verdict, found: Inequalities) -> str:
    """State both numbers of one comparison in the unit of the claim."""
    left = measured(found.left, found.error, verdict.unit)
    right = amount(found.right, verdict.unit)
    label = f"{expression(found.left_name)} " if found.left_name else ""
    if found.right_name:
        return f"{label}{left}, {expression(found.right_name)} {right}"
    return f"{label}{left}, {_demanded(verdict, found.right)} {RELATIONS[found.relation]} {right}"


def _demanded(verdict: Verdict, threshold: float | None) -> str:
    """Return who asks for a threshold: the paper's sentence, a question of ours, or the check."""
    claimed = verdict.claimed
    if claimed is None or threshold is None or not math.isclose(claimed, threshold):
        return "needed:"
    return "asked:" if verdict.origin == "ours" else "claimed"


def _step(verdict: Verdict, found: Steps) -> str:
    label = f"{expression(verdict.measure)} " if verdict.measure else ""
    if found.start == found.end:
        return f"{label}stays at {amount(found.end, verdict.unit)}"
    return "{}from {} to {}".format(label, *apart(found.start, found.end, verdict.unit))


def _range(verdict: Verdict, found: Range) -> str:
    """State the range of the group in which a quantity changes most."""
    low, high = amount(found.low, verdict.unit), amount(found.high, verdict.unit)
    factor = f", a factor of {number(found.high / found.low, 3)}" if found.low and found.high and found.low > 0 else ""
    measure = f"{verdict.measure} " if verdict.measure else ""
    return f"{measure}from {low} to {high}{factor}; farthest from the mean"


def _deviation(found: Deviation) -> str:
    method = "simulation" if found.simulated else "enumeration"
    ours, formula = found.ours, found.formula
    apart = relative(ours - formula, formula) if ours is not None and formula is not None else ""
    z = "" if found.score is None else f", {score(found.score)}"
    return f"largest deviation: {method} {number(ours)}, formula {number(formula)} ({apart}{z})"


def _printed_number(verdict: Verdict, evidence: Evidence, found: PrintedNumber) -> str:
    ours = f"{verdict.measure or 'ours'} {measured(evidence.estimate, evidence.se, verdict.unit)}"
    printed = verdict.printed or {}
    target = printed_text(printed, verdict.unit, found.tolerance)
    spread = ""
    if found.error:
        error = f"{number(100 * found.error, 2)} %" if verdict.unit == "percent" else number(found.error, 2)
        runs = f" in {plural(round(found.runs), 'run')}" if found.runs else ""
        spread = f" (± {error}{runs})"
    if isinstance(printed.get("value"), str):
        return f"{ours}, printed {target}{spread}"
    first, *_ = printed.get("interval") or [printed["value"]]
    return f"{ours}, {_demanded(verdict, first)} {target}{spread}"


def printed_text(printed: Mapping[str, Any], unit: str = "", tolerance: float | None = None) -> str:
    """Return a printed number in a unit; `tolerance` is the relative one within which it is taken."""
    if "interval" in printed:
        low, high = printed["interval"]
        return f"between {amount(low, unit)} and {amount(high, unit)}"
    if isinstance(printed["value"], str):
        shown = Printed.read(printed["value"]).shown(unit == "percent").replace("-", MINUS)
        return shown if unit == "percent" else f"{shown} {unit}".rstrip()
    return f"{amount(printed['value'], unit)} within {amount(tolerance, 'percent')}"


def _relation(verdict: Verdict, found: Relation, holds: bool | None) -> str:
    if not found.left_name:
        printed = {
            name: each if isinstance(each, str) else number(each) for name, each in (verdict.printed or {}).items()
        }
        return f"{verdict.measure or 'printed'}: {place(printed)}"
    named = f"{verdict.measure}:" if verdict.measure else f"{expression(found.left_name)} ="
    needed = "agrees with" if holds and found.relation == "==" else RELATIONS.get(found.relation, "")
    right = " ".join(filter(None, ("" if holds else "not", needed, number(found.right))))
    return f"{named} {number(found.left)}, {right}"


def single_number(printed: Mapping[str, Any] | None) -> str:
    """Return the number or interval that a paper prints for a claim as text; empty if there is no single one."""
    if printed is None:
        return ""
    if "interval" in printed:
        return "{} to {}".format(*map(plain, printed["interval"]))
    return plain(printed["value"]) if "value" in printed else ""


def states_all(verdict: Verdict) -> bool:
    """Return whether `effect` lists all printed numbers: of a relation with more than one comparison."""
    return isinstance(verdict.stated.found, Relation) and not verdict.stated.found.left_name
