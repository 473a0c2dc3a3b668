"""Errors of the joint law of three pairs of attributes of the Adult data (Table V)."""

from __future__ import annotations

from typing import Any

import numpy as np
import pandas as pd

from corrldp.dependence import cramers_v
from corrldp.experiments.castell.estimates import errors
from corrldp.experiments.castell.population import DISTANCES, populations
from corrldp.experiments.command import Experiment, main
from corrldp.experiments.rows import STRICT, Reading, row
from corrldp.metrics import mean_and_se

VARIANTS = [("RR-Independent", ""), ("RR-Ind-Joint", "")]


def run(experiment: Experiment) -> pd.DataFrame:
    """Return domain sizes, Cramer's V and the error (`mae`) of each pair at the stated epsilon per attribute."""
    rows: list[dict[str, Any]] = []
    [(_, _, population)] = populations(experiment)
    for first, second in experiment.setting["pairs"]:
        pair = population.of([population.names.index(first), population.names.index(second)])
        point = {"pair": f"{first}, {second}"}
        facts = {"size_1": pair.sizes[0], "size_2": pair.sizes[1], "cramers_v": cramers_v(pair.table(), "domain")}
        known: dict[str, dict] = {}
        for reading in experiment.all_readings():
            label, axes = reading
            noise = axes["sampling_noise"]
            if label == STRICT[0]:
                rows += [
                    row(point, reading, "data", name, value, standin=pair.standin) for name, value in facts.items()
                ]
            if noise not in known:
                rng = experiment.rng(point=point)
                runs = experiment.runs if noise == "randomised" else 1
                known[noise] = repeated(pair, experiment.setting["epsilon"], noise, runs, rng)
            for (mechanism, _), values in known[noise].items():
                rows.append(_row(point, reading, mechanism, values[axes["distance"]], pair.standin))
    return pd.DataFrame(rows)


def repeated(pair: Any, epsilon: float, noise: str, runs: int, rng: np.random.Generator) -> dict:  # noqa: ANN401
    """Return every distance (runs,) of both estimates."""
    collected = [dict(errors(pair, epsilon, noise, VARIANTS, rng)) for _ in range(runs)]
    return {
        key: {name: np.array([distance(one[key]) for one in collected]) for name, distance in DISTANCES.items()}
        for key in VARIANTS
    }


def _row(point: dict[str, Any], reading: Reading, mechanism: str, values: np.ndarray, standin: bool) -> dict[str, Any]:
    if len(values) == 1:
        return row(point, reading, mechanism, "mae", values[0], standin=standin)
    mean, se = mean_and_se(values)
    return row(point, reading, mechanism, "mae", mean, se=se, runs=len(values), standin=standin)


if __name__ == "__main__":
    main(run)
