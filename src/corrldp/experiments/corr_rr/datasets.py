"""Characteristics of the real data sets (Table 3 of the PETS version, Table I and Figure 3 of the preprint)."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from corrldp.experiments.corr_rr import real_data
from corrldp.experiments.corr_rr.correlation import correlations_of
from corrldp.experiments.engine import Cell
from corrldp.experiments.measures import Measure

AXES = real_data.AXES


class Setting(real_data.RealData):
    """Real data; with `matrix` the correlation of every two attributes instead of their extremes."""

    matrix: bool = False


def measure(cell: Cell) -> Iterator[Measure]:
    """Yield users, attributes, domain size and extreme correlations, or all correlations, numbered from 1."""
    view = real_data.view_of(cell)
    matrix = correlations_of(view.codes)
    if cell.setting.matrix:
        for (i, j), value in np.ndenumerate(matrix):
            yield Measure("data", "correlation", value, place={"first": i + 1, "second": j + 1})
        return
    pairs = matrix[np.triu_indices(len(matrix), k=1)]
    yield Measure("data", "users", view.n)
    yield Measure("data", "attributes", view.d)
    yield Measure("data", "domain_size", max(view.sizes))
    yield Measure("data", "correlation_min", pairs.min())
    yield Measure("data", "correlation_max", pairs.max())
