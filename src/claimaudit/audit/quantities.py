"""Quantities: expressions over the numbers of a result table, with their Monte-Carlo errors.

The variables of an expression are the numeric setting columns (``n``, ``epsilon``) and ``{metric}_{mechanism}`` in
lower case, where every character but letters and digits becomes ``_`` (``mse_counts_k_jrr``). Errors follow the delta
method. Mechanisms are simulated independently, so their errors add in quadrature. Two metrics of one mechanism come
from the same runs, so their errors add in full, an upper bound.

Numbers are compared for all readings at once, and judged by reading: see `Rows`.
"""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np
import pandas as pd

from claimaudit import expressions
from claimaudit.expressions import require_known
from claimaudit.results import STRICT, axes_of


@dataclass(frozen=True)
class Rows:
    """Rows of one reading as plain arrays (rows,), since a claim is judged under many readings with few rows each.

    The `name` is that of the reading, and of the claim's alternative if there is one. `places` are the columns that
    locate a row, and `labels` what the sides of a comparison are called, by column (``left``, ``right``).
    """

    name: str
    columns: dict[str, np.ndarray]
    places: list[str]
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
        return tuple(name for name in self.places if len(pd.unique(self[name])) > 1)

    def table(self, **columns: np.ndarray) -> dict[str, list[Any]]:
        """Return further columns, shape (rows,) each, beside those of `places`, as lists."""
        return {name: list(self[name]) for name in self.places} | {
            name: list(numbers) for name, numbers in columns.items()
        }


def require_readings(kept: pd.Series, wanted: pd.Series, fault: str) -> None:
    """Raise ValueError with `fault` and the name of the reading if a reading in `wanted` has no row in `kept`."""
    lacking = wanted[~wanted.isin(kept)]
    if len(lacking):
        raise ValueError(f"{fault} (under the reading {lacking.iloc[0]})")


def by_reading(frame: pd.DataFrame, places: list[str], labels: Mapping[str, str] | None = None) -> list[Rows]:
    """Split rows by their column ``reading``: the strict reading first, the others in order of name."""
    columns = {str(column): frame[column].to_numpy() for column in frame}
    of_row = columns.pop("reading")
    readings = []
    for name in sorted(set(of_row), key=lambda name: (name != STRICT, name)):
        rows = np.flatnonzero(of_row == name)
        chosen = {column: numbers[rows] for column, numbers in columns.items()}
        readings.append(Rows(name, chosen, places, labels or {}))
    return readings


@dataclass(frozen=True)
class Pivot:
    """A result table with one row per reading and setting.

    `settings` has the column ``reading`` and the setting columns. `mean`, `se`, `runs` and `theory` have shape (rows,
    variables) and are NaN where the table has no row; `names` lists the variables, `mechanisms` the mechanism of each.
    """

    settings: pd.DataFrame
    names: list[str]
    mechanisms: np.ndarray
    mean: np.ndarray
    se: np.ndarray
    runs: np.ndarray
    theory: np.ndarray


def variable(*names: str) -> str:
    """Return the name of a metric, a mechanism, or both joined, as expressions use it."""
    return re.sub(r"[^a-z0-9]", "_", "_".join(names).lower()).rstrip("_")


def pivot(rows: pd.DataFrame) -> Pivot:
    """Turn rows of a result table into one row per reading and setting."""
    settings, _ = axes_of(rows)
    keys = ["reading", *settings]
    setting, first = number_groups(rows, keys)
    pair, first_of_pair = number_groups(rows, ["metric", "mechanism"])
    pairs = rows[["metric", "mechanism"]].iloc[first_of_pair].to_numpy()
    names, first_of_name, name = np.unique([variable(*pair) for pair in pairs], return_index=True, return_inverse=True)
    code = name[pair]
    repeated = pd.Series(setting * len(names) + code).duplicated().to_numpy()
    if repeated.any():
        clash = int(np.flatnonzero(repeated)[0])
        raise ValueError(f"two rows give {names[code[clash]]} at {rows.iloc[clash][settings].to_dict()}")

    def spread(column: str) -> np.ndarray:
        wide = np.full((len(first), len(names)), np.nan)
        wide[setting, code] = rows[column]
        return wide

    return Pivot(
        rows[keys].iloc[first].reset_index(drop=True),
        names.tolist(),
        pairs[first_of_name, 1],
        **{column: spread(column) for column in ("mean", "se", "runs", "theory")},
    )


def number_groups(rows: pd.DataFrame, columns: list[str]) -> tuple[np.ndarray, np.ndarray]:
    """Return the number of each row's combination of column values, by first appearance, and the first row of each."""
    key = np.zeros(len(rows), dtype=np.int64)
    for name in columns:
        codes, distinct = pd.factorize(rows[name], use_na_sentinel=False)
        key = key * len(distinct) + codes
    number, _ = pd.factorize(key)
    _, first = np.unique(number, return_index=True)
    return number, first


