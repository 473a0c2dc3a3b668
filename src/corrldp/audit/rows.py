"""Rows of a table, by reading: a check compares numbers for all readings at once, but judges each reading alone."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

import numpy as np
import pandas as pd

from corrldp.results import STRICT


@dataclass(frozen=True)
class Rows:
    """Rows of one reading as plain arrays, since a claim is judged under many readings with few rows each.

    Attributes
    ----------
    name
        Name of the reading, and of the claim's alternative if there is one.
    columns
        Arrays (rows,) by name.
    places
        Names of the columns that locate a row.
    labels
        What the sides of a comparison are called, by column (``left``, ``right``).
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
