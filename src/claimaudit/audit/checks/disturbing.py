"""How the numbers behind a check that holds are disturbed, to see whether it could fail."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator
from itertools import combinations

import numpy as np
import pandas as pd

from claimaudit.audit.quantities import variable
from claimaudit.digits import Printed
from claimaudit.expressions import names_in
from claimaudit.papers.claims import Column, Expression
from claimaudit.results import axes_of

FACTORS = (1.5, 0.5, 4.0, 0.25, -1.0)
"""By how much numbers are moved."""

PAIRS = 12
"""Pairs of mechanisms that are swapped, at most."""

Named = Collection[object]
"""What a check's fields have; of it, the expressions and columns count."""

Disturb = Callable[[Named, pd.DataFrame], Iterator[pd.DataFrame]]


def moved(named: Named, rows: pd.DataFrame, theory: bool = True) -> Iterator[pd.DataFrame]:
    """Move all numbers of one metric of one mechanism, and their closed forms if `theory`."""
    for factor in FACTORS:
        for chosen in _series(named, rows):
            yield _times(rows, chosen, factor, theory)


def one_moved(named: Named, rows: pd.DataFrame, theory: bool = True) -> Iterator[pd.DataFrame]:
    """Move the first and the last number of one metric of one mechanism."""
    for factor in FACTORS:
        for chosen in _series(named, rows):
            for place in (chosen[:1], chosen[-1:]):
                yield _times(rows, place, factor, theory)


def swapped(named: Named, rows: pd.DataFrame) -> Iterator[pd.DataFrame]:
    """Exchange the names of two mechanisms that the check compares."""
    mechanisms = rows.loc[np.concatenate(_series(named, rows)), "mechanism"].unique()
    for one, other in list(combinations(mechanisms, 2))[:PAIRS]:
        yield rows.assign(mechanism=rows["mechanism"].replace({one: other, other: one}))


def reordered(named: Named, rows: pd.DataFrame) -> Iterator[pd.DataFrame]:
    """Reverse the order of the values of a setting: the first one that the check names, or any."""
    settings, _ = axes_of(rows)
    columns = [str(name) for name in named if isinstance(name, Column)]
    for name in columns[:1] or settings:
        values = sorted(rows[name].dropna().unique(), key=lambda value: (str(type(value)), value))
        if len(values) > 1:
            yield rows.assign(**{name: rows[name].map(dict(zip(values, reversed(values), strict=True)))})


def prints_moved(printed: dict[str, str | float]) -> Iterator[dict[str, str | float]]:
    """Move each of some printed numbers."""
    for name, each in printed.items():
        number = Printed.read(each).value if isinstance(each, str) else each
        for factor in FACTORS:
            yield {**printed, name: number * factor + (number == 0)}


def _series(named: Named, rows: pd.DataFrame) -> list[np.ndarray]:
    """Return the index labels of each metric of each mechanism that the check's expressions name, or of all."""
    known = {name for text in named if isinstance(text, Expression) for name in names_in(text)}
    groups = {
        variable(str(metric), str(mechanism)): group.index.to_numpy()
        for (metric, mechanism), group in rows.groupby(["metric", "mechanism"], sort=False)
    }
    return [labels for name, labels in groups.items() if name in known] or list(groups.values())


def _times(rows: pd.DataFrame, chosen: np.ndarray, factor: float, theory: bool) -> pd.DataFrame:
    changed = rows.copy()
    mean = rows.loc[chosen, "mean"]
    # A number of 0 is moved as well, to either side.
    changed.loc[chosen, "mean"] = mean * factor + np.where(mean == 0, factor - 1, 0.0)
    if theory:
        changed.loc[chosen, "theory"] *= factor
    return changed
