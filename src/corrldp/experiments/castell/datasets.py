"""Records, attributes and joint domains of the data sets (Table IV of the Castell paper)."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping
from typing import Any

import numpy as np

from corrldp.experiments.engine import Cell
from corrldp.experiments.measures import Measure
from corrldp.experiments.setting import BaseSetting, Point, ViewName


class Setting(BaseSetting):
    """Views by data set."""

    views: dict[str, ViewName]

    def points(self, choices: Mapping[str, Any]) -> Iterator[Point]:
        """Yield every data set."""
        return ({"dataset": dataset} for dataset in self.views)


def measure(cell: Cell) -> Iterator[Measure]:
    """Yield the numbers of records and attributes, and the sizes of the joint domain and of single domains.

    An optional data set that was not fetched has no rows.
    """
    view = cell.views.get(cell.setting.views[cell["dataset"]])
    if view is None:
        return
    yield Measure("data", "records", view.n)
    yield Measure("data", "attributes", view.d)
    yield Measure("data", "domain", math.prod(view.sizes))
    yield Measure("data", "smallest", min(view.sizes))
    yield Measure("data", "median", float(np.median(view.sizes)))
    yield Measure("data", "largest", max(view.sizes))
