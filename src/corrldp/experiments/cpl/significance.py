"""Significance of the estimated leakages by surrogate data (Section III-B)."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

import numpy as np
import scipy
from pydantic import PositiveInt

from corrldp.experiments.cpl.axes import DATA
from corrldp.experiments.cpl.data import DataSets, pair_tables
from corrldp.experiments.engine import Cell
from corrldp.experiments.measures import Measure
from corrldp.experiments.setting import BaseSetting, Epsilon, Point
from corrldp.leakage.empirical import estimated_leakage, holm, p_values, sampled_tables, surrogate_tables
from corrldp.leakage.tables import Integers
from corrldp.mechanisms.grr import GRR

AXES = DATA
LEVEL = 0.05
FIRST, ENOUGH = 250, 100  # surrogates drawn at first, and those that reach the observed leakage until drawing ends


class Case(BaseSetting):
    """A budget and the number of copies of each record."""

    epsilon: Epsilon
    expansion: PositiveInt


class Setting(DataSets):
    """Data sets, cases, and the number of `surrogates`, permutations of the one perturbed data set of each case."""

    cases: tuple[Case, ...]
    surrogates: PositiveInt

    def points(self, choices: Mapping[str, Any]) -> Iterator[Point]:
        """Yield every data set in every case."""
        for case in self.cases:
            for point in super().points(choices):
                yield {**point, **case.model_dump()}


def measure(cell: Cell) -> Iterator[Measure]:
    """Yield the share of ordered pairs whose leakage under GRR is significant at 5 %, with and without correction."""
    p = _p_values(cell)
    yield Measure("GRR", "share_significant", float(np.mean(p < LEVEL)))
    yield Measure("GRR", "share_significant_fdr", float(np.mean(scipy.stats.false_discovery_control(p) < LEVEL)))
    yield Measure("GRR", "share_significant_holm", float(np.mean(holm(p) < LEVEL)))
    yield Measure("GRR", "pairs", len(p))


def _p_values(cell: Cell) -> np.ndarray:
    """Return the p-value of every ordered pair."""
    rng = cell.rng(**cell.point)
    found = []
    for counts in cell.once(pair_tables, cell["dataset"]).values():
        occurring = counts[counts.sum(axis=1) > 0]
        channel = GRR(cell["epsilon"], counts.shape[-1]).channel()
        [table] = sampled_tables(occurring, channel, cell["expansion"], 1, rng)
        found.append(sequential_p_value(table, cell.setting.surrogates, rng))
    return np.array(found)


def leakage_p_values(tables: Integers, surrogates: int, rng: np.random.Generator) -> np.ndarray:
    """Return the p-value (...) of the leakage that each table (..., m, t) shows, among those of its `surrogates`."""
    drawn = surrogate_tables(tables, surrogates, rng)
    return p_values(estimated_leakage(tables, "skip"), estimated_leakage(drawn, "skip"))


def sequential_p_value(table: Integers, surrogates: int, rng: np.random.Generator) -> float:
    """Return the p-value of the leakage that a table (m, t) shows, from at most so many `surrogates`.

    A value that is clearly not small needs no more of them: drawing ends once `ENOUGH` have reached the observed
    leakage, and their share is valid as a p-value (Besag and Clifford, 1991).
    """
    observed, reached, drawn = estimated_leakage(table, "skip"), 0, 0
    while drawn < surrogates and reached < ENOUGH:
        batch = min(max(drawn, FIRST), surrogates - drawn)
        reached += int((estimated_leakage(surrogate_tables(table, batch, rng), "skip") >= observed).sum())
        drawn += batch
    return (1 + reached) / (1 + drawn)
