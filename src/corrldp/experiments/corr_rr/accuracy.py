"""Mean squared error of multi-attribute frequency estimates (Figures and Tables 4 to 9 of the Corr-RR papers)."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np
import pandas as pd

from corrldp.experiments.command import Experiment, main
from corrldp.experiments.corr_rr.mechanisms import AXES, Estimator, UniformGuess, build
from corrldp.experiments.corr_rr.population import DATA_AXES, data_of, points, records, trees
from corrldp.experiments.corr_rr.single_phase import SinglePhaseRSRFD
from corrldp.experiments.rows import row
from corrldp.metrics import mean_and_se
from corrldp.protocols.postprocess import postprocess
from corrldp.protocols.records import Population, average_error
from corrldp.protocols.rs_fd import RSFD
from corrldp.protocols.smp import SMP
from corrldp.protocols.spl import SPL
from corrldp.results import STRICT

WHOLE_RECORDS = {"Cond-RR"}  # mechanisms for which counts along a tree do not suffice
SINGLE_PHASE = (SPL, SMP, RSFD, SinglePhaseRSRFD, UniformGuess)


def run(experiment: Experiment) -> pd.DataFrame:
    """Return the mean squared error (Eq. 2) of every mechanism at every point and reading.

    Readings that do not concern a mechanism share its runs. The strict reading, on which most verdicts rest, has
    `strict_factor` (default 1) times the runs of the others. The theory of the protocols in `SINGLE_PHASE` is the exact
    expected error for the very records of the runs.
    """
    rows = []
    known: dict[tuple[Any, ...], Any] = {}
    latest: dict[tuple[Any, ...], list[Population]] = {}  # those of all points would not fit into the memory
    thorough = replace(experiment, runs=experiment.runs * experiment.setting.get("strict_factor", 1))
    for reading in experiment.all_readings():
        label, axes = reading
        chosen = thorough if label == STRICT else experiment
        for point in points(experiment.setting, axes):
            data_key = (*(axes.get(name) for name in DATA_AXES), *data_of(point).values())
            draw_key = (chosen.runs, data_key)
            for mechanism in experiment.setting["mechanisms"]:
                own_axes = tuple(axes.get(name) for name in AXES[mechanism])
                key = (mechanism, own_axes, data_key, *_stream(mechanism, point, axes).values())
                if key not in known:
                    if draw_key not in latest:
                        latest = {draw_key: populations(chosen, point, axes)}
                    known[key] = estimate(chosen, mechanism, latest[draw_key], point, axes)
                estimates, truth, theory = known[key]
                how = axes.get("postprocess", "none")
                errors = average_error((postprocess(estimates, how) - truth) ** 2)
                mean, se = mean_and_se(errors)
                expected = theory if how == "none" else float("nan")
                rows.append(
                    row(point, reading, mechanism, "mse", mean, se=se, runs=len(estimates), theory=expected)
                    | {"standin": _made_up(experiment, point)}
                )
    return pd.DataFrame(rows)


def populations(experiment: Experiment, point: dict[str, Any], axes: dict[str, Any]) -> list[Population]:
    """Return the users of a point, as one population for all runs or one for each of them."""
    if WHOLE_RECORDS.isdisjoint(experiment.setting["mechanisms"]):
        tree = trees(experiment, point, axes)
        if tree is not None:
            return [tree]
    return [*records(experiment, point, axes)]


def estimate(
    experiment: Experiment, mechanism: str, tables: list[Population], point: dict[str, Any], axes: dict[str, Any]
) -> tuple[np.ndarray, np.ndarray, float]:
    """Return a mechanism's estimates and the true frequencies, both (runs, d, K), and the closed form of the error.

    The runs are shared among the `tables`. The closed form is NaN if there is none.
    """
    rng = experiment.rng(mechanism=mechanism, point=_stream(mechanism, point, axes))
    runs = experiment.runs // len(tables)
    protocols = [build(mechanism, table, point, axes) for table in tables]
    pairs = list(zip(protocols, tables, strict=True))
    estimates = np.concatenate([protocol.simulate(table, runs, rng) for protocol, table in pairs])
    truth = np.concatenate([np.broadcast_to(table.frequencies(), (runs, *estimates.shape[1:])) for table in tables])
    return estimates, truth, float(np.mean([expected_error(*pair) for pair in pairs]))


def expected_error(protocol: Estimator, table: Population) -> float:
    """Return the exact mean squared error of a protocol of one phase or of the uniform guess, NaN of all others."""
    random_prior = isinstance(protocol, SinglePhaseRSRFD) and protocol.prior == "noisy"
    if random_prior or not isinstance(protocol, SINGLE_PHASE):
        return float("nan")
    return float(np.mean(average_error(protocol.expected_mse(table))))


def _stream(mechanism: str, point: dict[str, Any], axes: dict[str, Any]) -> dict[str, Any]:
    """Return what of a point decides a mechanism's random numbers: no axis, and no phase that it does not have."""
    idle = set(axes) if "phase1_fraction" in AXES[mechanism] else {*axes, "phase1_fraction"}
    return {name: value for name, value in point.items() if name not in idle}


def _made_up(experiment: Experiment, point: dict[str, Any]) -> bool:
    view = experiment.setting.get("views", {}).get(point["dataset"])
    return view is not None and experiment.views[view].standin


if __name__ == "__main__":
    main(run)
