"""Do attributes with similar marginals correlate? Every two attributes of the real data (preprint, Section 3.2.2)."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from corrldp.experiments.corr_rr import real_data
from corrldp.experiments.corr_rr.correlation import correlations_of
from corrldp.experiments.engine import Cell
from corrldp.experiments.measures import Measure

AXES = real_data.AXES


class Setting(real_data.RealData):
    """Real data."""


def measure(cell: Cell) -> Iterator[Measure]:
    """Yield the correlation of every two attributes; `distance` is half the sum of the differences of frequencies."""
    view = real_data.view_of(cell)
    matrix, size = correlations_of(view.codes), max(view.sizes)
    shares = np.stack([np.bincount(column, minlength=size) for column in view.codes.T]) / view.n
    for i, j in zip(*np.triu_indices(view.d, k=1), strict=True):
        distance = round(float(np.abs(shares[i] - shares[j]).sum() / 2), 6)
        place = {"first": int(i) + 1, "second": int(j) + 1, "distance": distance}
        yield Measure("data", "correlation", matrix[i, j], place=place)
