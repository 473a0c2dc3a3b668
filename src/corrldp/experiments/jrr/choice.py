"""How (p, rho) is chosen: the readings of Section 4.4 of the JRR paper."""

from __future__ import annotations

import math
from typing import Any

from corrldp.protocols.jrr.parameters import Parameters, algorithm1, optimum, rr_parameters, unconstrained

TABLE_4_STEP = 0.0001


def choose(point: dict[str, Any], axes: dict[str, Any]) -> Parameters | None:
    """Return JRR's parameters at one point under one reading, or None where Algorithm 1 finds nothing.

    `axes["choice"]` is algorithm1, smallest_rho or optimum; `axes["grid_step"]` is the step of p and rho in
    Algorithm 1, or "limit": with a vanishing step no room for a correlation is left, and JRR is RR.
    """
    n, epsilon, colluders = point["n"], point["epsilon"], point["colluders"]
    rule, step = axes.get("choice", "algorithm1"), axes.get("grid_step", TABLE_4_STEP)
    if rule == "smallest_rho":
        return unconstrained(epsilon)
    if rule == "optimum":
        return optimum(n, point["n1"], epsilon, colluders)
    if step == "limit":
        return rr_parameters(epsilon) if colluders else unconstrained(epsilon)
    return search(n, epsilon, colluders, step)


def search(n: int, epsilon: float, colluders: int, step: float) -> Parameters | None:
    """Return what Algorithm 1 finds, or None where even its first step leaves p at 1/2 or below."""
    if math.tanh(epsilon / 2) / 2 <= step:
        return None
    return algorithm1(n, epsilon, colluders, step, step)
