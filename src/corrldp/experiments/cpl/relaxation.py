"""The relaxation of Eq. 20 on data, against the least that the same leakage allows."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from corrldp.experiments.cpl.axes import DATA
from corrldp.experiments.cpl.data import Budgets, pair_tables
from corrldp.experiments.engine import Cell
from corrldp.experiments.measures import Measure
from corrldp.leakage.cpl import conditional, relaxation
from corrldp.leakage.printed import algorithm_2

Setting = Budgets
AXES = DATA
DELTA = 1e-6  # cancels in the quotient


def measure(cell: Cell) -> Iterator[Measure]:
    """Yield statistics over the ordered pairs of the relaxation that Algorithm 2 returns over the least possible one.

    Independent pairs, for which both are 0, are left out. Algorithm 2 runs as printed.
    """
    quotients = []
    for counts in cell.once(pair_tables, cell["dataset"]).values():
        leakage, relaxed = algorithm_2(conditional(counts), cell["epsilon"], DELTA)
        if leakage > 0:
            quotients.append(relaxed / relaxation(leakage, cell["epsilon"], DELTA))
    yield Measure("Algorithm 2", "pairs", len(quotients))
    for percent in (0, 50, 90, 100):
        yield Measure("Algorithm 2", f"percentile_{percent}", float(np.percentile(quotients, percent)))
