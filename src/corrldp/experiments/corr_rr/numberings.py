"""How near the correlations of Nursery come to a printed range, whatever numbers its values get (preprint, Table I)."""

from __future__ import annotations

import itertools
from collections.abc import Iterator, Mapping
from typing import Any

import numpy as np

from corrldp.arrays import Integers
from corrldp.experiments.engine import Cell
from corrldp.experiments.measures import Measure
from corrldp.experiments.setting import BaseSetting, Count, DomainSize, Point, ViewName


class Setting(BaseSetting):
    """A view whose attributes `features` depend on each other only through the attribute `target`.

    All are reduced to `size` values: the target by frequency, the others in every way that keeps all but the last of
    them, because their values are equally frequent.
    """

    view: ViewName
    features: tuple[Count, ...]
    target: Count
    size: DomainSize
    lowest: float
    highest: float

    def points(self, choices: Mapping[str, Any]) -> Iterator[Point]:
        """Yield every numbering of the target, up to its direction."""
        for order in itertools.permutations(range(self.size)):
            if order <= order[::-1]:
                yield {"order": "-".join(map(str, order))}


def measure(cell: Cell) -> Iterator[Measure]:
    """Yield `range_distance`: over all numberings, the least largest distance of both extremes from the printed ones.

    The numberings of the features are chosen independently of each other, so the extremes fit if each feature has a
    correlation between them and one of them each is close to an end.
    """
    setting, view = cell.setting, cell.views[cell.setting.view]
    order = np.array([int(code) for code in cell["order"].split("-")])
    target = order[by_frequency(view.codes[:, setting.target], setting.size)]
    found = [np.array(sorted(options(view.codes[:, j], target, setting.size))) for j in setting.features]
    yield Measure("data", "range_distance", nearest_range(found, setting.lowest, setting.highest))


def by_frequency(column: Integers, size: int) -> Integers:
    """Return codes: the most frequent values get the first `size` - 1 numbers, all others the last one."""
    rank = np.argsort(np.argsort(-np.bincount(column), kind="stable"))
    return np.minimum(rank, size - 1)[column]


def options(column: Integers, target: Integers, size: int) -> set[float]:
    """Return the correlations with the target of all ways to reduce a column to `size` values and to number them."""
    counts = np.zeros((column.max() + 1, target.max() + 1))
    np.add.at(counts, (column, target), 1)
    values = len(counts)
    kept = itertools.permutations(range(values), min(values, size) - 1)
    found = set()
    for chosen in kept:
        groups = np.full(values, len(chosen))
        groups[list(chosen)] = np.arange(len(chosen))
        for codes in itertools.permutations(range(len(chosen) + 1)):
            found.add(round(_correlation(counts, np.array(codes)[groups]), 12))
    return found


def nearest_range(found: list[np.ndarray], lowest: float, highest: float) -> float:
    """Return the smallest possible value of max(|min - lowest|, |max - highest|) over one choice from each array."""
    every, best = np.unique(np.concatenate(found)), np.inf
    for low, high in itertools.product(every, every):
        allowed = [(array >= low) & (array <= high) for array in found]
        if not low <= 0 <= high or not all(inside.any() for inside in allowed):
            continue
        ends = [{*np.flatnonzero([(array == end).any() for array in found]).tolist()} for end in (low, high)]
        if len(ends[0] | ends[1]) > 1:  # different attributes
            best = min(best, max(abs(low - lowest), abs(high - highest)))
    return float(best)


def _correlation(counts: np.ndarray, codes: Integers) -> float:
    """Correlation of the coded rows of a contingency table with its columns' numbers."""
    weights = counts / counts.sum()
    rows, columns = weights.sum(axis=1), weights.sum(axis=0)
    x = codes - rows @ codes
    y = np.arange(len(columns)) - columns @ np.arange(len(columns))
    return float(x @ weights @ y / np.sqrt((rows @ x**2) * (columns @ y**2)))