def groups(frame: pd.DataFrame, settings: list[str], along: str, by: Sequence[str] | None) -> pd.DataFrame:
    """Group the rows of each reading by the columns `by` (default: all but `along`), sorted along `along`.

    The rows of groups of two or more come group by group, with a column ``group_number``.

    Raises ValueError if a column is not a setting, a reading has no such group, or two rows of a group share a value of
    `along`.
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
        raise ValueError(f"two settings share a value of {along}; select with `where` or group with `by`")
    return found.sort_values(["group_number", along])


def evaluate(
    rows: pd.DataFrame | Pivot, expression: str, basis: str | None = None, paper_runs: float | None = None
) -> pd.DataFrame:
    """Evaluate an expression at every setting of every reading, with standard errors.

    Settings at which a variable of the expression has no row are omitted. The basis ``theory`` uses the closed forms
    (no error), ``simulation`` the Monte-Carlo means; by default it is theory at the settings where every variable used
    has a closed form. An exact row (``runs = 0``) is its own theory. The Monte-Carlo error of the paper's number, an
    average over `paper_runs` runs, follows from the standard deviation of one run of our simulation, through the same
    expression. The columns are ``reading`` and settings, ``estimate``, ``se`` (ours) and ``se_paper`` (0 without
    `paper_runs`), indexed by row of the pivot.

    Raises ValueError if the expression cannot be evaluated, or some reading has no setting at which it can be.
    """
    data = rows if isinstance(rows, Pivot) else pivot(rows)
    settings = data.settings.select_dtypes("number")
    known = require_known(expression, [*data.names, *settings.columns])
    used = [place for place, name in enumerate(data.names) if name in known]
    present = ~np.isnan(data.runs[:, used]).any(axis=1)
    readings, needed = data.settings["reading"], ", ".join(data.names[place] for place in used)
    require_readings(readings[present], readings, f"no selected setting has all of {needed}")
    mean, se, runs, theory = (wide[np.ix_(present, used)] for wide in (data.mean, data.se, data.runs, data.theory))
    theory = np.where(np.isnan(theory) & (runs == 0), mean, theory)
    has_theory = ~np.isnan(theory).any(axis=1, keepdims=True)
    if basis == "theory" and not has_theory.all():
        lacking = ", ".join(data.names[place] for place in np.array(used)[np.isnan(theory).any(axis=0)])
        raise ValueError(
            f"basis theory, but {lacking} has no closed form at {(~has_theory).sum()} settings of all readings"
        )
    exact = has_theory & (basis != "simulation")
    fixed = {name: settings[name].to_numpy(float)[present] for name in settings if name in known}
    value = Function(expression, [data.names[place] for place in used], fixed, len(mean))
    point = np.where(exact, theory, mean)
    se_ours = np.where(exact, 0.0, se)
    se_paper = se * np.sqrt(runs / paper_runs) if paper_runs else np.zeros_like(se)
    slopes = value.slopes(point, np.fmax(se_ours, se_paper))
    return data.settings[present].assign(
        estimate=value(point),
        se=_propagate(slopes, se_ours, data.mechanisms[used]),
        se_paper=_propagate(slopes, se_paper, data.mechanisms[used]),
    )


@dataclass(frozen=True)
class Function:
    """An expression as a function of the variables `names` at every setting; the numbers in `fixed` are constant."""

    text: str
    names: list[str]
    fixed: dict[str, np.ndarray]
    settings: int

    def __call__(self, point: np.ndarray) -> np.ndarray:
        """Return the values, shape (settings,), for variables of shape (settings, variables)."""
        values = self.fixed | dict(zip(self.names, point.T, strict=True))
        with np.errstate(all="ignore"):  # what is not finite decides nothing
            return np.broadcast_to(expressions.evaluate(self.text, values), self.settings).astype(float)

    def slopes(self, point: np.ndarray, spread: np.ndarray) -> np.ndarray:
        """Return central-difference derivatives (settings, variables), with steps scaled to the errors `spread`."""
        slopes = np.zeros_like(point)
        for column in np.flatnonzero((spread != 0).any(axis=0)):  # the slope of an exact variable is not needed
            step = np.fmax(1e-3 * spread[:, column], 1e-7 * np.abs(point[:, column]))
            step = np.where((step > 0) & np.isfinite(step), step, 1.0)
            aside = np.zeros_like(point)
            aside[:, column] = step
            with np.errstate(invalid="ignore"):  # infinite numbers have no slope, and no error to propagate
                slopes[:, column] = (self(point + aside) - self(point - aside)) / (2 * step)
        return slopes


def _propagate(slopes: np.ndarray, se: np.ndarray, mechanisms: np.ndarray) -> np.ndarray:
    """Return the delta-method error: added in full within a mechanism, in quadrature between mechanisms."""
    parts = np.where(se != 0, np.abs(slopes) * se, 0.0)
    return np.sqrt(sum(parts[:, mechanisms == name].sum(axis=1) ** 2 for name in dict.fromkeys(mechanisms)))
