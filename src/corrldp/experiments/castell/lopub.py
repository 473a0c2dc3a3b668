"""LoPub beside the schemes of the Castell paper at equal privacy, everybody randomising (Table VI, Figure 3)."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
import pandas as pd

from corrldp.dependence import cramers_v
from corrldp.experiments.castell.estimates import ESTIMATES, errors
from corrldp.experiments.castell.population import DISTANCES, Population, budget, populations, subsets
from corrldp.experiments.command import Experiment, main
from corrldp.experiments.rows import row
from corrldp.metrics import mean_and_se
from corrldp.protocols.castell.clusters import RRClusters, dependent_clusters
from corrldp.protocols.lopub.bloom import LoPub
from corrldp.protocols.lopub.em import expectation_maximisation
from corrldp.protocols.lopub.regression import lasso

VARIANTS = [key for key in ESTIMATES if key[0] in ("RR-Ind-Joint", "RR-Independent", "projected")]
VARIANTS += [("truncated", "in_order"), ("hybrid", "data")]
LARGEST_EM, LARGEST_LOPUB_EM = 4, 2  # attributes up to which maximum likelihood takes seconds rather than minutes
Errors = dict[str, np.ndarray]


def run(experiment: Experiment) -> pd.DataFrame:
    """Return the mean distance (`avd`) of each scheme; a run is a random set of attributes and its reports."""
    rows: list[dict[str, Any]] = []
    known: dict[tuple[Any, ...], dict[str, np.ndarray]] = {}
    [(dataset, grid, population)] = populations(experiment)
    for reading in experiment.all_readings():
        _, axes = reading
        for w in grid["w"]:
            point = {"dataset": dataset, "w": w, "n": population.n, "epsilon": experiment.setting["epsilon"]}
            epsilon = budget(point["epsilon"], w, axes["budget"])
            schemes = {(w, epsilon): independent_errors, (w, epsilon, axes["penalty"]): lopub_errors}
            for key, scheme in schemes.items():
                if key not in known:
                    known[key] = distances(experiment, population, w, scheme, key[1:])
                for mechanism, values in known[key].items():
                    mean, se = mean_and_se(values[:, list(DISTANCES).index(axes["distance"])])
                    of = {"se": se, "runs": len(values), "standin": population.standin}
                    rows.append(row(point, reading, mechanism, "avd", mean, **of))
    return pd.DataFrame(rows)


def distances(
    experiment: Experiment, population: Population, w: int, scheme: Callable[..., Errors], parameters: Sequence[float]
) -> dict[str, np.ndarray]:
    """Return the distances (runs, kinds) of each estimate of a scheme; all schemes see the same attributes."""
    draws, rng = experiment.rng(w=w, what="attributes"), experiment.rng(w=w, what="reports")
    possible = subsets(population, w, None, ())
    found: dict[str, list[list[float]]] = {}
    for _ in range(experiment.runs):
        chosen = population.of(possible[int(draws.integers(len(possible)))])
        for mechanism, error in scheme(experiment, chosen, rng, *parameters).items():
            found.setdefault(mechanism, []).append([distance(error) for distance in DISTANCES.values()])
    return {mechanism: np.array(values) for mechanism, values in found.items()}


def independent_errors(
    experiment: Experiment, population: Population, rng: np.random.Generator, epsilon: float
) -> Errors:
    """Return the errors of the estimates from independently randomised attributes, and of RR-Clusters."""
    variants = VARIANTS + ([("EM", "")] if len(population.sizes) <= LARGEST_EM else [])
    found = {key[0]: error for key, error in errors(population, epsilon, "randomised", variants, rng)}
    return {**found, "RR-Clusters": cluster_error(population, epsilon, experiment.setting["clusters"], rng)}


def cluster_error(
    population: Population, epsilon: float, limits: dict[str, float], rng: np.random.Generator
) -> np.ndarray:
    """Return the error of RR-Clusters; the clusters follow from the true Cramer's V, as if it were known."""
    ways = range(len(population.sizes))
    dependence = [[cramers_v(population.of((i, j)).table(), "domain") if i < j else 0.0 for j in ways] for i in ways]
    clusters = dependent_clusters(dependence, population.sizes, limits["least_v"], limits["most_cells"])
    protocol = RRClusters(epsilon, population.sizes, clusters)
    return protocol.estimate(protocol.privatize(population.records, rng)) - population.table() / population.n


def lopub_errors(
    _: Experiment, population: Population, rng: np.random.Generator, epsilon: float, penalty: float
) -> Errors:
    """Return the errors of LoPub by Lasso, and by EM from the Lasso's law while that is feasible."""
    lopub, law = LoPub.draw(epsilon, population.sizes, rng), population.table() / population.n
    if len(population.sizes) > LARGEST_LOPUB_EM:
        counts = [np.bincount(population.records[:, j], minlength=k) for j, k in enumerate(population.sizes)]
        return {"LoPub": lasso(lopub, lopub.unbias(lopub.simulate(counts, rng), population.n), penalty) - law}
    reports = lopub.privatize(population.records, rng)
    start = lasso(lopub, lopub.unbias(lopub.ones(reports), population.n), penalty)
    return {"LoPub": start - law, "LoPub-EM": expectation_maximisation(lopub, reports, start) - law}


if __name__ == "__main__":
    main(run)
