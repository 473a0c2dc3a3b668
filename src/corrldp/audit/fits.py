"""Chi-square checks over many numbers at once: `flat`, `agreement` and `cells`.

They hold if p is at least the passing level and fail if it is below the failing level. They cannot tell in between,
or if they would miss numbers that are wrong by 50 % (or the claim's ``resolving``) with probability above 5 %.

`agreement` treats z-scores as normal, which means of skewed errors are not quite. In simulations with the squared error
of one count over 1,000 runs, its false-alarm rate at level 0.001 is 0.001 to 0.006 (6 to 200 rows); over 200 runs it is
up to 0.06. `cells` uses the skewed scores of `corrldp.audit.likelihood`.
"""

from typing import Annotated

import numpy as np
import pandas as pd
from pydantic import Field
from scipy import special

from corrldp.audit.checks import Check
from corrldp.audit.comparisons import groups
from corrldp.audit.evidence import (
    EXACT,
    INSIDE,
    RESOLVING,
    Chance,
    Claim,
    Evidence,
    Levels,
    chi_square,
    extreme,
    interval,
    notices,
    number,
    p_words,
    passes,
    relative,
    z_scores,
)
from corrldp.audit.exhibits import Exhibit, scored
from corrldp.audit.exhibits import compare as compare_printed
from corrldp.audit.likelihood import FARTHEST
from corrldp.audit.quantities import evaluate
from corrldp.audit.readings import Reading, by_reading, require_readings
from corrldp.configuration import Text
from corrldp.papers.claims import AlongEntry, Positive, Resolving, RowsEntry, Runs, Tolerance
from corrldp.results import axes_of

ROUNDING = 1e-12
"""Absolute difference between exact numbers of order 1 that rounding explains."""

ENOUGH_RUNS = 1000
"""Number of runs from which the level of `agreement` is valid for squared errors."""

BLIND = "the Monte-Carlo error is too large to detect numbers wrong by {:.0%}"


def compare_flat(claim: Claim, rows: pd.DataFrame) -> list[Reading]:
    """Group a quantity by all settings but the one along which `judge_flat` looks for changes.

    Returns
    -------
    list of Reading
        A row per setting: ``estimate``, ``se`` and ``group_number``.

    Raises
    ------
    ValueError
        See `corrldp.audit.comparisons.groups`.
    """
    settings, _ = axes_of(rows)
    frame = evaluate(rows, claim["quantity"], claim.get("basis"))
    return by_reading(groups(frame, settings, claim["along"], claim.get("by")), settings)


def judge_flat(claim: Claim, grouped: Reading, levels: Levels) -> Evidence:
    """Check that a quantity does not change along a setting column, within each group of the other settings.

    A test of homogeneity: sums the squared z-scores of deviations from the group's mean (weighted by precision)
    beyond a relative ``tolerance`` (default 1e-9). Exact numbers must stay within the tolerance.
    """
    tolerance, resolving, unit = claim.get("tolerance", EXACT), claim.get("resolving", RESOLVING), claim.get("unit", "")
    estimate, se = grouped["estimate"], grouped["se"]
    z, mean = np.empty_like(estimate), np.empty_like(estimate)
    dof, shift = 0, np.inf
    for place in np.unique(grouped["group_number"]):
        group = grouped["group_number"] == place
        uncertain = se[group] != 0
        weight = se[group] ** -2.0 if uncertain.all() else (~uncertain).astype(float)
        weight = weight / weight.sum()
        mean[group] = centre = float(weight @ estimate[group])
        deviation = estimate[group] - centre
        excess = np.sign(deviation) * np.maximum(np.abs(deviation) - tolerance * abs(centre), 0.0)
        z[group] = z_scores(excess, se[group], excess == 0)
        dof += int(uncertain.sum()) - int(uncertain.all())
        wrong = (resolving - tolerance) * centre
        shift = min([shift, *((wrong / se[group][uncertain]) ** 2 * (1 - weight[uncertain]))])
    statistic, p_value = chi_square(z, dof)
    holds = passes(p_value, levels, notices(shift, dof, levels.passing))
    at = extreme(z, estimate - mean, mean)
    measure = f"{claim['measure']} " if "measure" in claim else ""
    farthest = _range(estimate[grouped["group_number"] == grouped["group_number"][at]], unit)
    return Evidence(
        reading=grouped.name,
        holds=holds,
        rows=len(grouped),
        effect=f"{measure}{farthest}{grouped.place(at)}",
        reason=f"no deviation beyond {number(tolerance, 'percent')}"
        if holds and tolerance > EXACT and not z.any()
        else _fit_words(holds, statistic, dof, p_value, resolving, levels),
        statistic=statistic,
        p_value=p_value,
        simulated=int((se != 0).sum()),
        worst=grouped.record(at),
        comparisons=grouped.table(left=estimate, right=mean, se=se),
        chance=_chance(holds, statistic, dof, p_value, levels),
        **interval(estimate[at], se[at]),
    )


