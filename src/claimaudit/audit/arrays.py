"""Rows of result tables as plain arrays: checks look at few rows, many times, where data frames are slow."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from itertools import pairwise
from typing import Any, Self

import numpy as np
import pandas as pd

from claimaudit.expressions import chosen
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

    Checks look at few rows, many times, where data frames are slow. `numbers` are what was measured or computed.
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
