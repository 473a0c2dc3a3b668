"""How (p, rho) is chosen: the readings of Section 4.4 of the JRR paper."""

from __future__ import annotations

import math
from collections.abc import Iterator

from corrldp.experiments.engine import Cell
from corrldp.protocols.jrr.binary import JointRandomizedResponse
from corrldp.protocols.jrr.parameters import Parameters, algorithm1, corner, optimum, rr_parameters, unconstrained


def protocols(cell: Cell) -> Iterator[tuple[str, JointRandomizedResponse]]:
    """Yield RR, which is JRR without correlation, and JRR, unless Algorithm 1 finds no parameters."""
    for mechanism, found in (("RR", rr_parameters(cell["epsilon"])), ("JRR", choose(cell))):
        if found is not None:
            yield mechanism, JointRandomizedResponse(found.p, found.rho)


def choose(cell: Cell) -> Parameters | None:
    """Return JRR's parameters, or None where Algorithm 1 finds nothing.

    With a vanishing `grid_step` of p and rho in Algorithm 1, no room for a correlation is left, and JRR is RR.
    """
    rule, n, epsilon, colluders = cell["choice"], cell["n"], cell["epsilon"], cell["colluders"]
    if rule == "smallest_rho":
        return unconstrained(epsilon)
    if rule == "corner":
        return corner(n, epsilon, colluders)
    if rule == "optimum":
        return optimum(n, cell["n1"], epsilon, colluders)
    if cell["grid_step"] == "limit":
        return rr_parameters(epsilon) if colluders else unconstrained(epsilon)
    return search(n, epsilon, colluders, cell["grid_step"])


def search(n: int, epsilon: float, colluders: int, step: float) -> Parameters | None:
    """Return what Algorithm 1 finds, or None where even its first step leaves p at 1/2 or below."""
    if math.tanh(epsilon / 2) / 2 <= step:
        return None
    return algorithm1(n, epsilon, colluders, step, step)
