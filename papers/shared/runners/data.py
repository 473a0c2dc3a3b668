"""The data of the Corr-RR experiments: synthetic records, views of real ones, and their correlations."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import cache

import numpy as np
from pydantic import Field
from shared.runners.synthetic import CopyModel, syn_a, syn_b

from claimaudit.experiments.engine import Cell
from claimaudit.experiments.runner import ViewName
from corrldp.arrays import Floats, Integers
from corrldp.data.table import Table
from corrldp.mechanisms.validation import check_runs
from corrldp.protocols.records import Population, RecordTable, draw_without_replacement
from corrldp.runners import OnViews


@dataclass(frozen=True, eq=False)
class TreeTable(Population):
    """One data set per run, of attributes with k values each that copy each other along a tree.

    An attribute's value depends on the earlier nodes only through its parent's. So given how many users have each value
    of the child for each value of the parent, those who share the parent's value are interchangeable, and random
    subsets of the users are hypergeometric along each edge. A draw costs d k^2, a table of whole records k^d rows.
    This holds for data drawn anew in each run, not for one fixed data set.

    `parents` (runs, nodes - 1) are those of each node 1, 2, ... of each run's tree, earlier nodes; node 0 is the root.
    `roots` (runs, k) counts the users with each value of the root, `edges` (runs, nodes - 1, k, k) those with each
    value of the parent and the node. `hidden` is the number of first nodes, 0 or 1, that are not attributes.
    """

    parents: Integers
    roots: Integers
    edges: Integers
    hidden: int = 0

    @classmethod
    def draw(
        cls, n: int, marginal: Floats, transition: Floats, parents: Integers, rng: np.random.Generator, hidden: int = 0
    ) -> TreeTable:
        """Draw the data sets of `n` users.

        `marginal` (k,) is the distribution of the root, row u of `transition` (k, k) that of a node whose parent has
        the value u.
        """
        roots = rng.multinomial(n, marginal, size=len(parents))
        edges = _down_the_tree(parents, roots, lambda child, given: rng.multinomial(given, transition))
        return cls(parents, roots, edges, hidden)

    @property
    def sizes(self) -> tuple[int, ...]:
        return (self.roots.shape[1],) * (self.edges.shape[1] + 1 - self.hidden)

    @property
    def n(self) -> int:
        return int(self.roots[0].sum())

    def count_marginals(self) -> Integers:
        return np.concatenate([self.roots[:, None], np.einsum("reuv->rev", self.edges)], axis=1)[:, self.hidden :]

    def split(self, size: int, runs: int, rng: np.random.Generator) -> tuple[TreeTable, TreeTable]:
        check_runs(runs, 1, len(self.roots))
        roots = draw_without_replacement(self.roots, size, rng)
        edges = _down_the_tree(self.parents, roots, lambda child, given: _choose(self.edges[:, child], given, rng))
        chosen = replace(self, roots=roots, edges=edges)
        return chosen, replace(self, roots=self.roots - roots, edges=self.edges - edges)

    def draw_one_attribute(self, runs: int, rng: np.random.Generator) -> Integers:
        """Let each user draw one attribute uniformly; count those with each value who drew it, (runs, d, k).

        Those who drew an attribute are followed from the root down to it and no further. Groups that are never followed
        to a node are a random part of the users left there, so they need no count.
        """
        check_runs(runs, 1, len(self.roots))
        groups = rng.multinomial(self.roots, np.full(self.d, 1 / self.d))
        left = self.edges.copy()
        drawn = np.zeros((runs, self.d, self.roots.shape[1]), dtype=np.int64)
        for j in range(self.d):
            group = groups[:, :, j].copy()
            for nodes in self._path_to(j + self.hidden):
                below = np.flatnonzero(nodes)
                edge = below, nodes[below] - 1
                taken = _choose(left[edge], group[below], rng)
                left[edge] -= taken
                group[below] = np.einsum("ruv->rv", taken)  # several times as fast as `sum`
            drawn[:, j] = group
        return drawn

    def _path_to(self, node: int) -> list[Integers]:
        """List the nodes (runs,) on the path from the root to `node`; 0 where the path has yet to begin."""
        with_root = np.column_stack([np.zeros(len(self.parents), dtype=np.int64), self.parents])
        path = [np.full(len(self.parents), node)]
        while path[0].any():
            path.insert(0, np.take_along_axis(with_root, path[0][:, None], axis=1)[:, 0])
        return path[1:]


def _down_the_tree(parents: Integers, roots: Integers, draw: Callable[[int, Integers], Integers]) -> Integers:
    """Draw the edges (runs, nodes - 1, k, k) in turn, each given the users (runs, k) at its parent.

    `draw` takes the position of an edge and those users and returns the users (runs, k, k) along the edge.
    """
    runs, children = parents.shape
    nodes = np.zeros((runs, children + 1, roots.shape[1]), dtype=np.int64)
    edges = np.zeros((runs, children, roots.shape[1], roots.shape[1]), dtype=np.int64)
    nodes[:, 0] = roots
    for child in range(children):
        edges[:, child] = draw(child, nodes[np.arange(runs), parents[:, child]])
        nodes[:, child + 1] = np.einsum("ruv->rv", edges[:, child])
    return edges


def _choose(edges: Integers, given: Integers, rng: np.random.Generator) -> Integers:
    """Choose at random `given` (draws, k) users with each value of the parent; count them in each cell of an edge."""
    return draw_without_replacement(edges.reshape(-1, edges.shape[-1]), given.ravel(), rng).reshape(edges.shape)


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
        view = _encoded(cell, cell.setting.views[cell["dataset"]])
        return [RecordTable.from_records(view.codes, view.sizes)]
    models, rng = models_of(cell)
    n, d, sizes = cell["n"], cell["d"], (cell["k"],) * cell["d"]
    if np.prod(sizes) >= n:
        return [RecordTable.from_records(one.records(n, rng)[:, -d:], sizes) for one in models]
    laws = (one.law.reshape(-1, cell["k"] ** d).sum(axis=0) for one in models)  # of the last d attributes
    counts = np.stack([rng.multinomial(n, law) for law in laws])
    rows = np.indices(sizes).reshape(len(sizes), -1).T
    return [RecordTable(rows, counts if len(models) > 1 else counts[0], sizes)]


def trees(cell: Cell) -> TreeTable | None:
    """Return a new data set for each run along its tree; None if there is no tree, or whole records cost less.

    Real records follow no tree, nor do those of SynB if every user draws new parents; and one data set for all runs
    must be kept whole. Whole records cost less if there are no more of them than cells in the tables of a tree's edges.
    """
    drawn_anew = cell["dataset"] in SYNTHETIC and cell.choices["data_per_run"] == "new"
    if not drawn_anew or cell["k"] ** cell["d"] <= cell["d"] * cell["k"] ** 2:
        return None
    models, rng = models_of(cell)
    if any(len(parents) > 1 for parents in models[0].parents):
        return None
    parents = np.array([[parent for (parent,) in one.parents] for one in models])
    hidden = parents.shape[1] + 1 - cell["d"]
    return TreeTable.draw(cell["n"], np.array(models[0].marginal), models[0].transition, parents, rng, hidden)


def populations(cell: Cell, whole_records: bool) -> list[Population]:
    """Return the users of a cell, as one population for all runs or one for each of them."""
    tree = None if whole_records else trees(cell)
    return [*records(cell)] if tree is None else [tree]


def models_of(cell: Cell) -> tuple[list[CopyModel], np.random.Generator]:
    """Return the law of each data set, and the stream that draws them, which depends on neither budget nor phases."""
    rng = cell.rng(data={"dataset": cell["dataset"], **{name: cell[name] for name in DATA}})
    data_sets = cell.runs if cell.choices["data_per_run"] == "new" else 1
    draws_trees = cell["dataset"] == "syn_b" and cell.choices["parent"] == "attribute"
    return [model(cell, rng) for _ in range(data_sets)] if draws_trees else [model(cell, rng)] * data_sets, rng


def model(cell: Cell, rng: np.random.Generator) -> CopyModel:
    """Draw the law of the records, whose last d attributes are those of the cell.

    Only SynB with a parent per attribute draws anything: its tree. The `correlated` data of the preprint, by their
    `structure`: `equicorrelated`, copies of a hidden first attribute with probability sqrt(rho), so that each pair
    correlates by rho if `non_copy` is "marginal"; `star`, copies of the first attribute; `unequal`, a star whose first
    attribute has frequencies that fall linearly while the others draw uniformly where they do not copy.
    """
    dataset, d, k, rho = cell["dataset"], cell["d"], cell["k"], cell["rho"]
    if dataset in DIFFERING:
        return syn_a(d, rho, marginal_of(DIFFERING[dataset], k), "any")
    if dataset == "correlated" and cell.choices["structure"] == "unequal":
        return syn_a(d, rho, marginal_of("pi", k), "any")
    marginal, non_copy = marginal_of(cell.choices["marginal"], k), cell.choices["non_copy"]
    if dataset == "syn_b":
        return syn_b(d, rho, marginal, non_copy, cell.choices["parent"], rng)
    if dataset == "syn_a" or cell.choices["structure"] == "star":
        return syn_a(d, rho, marginal, non_copy)
    return syn_a(d + 1, math.sqrt(rho), marginal, non_copy)


@cache
def marginal_of(name: str, k: int) -> tuple[float, ...]:
    """Return the law of the first attribute.

    `pi` falls linearly, (0.4, 0.3, 0.2, 0.1) for k = 4; in `dominated`, `DOMINANT` of the users have the first value;
    else it is `uniform`.
    """
    weights = np.arange(k, 0, -1.0) if name == "pi" else np.ones(k)
    if name == "dominated":
        weights[0] = (k - 1) * DOMINANT / (1 - DOMINANT)
    return tuple((weights / weights.sum()).tolist())


class RealData(OnViews):
    """Views by data set; `other_views` replace them under a value of the axis `attributes`."""

    other_views: dict[str, dict[str, ViewName]] = Field(default={})


def view_of(cell: Cell) -> Table:
    """Return the data set of a cell, encoded."""
    setting, dataset = cell.setting, cell["dataset"]
    others = setting.other_views.get(cell["attributes"], {}) if setting.other_views else {}
    return _encoded(cell, others.get(dataset, setting.views[dataset]))


def _encoded(cell: Cell, view: str) -> Table:
    table = cell.views[view].encode(cell["encoding"])
    by_users = cell["dataset"] == "nursery" and cell["nursery_groups"] == "users"
    return in_equal_groups(table) if by_users else table


def in_equal_groups(table: Table) -> Table:
    """Return a table whose columns are cut, by the rank of their codes, into groups of equally many users.

    A column has as many groups as it had values. Users with the same value, who are ranked in their order, may be in
    two groups: with Python, ``pandas.qcut(column.rank(method="first"), k)``.
    """
    ranks = np.argsort(np.argsort(table.codes, axis=0, kind="stable"), axis=0)
    return replace(table, codes=(ranks * np.array(table.sizes) // table.n).astype(table.codes.dtype))


def correlations(table: RecordTable) -> Floats:
    """Correlations (runs, d, d) of the codes of each data set of a table."""
    weights = np.atleast_2d(table.counts) / table.n
    centred = table.rows[None] - (weights @ table.rows)[:, None]
    covariance = np.einsum("rm,rmi,rmj->rij", weights, centred, centred)
    deviations = np.sqrt(np.diagonal(covariance, axis1=1, axis2=2))
    return covariance / (deviations[:, :, None] * deviations[:, None, :])


def merged_correlations(joint: Floats, first: Integers, second: Integers) -> Floats:
    """Correlations (a, b) of merged values, for their joint law (u, v) and their classes (a, u) and (b, v)."""
    means = [first @ joint.sum(axis=1), second @ joint.sum(axis=0)]
    variances = [first**2 @ joint.sum(axis=1) - means[0] ** 2, second**2 @ joint.sum(axis=0) - means[1] ** 2]
    covariance = first @ joint @ second.T - np.outer(*means)
    scale = np.sqrt(np.maximum(np.outer(*variances), 0))
    return np.divide(covariance, scale, out=np.zeros_like(covariance), where=scale > 0)
