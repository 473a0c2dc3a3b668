"""Statistical estimates of CPL against Algorithms 1 and 2 (Tables I and II)."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from corrldp.experiments.axes import by_name
from corrldp.experiments.cpl.axes import DATA, EXPANSION, RAPPOR
from corrldp.experiments.cpl.data import pair_tables
from corrldp.experiments.cpl.mechanisms import (
    Compared,
    MechanismName,
    bound,
    inferred_channel,
    inferred_leakage,
    report_leakage,
)
from corrldp.experiments.engine import Cell
from corrldp.experiments.measures import Measure
from corrldp.leakage.baselines import nmse, off_diagonal
from corrldp.leakage.empirical import estimated_leakage, sampled_tables
from corrldp.leakage.tables import stacked

Setting = Compared
AXES = DATA | by_name(RAPPOR, EXPANSION)


def measure(cell: Cell) -> Iterator[Measure]:
    """Yield NMSE-CPL (Eq. 29) of every mechanism; one run is one pass over the expanded data.

    `nmse_algorithm_1` and `nmse_algorithm_2` compare the statistical estimates with Algorithm 1 on the effective
    channel and with Algorithm 2. `nmse_inferred` and `nmse_reports` compare exact leakages, of the inferred values and
    of the reports, with Algorithm 2, free of sampling error. An estimate that would be infinite because a value was
    never inferred leaves that value out; `infinite_share` is the share of such pairs.
    """
    for name in cell.setting.mechanisms:
        yield from cell.once(_of_mechanism, name)


def _of_mechanism(cell: Cell, name: MechanismName) -> list[Measure]:
    dataset, epsilon = cell["dataset"], cell["epsilon"]
    reference = off_diagonal(cell.once(bound, dataset, epsilon))
    inferred = off_diagonal(cell.once(inferred_leakage, dataset, name, epsilon))
    reports = off_diagonal(cell.once(report_leakage, dataset, name, epsilon))
    found, infinite = ([off_diagonal(matrix) for matrix in matrices] for matrices in _estimates(cell, name))
    return [
        Measure(name, "nmse_inferred", float(nmse(inferred, reference))),
        Measure(name, "nmse_reports", float(nmse(reports, reference))),
        Measure.of_runs(name, "nmse_algorithm_1", [nmse(values, inferred) for values in found]),
        Measure.of_runs(name, "nmse_algorithm_2", [nmse(values, reference) for values in found]),
        Measure.of_runs(name, "infinite_share", [values.mean() for values in infinite]),
    ]


def _estimates(cell: Cell, name: MechanismName) -> tuple[np.ndarray, np.ndarray]:
    """Return the estimated leakages (runs, d, d) and whether each would be infinite, pairs of equal shape at once."""
    dataset, epsilon = cell["dataset"], cell["epsilon"]
    groups = [*stacked(cell.once(pair_tables, dataset))]
    attributes = 1 + max(about.max() for (about, _), _ in groups)
    found, infinite = np.zeros((2, cell.runs, attributes, attributes))
    rng = cell.rng(dataset=dataset, epsilon=epsilon, mechanism=name)
    for (about, by), counts in groups:
        channel = cell.once(inferred_channel, name, epsilon, counts.shape[-1])
        tables = sampled_tables(counts, channel, cell["expansion"], cell.runs, rng)
        found[:, about, by] = estimated_leakage(tables, "skip")
        infinite[:, about, by] = np.isinf(estimated_leakage(tables, "infinite"))
    return found, infinite