def _range(values: np.ndarray, unit: str) -> str:
    """State the range of the group in which a quantity changes most."""
    low, high = values.min(), values.max()
    ratio = f", a factor of {high / low:.3g}" if low > 0 else ""
    return f"from {number(low, unit)} to {number(high, unit)}{ratio}; farthest from the mean"


def compare_agreement(claim: Claim, rows: pd.DataFrame) -> list[Reading]:
    """Select the rows that have a closed form, for `judge_agreement`.

    Returns
    -------
    list of Reading
        Those rows, with the columns of the result table.

    Raises
    ------
    ValueError
        If a reading has no such row.
    """
    settings, _ = axes_of(rows)
    frame = rows[rows["theory"].notna()]
    require_readings(frame["reading"], rows["reading"], "no selected row has a closed form in `theory`")
    return by_reading(frame, [*settings, "mechanism", "metric"])


def judge_agreement(claim: Claim, rows: Reading, levels: Levels) -> Evidence:
    """Check simulated means against their closed forms, over all selected rows that have one.

    Two tests for each metric, combined by Bonferroni: the sum of squared z-scores, which detects a small error in many
    rows, and the largest z-score, which detects a large error in one row. Metrics are tested separately because they
    come from the same runs. Exact rows must agree within 1e-9, or 1e-12 in absolute terms where the closed form may be
    0. With fewer than 1,000 runs a mean of squares is too skewed for the stated level, so the check cannot fail.
    """
    mean, theory, se = (rows[name] for name in ("mean", "theory", "se"))
    z = z_scores(mean - theory, se, np.isclose(mean, theory, rtol=EXACT, atol=ROUNDING))
    resolving = claim.get("resolving", RESOLVING)
    tests, noticing = [], True
    for metric in pd.unique(rows["metric"]):
        chosen = rows["metric"] == metric
        uncertain = chosen & (se != 0)
        dof = int(uncertain.sum())
        statistic, p_sum = chi_square(z[chosen], dof)
        tests += [(p_sum, statistic, dof), (_p_largest(z[chosen]), statistic, dof)]
        shift = float(np.sum((resolving * theory[uncertain] / se[uncertain]) ** 2))
        # An expectation of 0 (a bias) has no relative error to detect.
        noticing &= notices(shift, dof, levels.passing) or not theory[chosen].any()
    smallest, statistic, dof = min(tests)
    p_value = min(1.0, len(tests) * smallest)
    holds = passes(p_value, levels, noticing)
    reason = _fit_words(holds, statistic, dof, p_value, resolving, levels, f" over {len(tests)} tests")
    if holds is False and (rows["runs"][se != 0] < ENOUGH_RUNS).any():
        holds, reason = None, f"disagrees (p = {p_value:.2g}), but fewer than {ENOUGH_RUNS} runs prove nothing"
    at = extreme(z, mean - theory, theory)
    method = "simulation" if (se != 0).any() else "enumeration"
    return Evidence(
        reading=rows.name,
        holds=holds,
        rows=len(rows),
        effect=f"largest deviation: {method} {number(mean[at])}, formula {number(theory[at])} "
        f"({relative(mean[at] - theory[at], theory[at])}{f', {_z_words(z[at])}' if se[at] else ''}){rows.place(at)}",
        reason=reason,
        statistic=statistic,
        p_value=p_value,
        simulated=int((se != 0).sum()),
        worst=rows.record(at),
        comparisons=rows.table(left=mean, right=theory, se=se),
        chance=_chance(holds, statistic, dof, p_value, levels),
        **interval(mean[at], se[at]),
    )


