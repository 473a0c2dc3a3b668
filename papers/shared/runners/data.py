"""The data of the Corr-RR experiments: synthetic records, views of real ones, and their correlations."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Mapping
from functools import cache, partial
from typing import Any

import numpy as np
from pydantic import Field
from shared.runners.trees import TreeTable

from claimaudit.experiments.engine import Cell
from claimaudit.experiments.setting import BaseSetting, Point, ViewName
from corrldp.arrays import Floats
from corrldp.data.synthetic import CopyModel, syn_a, syn_b
from corrldp.data.table import Table
from corrldp.protocols.records import Population, RecordTable

SYNTHETIC = ("syn_a", "syn_b", "correlated", "linear_first", "dominated_first")
DIFFERING = {"linear_first": "pi", "dominated_first": "dominated"}
"""Data sets whose first attribute has a law of its own, while the others draw uniformly where they do not copy it."""

DOMINANT = 0.95
DATA = ("n", "d", "k", "rho")


def records(cell: Cell) -> list[RecordTable]:
    """Return the records of a cell: a new data set for each run, one for all, or a view's.

    One table serves all runs; only where there are at least as many possible records as users does each run have its
    own. All mechanisms and budgets get the same data.
    """
    if cell["dataset"] not in SYNTHETIC:
        view = cell.views[cell.setting.views[cell["dataset"]]].encode(cell["encoding"])
        return [RecordTable.from_records(view.codes, view.sizes)]
    rng, draw = _stream(cell), model(cell)
    data_sets = cell.runs if cell.choices["data_per_run"] == "new" else 1
    n, d, sizes = cell["n"], cell["d"], (cell["k"],) * cell["d"]
    if np.prod(sizes) >= n:
        drawn = (draw(rng).records(n, rng)[:, -d:] for _ in range(data_sets))
        return [RecordTable.from_records(records, sizes) for records in drawn]
    counts = np.stack([rng.multinomial(n, _law(draw(rng), d)) for _ in range(data_sets)])
    rows = np.indices(sizes).reshape(len(sizes), -1).T
    return [RecordTable(rows, counts if data_sets > 1 else counts[0], sizes)]


def trees(cell: Cell) -> TreeTable | None:
    """Return a new data set for each run along its tree; None if there is no tree, or whole records cost less.

    Real records follow no tree, nor do those of SynB if every user draws new parents; and one data set for all runs
    must be kept whole. Whole records cost less if there are no more of them than cells in the tables of a tree's edges.
    """
    if cell["dataset"] not in SYNTHETIC or cell.choices["data_per_run"] != "new":
        return None
    if cell["k"] ** cell["d"] <= cell["d"] * cell["k"] ** 2:
        return None
    rng, draw = _stream(cell), model(cell)
    models = [draw(rng) for _ in range(cell.runs)]
    if any(len(parents) > 1 for parents in models[0].parents):
        return None
    parents = np.array([[parent for (parent,) in one.parents] for one in models])
    hidden = parents.shape[1] + 1 - cell["d"]
    return TreeTable.draw(cell["n"], np.array(models[0].marginal), models[0].transition, parents, rng, hidden)


def populations(cell: Cell, whole_records: bool) -> list[Population]:
    """Return the users of a cell, as one population for all runs or one for each of them."""
    tree = None if whole_records else trees(cell)
    return [*records(cell)] if tree is None else [tree]


def model(cell: Cell) -> Callable[[np.random.Generator], CopyModel]:
    """Return what draws the law of the records, whose last d attributes are those of the cell.

    Only SynB with a parent per attribute draws anything: its tree. The `correlated` data of the preprint, by their
    `structure`: `equicorrelated`, copies of a hidden first attribute with probability sqrt(rho), so that each pair
    correlates by rho if `non_copy` is "marginal"; `star`, copies of the first attribute; `unequal`, a star whose first
    attribute has frequencies that fall linearly while the others draw uniformly where they do not copy.
    """
    dataset, d, k, rho = cell["dataset"], cell["d"], cell["k"], cell["rho"]
    if dataset in DIFFERING:
        return _fixed(syn_a(d, rho, marginal_of(DIFFERING[dataset], k), "any"))
    if dataset == "correlated" and cell.choices["structure"] == "unequal":
        return _fixed(syn_a(d, rho, marginal_of("pi", k), "any"))
    marginal, non_copy = marginal_of(cell.choices["marginal"], k), cell.choices["non_copy"]
    if dataset == "syn_b":
        return partial(syn_b, d, rho, marginal, non_copy, cell.choices["parent"])
    if dataset == "syn_a" or cell.choices["structure"] == "star":
        return _fixed(syn_a(d, rho, marginal, non_copy))
    return _fixed(syn_a(d + 1, math.sqrt(rho), marginal, non_copy))


def _fixed(law: CopyModel) -> Callable[[np.random.Generator], CopyModel]:
    return lambda rng: law


def marginal_of(name: str, k: int) -> tuple[float, ...]:
    """Return the law of the first attribute.

    `pi` falls linearly, (0.4, 0.3, 0.2, 0.1) for k = 4; in `dominated`, `DOMINANT` of the users have the first value;
    else it is `uniform`.
    """
    weights = np.arange(k, 0, -1.0) if name == "pi" else np.ones(k)
    if name == "dominated":
        weights[0] = (k - 1) * DOMINANT / (1 - DOMINANT)
    return tuple((weights / weights.sum()).tolist())


def _stream(cell: Cell) -> np.random.Generator:
    """Return the stream of the data, which depends on neither budget nor phases, so that all get the same records."""
    return cell.rng(data={"dataset": cell["dataset"], **{name: cell[name] for name in DATA}})


@cache
def _law(model: CopyModel, d: int) -> np.ndarray:
    """Return the law of the last `d` attributes."""
    return model.law.reshape(-1, len(model.marginal) ** d).sum(axis=0)


class RealData(BaseSetting):
    """Views by data set; `other_views` replace them under a value of the axis `attributes`."""

    views: dict[str, ViewName]
    other_views: dict[str, dict[str, ViewName]] = Field(default={})

    def points(self, choices: Mapping[str, Any]) -> Iterator[Point]:
        """Yield every data set."""
        return ({"dataset": dataset} for dataset in self.views)


def view_of(cell: Cell) -> Table:
    """Return the data set of a cell, encoded."""
    setting, dataset = cell.setting, cell["dataset"]
    others = setting.other_views.get(cell["attributes"], {}) if setting.other_views else {}
    return cell.views[others.get(dataset, setting.views[dataset])].encode(cell["encoding"])


def correlations(table: RecordTable) -> Floats:
    """Correlations (runs, d, d) of the codes of each data set of a table."""
    weights = np.atleast_2d(table.counts) / table.n
    centred = table.rows[None] - (weights @ table.rows)[:, None]
    covariance = np.einsum("rm,rmi,rmj->rij", weights, centred, centred)
    deviations = np.sqrt(np.diagonal(covariance, axis1=1, axis2=2))
    return covariance / (deviations[:, :, None] * deviations[:, None, :])


def correlations_of(codes: np.ndarray) -> Floats:
    """Correlations (d, d) of the columns of codes (n, d)."""
    return np.corrcoef(codes, rowvar=False)
