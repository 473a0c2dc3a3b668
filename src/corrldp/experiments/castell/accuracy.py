"""Distance between the true and the estimated joint law of random attributes (Table VI, Figures 3 and 5 to 7)."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np
import pandas as pd

from corrldp.experiments.castell.estimates import AXIS_OF, ESTIMATES, Variant, errors, variant
from corrldp.experiments.castell.population import DISTANCES, Population, budget, populations, subsets
from corrldp.experiments.command import Experiment, main
from corrldp.experiments.rows import row
from corrldp.metrics import mean_and_se

Distances = dict[Variant, dict[str, np.ndarray]]
LARGEST_W_OF_JOINT = 3


def run(experiment: Experiment) -> pd.DataFrame:
    """Return the mean distance (`avd`) at every setting; a run is a random set of attributes and its reports.

    Readings share the attributes of each run. A run without randomness depends on its attributes only and is made once.
    """
    rows: list[dict[str, Any]] = []
    known: dict[tuple[Any, ...], Distances] = {}
    people = list(populations(experiment))
    for reading in experiment.all_readings():
        _, axes = reading
        for dataset, grid, population in people:
            for point in points(experiment, dataset, grid, population):
                epsilon = budget(point["epsilon"], point["w"], axes.get("budget", "per_attribute"))
                noise, which = axes["sampling_noise"], axes.get("attributes")
                key = (*point.values(), epsilon, noise, which)
                if key not in known:
                    known[key] = distances(experiment, population, point, epsilon, noise, which)
                for mechanism in mechanisms(experiment, point["w"]):
                    values = known[key][variant(mechanism, axes)][axes.get("distance", "sup")]
                    rows.append(_row(point, reading, mechanism, values, population.standin))
    return pd.DataFrame(rows)


def points(
    experiment: Experiment, dataset: str, grid: dict[str, Any], population: Population
) -> Iterator[dict[str, Any]]:
    """Yield the settings of one data set; without sizes of its own all users take part."""
    for w in grid["w"]:
        for n in grid.get("n", [population.n]):
            for epsilon in experiment.setting["epsilon"]:
                yield {"dataset": dataset, "w": w, "n": n, "epsilon": epsilon}


def mechanisms(experiment: Experiment, w: int) -> list[str]:
    """Return the mechanisms of a setting; RR-Joint is feasible for few attributes only, as in the paper."""
    wanted = experiment.setting["mechanisms"]
    return [name for name in wanted if name != "RR-Joint" or w <= LARGEST_W_OF_JOINT]


def distances(
    experiment: Experiment, population: Population, point: dict[str, Any], epsilon: float, noise: str, which: str | None
) -> Distances:
    """Return every distance (runs,) of every variant at one setting."""
    wanted = mechanisms(experiment, point["w"])
    variants = [key for key in ESTIMATES if key[0] in wanted and key[1] in ("", *_read(experiment, key[0]))]
    variants += [("RR-Joint", "")] if "RR-Joint" in wanted else []
    possible = subsets(population, point["w"], which, experiment.setting.get("left_out", []))
    draws, rng = experiment.rng(point=point, what="attributes"), experiment.rng(point=point, what="reports")
    repeated = noise != "randomised" and point["n"] == population.n
    found: dict[int, Distances] = {}
    per_run = []
    for _ in range(experiment.runs):
        number = int(draws.integers(len(possible)))
        if not repeated or number not in found:
            sample = None if point["n"] == population.n else point["n"]
            chosen = population.of(possible[number], sample, draws)
            found[number] = {
                key: {name: distance(error) for name, distance in DISTANCES.items()}
                for key, error in errors(chosen, epsilon, noise, variants, rng)
            }
        per_run.append(found[number])
    return {key: {name: np.array([one[key][name] for one in per_run]) for name in DISTANCES} for key in variants}


def _read(experiment: Experiment, mechanism: str) -> list[str]:
    """Return the variants of a mechanism that some reading asks for."""
    axis = experiment.readings.get(AXIS_OF.get(mechanism, ""), {"strict": "", "others": []})
    return [axis["strict"], *axis["others"]]


def _row(point: dict[str, Any], reading: Any, mechanism: str, values: np.ndarray, standin: bool) -> dict[str, Any]:  # noqa: ANN401
    mean, se = mean_and_se(values)
    return row(point, reading, mechanism, "avd", mean, se=se, runs=len(values), standin=standin)


if __name__ == "__main__":
    main(run)
