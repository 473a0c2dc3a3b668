"""How CPL is distributed over the pairs of attributes, and over pairs of equal dependence (Figures 4 (d) and 5)."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

import numpy as np
import scipy
from pydantic import PositiveInt

from corrldp.dependence import nmi, pcc
from corrldp.experiments.axes import by_name
from corrldp.experiments.cpl.axes import DATA, NORMALISATION
from corrldp.experiments.cpl.data import DataSets, pair_tables, view_of
from corrldp.experiments.cpl.mechanisms import inferred_channel
from corrldp.experiments.engine import Cell
from corrldp.experiments.measures import Measure
from corrldp.experiments.setting import Epsilon, Point, Probability
from corrldp.leakage.benchmark import off_diagonal
from corrldp.leakage.cpl import conditional, leakage_of_channel
from corrldp.leakage.tables import Tables, contingency_tables, leakage_matrix

AXES = DATA | by_name(NORMALISATION)
ALL = "all"


class Setting(DataSets):
    """Data sets; the `limits` below which leakages are counted are shares of the budget.

    If they are `shuffled`, each attribute's values change places at random, so that no attribute depends on another.
    """

    epsilon: Epsilon
    bins: PositiveInt
    limits: tuple[Probability, ...]
    shuffled: bool = False

    def points(self, choices: Mapping[str, Any]) -> Iterator[Point]:
        """Yield every data set, and all of them together."""
        yield from super().points(choices)
        yield {"dataset": ALL}


def measure(cell: Cell) -> Iterator[Measure]:
    """Yield statistics of the CPL under GRR over the ordered pairs of a data set, or of all of them together.

    `along` says what the pairs are grouped by: "cpl" itself, with the share of the pairs in each bin, or "nmi" or "pcc"
    (absolute), with the mean, the standard deviation and the extremes of the CPL in each bin. A bin is named by its
    `centre`; rows without one are about all pairs.
    """
    names = cell.setting.views if cell["dataset"] == ALL else [cell["dataset"]]
    cpl = np.concatenate([cell.once(_leakages, name) for name in names])
    nmis, pccs = (
        np.concatenate(found) for found in zip(*(cell.once(_dependence, name) for name in names), strict=True)
    )
    for along, centre, metric, value in _statistics(cpl, {"nmi": nmis, "pcc": pccs}, cell.setting):
        yield Measure("GRR", metric, value, place={"along": along, "centre": centre})


def _leakages(cell: Cell, dataset: str) -> np.ndarray:
    """Return the leakage of every ordered pair."""

    def measure(joint: np.ndarray) -> np.ndarray:
        channel = cell.once(inferred_channel, "GRR", cell.setting.epsilon, joint.shape[-1])
        return leakage_of_channel(conditional(joint), channel)

    return off_diagonal(leakage_matrix(cell.once(_tables, dataset), measure))


def _tables(cell: Cell, dataset: str) -> Tables:
    """Return the counts of every ordered pair of attributes."""
    if not cell.setting.shuffled:
        return cell.once(pair_tables, dataset)
    view = view_of(cell, dataset)
    shuffled = cell.rng(dataset=dataset, what="shuffled").permuted(view.codes, axis=0)
    return contingency_tables(shuffled, view.sizes)


def _dependence(cell: Cell, dataset: str) -> tuple[np.ndarray, np.ndarray]:
    """Return NMI and absolute PCC of every ordered pair."""
    tables = cell.once(_tables, dataset)
    nmis = leakage_matrix(tables, lambda joint: nmi(joint, cell["normalisation"]))
    return off_diagonal(nmis), np.abs(off_diagonal(leakage_matrix(tables, pcc)))


def _statistics(
    cpl: np.ndarray, dependence: Mapping[str, np.ndarray], setting: Setting
) -> Iterator[tuple[str, float, str, float]]:
    """Yield what the pairs are grouped by, the bin's centre, a metric and its value."""
    yield "cpl", np.nan, "pairs", len(cpl)
    for limit in setting.limits:
        yield "cpl", np.nan, f"share_below_{limit:g}", float(np.mean(cpl < limit * setting.epsilon))
    for percent in (50, 90, 100):
        yield "cpl", np.nan, f"percentile_{percent}", np.percentile(cpl, percent)
    edges = np.linspace(0, setting.epsilon, setting.bins + 1)
    for centre, count in zip((edges[1:] + edges[:-1]) / 2, np.histogram(cpl, edges)[0], strict=True):
        yield "cpl", round(float(centre), 9), "share", count / len(cpl)
    edges = np.linspace(0, 1, setting.bins + 1)
    for measure, values in dependence.items():
        yield measure, np.nan, "rank_correlation", scipy.stats.spearmanr(values, cpl).statistic
        places = np.minimum(np.digitize(values, edges) - 1, setting.bins - 1)
        for place in np.unique(places):
            inside = cpl[places == place]
            centre = round(float(edges[place] + edges[place + 1]) / 2, 9)
            yield measure, centre, "pairs", len(inside)
            yield measure, centre, "cpl_mean", inside.mean()
            yield measure, centre, "cpl_std", inside.std()
            yield measure, centre, "cpl_min", inside.min()
            yield measure, centre, "cpl_max", inside.max()
            yield measure, centre, "cpl_range", np.ptp(inside)
