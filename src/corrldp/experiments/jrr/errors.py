"""Per-run errors of RR and JRR at every setting and reading of an experiment."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, NamedTuple

import numpy as np

from corrldp.experiments.command import Experiment
from corrldp.experiments.jrr.choice import choose
from corrldp.experiments.jrr.population import settings
from corrldp.experiments.rows import Reading
from corrldp.metrics import are, mse_counts
from corrldp.protocols.jrr.binary import JointRandomizedResponse
from corrldp.protocols.jrr.parameters import rr_parameters

MECHANISMS = ("RR", "JRR")


class Errors(NamedTuple):
    """Errors of the runs, each of shape (runs,), the closed form of the mean of `mse_counts`, and the protocol."""

    mse_counts: np.ndarray
    are: np.ndarray
    variance: float
    protocol: JointRandomizedResponse


def simulate(experiment: Experiment) -> Iterator[tuple[dict[str, Any], Reading, str, Errors]]:
    """Yield the errors at each point, reading and mechanism, except where Algorithm 1 finds no parameters.

    RR is JRR without correlation, at the largest p that epsilon allows. Readings that lead to the same parameters at
    the same point share their runs.
    """
    known: dict[tuple[Any, ...], Errors] = {}
    for reading in experiment.all_readings():
        _, axes = reading
        zero = axes.get("zero_frequency", "skip")
        for point in settings(experiment.setting, axes):
            for mechanism in MECHANISMS:
                parameters = rr_parameters(point["epsilon"]) if mechanism == "RR" else choose(point, axes)
                if parameters is None:
                    continue
                key = (mechanism, parameters, zero, *point.values())
                if key not in known:
                    protocol = JointRandomizedResponse(parameters.p, parameters.rho)
                    rng = experiment.rng(mechanism=mechanism, point=point)
                    known[key] = run_errors(protocol, point["n"], point["n1"], zero, experiment.runs, rng)
                yield point, reading, mechanism, known[key]


def run_errors(
    protocol: JointRandomizedResponse, n: int, n1: int, zero: str, runs: int, rng: np.random.Generator
) -> Errors:
    """Return the errors of `runs` runs in which `n1` of `n` users hold 1; `zero` as in `corrldp.metrics.are`."""
    truth = np.array([n - n1, n1])
    estimates = protocol.estimate_counts(protocol.simulate(truth, runs, rng), n)
    variance = float(protocol.variance_of_counts(n1, n))
    return Errors(mse_counts(estimates, truth), are(estimates, truth, zero=zero), variance, protocol)
