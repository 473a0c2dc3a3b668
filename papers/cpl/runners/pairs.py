"""CPL of pairs of attributes: named ones, all of them, and their distribution (Figures 4 and 5)."""

from collections.abc import Callable, Iterable, Iterator, Mapping
from itertools import combinations, permutations

import numpy as np
import scipy
from cpl.runners.axes import BUILT, DATA, EXPANSION, NORMALISATION
from cpl.runners.data import (
    Budgets,
    Compared,
    DataSets,
    bound,
    build,
    copied,
    inferred_leakage,
    joint_table,
    pair_tables,
    view_of,
)
from pydantic import PositiveInt

from claimaudit.experiments.axes import by_name
from claimaudit.experiments.engine import Cell
from claimaudit.experiments.runner import BaseSetting, Measure, Point
from corrldp.dependence import cramers_v, nmi, pcc
from corrldp.leakage.baselines import off_diagonal
from corrldp.leakage.cpl import conditional, leakage_bound, leakage_limit, leakage_of_channel, leakage_of_reports
from corrldp.leakage.empirical import estimated_leakage, sampled_tables
from corrldp.leakage.total import Tables, contingency_tables, leakage_matrix
from corrldp.runners import Epsilon, Probability, runner


class PairSetting(BaseSetting):
    """The attacked attribute, its neighbour, and the `rank` of the pair in the order that a claim states."""

    dataset: str
    about: str
    by: str
    rank: PositiveInt


class NamedPairs(Compared):
    """Pairs of attributes, budgets and mechanisms."""

    pairs: tuple[PairSetting, ...]

    def outer(self) -> Iterable[Point]:
        return [pair.model_dump() for pair in self.pairs]


@runner(
    NamedPairs,
    mechanisms=lambda setting: (*setting.mechanisms, "Algorithm 2"),
    metrics=("cpl", "cpl_reports", "cpl_estimated"),
    axes=DATA | BUILT | by_name(EXPANSION),
    simulates=True,
)
def named(cell: Cell) -> Iterator[Measure]:
    """Yield the CPL of a pair under every mechanism.

    `cpl` is the exact one of the inferred values, `cpl_estimated` the paper's statistical estimate of it (one run is
    one pass over the expanded data), `cpl_reports` the one of the reports themselves; Algorithm 2 bounds it.
    """
    epsilon = cell["epsilon"]
    counts = cell.once(joint_table, cell["dataset"], cell["about"], cell["by"])
    law = conditional(counts)
    for name in cell.setting.mechanisms:
        mechanism = build(cell, name, epsilon, counts.shape[-1])
        channel = mechanism.effective_channel()
        yield Measure(name, "cpl", float(leakage_of_channel(law, channel)))
        yield Measure(name, "cpl_reports", float(leakage_of_reports(mechanism, law)))
        rng = cell.rng(**cell.point, mechanism=name)
        tables = sampled_tables(copied(cell, counts), channel, cell.runs, rng)
        yield Measure.of_runs(name, "cpl_estimated", estimated_leakage(tables, "skip"))
    yield Measure("Algorithm 2", "cpl", float(leakage_bound(law, epsilon)))


@runner(
    Budgets,
    mechanisms=("GRR", "Algorithm 2", "data"),
    metrics=("cpl", "cpl_reverse", "cpl_limit", "nmi", "pcc", "cramers_v"),
    columns=("about", "by"),
    axes=DATA,
)
def every(cell: Cell) -> Iterator[Measure]:
    """Yield the exact CPL under GRR in both directions, its bound, its limit and the pair's dependence."""
    dataset, epsilon = cell["dataset"], cell["epsilon"]
    tables, grr = cell.once(pair_tables, dataset), inferred_leakage(cell, dataset, "GRR", epsilon)
    matrices = {
        ("cpl", "GRR"): grr,
        ("cpl_reverse", "GRR"): grr.T,
        ("cpl", "Algorithm 2"): bound(cell, dataset, epsilon),
        ("cpl_limit", "data"): leakage_matrix(tables, lambda joint: leakage_limit(conditional(joint))),
        ("nmi", "data"): leakage_matrix(tables, lambda joint: nmi(joint, "mean")),
        ("pcc", "data"): np.abs(leakage_matrix(tables, pcc)),
        ("cramers_v", "data"): leakage_matrix(tables, cramers_v),
    }
    for (i, about), (j, by) in permutations(enumerate(view_of(cell, dataset).names), 2):
        for (metric, mechanism), values in matrices.items():
            yield Measure(mechanism, metric, values[i, j], place={"about": about, "by": by})


class Selections(DataSets):
    """Selections of `size` attributes of a data set, with all that are `named` among them."""

    epsilon: Epsilon
    size: PositiveInt
    named: tuple[str, ...]


