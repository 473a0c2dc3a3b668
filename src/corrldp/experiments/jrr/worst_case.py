"""Where JRR loses to RR: relative increase RI and underperforming range R (Figures 7 and 8 of the JRR paper).

Both follow exactly from the closed forms of the two variances (Eqs. 3 and 21), so nothing is simulated. The relative
standard error of a mean squared error over 1,000 runs is 4.5 %: a simulation of that size could not show an RI of
1e-4.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from typing import Annotated

from annotated_types import Ge, Le

from corrldp.experiments.axes import by_name
from corrldp.experiments.engine import Cell
from corrldp.experiments.jrr import axes, population
from corrldp.experiments.jrr.choice import protocols
from corrldp.experiments.measures import Measure
from corrldp.experiments.setting import Swept
from corrldp.protocols.jrr.binary import JointRandomizedResponse

AXES = axes.POPULATION | axes.PARAMETERS | by_name(axes.FREQUENCIES)

# A count this close to the end of the range is a tie: the end comes from a difference of nearly equal variances.
ROUNDING = 1e-9


class Setting(population.Setting):
    """Users, half of whom hold 1."""

    ones_fraction: Swept[Annotated[float, Ge(0.5), Le(0.5)]] = (0.5,)


def measure(cell: Cell) -> Iterator[Measure]:
    """Yield RI (Eq. 30) and R, unless Algorithm 1, or the corner in its place, finds no parameters."""
    found = dict(protocols(cell))
    if "JRR" in found and not (cell["choice"] == "corner" and found["JRR"] == found["RR"]):
        pair = found["JRR"], found["RR"]
        yield Measure("JRR", "ri", relative_increase(*pair, cell["n"]))
        yield Measure("JRR", "r", underperforming_range(*pair, cell["n"], cell["frequencies"]))


def relative_increase(jrr: JointRandomizedResponse, rr: JointRandomizedResponse, n: int) -> float:
    """Return the relative increase of the mean squared error at n1 = n/2 (Eq. 30)."""
    return float(jrr.variance_of_counts(n // 2, n) / rr.variance_of_counts(n // 2, n) - 1)


def underperforming_range(jrr: JointRandomizedResponse, rr: JointRandomizedResponse, n: int, frequencies: str) -> float:
    """Return the length R of the range of n1/n around 1/2 in which JRR's variance exceeds RR's (Section 5.3.5).

    The variance (Eq. 21) is A (n + rho (x^2 - n) / (n - 1)) with x = 2 n1 - n, so for rho < 0 it exceeds RR's where
    |x| is below one root. `frequencies` is "real", or "counts" to measure between whole numbers n1.
    """
    if jrr.rho >= 0:
        return 0.0 if jrr.variance_of_counts(n // 2, n) <= rr.variance_of_counts(n // 2, n) else 1.0
    at_centre, at_edge = (float(jrr.variance_of_counts(n1, n)) for n1 in (n // 2, n))
    target = float(rr.variance_of_counts(n // 2, n))
    if at_edge >= target:
        return 1.0
    root = n * math.sqrt(max(0.0, (at_centre - target) / (at_centre - at_edge)))
    if frequencies == "counts":
        root = 2 * max(0, math.ceil(root / 2 * (1 - ROUNDING)) - 1)
    return root / n
