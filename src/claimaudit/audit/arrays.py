"""Rows of result tables as plain arrays, and quantities: expressions over their numbers, with Monte-Carlo errors.

Checks look at few rows, many times, where data frames are slow.

The variables of an expression are the numeric setting columns (``n``, ``epsilon``) and ``{metric}_{mechanism}`` in
lower case, where every character but letters and digits becomes ``_`` (``mse_counts_k_jrr``). Errors follow the delta
method. Mechanisms are simulated independently, so their errors add in quadrature. Two metrics of one mechanism come
from the same runs, so their errors add in full, an upper bound.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from itertools import pairwise
from typing import Any, Self

import numpy as np
import pandas as pd

from claimaudit import expressions
from claimaudit.expressions import chosen, require_known
from claimaudit.results import COLUMNS, MEASURES, STRICT, axes_of

Columns = Mapping[str, np.ndarray]  # arrays (rows,) by name


@dataclass(frozen=True, eq=False)
class Places:
    """Where rows belong: the values of ``reading``, settings, axes, ``mechanism`` and ``metric``, (rows,) each.

    `codes` are whole numbers in the order of the values, equal where they are; a missing value has the last one.
    """

    settings: list[str]
    values: Columns
    codes: Columns

    def __len__(self) -> int:
        return len(self.values["reading"])

    def take(self, rows: np.ndarray | slice) -> Self:
        """Return some rows, by number, as a mask or as a slice."""
        return replace(
            self,
            values={name: each[rows] for name, each in self.values.items()},
            codes={name: each[rows] for name, each in self.codes.items()},
        )

    def replaced(self, name: str, values: np.ndarray, codes: np.ndarray) -> Self:
        """Return the rows with other values of a column."""
        return replace(self, values={**self.values, name: values}, codes={**self.codes, name: codes})

    def number(self, columns: Sequence[str]) -> np.ndarray:
        """Return the number of each row's combination of values, by first appearance; of one column or more."""
        key, size = np.zeros(1, dtype=np.int64), 1
        for codes in (self.codes[name] for name in columns):
            width = int(codes.max(initial=0)) + 1
            if size * width > 2**62:
                key, size = pd.factorize(key)[0], len(key)
            key, size = key * width + codes, size * width
        return pd.factorize(key)[0]


@dataclass(frozen=True)
class Spread:
    """The `numbers` of rows by reading and setting, a line each, and variable, a column each: (4, lines, columns).

    They are means, errors, runs and closed forms, NaN where there is no row. The variables have `names` and
    `mechanisms`, and the lines belong to `places`.
    """

    places: Places
    names: list[str]
    mechanisms: np.ndarray
    numbers: np.ndarray


@dataclass(frozen=True)
class Arrays:
    """Rows of a result table, or what is computed from them, as plain arrays (rows,).

    `numbers` are what was measured or computed.
    """

    places: Places
    numbers: Columns

    @classmethod
    def of(cls, frame: pd.DataFrame) -> Self:
        """Return the rows of a result table."""
        settings, axes = axes_of(frame)
        values = {name: frame[name].to_numpy() for name in (*settings, "reading", *axes, "mechanism", "metric")}
        codes = {name: pd.factorize(each, sort=True, use_na_sentinel=False)[0] for name, each in values.items()}
        numbers = {name: frame[name].to_numpy() for name in MEASURES if name not in values}
        return cls(Places(settings, values, codes), numbers)

    @cached_property
    def spread(self) -> Spread:
        """The numbers by setting and variable; two rows for one variable at one setting are a ValueError."""
        line, pair = (self.places.number(each) for each in (["reading", *self.settings], ["metric", "mechanism"]))
        first, first_of_pair = (np.unique(number, return_index=True)[1] for number in (line, pair))
        metrics, mechanisms = (self[name][first_of_pair] for name in ("metric", "mechanism"))
        named = [variable(str(metric), str(mechanism)) for metric, mechanism in zip(metrics, mechanisms, strict=True)]
        names, first_of_name, name = np.unique(named, return_index=True, return_inverse=True)
        column = name[pair]
        _, first_of_cell = np.unique(line * len(names) + column, return_index=True)
        if len(first_of_cell) < len(self):
            clash = int(np.setdiff1d(np.arange(len(self)), first_of_cell)[0])
            setting = {name: self[name].tolist()[clash] for name in self.settings}
            raise ValueError(f"two rows give {names[column[clash]]} at {setting}")
        numbers = np.full((4, len(first), len(names)), np.nan)
        numbers[:, line, column] = [self[name] for name in ("mean", "se", "runs", "theory")]
        return Spread(self.places.take(first), names.tolist(), mechanisms[first_of_name], numbers)

    def __len__(self) -> int:
        return len(self.places)

    def __getitem__(self, name: str) -> np.ndarray:
        return self.numbers[name] if name in self.numbers else self.places.values[name]

    @property
    def settings(self) -> list[str]:
        return self.places.settings

    def take(self, rows: np.ndarray | slice) -> Self:
        """Return some rows, by number, as a mask or as a slice."""
        return replace(
            self, places=self.places.take(rows), numbers={name: each[rows] for name, each in self.numbers.items()}
        )

    def assign(self, **numbers: np.ndarray) -> Self:
        """Return the rows with other or further numbers."""
        return replace(self, numbers={**self.numbers, **numbers})

    def select(self, condition: str | None) -> Self:
        """Return the rows that a condition on the columns selects; see `claimaudit.expressions.chosen`."""
        if condition is None:
            return self
        return self.take(chosen(condition, {**self.places.values, **self.numbers}, len(self)))

    def by_reading(self) -> list[Self]:
        """Split rows by reading: strict first, then in order of name."""
        codes = self.places.codes["reading"]
        order = np.argsort(np.where(self["reading"] == STRICT, -1, codes), kind="stable")
        ends = np.flatnonzero(np.diff(codes[order])) + 1
        ordered = self.take(order)
        return [ordered.take(slice(*part)) for part in pairwise([0, *ends, len(order)] if len(order) else [])]

    def located(self, *columns: str) -> Self:
        """Return the rows with columns that locate them beside the settings."""
        return replace(self, places=replace(self.places, settings=[*self.settings, *columns]))

    def table(self, **columns: np.ndarray) -> dict[str, list[Any]]:
        """Return further columns, shape (rows,) each, beside those that locate the rows, as lists."""
        return {name: each.tolist() for name, each in ({name: self[name] for name in self.settings} | columns).items()}

    @property
    def measured(self) -> bool:
        """Whether every number has its standard error and its number of runs."""
        return not (np.isnan(self["se"]).any() or np.isnan(self["runs"]).any())


@dataclass(frozen=True)
class Result:
    """A result table, and the names of the stand-in data sets behind it."""

    table: pd.DataFrame
    standins: tuple[str, ...] = ()

    @cached_property
    def rows(self) -> Arrays:
        return Arrays.of(self.table)


def variable(*names: str) -> str:
    """Return the name of a metric, a mechanism, or both joined, as expressions use it."""
    return re.sub(r"[^a-z0-9]", "_", "_".join(names).lower()).rstrip("_")


NO_ROWS = Arrays.of(pd.DataFrame(columns=COLUMNS, dtype=float))
"""The rows of a check that has no result table."""


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