@runner(Selections, mechanisms=("GRR",), metrics=("cpl_two_thirds",), columns=("selection",), axes=DATA)
def selections(cell: Cell) -> Iterator[Measure]:
    """Yield the smallest CPL that two thirds of the ordered pairs of attributes of a selection do not exceed."""
    names = view_of(cell, cell["dataset"]).names
    leakage = inferred_leakage(cell, cell["dataset"], "GRR", cell.setting.epsilon)
    fixed = [names.index(name) for name in cell.setting.named]
    others = combinations(sorted(set(range(len(names))) - set(fixed)), cell.setting.size - len(fixed))
    for number, chosen in enumerate(others):
        cpl = np.sort(off_diagonal(leakage[np.ix_([*fixed, *chosen], [*fixed, *chosen])]))
        yield Measure("GRR", "cpl_two_thirds", cpl[(2 * len(cpl) + 2) // 3 - 1], place={"selection": number})


ALL = "all"
PERCENTS = (50, 90, 100)
DIGITS = 12
OF_BINS: dict[str, Callable[[np.ndarray], float]] = {
    **{"pairs": len, "cpl_mean": np.mean, "cpl_std": np.std},
    **{"cpl_min": np.min, "cpl_max": np.max, "cpl_range": np.ptp},
}


class Distribution(DataSets):
    """Data sets; the `limits` below which leakages are counted are shares of the budget.

    If they are `shuffled`, each attribute's values change places at random, so that no attribute depends on another.
    """

    epsilon: Epsilon
    bins: PositiveInt
    limits: tuple[Probability, ...]
    shuffled: bool = False

    def outer(self) -> Iterable[Point]:
        return [*super().outer(), {"dataset": ALL}]


@runner(
    Distribution,
    mechanisms=("GRR",),
    metrics=lambda setting: (
        *(f"share_below_{limit:g}" for limit in setting.limits),
        *(f"percentile_{percent}" for percent in PERCENTS),
        *("share", "rank_correlation", *OF_BINS),
    ),
    columns=("along", "centre"),
    axes=DATA | by_name(NORMALISATION),
)
def distribution(cell: Cell) -> Iterator[Measure]:
    """Yield statistics of the CPL under GRR over the ordered pairs of a data set, or of all of them together.

    `along` says what the pairs are grouped by: "cpl" itself, with the share of the pairs in each bin, or "nmi" or "pcc"
    (absolute), with the mean, the standard deviation and the extremes of the CPL in each bin. A bin is named by its
    `centre`; rows without one are about all pairs.
    """
    names = cell.setting.views if cell["dataset"] == ALL else [cell["dataset"]]
    leakages = (cell.once(inferred_leakage, name, "GRR", cell.setting.epsilon, _tables) for name in names)
    cpl = np.concatenate([off_diagonal(matrix) for matrix in leakages])
    nmis, pccs = (
        np.concatenate(found) for found in zip(*(cell.once(_dependence, name) for name in names), strict=True)
    )
    for along, centre, metric, value in statistics(cpl, {"nmi": nmis, "pcc": pccs}, cell.setting):
        yield Measure("GRR", metric, value, place={"along": along, "centre": centre})


def _tables(cell: Cell, dataset: str) -> Tables:
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


def statistics(
    cpl: np.ndarray, dependence: Mapping[str, np.ndarray], setting: Distribution
) -> Iterator[tuple[str, float, str, float]]:
    """Yield what the pairs are grouped by, the bin's centre, a metric and its value.

    Numbers that are equal but for rounding have one rank, and lie in one bin.
    """
    cpl, dependence = cpl.round(DIGITS), {along: values.round(DIGITS) for along, values in dependence.items()}
    yield "cpl", np.nan, "pairs", len(cpl)
    for limit in setting.limits:
        yield "cpl", np.nan, f"share_below_{limit:g}", float(np.mean(cpl < limit * setting.epsilon))
    for percent in PERCENTS:
        yield "cpl", np.nan, f"percentile_{percent}", np.percentile(cpl, percent)
    edges = np.linspace(0, setting.epsilon, setting.bins + 1)
    for centre, count in zip((edges[1:] + edges[:-1]) / 2, np.histogram(cpl, edges)[0], strict=True):
        yield "cpl", round(float(centre), 9), "share", count / len(cpl)
    edges = np.linspace(0, 1, setting.bins + 1)
    for along, values in dependence.items():
        yield along, np.nan, "rank_correlation", scipy.stats.spearmanr(values, cpl).statistic
        places = np.minimum(np.digitize(values, edges) - 1, setting.bins - 1)
        for place in np.unique(places):
            inside = cpl[places == place]
            centre = round(float(edges[place] + edges[place + 1]) / 2, 9)
            for metric, statistic in OF_BINS.items():
                yield along, centre, metric, statistic(inside)
