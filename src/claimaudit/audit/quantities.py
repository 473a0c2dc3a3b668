"""Quantities: expressions over the numbers of a result table, with their Monte-Carlo errors.

The variables of an expression are the numeric setting columns (``n``, ``epsilon``) and ``{metric}_{mechanism}`` in
lower case, where every character but letters and digits becomes ``_`` (``mse_counts_k_jrr``). Errors follow the delta
method. Mechanisms are simulated independently, so their errors add in quadrature. Two metrics of one mechanism come
from the same runs, so their errors add in full, an upper bound.

Numbers are compared for all readings at once, and judged by reading: see `Rows`.
"""

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from itertools import pairwise
from typing import Any, Self

import numpy as np
import pandas as pd

from claimaudit import expressions
from claimaudit.expressions import require_known
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
        """Return the number of rows."""
        return len(self.values["reading"])

    def take(self, rows: np.ndarray) -> Self:
        """Return some rows, by number or as a mask."""
        return replace(
            self,
            values={name: each[rows] for name, each in self.values.items()},
            codes={name: each[rows] for name, each in self.codes.items()},
        )

    def replaced(self, name: str, values: np.ndarray, codes: np.ndarray) -> Self:
        """Return the rows with other values of a column."""
        return replace(self, values={**self.values, name: values}, codes={**self.codes, name: codes})

    def number(self, columns: Sequence[str]) -> np.ndarray:
        """Return the number of each row's combination of values, by first appearance."""
        return number_groups(self.codes[name] for name in columns)

    @cached_property
    def index(self) -> "Index":
        """How the rows are spread over readings, settings and variables; rows with other numbers share it."""
        return Index.of(self)


@dataclass(frozen=True)
class Table:
    """Rows of a result table, or what is computed from them, as plain arrays (rows,).

    Checks look at few rows, many times, where data frames are slow. `numbers` are what was measured or computed.
    """

    places: Places
    numbers: Columns

    @classmethod
    def of(cls, frame: pd.DataFrame) -> Self:
        """Return the rows of a result table."""
        settings, axes = axes_of(frame)
        values = {name: frame[name].to_numpy() for name in (*settings, "reading", *axes, "mechanism", "metric")}
        codes = {name: codes_of(each) for name, each in values.items()}
        numbers = {name: frame[name].to_numpy() for name in MEASURES if name not in values}
        return cls(Places(settings, values, codes), numbers)

    @cached_property
    def spread(self) -> np.ndarray:
        """Means, errors, runs and closed forms by the lines and columns of the `Index`, NaN where there is no row."""
        index = self.places.index
        wide = np.full((4, len(index.places), len(index.names)), np.nan)
        wide[:, index.line, index.column] = [self[name] for name in ("mean", "se", "runs", "theory")]
        return wide

    def frame(self) -> pd.DataFrame:
        """Return the rows as a data frame."""
        return pd.DataFrame({**self.places.values, **self.numbers})

    def __len__(self) -> int:
        """Return the number of rows."""
        return len(self.places)

    def __getitem__(self, name: str) -> np.ndarray:
        """Return a column, shape (rows,)."""
        return self.numbers[name] if name in self.numbers else self.places.values[name]

    @property
    def settings(self) -> list[str]:
        """The setting columns."""
        return self.places.settings

    def take(self, rows: np.ndarray) -> Self:
        """Return some rows, by number or as a mask."""
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
        return self.take(expressions.chosen(condition, {**self.places.values, **self.numbers}, len(self)))


def number_groups(columns: Iterable[np.ndarray]) -> np.ndarray:
    """Return the number of each row's combination of codes, by first appearance; there are one column or more."""
    key, size = np.zeros(1, dtype=np.int64), 1
    for codes in columns:
        width = int(codes.max(initial=0)) + 1
        if size * width > 2**62:
            key, size = pd.factorize(key)[0], len(key)
        key, size = key * width + codes, size * width
    return pd.factorize(key)[0]


def codes_of(values: np.ndarray) -> np.ndarray:
    """Return whole numbers in the order of some values, equal where they are."""
    return pd.factorize(values, sort=True, use_na_sentinel=False)[0]


NO_ROWS = Table.of(pd.DataFrame(columns=COLUMNS, dtype=float))
"""The rows of a check that has no result table."""


@dataclass(frozen=True)
class Rows:
    """Rows of one reading as plain arrays (rows,).

    The `name` is that of the reading, and of the claim's alternative if there is one. `places` are the codes of the
    columns that locate a row, and `labels` what the sides of a comparison are called, by column (``left``, ``right``).
    """

    name: str
    columns: Columns
    places: Columns = field(default_factory=dict)
    labels: Mapping[str, str] = field(default_factory=dict)

    def __len__(self) -> int:
        """Return the number of rows."""
        return len(next(iter(self.columns.values())))

    def __getitem__(self, column: str) -> np.ndarray:
        """Return a column, shape (rows,)."""
        return self.columns[column]

    def record(self, position: int) -> dict[str, Any]:
        """Return the place of one row, each value in its own type."""
        return {name: self[name][position] for name in self.places}

    @property
    def varying(self) -> tuple[str, ...]:
        """Names of the places in which rows differ."""
        return tuple(name for name, codes in self.places.items() if (codes != codes[0]).any())

    def table(self, **columns: np.ndarray) -> dict[str, list[Any]]:
        """Return further columns, shape (rows,) each, beside those of `places`, as lists."""
        return {name: self[name].tolist() for name in self.places} | {
            name: numbers.tolist() for name, numbers in columns.items()
        }


