"""RR-Clusters: dependent attributes are randomised together, the clusters independently (Castell paper, II-B.3)."""

from __future__ import annotations

import math
from dataclasses import dataclass
from functools import cached_property

import numpy as np
from castell.runners.schemes import RRJoint
from numpy.typing import ArrayLike

from corrldp.arrays import Floats, Integers
from corrldp.protocols.castell.tables import product
from corrldp.protocols.protocol import AttributeBudget
from corrldp.protocols.records import check_records

Clusters = tuple[tuple[int, ...], ...]


def dependent_clusters(dependence: ArrayLike, sizes: tuple[int, ...], least: float, most_cells: int) -> Clusters:
    """Repeatedly merge the two most dependent clusters; return them as attribute numbers in ascending order.

    `dependence` (w, w) is Cramer's V of each pair of attributes, in either triangle; for two clusters the largest V
    counts. None is merged with a dependence below `least`, nor into a joint domain of more than `most_cells`.
    Source: Domingo-Ferrer and Soria-Comas (reference 3).
    """
    dependence = np.asarray(dependence, dtype=float)
    clusters: list[tuple[int, ...]] = [(j,) for j in range(len(sizes))]
    while True:
        candidates = [
            (float(np.maximum(dependence, dependence.T)[np.ix_(a, b)].max()), a, b)
            for i, a in enumerate(clusters)
            for b in clusters[i + 1 :]
            if math.prod(sizes[j] for j in a + b) <= most_cells
        ]
        strongest = max(candidates, default=(-1.0, (), ()))
        if strongest[0] < least:
            return tuple(sorted(clusters))
        _, a, b = strongest
        clusters = [cluster for cluster in clusters if cluster not in (a, b)] + [tuple(sorted(a + b))]


@dataclass(frozen=True)
class RRClusters(AttributeBudget):
    """RR-Joint within each of the `clusters`, a partition of the attributes, with the budget of all its attributes."""

    sizes: tuple[int, ...]
    clusters: Clusters

    def __post_init__(self) -> None:
        super().__post_init__()
        if sorted(j for cluster in self.clusters for j in cluster) != list(range(self.d)):
            raise ValueError(f"clusters={self.clusters} must name each of {self.d} attributes once")

    @cached_property
    def parts(self) -> list[RRJoint]:
        return [
            RRJoint(self.epsilon_per_attribute * len(cluster), tuple(self.sizes[j] for j in cluster))
            for cluster in self.clusters
        ]

    def privatize(self, records: ArrayLike, rng: np.random.Generator) -> Integers:
        """Perturb the `records` (n, w) of users into reports (n, w)."""
        records = check_records(records, self.sizes)
        reports = np.empty_like(records)
        for cluster, part in zip(self.clusters, self.parts, strict=True):
            reports[:, cluster] = part.privatize(records[:, cluster], rng)
        return reports

    def estimate(self, reports: ArrayLike) -> Floats:
        """Joint frequencies (k_1, ..., k_w) from `reports` (n, w): the product of the clusters' estimates."""
        reports = check_records(reports, self.sizes)
        laws = [part.estimate(reports[:, cluster]) for cluster, part in zip(self.clusters, self.parts, strict=True)]
        order = [j for cluster in self.clusters for j in cluster]
        return product(laws).transpose(np.argsort(order))
