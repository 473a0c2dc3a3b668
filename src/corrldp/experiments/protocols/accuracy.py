"""Error of protocols by name, on real and uniform records."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from corrldp.experiments.axes import Axis, by_name
from corrldp.experiments.engine import Cell
from corrldp.experiments.measures import Measure
from corrldp.experiments.protocols import comparison
from corrldp.protocols.names import label
from corrldp.protocols.postprocess import simplex
from corrldp.protocols.records import average_error

POSTPROCESS = Axis("postprocess", {"none": "estimates as they are", "simplex": "estimates projected onto the simplex"})
AXES = comparison.AXES | by_name(POSTPROCESS)
Setting = comparison.Setting


def measure(cell: Cell) -> Iterator[Measure]:
    """Yield every protocol's squared error, averaged over the values of an attribute and then over attributes.

    The theory is the exact expected error for these records, where the protocol has a closed form.
    """
    table, how = cell.latest(comparison.records), cell["postprocess"]
    for name in cell.setting.protocols:
        estimates, theory = cell.once(estimate, name)
        repaired = simplex(estimates) if how == "simplex" else estimates
        errors = average_error((repaired - table.frequencies()) ** 2)
        yield Measure.of_runs(label(name), "mse", errors, theory if how == "none" else float("nan"))


def estimate(cell: Cell, name: str) -> tuple[np.ndarray, float]:
    """Return a protocol's estimates (runs, d, K) and the closed form of their error, NaN if there is none."""
    table = cell.latest(comparison.records)
    protocol = comparison.build(cell, name, table.sizes)
    estimates = protocol.simulate(table, cell.runs, cell.rng(mechanism=name, point=dict(cell.point)))
    closed = getattr(protocol, "expected_mse", None)
    return estimates, float("nan") if closed is None else float(average_error(closed(table)))