def require_readings(kept: Places, wanted: Places, fault: str) -> None:
    """Raise ValueError with `fault` and the name of the reading if a reading of `wanted` has no row in `kept`."""
    lacking = ~np.isin(wanted.codes["reading"], kept.codes["reading"])
    if lacking.any():
        raise ValueError(f"{fault} (under the reading {wanted.values['reading'][lacking][0]})")


def by_reading(table: Table, further: Sequence[str] = (), labels: Mapping[str, str] | None = None) -> list[Rows]:
    """Split rows by their reading: the strict reading first, the others in order of name.

    A row is located by its settings and by `further` columns.
    """
    names, codes = table["reading"], table.places.codes["reading"]
    order = np.argsort(np.where(names == STRICT, -1, codes), kind="stable")
    ends = np.flatnonzero(np.diff(codes[order])) + 1
    parts = [slice(*ends) for ends in pairwise([0, *ends.tolist(), len(order)] if len(order) else [])]
    places = [*table.settings, *further]
    columns = {name: table[name][order] for name in (*places, *table.numbers)}
    located = {name: table.places.codes[name][order] for name in places}
    return [
        Rows(
            str(names[order[part.start]]),
            {name: each[part] for name, each in columns.items()},
            {name: each[part] for name, each in located.items()},
            labels or {},
        )
        for part in parts
    ]


@dataclass(frozen=True)
class Index:
    """How the rows of a result table are spread over readings and settings, a line each, and variables, a column each.

    `line` and `column` are those of each row, `names` and `mechanisms` of the variables, and `places` of the lines.
    """

    places: Places
    line: np.ndarray
    column: np.ndarray
    names: list[str]
    mechanisms: np.ndarray

    @classmethod
    def of(cls, places: Places) -> Self:
        """Return the index of some rows; two rows for one variable at one setting are a ValueError."""
        line, pair = places.number(["reading", *places.settings]), places.number(["metric", "mechanism"])
        first, first_of_pair = first_rows(line), first_rows(pair)
        metrics, mechanisms = (places.values[name][first_of_pair] for name in ("metric", "mechanism"))
        named = [variable(str(metric), str(mechanism)) for metric, mechanism in zip(metrics, mechanisms, strict=True)]
        names, first_of_name, name = np.unique(named, return_index=True, return_inverse=True)
        column = name[pair]
        cell = line * len(names) + column
        _, first_of_cell = np.unique(cell, return_index=True)
        if len(first_of_cell) < len(cell):
            clash = int(np.setdiff1d(np.arange(len(cell)), first_of_cell)[0])
            setting = {name: places.values[name].tolist()[clash] for name in places.settings}
            raise ValueError(f"two rows give {names[column[clash]]} at {setting}")
        return cls(places.take(first), line, column, names.tolist(), mechanisms[first_of_name])


def first_rows(number: np.ndarray) -> np.ndarray:
    """Return the first row of each group, given the number of each row's group."""
    first = np.empty(number.max(initial=-1) + 1, dtype=np.int64)
    first[number[::-1]] = np.arange(len(number))[::-1]
    return first


def variable(*names: str) -> str:
    """Return the name of a metric, a mechanism, or both joined, as expressions use it."""
    return re.sub(r"[^a-z0-9]", "_", "_".join(names).lower()).rstrip("_")


def groups(table: Table, along: str, by: Sequence[str] | None) -> Table:
    """Group the rows of each reading by the columns `by` (default: all but `along`), sorted along `along`.

    The rows of groups of two or more come group by group, with a column ``group_number``.

    Raises ValueError if a column is not a setting, a reading has no such group, or two rows of a group share a value of
    `along`.
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


def evaluate(rows: Table, expression: str, basis: str | None = None, paper_runs: float | None = None) -> Table:
    """Evaluate an expression at every setting of every reading, with standard errors; see `Quantity`.

    The Monte-Carlo error of the paper's number, an average over `paper_runs` runs, follows from the standard deviation
    of one run of our simulation, through the same expression. The numbers are ``estimate``, ``se`` (ours) and
    ``se_paper`` (0 without `paper_runs`).
    """
    quantity = Quantity.of(rows, expression, basis)
    se, se_paper = quantity.errors(paper_runs)
    return Table(quantity.places, {"estimate": quantity.estimate, "se": se, "se_paper": se_paper})


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
    def of(cls, rows: Table, expression: str, basis: str | None = None) -> Self:
        """Look up the variables of an expression in a result table.

        The basis ``theory`` uses the closed forms (no error), ``simulation`` the Monte-Carlo means; by default it is
        theory at the settings where every variable used has a closed form. An exact row (``runs = 0``) is its own
        theory.

        Raises ValueError if the expression cannot be evaluated, or some reading has no setting at which it can be.
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
