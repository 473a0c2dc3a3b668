"""Quantities: expressions over the numbers of a result table, with their Monte-Carlo errors.

The variables of an expression are the numeric setting columns (``n``, ``epsilon``) and ``{metric}_{mechanism}`` in
lower case, where every character but letters and digits becomes ``_`` (``mse_counts_k_jrr``). Errors follow the delta
method. Mechanisms are simulated independently, so their errors add in quadrature. Two metrics of one mechanism come
from the same runs, so their errors add in full, an upper bound.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Self

import numpy as np

from claimaudit import expressions
from claimaudit.audit.arrays import Arrays, Columns, Places
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
    """Evaluate an expression at every setting of every reading: ``estimate``, ``se`` and ``se_paper``; see `Quantity`.

    The error of the paper's number, an average over `paper_runs` runs, follows from the standard deviation of one run
    of our simulation, through the same expression; without `paper_runs` it is 0.
    """
    quantity = Quantity.of(rows, expression, basis)
    se, se_paper = quantity.errors(paper_runs)
    return Arrays(quantity.places, {"estimate": quantity.estimate, "se": se, "se_paper": se_paper})


@dataclass(frozen=True)
class Quantity:
    """An expression at the settings at which all its variables have a row, in the order of their `lines` in the index.

    The variables have `names` and `mechanisms`; `point` is what they are at every setting, (settings, variables), `se`
    the errors and `runs` the numbers of runs of the rows, `exact` (settings, 1) tells where closed forms are taken, and
    settings in the expression have the values `fixed`.
    """

    text: str
    lines: np.ndarray
    places: Places
    names: list[str]
    mechanisms: np.ndarray
    point: np.ndarray
    se: np.ndarray
    runs: np.ndarray
    exact: np.ndarray
    fixed: Columns

    @classmethod
    def of(cls, rows: Arrays, expression: str, basis: str | None = None) -> Self:
        """Look up the variables of an expression in a result table.

        The basis ``theory`` uses the closed forms (no error), ``simulation`` the Monte-Carlo means; by default it is
        theory at the settings where every variable used has a closed form. An exact row (``runs = 0``) is its own
        theory. If a reading has no setting at which it can be evaluated, it is a ValueError.
        """
        index = rows.places.index
        values = index.places.values
        numeric = [name for name in rows.settings if values[name].dtype.kind in "iuf"]
        known = require_known(expression, [*index.names, *numeric])
        used = [place for place, name in enumerate(index.names) if name in known]
        names = [index.names[place] for place in used]
        mean, se, runs, theory = rows.spread[:, :, used]
        present = ~np.isnan(runs).any(axis=1)
        lines = np.flatnonzero(present)
        places = index.places
        if len(lines) < len(present):
            places = places.take(lines)
            mean, se, runs, theory = (each[lines] for each in (mean, se, runs, theory))
            require_readings(places, index.places, f"no selected setting has all of {', '.join(names)}")
        theory = np.where(np.isnan(theory) & (runs == 0), mean, theory)
        has_theory = ~np.isnan(theory).any(axis=1, keepdims=True)
        if basis == "theory" and not has_theory.all():
            lacking = ", ".join(np.array(names)[np.isnan(theory).any(axis=0)])
            raise ValueError(
                f"basis theory, but {lacking} has no closed form at {(~has_theory).sum()} settings of all readings"
            )
        exact = has_theory & (basis != "simulation")
        point = np.where(exact, theory, mean)
        fixed = {name: places.values[name].astype(float) for name in numeric if name in known}
        return cls(expression, lines, places, names, index.mechanisms[used], point, se, runs, exact, fixed)

    def __call__(self, point: np.ndarray) -> np.ndarray:
        """Return the values, shape (..., settings), for variables of shape (..., settings, variables)."""
        values = {**self.fixed, **dict(zip(self.names, np.moveaxis(point, -1, 0), strict=True))}
        with np.errstate(all="ignore"):  # what is not finite decides nothing
            return np.broadcast_to(expressions.evaluate(self.text, values), point.shape[:-1]).astype(float)

    @cached_property
    def estimate(self) -> np.ndarray:
        """The values, shape (settings,)."""
        return self(self.point)

    def errors(self, paper_runs: float | None = None) -> tuple[np.ndarray, np.ndarray]:
        """Return the standard errors of our values and, given its number of runs, of the paper's: (settings,) each."""
        ours = np.where(self.exact, 0.0, self.se)
        paper = self.se * np.sqrt(self.runs / paper_runs) if paper_runs else np.zeros_like(self.se)
        slopes = self._slopes(np.fmax(ours, paper))
        return self._propagate(slopes, ours), self._propagate(slopes, paper)

    def _slopes(self, spread: np.ndarray) -> np.ndarray:
        """Return central-difference derivatives (settings, variables), with steps scaled to the errors `spread`."""
        slopes = np.zeros_like(self.point)
        columns = np.flatnonzero((spread != 0).any(axis=0))  # the slope of an exact variable is not needed
        step = np.fmax(1e-3 * spread[:, columns], 1e-7 * np.abs(self.point[:, columns]))
        step = np.where((step > 0) & np.isfinite(step), step, 1.0)
        aside = np.zeros((len(columns), *self.point.shape))
        aside[np.arange(len(columns)), :, columns] = step.T
        with np.errstate(invalid="ignore"):  # infinite numbers have no slope, and no error to propagate
            above, below = (self(self.point + aside), self(self.point - aside)) if len(columns) else (step.T, step.T)
            slopes[:, columns] = ((above - below) / (2 * step.T)).T
        return slopes

    def _propagate(self, slopes: np.ndarray, se: np.ndarray) -> np.ndarray:
        """Return the delta-method error: added in full within a mechanism, in quadrature between mechanisms."""
        parts = np.where(se != 0, np.abs(slopes) * se, 0.0)
        squares = (parts[:, self.mechanisms == name].sum(axis=1) ** 2 for name in dict.fromkeys(self.mechanisms))
        return np.sqrt(sum(squares, np.zeros(len(parts))))
