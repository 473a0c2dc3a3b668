"""LoPub beside the schemes of the Castell paper at equal privacy, with every user randomising (Table VI, Figure 3)."""

import math
from collections.abc import Callable, Iterator, Sequence
from functools import lru_cache

import numpy as np
from castell.runners import axes
from castell.runners.estimates import (
    ESTIMATES,
    RandomSets,
    budget,
    counted,
    distances,
    errors,
    evenly,
    part,
    view_of,
)
from numpy.typing import ArrayLike

from claimaudit.experiments.axes import by_name
from claimaudit.experiments.engine import Cell
from claimaudit.experiments.runner import BaseSetting, Measure
from corrldp.arrays import Floats
from corrldp.data.table import Table
from corrldp.dependence import cramers_v
from corrldp.mechanisms.grr import GRR
from corrldp.protocols.castell import castell, product
from corrldp.protocols.lopub import BloomResponse, expectation_maximisation, lasso
from corrldp.runners import DomainSize, Probability, runner

VARIANTS = [key for key in ESTIMATES if key[0] in ("RR-Ind-Joint", "RR-Independent", "projected")]
VARIANTS += [("truncated", "printed"), ("hybrid", "appendix_c")]
LARGEST_EM, LARGEST_LOPUB_EM = 4, 2  # attributes up to which maximum likelihood takes seconds rather than minutes
Cluster = tuple[int, ...]
Errors = Iterator[tuple[str, Floats]]
Scheme = Callable[[Cell, Table, float, np.random.Generator], Errors]


class Clusters(BaseSetting):
    """Limits for merging attributes in RR-Clusters: the least Cramer's V, and the most cells of a cluster."""

    least_v: Probability
    most_cells: DomainSize


class LoPubSetting(RandomSets):
    """Data sets, budgets, and the limits of RR-Clusters; `left_out` are attributes that some readings leave out."""

    clusters: Clusters
    left_out: tuple[str, ...] = ()


@runner(
    LoPubSetting,
    mechanisms=(*(name for name, _ in VARIANTS), "EM", "RR-Clusters", "LoPub", "LoPub-EM"),
    metrics=("avd",),
    columns=("n",),
    axes=by_name(*(axes.SETS[name] for name in ("budget", "distance", "attributes")), axes.PENALTY),
    simulates=True,
)
def schemes(cell: Cell) -> Iterator[Measure]:
    """Yield the mean distance (`avd`) of each scheme; a run is a random set of attributes and its reports."""
    view = view_of(cell)
    if view is None:
        return
    epsilon = budget(cell["epsilon"], cell["w"], cell["budget"])
    for scheme in (independent_errors, lopub_errors):
        for (mechanism, name), values in cell.once(of_random_sets, view, scheme, epsilon).items():
            if name == cell["distance"]:
                yield Measure.of_runs(mechanism, "avd", values, place={"n": view.n})


def of_random_sets(cell: Cell, view: Table, scheme: Scheme, epsilon: float) -> dict[tuple[str, str], Floats]:
    """Return every distance (runs,) of each estimate of a scheme; all schemes see the same attributes."""
    draws, rng = (cell.rng(w=cell["w"], what=what) for what in ("attributes", "reports"))
    return distances(scheme(cell, part(view, columns), epsilon, rng) for columns in evenly(cell, view, draws))


def independent_errors(cell: Cell, view: Table, epsilon: float, rng: np.random.Generator) -> Errors:
    """Yield the errors of the estimates from independently randomised attributes, and of RR-Clusters."""
    variants = VARIANTS + ([("EM", "")] if view.d <= LARGEST_EM else [])
    for (mechanism, _), error in errors(view, epsilon, "randomised", variants, rng):
        yield mechanism, error
    estimate = rr_clusters(view, epsilon, clusters_of(view, cell.setting.clusters), rng)
    yield "RR-Clusters", estimate - counted(view) / view.n


@lru_cache(maxsize=128)
def clusters_of(view: Table, limits: Clusters) -> list[Cluster]:
    """Return the clusters of a `part`, which many runs draw, by the true Cramer's V, as if the collector knew it."""
    ways = range(view.d)
    dependence = [[float(cramers_v(view.counts((i, j)), "domain")) if i < j else 0.0 for j in ways] for i in ways]
    return dependent_clusters(dependence, view.sizes, limits.least_v, limits.most_cells)


def lopub_errors(cell: Cell, view: Table, epsilon: float, rng: np.random.Generator) -> Errors:
    """Yield the errors of LoPub by Lasso, and by EM started from the Lasso's while that is feasible."""
    lopub, law, penalty = BloomResponse.draw(epsilon, view.sizes, rng), counted(view) / view.n, cell["penalty"]
    if view.d > LARGEST_LOPUB_EM:
        counts = [view.counts((j,)) for j in range(view.d)]
        yield "LoPub", lasso(lopub, lopub.unbias(lopub.simulate(counts, rng), view.n), penalty) - law
        return
    reports = lopub.privatize(view.codes, rng)
    start = lasso(lopub, lopub.unbias(lopub.ones(reports), view.n), penalty)
    yield "LoPub", start - law
    yield "LoPub-EM", expectation_maximisation(lopub, reports, start) - law


def dependent_clusters(dependence: ArrayLike, sizes: Sequence[int], least: float, most_cells: int) -> list[Cluster]:
    """Repeatedly merge the two most dependent clusters; return them as attribute numbers in ascending order.

    `dependence` (w, w) is Cramer's V of each pair of attributes, in either triangle; for two clusters the largest V
    counts. None is merged with a dependence below `least`, nor into a joint domain of more than `most_cells`.
    Source: Domingo-Ferrer and Soria-Comas (reference 3).
    """
    dependence = np.asarray(dependence, dtype=float)
    clusters: list[Cluster] = [(j,) for j in range(len(sizes))]
    while True:
        candidates = [
            (float(np.maximum(dependence, dependence.T)[np.ix_(a, b)].max()), a, b)
            for i, a in enumerate(clusters)
            for b in clusters[i + 1 :]
            if math.prod(sizes[j] for j in a + b) <= most_cells
        ]
        strongest = max(candidates, default=(-1.0, (), ()))
        if strongest[0] < least:
            return sorted(clusters)
        _, a, b = strongest
        clusters = [cluster for cluster in clusters if cluster not in (a, b)] + [tuple(sorted(a + b))]


def rr_clusters(view: Table, epsilon: float, clusters: Sequence[Cluster], rng: np.random.Generator) -> Floats:
    """Return joint frequencies (k_1, ..., k_w) from reports on the records: the product of those of each cluster.

    The `clusters` are a partition of the attributes; RR-Joint within each has the budget of all its attributes, of
    which each has `epsilon`.
    """
    laws = []
    for cluster in clusters:
        records = view.subset(cluster)
        joint = GRR(epsilon * len(cluster), math.prod(records.sizes))
        codes = np.ravel_multi_index(tuple(records.codes.T), records.sizes)
        observed = joint.support(joint.privatize(codes, rng)) / view.n
        laws.append(castell(observed, [joint]).reshape(records.sizes))
    return product(laws).transpose(np.argsort([j for cluster in clusters for j in cluster]))
