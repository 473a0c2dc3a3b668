"""Error of the frequency estimate under RR and JRR (Figures 1 and 3 to 6 of the JRR paper)."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Literal

import numpy as np

from corrldp.experiments.engine import Cell
from corrldp.experiments.jrr import axes, population
from corrldp.experiments.jrr.choice import protocols
from corrldp.experiments.measures import Measure
from corrldp.metrics import are, mse_counts
from corrldp.protocols.jrr.binary import JointRandomizedResponse
from corrldp.protocols.jrr.exact import law_of_ones

AXES = axes.ERRORS
Setting = population.Setting


def measure(cell: Cell) -> Iterator[Measure]:
    """Yield the mean squared error of counts (Eq. 28) and the averaged relative error (Eq. 29) of RR and JRR."""
    n, n1, zero = cell["n"], cell["n1"], cell["zero_frequency"]
    for mechanism, protocol in protocols(cell):
        estimates = cell.once(simulate, mechanism, protocol)
        variance = float(protocol.variance_of_counts(n1, n))
        yield Measure.of_runs(mechanism, "mse_counts", mse_counts(estimates, [n - n1, n1]), variance)
        expected = cell.once(expected_are, protocol)
        yield Measure.of_runs(mechanism, "are", are(estimates, [n - n1, n1], zero=zero), expected)


def simulate(cell: Cell, mechanism: str, protocol: JointRandomizedResponse) -> np.ndarray:
    """Return the estimated counts (runs, 2); readings that choose the same parameters share them."""
    n, n1 = cell["n"], cell["n1"]
    rng = cell.rng(mechanism=mechanism, point=dict(cell.point))
    return protocol.estimate_counts(protocol.simulate([n - n1, n1], cell.runs, rng), n)


def expected_are(cell: Cell, protocol: JointRandomizedResponse) -> float:
    """Return the exact mean of the averaged relative error; readings that choose the same parameters share it."""
    errors, law = law_of_are(protocol, cell["n1"], cell["n"], cell["zero_frequency"])
    return float(errors @ law)


def law_of_are(
    protocol: JointRandomizedResponse, n1: int, n: int, zero: Literal["skip", "domain"] = "skip"
) -> tuple[np.ndarray, np.ndarray]:
    """Return the averaged relative errors of all numbers of reports of 1, and their probabilities."""
    ones, law = law_of_ones(protocol, n1, n)
    estimates = protocol.estimate_counts(np.column_stack([n - ones, ones]), n)
    return are(estimates, [n - n1, n1], zero=zero), law