def compare_cells(claim: Claim, rows: pd.DataFrame, published: pd.DataFrame) -> list[Reading]:
    """Compare a published table or figure with our results, cell by cell, for `judge_cells`.

    Our number is the closed form where there is one, else the Monte-Carlo mean with its error. The error of a
    published number combines the standard deviation of one run of our simulation, scaled by the published ``runs`` (or
    the claim's), the relative ``reading_error`` of digitising, and its last digit.

    Returns
    -------
    list of Reading
        A row per cell: ``ours``, the printed ``value``, their combined ``se`` and the score ``z``.

    Raises
    ------
    ValueError
        If a published cell matches no row or several rows of the result table; the message names the cell.
    """
    error, runs = claim.get("reading_error", 0.0), claim.get("runs")
    exhibit = Exhibit("", "", claim["published"], reading_error=error, runs=runs)
    cells = compare_printed(exhibit, rows, published, claim["metric"], claim.get("rows"))
    settings, _ = axes_of(rows)
    return by_reading(scored(cells, claim.get("runs_factor", 1.0)), [*settings, "mechanism"])


def judge_cells(claim: Claim, compared: Reading, levels: Levels) -> Evidence:
    """Test the goodness of fit of a published table or figure under one reading.

    The estimate is the share of cells inside their 95 % prediction interval.
    """
    ours, printed, se = (compared[name] for name in ("ours", "value", "se"))
    z = compared["z"]
    dof = int((se != 0).sum())
    statistic, p_value = chi_square(z, dof)
    resolving = claim.get("resolving", RESOLVING)
    shift = float(np.sum((resolving * ours[se != 0] / se[se != 0]) ** 2))
    holds = passes(p_value, levels, notices(shift, dof, levels.passing))
    at = extreme(z, printed - ours, ours)
    count, inside = len(compared), int((np.abs(z) <= INSIDE).sum())
    return Evidence(
        reading=compared.name,
        holds=holds,
        rows=count,
        effect=f"{inside} of {count} cells inside their 95 % interval; worst: printed {number(printed[at])}, ours "
        f"{number(ours[at])} ({_z_words(z[at])}){compared.place(at)}",
        reason=_fit_words(holds, statistic, dof, p_value, resolving, levels),
        estimate=inside / count,
        statistic=statistic,
        p_value=p_value,
        simulated=int((compared["run_sd"] > 0).sum()),
        worst=compared.record(at),
        comparisons=compared.table(left=ours, right=printed, se=se),
        chance=_chance(holds, statistic, dof, p_value, levels),
    )


def _chance(holds: bool | None, statistic: float, dof: int, p_value: float, levels: Levels) -> Chance | None:
    """Return how far a fit between the levels is from failing; one that is blind is not near any answer."""
    if holds is None and dof and levels.failing <= p_value < levels.passing:
        return Chance.of_chi_square(statistic, dof, levels.failing)
    return None


def _p_largest(z: np.ndarray) -> float:
    """Return the p-value of the largest of independent z-scores in absolute value (Bonferroni)."""
    return float(min(1.0, 2 * len(z) * special.ndtr(-np.abs(z).max())))


def _z_words(z: float) -> str:
    """Return a z-score in words; beyond `FARTHEST` its size is not known."""
    if abs(z) < FARTHEST:
        return f"z = {z:.2f}"
    return f"z > {FARTHEST:.0f}" if z > 0 else f"z < -{FARTHEST:.0f}"


def _fit_words(
    holds: bool | None, statistic: float, dof: int, p_value: float, resolving: float, levels: Levels, of: str = ""
) -> str:
    """Explain why a fit holds, fails or cannot tell; `of` says over how many tests the p-value is corrected."""
    if holds is None and not p_value < levels.passing:
        return BLIND.format(resolving)
    return p_words(f"chi-square = {statistic:.4g} ({dof} dof)", p_value, of, levels) if dof else "exact numbers"


class FlatEntry(AlongEntry):
    """A quantity that does not change along a setting."""

    tolerance: Annotated[Tolerance, Field(description="largest relative deviation that counts as flat")] = 0.0
    resolving: Resolving = RESOLVING


class AgreementEntry(RowsEntry):
    """Simulation and theory agree."""

    resolving: Resolving = RESOLVING


class CellsEntry(RowsEntry):
    """Our numbers agree with those of a file of printed numbers."""

    published: Annotated[Text, Field(description="file of config/published/ID/ without its suffix")]
    metric: Text
    reading_error: Annotated[Positive, Field(description="relative error of digitising")] = 0.0
    runs: Runs | None = None
    resolving: Resolving = RESOLVING


FLAT = Check(compare_flat, judge_flat, FlatEntry)
AGREEMENT = Check(compare_agreement, judge_agreement, AgreementEntry)
CELLS = Check(compare_cells, judge_cells, CellsEntry)
