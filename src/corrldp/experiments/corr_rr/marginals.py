"""Relative frequencies of the real attributes and their skewness (Figure 12 of the PETS version)."""

from __future__ import annotations

import math
from collections.abc import Iterator

import numpy as np
import scipy

from corrldp.experiments.corr_rr import real_data
from corrldp.experiments.engine import Cell
from corrldp.experiments.measures import Measure

AXES = real_data.AXES


class Setting(real_data.RealData):
    """Real data."""


def measure(cell: Cell) -> Iterator[Measure]:
    """Yield the share of users with each value of each attribute, X1, X2, ..., and the skewness of its codes."""
    view = real_data.view_of(cell)
    for j, (column, size) in enumerate(zip(view.codes.T, view.sizes, strict=True), start=1):
        for code, share in enumerate(np.bincount(column, minlength=size) / len(column), start=1):
            yield Measure("data", "frequency", share, place={"attribute": f"X{j}", "value": code})
        yield Measure("data", "skewness", scipy.stats.skew(column), place={"attribute": f"X{j}", "value": math.nan})
