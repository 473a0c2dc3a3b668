"""The benchmark of algorithms that estimate CPL (Figure 6)."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import product

import numpy as np

from corrldp.dependence import pcc
from corrldp.experiments.axes import by_name
from corrldp.experiments.cpl.axes import DATA, LINKED, SYMMETRIC
from corrldp.experiments.cpl.data import Budgets, pair_tables
from corrldp.experiments.cpl.mechanisms import bound, inferred_leakage, report_leakage
from corrldp.experiments.engine import Cell
from corrldp.experiments.measures import Measure
from corrldp.experiments.setting import Probability
from corrldp.leakage.baselines import cbp, cbp_of_correlation, grf, its, off_diagonal, overshoot, spl_anl, undershoot
from corrldp.leakage.cpl import conditional
from corrldp.leakage.tables import leakage_matrix

AXES = DATA | by_name(SYMMETRIC, LINKED)


class Setting(Budgets):
    """Data sets and budgets; `thresholds` are the correlations from which each GRF links two attributes."""

    thresholds: dict[str, Probability]


def measure(cell: Cell) -> Iterator[Measure]:
    """Yield normalised undershoot and overshoot (Eq. 21) of every algorithm.

    `truth` names the reference: "Algorithm 2", "GRR" (by Algorithm 1), "OUE" (its inferred values) or "OUE reports".
    """
    epsilon, references, estimates = cell["epsilon"], _references(cell), _estimates(cell)
    for (reference, truth), (name, estimate) in product(references.items(), estimates.items()):
        pair, place = (off_diagonal(estimate), off_diagonal(truth)), {"truth": reference}
        yield Measure(name, "undershoot", _clean(undershoot(*pair, epsilon)), place=place)
        yield Measure(name, "overshoot", _clean(overshoot(*pair, epsilon)), place=place)


def _references(cell: Cell) -> dict[str, np.ndarray]:
    dataset, epsilon = cell["dataset"], cell["epsilon"]
    return {
        "Algorithm 2": cell.once(bound, dataset, epsilon),
        "GRR": cell.once(inferred_leakage, dataset, "GRR", epsilon),
        "OUE": cell.once(inferred_leakage, dataset, "OUE", epsilon),
        "OUE reports": cell.once(report_leakage, dataset, "OUE", epsilon),
    }


def _estimates(cell: Cell) -> dict[str, np.ndarray]:
    """Return the matrix (d, d) of every algorithm."""
    dataset, epsilon, thresholds = cell["dataset"], cell["epsilon"], cell.setting.thresholds
    tables = cell.once(pair_tables, dataset)
    correlations = leakage_matrix(tables, pcc)
    grr = cell.once(inferred_leakage, dataset, "GRR", epsilon)
    symmetric, linked = cell["symmetric"], cell["linked"]
    return {
        "SPL-ANL": spl_anl(len(grr), epsilon),
        **{name: grf(correlations, epsilon, threshold, linked) for name, threshold in thresholds.items()},
        "ITS": leakage_matrix(tables, lambda joint: its(conditional(joint), epsilon)),
        "CBP": cbp_of_correlation(correlations, epsilon) if symmetric == "covariance" else cbp(grr, symmetric),
        "GRR-ANL": grr,
        "EXP-ANL": cell.once(inferred_leakage, dataset, "EXP", epsilon),
    }


def _clean(value: float) -> float:
    """Return 0 for a value that is 0 up to rounding, so that the point is plotted on its axis."""
    return 0.0 if value < 1e-12 else value
