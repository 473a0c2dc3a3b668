"""Statistical estimates of CPL against Algorithms 1 and 2, and the significance of estimated leakages."""

from collections.abc import Iterator

import numpy as np
import scipy
from cpl.runners.axes import BUILT, DATA, EXPANSION, RARE, RECORDS
from cpl.runners.data import (
    Compared,
    DataSets,
    MechanismName,
    TablesOf,
    bound,
    copied,
    inferred_channel,
    inferred_leakage,
    pair_tables,
    report_leakage,
    view_of,
)
from pydantic import PositiveInt

from claimaudit.experiments.axes import by_name
from claimaudit.experiments.engine import Cell
from claimaudit.experiments.runner import BaseSetting, Choices, Measure, Point, Swept
from corrldp.arrays import Integers
from corrldp.data.table import Table
from corrldp.leakage.baselines import nmse, off_diagonal
from corrldp.leakage.empirical import estimated_leakage, holm, p_values, sampled_tables, surrogate_tables
from corrldp.leakage.total import Tables, contingency_tables, stacked
from corrldp.mechanisms.grr import GRR
from corrldp.runners import DomainSize, Epsilon, Users, runner


@runner(
    Compared,
    mechanisms=lambda setting: setting.mechanisms,
    metrics=("nmse_inferred", "nmse_reports", "nmse_algorithm_1", "nmse_algorithm_2", "infinite_share"),
    axes=DATA | BUILT | by_name(EXPANSION, RECORDS),
    simulates=True,
)
def nmse_cpl(cell: Cell) -> Iterator[Measure]:
    """Yield NMSE-CPL (Eq. 29) of every mechanism; one run is one pass over the expanded data.

    `nmse_algorithm_1` and `nmse_algorithm_2` compare the statistical estimates with Algorithm 1 on the effective
    channel and with Algorithm 2. `nmse_inferred` and `nmse_reports` compare exact leakages, of the inferred values and
    of the reports, with Algorithm 2, free of sampling error. An estimate that would be infinite because a value was
    never inferred leaves that value out; `infinite_share` is the share of such pairs.
    """
    for name in cell.setting.mechanisms:
        yield from cell.once(_of_mechanism, name)


def _of_mechanism(cell: Cell, name: MechanismName) -> list[Measure]:
    dataset, epsilon = cell["dataset"], cell["epsilon"]
    reference = off_diagonal(cell.once(bound, dataset, epsilon))
    inferred = off_diagonal(cell.once(inferred_leakage, dataset, name, epsilon))
    reports = off_diagonal(cell.once(report_leakage, dataset, name, epsilon))
    found, infinite = _estimates(cell, name)
    return [
        Measure(name, "nmse_inferred", float(nmse(inferred, reference))),
        Measure(name, "nmse_reports", float(nmse(reports, reference))),
        Measure.of_runs(name, "nmse_algorithm_1", [nmse(values, inferred) for values in found]),
        Measure.of_runs(name, "nmse_algorithm_2", [nmse(values, reference) for values in found]),
        Measure.of_runs(name, "infinite_share", [values.mean() for values in infinite]),
    ]


def _estimates(
    cell: Cell, name: MechanismName, tables_of: TablesOf = pair_tables
) -> tuple[list[np.ndarray], list[np.ndarray]]:
    """Return, for each run, the estimated leakages of all pairs, (d (d - 1),), and whether each would be infinite.

    Pairs of equal shape are drawn at once.
    """
    dataset, epsilon = cell["dataset"], cell["epsilon"]
    groups = [*stacked(cell.once(tables_of, dataset))]
    attributes = 1 + max(about.max() for (about, _), _ in groups)
    found, infinite = np.zeros((2, cell.runs, attributes, attributes))
    rng = cell.rng(dataset=dataset, epsilon=epsilon, mechanism=name)
    for (about, by), counts in groups:
        channel = cell.once(inferred_channel, name, epsilon, counts.shape[-1])
        tables = sampled_tables(copied(cell, counts), channel, cell.runs, rng)
        found[:, about, by] = estimated_leakage(tables, "skip")
        infinite[:, about, by] = np.isinf(estimated_leakage(tables, "infinite"))
    return [*map(off_diagonal, found)], [*map(off_diagonal, infinite)]


