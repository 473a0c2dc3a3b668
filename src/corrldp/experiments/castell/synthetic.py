"""Synthetic pairs of attributes with a given Cramer's V (Appendix D, Figures 9 and 10)."""

from __future__ import annotations

from typing import Any

import numpy as np
import pandas as pd

from corrldp.experiments.castell.population import DISTANCES, observe
from corrldp.experiments.command import Experiment, main
from corrldp.experiments.rows import STRICT, Reading, row
from corrldp.mechanisms.pure import Floats
from corrldp.metrics import mean_and_se
from corrldp.protocols.castell.independent import IndependentRR, rr_ind_joint, rr_independent, squared_error

ESTIMATES = {"RR-Independent": rr_independent, "RR-Ind-Joint": rr_ind_joint}


def run(experiment: Experiment) -> pd.DataFrame:
    """Return the error (`mae`) along v, epsilon, n and d, the others at their defaults; each run has data of its own.

    The strict reading also has the mean squared error (`mse`), whose theory for RR-Ind-Joint is exact.
    """
    rows: list[dict[str, Any]] = []
    defaults, grids = experiment.setting["defaults"], experiment.setting["varied"]
    known: dict[tuple[Any, ...], dict] = {}
    for reading in experiment.all_readings():
        _, axes = reading
        for varied, values in grids.items():
            for value in values:
                point = {"varied": varied, **defaults, varied: value}
                key = (axes["sampling_noise"], *point.values())
                if key not in known:
                    known[key] = distances(experiment, point, axes["sampling_noise"])
                for mechanism, found in known[key].items():
                    rows.append(_row(point, reading, mechanism, "mae", found[axes["distance"]]))
                    if reading[0] == STRICT[0]:
                        theory = expected(point) if mechanism == "RR-Ind-Joint" else float("nan")
                        rows.append(_row(point, reading, mechanism, "mse", found["mean_squared"], theory))
    return pd.DataFrame(rows)


def distances(experiment: Experiment, point: dict[str, Any], noise: str) -> dict[str, dict[str, np.ndarray]]:
    """Return every distance (runs,) of both estimates."""
    rng = experiment.rng(point=point)
    d, n = point["d"], point["n"]
    protocol, law = IndependentRR(point["epsilon"], (d, d)), correlated_law(d, point["v"])
    per_run = []
    for table in rng.multinomial(n, law.ravel(), size=experiment.runs).reshape(-1, d, d):
        observed = observe(table, protocol.mechanisms, noise, lambda t=table: protocol.simulate(t, 1, rng)[0])
        errors = {name: estimate(observed, protocol.mechanisms) - table / n for name, estimate in ESTIMATES.items()}
        per_run.append({name: {key: of(error) for key, of in DISTANCES.items()} for name, error in errors.items()})
    return {name: {key: np.array([one[name][key] for one in per_run]) for key in DISTANCES} for name in ESTIMATES}


def expected(point: dict[str, Any]) -> float:
    """Return the exact mean of the squared error of a cell of RR-Ind-Joint when everybody randomises."""
    protocol = IndependentRR(point["epsilon"], (point["d"],) * 2)
    return squared_error(protocol.mechanisms, point["n"]) / point["d"] ** 2


def _row(
    point: dict[str, Any], reading: Reading, mechanism: str, metric: str, values: np.ndarray, theory: float = np.nan
) -> dict[str, Any]:
    mean, se = mean_and_se(values)
    return row(point, reading, mechanism, metric, mean, se=se, runs=len(values), theory=theory)


def marginal_law(d: int) -> Floats:
    """Return the marginal (d,) proportional to 1/2, 1/3, ..., 1/(d + 1)."""
    weights = 1 / np.arange(2, d + 2)
    return weights / weights.sum()


def correlated_law(d: int, v: float) -> Floats:
    """Return the joint law (d, d) of two attributes with that marginal and Cramer's V of exactly v.

    With probability v the second value copies the first, else it is drawn independently.
    """
    marginal = marginal_law(d)
    return (1 - v) * np.outer(marginal, marginal) + v * np.diag(marginal)


if __name__ == "__main__":
    main(run)
