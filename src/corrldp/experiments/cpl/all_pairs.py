"""CPL of every ordered pair of attributes, beside conventional measures of dependence (Figure 4 (c))."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import permutations

import numpy as np

from corrldp.dependence import cramers_v, nmi, pcc
from corrldp.experiments.cpl.axes import DATA
from corrldp.experiments.cpl.data import Budgets, pair_tables, view_of
from corrldp.experiments.cpl.mechanisms import bound, inferred_leakage
from corrldp.experiments.engine import Cell
from corrldp.experiments.measures import Measure
from corrldp.leakage.cpl import conditional, leakage_limit
from corrldp.leakage.tables import leakage_matrix

Setting = Budgets
AXES = DATA


def measure(cell: Cell) -> Iterator[Measure]:
    """Yield the exact CPL under GRR in both directions, its bound, its limit and the pair's dependence."""
    matrices = _matrices(cell)
    for (i, about), (j, by) in permutations(enumerate(view_of(cell, cell["dataset"]).names), 2):
        for (metric, mechanism), values in matrices.items():
            yield Measure(mechanism, metric, values[i, j], place={"about": about, "by": by})


def _matrices(cell: Cell) -> dict[tuple[str, str], np.ndarray]:
    """Return every measure (d, d), [about, by], by metric and mechanism."""
    dataset, epsilon = cell["dataset"], cell["epsilon"]
    tables, grr = cell.once(pair_tables, dataset), inferred_leakage(cell, dataset, "GRR", epsilon)
    return {
        ("cpl", "GRR"): grr,
        ("cpl_reverse", "GRR"): grr.T,
        ("cpl", "Algorithm 2"): bound(cell, dataset, epsilon),
        ("cpl_limit", "data"): leakage_matrix(tables, lambda joint: leakage_limit(conditional(joint))),
        ("nmi", "data"): leakage_matrix(tables, lambda joint: nmi(joint, "mean")),
        ("pcc", "data"): np.abs(leakage_matrix(tables, pcc)),
        ("cramers_v", "data"): leakage_matrix(tables, cramers_v),
    }
