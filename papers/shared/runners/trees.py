"""Data sets whose attributes copy each other along a tree, stored as counts along its edges instead of whole records.

In such data an attribute's value depends on the earlier nodes of the tree only through its parent's value. So given how
many users have each value of the child for each value of the parent, those who share the parent's value are
interchangeable, and random subsets of the users are hypergeometric along each edge. A draw costs d k^2, whereas a table
of whole records has k^d rows. This holds for data drawn anew in each run, not for one fixed data set.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace

import numpy as np

from corrldp.arrays import Floats, Integers
from corrldp.mechanisms.validation import check_runs
from corrldp.protocols.counting import draw_without_replacement
from corrldp.protocols.records import Population


@dataclass(frozen=True, eq=False)
class TreeTable(Population):
    """One data set per run, of attributes with k values each, drawn along a tree.

    Parameters
    ----------
    parents : (runs, nodes - 1)
        Parent of each node 1, 2, ... of each run's tree, an earlier node; node 0 is the root.
    roots : (runs, k)
        Users with each value of the root.
    edges : (runs, nodes - 1, k, k)
        Users with each value of the parent (third axis) and the node (last axis).
    hidden : int
        Number of first nodes, 0 or 1, that are not attributes.
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

        Parameters
        ----------
        marginal : (k,)
            Distribution of the root.
        transition : (k, k)
            Distribution of a node given its parent: row u for the parent's value u.
        parents, hidden
            See the class.
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
        """Count the users with each value of each attribute, (runs, d, k)."""
        return np.concatenate([self.roots[:, None], self.edges.sum(axis=2)], axis=1)[:, self.hidden :]

    def split(self, size: int, runs: int, rng: np.random.Generator) -> tuple[TreeTable, TreeTable]:
        """Draw `size` users at random, anew for each run, and return the tables of these and of all others."""
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
                group[below] = taken.sum(axis=1)
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
        nodes[:, child + 1] = edges[:, child].sum(axis=1)
    return edges


def _choose(edges: Integers, given: Integers, rng: np.random.Generator) -> Integers:
    """Choose at random `given` (draws, k) users with each value of the parent; count them in each cell of an edge."""
    return draw_without_replacement(edges.reshape(-1, edges.shape[-1]), given.ravel(), rng).reshape(edges.shape)
