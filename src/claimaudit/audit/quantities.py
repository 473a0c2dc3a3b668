"""Quantities: expressions over the numbers of a result table, with their Monte-Carlo errors.

The variables of an expression are the numeric setting columns (``n``, ``epsilon``) and ``{metric}_{mechanism}`` in
lower case, where every character but letters and digits becomes ``_`` (``mse_counts_k_jrr``). Errors follow the delta
method. Mechanisms are simulated independently, so their errors add in quadrature. Two metrics of one mechanism come
from the same runs, so their errors add in full, an upper bound.
"""

from collections.abc import Callable, Sequence

import numpy as np

from claimaudit import expressions
from claimaudit.audit.arrays import Arrays, Places
from claimaudit.expressions import require_known


def require_readings(kept: Places, wanted: Places, fault: str) -> None:
    """Raise ValueError with `fault` and the name of the reading if a reading of `wanted` has no row in `kept`."""
    lacking = ~np.isin(wanted.codes["reading"], kept.codes["reading"])
    if lacking.any():
        raise ValueError(f"{fault} (under the reading {wanted.values['reading'][lacking][0]})")


def groups(table: Arrays, along: str, by: Sequence[str] | None) -> Arrays:
    """Group the rows of each reading by the columns `by` (default: all but `along`), sorted along `along`.

    The rows of groups of two or more come group by group, with a column ``group_number``. A column that is no setting,
    a reading without such a group, or two rows of one that share a value of `along` are a ValueError.
    """
    settings, places = table.settings, table.places
    by = [name for name in settings if name != along] if by is None else by
    unknown = [name for name in (along, *by) if name not in settings]
    if unknown:
        raise ValueError(f"unknown setting column {', '.join(unknown)}; there are: {', '.join(settings)}")
    number = places.number(["reading", *by])
    several = np.bincount(number)[number] > 1
    fault = f"no two selected settings differ in {along} alone; name the grouping columns with `by`"
    require_readings(places.take(several), places, fault)
    order = np.lexsort((places.codes[along], number))
    order = order[several[order]]
    group, value = number[order], places.codes[along][order]
    if ((np.diff(group) == 0) & (np.diff(value) == 0)).any():
        raise ValueError(f"two settings share a value of {along}; select with `where` or group with `by`")
    return table.take(order).assign(group_number=group)


def evaluate(rows: Arrays, expression: str, basis: str | None = None, paper_runs: float | None = None) -> Arrays:
    """Evaluate an expression at the settings of every reading at which all its variables have a row.

    The numbers are ``estimate``, ``se``, ``se_paper`` and the ``line`` of the setting in the spread of the rows.

    The basis ``theory`` uses the closed forms (no error), ``simulation`` the Monte-Carlo means; by default it is theory
    at the settings where every variable used has a closed form. An exact row (``runs = 0``) is its own theory. If a
    reading has no setting at which the expression can be evaluated, it is a ValueError.

    The error of the paper's number, an average over `paper_runs` runs, follows from the standard deviation of one run
    of our simulation, through the same expression; without `paper_runs` it is 0.
    """
    spread = rows.spread
    places, values = spread.places, spread.places.values
    numeric = [name for name in rows.settings if values[name].dtype.kind in "iuf"]
    known = require_known(expression, [*spread.names, *numeric])
    used = [place for place, name in enumerate(spread.names) if name in known]
    names = [spread.names[place] for place in used]
    mean, se, runs, theory = spread.numbers[:, :, used]
    present = ~np.isnan(runs).any(axis=1)
    lines = np.flatnonzero(present)
    if len(lines) < len(present):
        places = places.take(lines)
        mean, se, runs, theory = (each[lines] for each in (mean, se, runs, theory))
        require_readings(places, spread.places, f"no selected setting has all of {', '.join(names)}")
    theory = np.where(np.isnan(theory) & (runs == 0), mean, theory)
    has_theory = ~np.isnan(theory).any(axis=1, keepdims=True)
    if basis == "theory" and not has_theory.all():
        lacking = ", ".join(np.array(names)[np.isnan(theory).any(axis=0)])
        raise ValueError(
            f"basis theory, but {lacking} has no closed form at {(~has_theory).sum()} settings of all readings"
        )
    exact = has_theory & (basis != "simulation")
    fixed = {name: places.values[name].astype(float) for name in numeric if name in known}

    def at(point: np.ndarray) -> np.ndarray:
        """Return the values, shape (..., settings), for variables of shape (..., settings, variables)."""
        values = {**fixed, **dict(zip(names, np.moveaxis(point, -1, 0), strict=True))}
        with np.errstate(all="ignore"):  # what is not finite decides nothing
            return np.broadcast_to(expressions.evaluate(expression, values), point.shape[:-1]).astype(float)

    point = np.where(exact, theory, mean)
    ours = np.where(exact, 0.0, se)
    paper = se * np.sqrt(runs / paper_runs) if paper_runs else np.zeros_like(se)
    slopes, mechanisms = _slopes(at, point, np.fmax(ours, paper)), spread.mechanisms[used]
    errors = {"se": _propagated(slopes, ours, mechanisms), "se_paper": _propagated(slopes, paper, mechanisms)}
    return Arrays(places, {"estimate": at(point), **errors, "line": lines})


def _slopes(at: Callable[[np.ndarray], np.ndarray], point: np.ndarray, spread: np.ndarray) -> np.ndarray:
    """Return central-difference derivatives (settings, variables), with steps scaled to the errors `spread`."""
    slopes = np.zeros_like(point)
    columns = np.flatnonzero((spread != 0).any(axis=0))  # the slope of an exact variable is not needed
    if not len(columns):
        return slopes
    step = np.fmax(1e-3 * spread[:, columns], 1e-7 * np.abs(point[:, columns]))
    step = np.where((step > 0) & np.isfinite(step), step, 1.0)
    aside = np.zeros((len(columns), *point.shape))
    aside[np.arange(len(columns)), :, columns] = step.T
    with np.errstate(invalid="ignore"):  # infinite numbers have no slope, and no error to propagate
        slopes[:, columns] = ((at(point + aside) - at(point - aside)) / (2 * step.T)).T
    return slopes


def _propagated(slopes: np.ndarray, se: np.ndarray, mechanisms: np.ndarray) -> np.ndarray:
    """Return the delta-method error: added in full within a mechanism, in quadrature between mechanisms."""
    parts = np.where(se != 0, np.abs(slopes) * se, 0.0)
    squares = (parts[:, mechanisms == name].sum(axis=1) ** 2 for name in dict.fromkeys(mechanisms))
    return np.sqrt(sum(squares, np.zeros(len(parts))))