@runner(
    Compared,
    mechanisms=lambda setting: setting.mechanisms,
    metrics=("nmse_algorithm_1", "nmse_algorithm_2"),
    axes=DATA | BUILT | by_name(EXPANSION, RARE),
    simulates=True,
)
def rare_values(cell: Cell) -> Iterator[Measure]:
    """Yield NMSE-CPL (Eq. 29) of every mechanism against both algorithms; one run is one pass over the expanded data.

    The axis `rare` is the share of the records below which values of an attribute are merged into one.
    """
    dataset, epsilon = cell["dataset"], cell["epsilon"]
    reference = off_diagonal(bound(cell, dataset, epsilon, merged_tables))
    for name in cell.setting.mechanisms:
        found, _ = _estimates(cell, name, merged_tables)
        actual = off_diagonal(inferred_leakage(cell, dataset, name, epsilon, merged_tables))
        yield Measure.of_runs(name, "nmse_algorithm_1", nmse(found, actual))
        yield Measure.of_runs(name, "nmse_algorithm_2", nmse(found, reference))


def merged_tables(cell: Cell, dataset: str) -> Tables:
    """Return the counts (m, t) of every ordered pair of attributes after rare values are merged."""
    return contingency_tables(*merge(view_of(cell, dataset), cell["rare"]))


def merge(view: Table, smallest: float) -> tuple[np.ndarray, list[int]]:
    """Return codes (n, d) and domain sizes in which all values of an attribute rarer than a share are one.

    An attribute that is left with one value says nothing, and is left out.
    """
    columns, sizes = [], []
    for codes, size in zip(view.codes.T, view.sizes, strict=True):
        kept = np.flatnonzero(np.bincount(codes, minlength=size) >= smallest * view.n)
        new = np.full(size, len(kept))
        new[kept] = np.arange(len(kept))
        merged = len(kept) + (len(kept) < size)
        if merged > 1:
            columns.append(new[codes])
            sizes.append(merged)
    return np.column_stack(columns), sizes


LEVEL = 0.05
FIRST, ENOUGH = 250, 100  # surrogates drawn at first, and those that reach the observed leakage until drawing ends


class SignificanceCase(BaseSetting):
    """A budget and the number of copies of each record."""

    epsilon: Epsilon
    expansion: PositiveInt


class Significance(DataSets):
    """Data sets, cases, and the number of `surrogates`, permutations of the one perturbed data set of each case."""

    cases: tuple[SignificanceCase, ...]
    surrogates: PositiveInt

    def points(self, choices: Choices) -> Iterator[Point]:
        for case in self.cases:
            for point in super().points(choices):
                yield {**point, **case.model_dump()}


@runner(
    Significance,
    mechanisms=("GRR",),
    metrics=("share_significant", "share_significant_fdr", "share_significant_holm", "pairs"),
    axes=DATA,
)
def significance(cell: Cell) -> Iterator[Measure]:
    """Yield the share of ordered pairs whose leakage under GRR is significant at 5 %, with and without correction."""
    rng, found = cell.rng(**cell.point), []
    for counts in cell.once(pair_tables, cell["dataset"]).values():
        occurring = counts[counts.sum(axis=1) > 0]
        channel = GRR(cell["epsilon"], counts.shape[-1]).channel()
        [table] = sampled_tables(copied(cell, occurring), channel, 1, rng)
        found.append(sequential_p_value(table, cell.setting.surrogates, rng))
    p = np.array(found)
    yield Measure("GRR", "share_significant", float(np.mean(p < LEVEL)))
    yield Measure("GRR", "share_significant_fdr", float(np.mean(scipy.stats.false_discovery_control(p) < LEVEL)))
    yield Measure("GRR", "share_significant_holm", float(np.mean(holm(p) < LEVEL)))
    yield Measure("GRR", "pairs", len(p))


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


class Repeated(BaseSetting):
    """Records of two attributes; `expansion` lists copies per record, `surrogates` is the number per test."""

    n: Swept[Users]
    epsilon: Swept[Epsilon]
    k: Swept[DomainSize]
    expansion: tuple[PositiveInt, ...]
    surrogates: PositiveInt


@runner(Repeated, mechanisms=("GRR",), metrics=("false_alarms",), columns=("expansion",), simulates=True)
def false_alarms(cell: Cell) -> Iterator[Measure]:
    """Yield the share of data sets with two independent attributes that the test at 5 % calls dependent."""
    n, epsilon, k = cell["n"], cell["epsilon"], cell["k"]
    rng = cell.rng(n=n, k=k, epsilon=epsilon)
    counts = rng.multinomial(n, np.full(k * k, 1 / k**2), size=cell.runs).reshape(-1, k, k)
    for expansion in cell.setting.expansion:
        [tables] = sampled_tables(expansion * counts, GRR(epsilon, k).channel(), 1, rng)
        p = leakage_p_values(tables, cell.setting.surrogates, rng)
        yield Measure.of_runs("GRR", "false_alarms", p <= LEVEL, place={"expansion": expansion})
