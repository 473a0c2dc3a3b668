"""Distance against the size of the joint domain, and the line through it (Figure 4 and Eq. 11)."""

from __future__ import annotations

from typing import Any

import numpy as np
import pandas as pd

from corrldp.experiments.castell.estimates import errors
from corrldp.experiments.castell.population import DISTANCES, Population, budget, cells_of, populations, subsets
from corrldp.experiments.command import Experiment, main
from corrldp.experiments.rows import Reading, row
from corrldp.metrics import mean_and_se

JOINT = ("RR-Ind-Joint", "")


def run(experiment: Experiment) -> pd.DataFrame:
    """Return the mean distance (`avd`) of all sets of attributes with one joint domain, and the fitted line.

    Every set is estimated once. The line is fitted by least squares in each run to `subsets` random sets for each w, as
    the paper has 20 to 50: rows `intercept` and `slope`.
    """
    rows: list[dict[str, Any]] = []
    [(_, grid, population)] = populations(experiment)
    for reading in experiment.all_readings():
        _, axes = reading
        points = pd.DataFrame(measure(experiment, population, grid["w"], axes))
        lines = [fit(points, experiment.setting["subsets"], rng) for rng in _rngs(experiment)]
        intercept, slope = np.array(lines).T
        for (w, cells), group in points.groupby(["w", "cells"]):
            line = float(intercept.mean() + slope.mean() * cells)
            rows.append(_row(w, cells, reading, "avd", group["avd"].to_numpy(), population.standin, line))
        for name, values in (("intercept", intercept), ("slope", slope)):
            rows.append(_row(0, 0, reading, name, values, population.standin, float("nan")))
    return pd.DataFrame(rows)


def measure(experiment: Experiment, population: Population, ways: list[int], axes: dict[str, Any]) -> list[dict]:
    """Estimate the joint law of every set of attributes once."""
    found = []
    for w in ways:
        epsilon = budget(experiment.setting["epsilon"], w, axes["budget"])
        for subset in subsets(population, w, axes["attributes"], experiment.setting["left_out"]):
            rng = experiment.rng(subset=subset)
            [(_, error)] = errors(population.of(subset), epsilon, axes["sampling_noise"], [JOINT], rng)
            found.append({"w": w, "cells": cells_of(population, subset), "avd": DISTANCES[axes["distance"]](error)})
    return found


def fit(points: pd.DataFrame, number: int, rng: np.random.Generator) -> tuple[float, float]:
    """Return intercept and slope of the line through `number` random sets of attributes for each w."""
    chosen = pd.concat([group.sample(number, replace=True, random_state=rng) for _, group in points.groupby("w")])
    slope, intercept = np.polyfit(chosen["cells"], chosen["avd"], 1)
    return float(intercept), float(slope)


def _rngs(experiment: Experiment) -> list[np.random.Generator]:
    return [experiment.rng(line=number) for number in range(experiment.runs)]


def _row(w: int, cells: int, reading: Reading, metric: str, values: np.ndarray, standin: bool, line: float) -> dict:
    mean, se = mean_and_se(values) if len(values) > 1 else (values[0], 0.0)
    point = {"w": int(w), "cells": int(cells)}
    return row(point, reading, "RR-Ind-Joint", metric, mean, se=se, runs=len(values), theory=line, standin=standin)


if __name__ == "__main__":
    main(run)
