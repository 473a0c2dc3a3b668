"""The benchmark of utility against leakage (Figure 7)."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from corrldp.experiments.axes import by_name
from corrldp.experiments.cpl.axes import DATA, POSTPROCESS, RAPPOR
from corrldp.experiments.cpl.data import view_of
from corrldp.experiments.cpl.mechanisms import (
    Compared,
    MechanismName,
    bound,
    build,
    inferred_channel,
    inferred_leakage,
    report_leakage,
)
from corrldp.experiments.engine import Cell
from corrldp.experiments.measures import Measure
from corrldp.leakage.baselines import nmse, normalised_total
from corrldp.protocols.postprocess import postprocess

Setting = Compared
AXES = DATA | by_name(RAPPOR, POSTPROCESS)


def measure(cell: Cell) -> Iterator[Measure]:
    """Yield normalised TCPL (Eq. 22), frequency error (Eq. 23) and 0-1 error (Eq. 24) of every mechanism.

    `tcpl` is that of the inferred values, `tcpl_reports` that of the reports; both are exact, and so is the expected
    0-1 error of the attack.
    """
    truth, how = np.concatenate(cell.once(_frequencies, cell["dataset"])), cell["postprocess"]
    for name in cell.setting.mechanisms:
        yield from cell.once(_exact, name)
        raw, variance = cell.once(_raw_estimates, name)
        estimates = np.concatenate([postprocess(attribute, how) for attribute in raw], axis=1)
        theory = float(variance / (truth**2).sum()) if how == "none" else np.nan
        yield Measure.of_runs(name, "frequency_error", nmse(estimates, truth), theory)


def _frequencies(cell: Cell, dataset: str) -> list[np.ndarray]:
    """Return the frequencies (k,) of the values of every attribute."""
    view = view_of(cell, dataset)
    return [np.bincount(codes, minlength=k) / view.n for codes, k in zip(view.codes.T, view.sizes, strict=True)]


def _exact(cell: Cell, name: MechanismName) -> list[Measure]:
    dataset, epsilon = cell["dataset"], cell["epsilon"]
    reference = cell.once(bound, dataset, epsilon)
    errors = [
        1 - frequency @ cell.once(inferred_channel, name, epsilon, frequency.size).diagonal()
        for frequency in cell.once(_frequencies, dataset)
    ]
    return [
        Measure(name, "tcpl", normalised_total(inferred_leakage(cell, dataset, name, epsilon), reference)),
        Measure(name, "tcpl_reports", normalised_total(report_leakage(cell, dataset, name, epsilon), reference)),
        Measure(name, "zero_one_error", float(np.mean(errors))),
    ]


def _raw_estimates(cell: Cell, name: MechanismName) -> tuple[list[np.ndarray], float]:
    """Return the estimated frequencies (runs, k) of every attribute, and the sum of all their variances."""
    dataset, epsilon = cell["dataset"], cell["epsilon"]
    n, rng = view_of(cell, dataset).n, cell.rng(dataset=dataset, epsilon=epsilon, mechanism=name)
    estimates, variance = [], 0.0
    for frequency in cell.once(_frequencies, dataset):
        mechanism = build(cell, name, epsilon, frequency.size)
        counts = np.rint(frequency * n).astype(np.int64)
        estimates.append(mechanism.unbias(mechanism.simulate(counts, cell.runs, rng), n))
        variance += mechanism.variance(frequency, n).sum()
    return estimates, variance
