"""What Algorithm 1 of the JRR paper finds, and what it costs against the true optimum of problem (22)."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping
from typing import Annotated, Any

from annotated_types import Gt, Lt

from corrldp.experiments.engine import Cell
from corrldp.experiments.jrr import axes, population
from corrldp.experiments.jrr.choice import search
from corrldp.experiments.measures import Measure
from corrldp.experiments.setting import Point, Swept
from corrldp.protocols.jrr.binary import JointRandomizedResponse
from corrldp.protocols.jrr.law import lowest_correlation
from corrldp.protocols.jrr.parameters import Parameters, feasible_rho, optimum, rr_parameters

AXES = axes.POPULATION


class Setting(population.Setting):
    """Users, and the steps of p and rho in Algorithm 1."""

    step: Swept[Annotated[float, Gt(0), Lt(0.5)]]

    def points(self, choices: Mapping[str, Any]) -> Iterator[Point]:
        """Yield all users with every step."""
        for point in super().points(choices):
            for step in self.step:
                yield {**point, "step": step}


def measure(cell: Cell) -> Iterator[Measure]:
    """Yield the parameters of RR, of Algorithm 1 and of the optimum with their variances.

    `found` is 1 where the search returns a pair, and `tried` is the number of pairs (p, rho) that it looks at;
    `mse_counts` is the variance of Eq. 21, which for RR is Eq. 3; `smallest_rho` is the smallest feasible rho at the p
    of RR.
    """
    n, n1, epsilon, colluders = (cell[name] for name in ("n", "n1", "epsilon", "colluders"))
    plain, found = rr_parameters(epsilon), search(n, epsilon, colluders, cell["step"])
    yield Measure("JRR", "found", found is not None)
    if found is not None:
        yield Measure("JRR", "tried", pairs_tried(plain.p, found, cell["step"]))
    yield Measure("RR", "smallest_rho", feasible_rho(plain.p, epsilon, n, colluders)[0])
    choices = {"RR": plain, "JRR": found, "optimal JRR": optimum(n, n1, epsilon, colluders)}
    for mechanism, choice in choices.items():
        if choice is not None:
            variance = float(JointRandomizedResponse(choice.p, choice.rho).variance_of_counts(n1, n))
            yield Measure(mechanism, "p", choice.p)
            yield Measure(mechanism, "rho", choice.rho)
            yield Measure(mechanism, "mse_counts", variance)


def pairs_tried(largest: float, found: Parameters, step: float) -> int:
    """Return at how many pairs (p, rho) Algorithm 1 looks until it finds one, if both steps are the same.

    For each p, from one step below the `largest` on, rho runs from 1 - 1/p to 1, or to the one that is found.
    """
    before = round((largest - step - found.p) / step)
    full = sum(math.floor(1 / (largest - row * step) / step) + 1 for row in range(1, before + 1))
    return full + round((found.rho - lowest_correlation(found.p)) / step) + 1
