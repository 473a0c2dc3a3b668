"""Where JRR loses to RR: relative increase RI and underperforming range R (Figures 7 and 8 of the JRR paper).

Both follow exactly from the closed forms of the two variances (Eqs. 3 and 21), so nothing is simulated. The relative
standard error of a mean squared error over 1,000 runs is 4.5 %: a simulation of that size could not show an RI of
1e-4.
"""

from __future__ import annotations

import math

import pandas as pd

from corrldp.experiments.command import Experiment, main
from corrldp.experiments.jrr.choice import choose
from corrldp.experiments.jrr.population import settings
from corrldp.experiments.rows import row
from corrldp.protocols.jrr.binary import JointRandomizedResponse
from corrldp.protocols.jrr.parameters import rr_parameters

# A count this close to the end of the range is a draw: the end is a difference of nearly equal variances.
ROUNDING = 1e-9


def run(experiment: Experiment) -> pd.DataFrame:
    """Return RI (Eq. 30) at n1 = n/2 and R at every setting."""
    rows = []
    grid = {**experiment.setting, "ones_fraction": [0.5]}
    for reading in experiment.all_readings():
        _, axes = reading
        for point in settings(grid, axes):
            parameters = choose(point, axes)
            if parameters is None:
                continue
            jrr = JointRandomizedResponse(parameters.p, parameters.rho)
            rr = JointRandomizedResponse(rr_parameters(point["epsilon"]).p, 0.0)
            increase = relative_increase(jrr, rr, point["n"])
            rows.append(row(point, reading, "JRR", "ri", increase))
            length = underperforming_range(jrr, rr, point["n"], axes["frequencies"])
            rows.append(row(point, reading, "JRR", "r", length))
    return pd.DataFrame(rows)


def relative_increase(jrr: JointRandomizedResponse, rr: JointRandomizedResponse, n: int) -> float:
    """Return the relative increase of the mean squared error at n1 = n/2 (Eq. 30)."""
    return jrr.variance_of_counts(n // 2, n) / rr.variance_of_counts(n // 2, n) - 1


def underperforming_range(jrr: JointRandomizedResponse, rr: JointRandomizedResponse, n: int, frequencies: str) -> float:
    """Return the length R of the range of n1/n around 1/2 in which JRR's variance exceeds RR's (Section 5.3.5).

    The variance (Eq. 21) is A (n + rho (x^2 - n) / (n - 1)) with x = 2 n1 - n, so for rho < 0 it exceeds RR's where
    |x| is below one root. `frequencies` is "real", or "counts" to measure between whole numbers n1.
    """
    if jrr.rho >= 0:
        return 0.0 if jrr.variance_of_counts(n // 2, n) <= rr.variance_of_counts(n // 2, n) else 1.0
    at_centre = jrr.variance_of_counts(n // 2, n)
    at_edge = jrr.variance_of_counts(n, n)
    target = rr.variance_of_counts(n // 2, n)
    if at_edge >= target:
        return 1.0
    root = n * math.sqrt(max(0.0, (at_centre - target) / (at_centre - at_edge)))
    if frequencies == "counts":
        root = 2 * max(0, math.ceil(root / 2 * (1 - ROUNDING)) - 1)
    return root / n


if __name__ == "__main__":
    main(run)
