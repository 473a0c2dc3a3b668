"""Per-run errors of RR and JRR at one setting."""

from __future__ import annotations

from typing import Any

import numpy as np

from corrldp.experiments.jrr.choice import choose
from corrldp.metrics import are, mse_counts
from corrldp.protocols.jrr.binary import JointRandomizedResponse
from corrldp.protocols.jrr.parameters import rr_parameters

MECHANISMS = ("RR", "JRR")


def run_errors(
    mechanism: str, point: dict[str, Any], axes: dict[str, Any], runs: int, rng: np.random.Generator
) -> dict[str, tuple[np.ndarray, float]]:
    """Return per metric the errors of `runs` runs, shape (runs,), and the closed form of their mean (NaN if none).

    RR is JRR without correlation, at the largest p that epsilon allows. The result is empty where Algorithm 1 finds no
    parameters.
    """
    parameters = rr_parameters(point["epsilon"]) if mechanism == "RR" else choose(point, axes)
    if parameters is None:
        return {}
    protocol = JointRandomizedResponse(parameters.p, parameters.rho)
    n, n1 = point["n"], point["n1"]
    truth = np.array([n - n1, n1])
    estimates = protocol.estimate_counts(protocol.simulate(truth, runs, rng), n)
    return {
        "mse_counts": (mse_counts(estimates, truth), protocol.variance_of_counts(n1, n)),
        "are": (are(estimates, truth, zero=axes.get("zero_frequency", "skip")), float("nan")),
    }
