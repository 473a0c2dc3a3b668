"""Numbers of the data sets that the paper states (Sections III-A and V-C)."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from pydantic import Field

from corrldp.experiments.cpl.axes import DATA
from corrldp.experiments.cpl.data import DataSets, view_of
from corrldp.experiments.engine import Cell
from corrldp.experiments.measures import Measure
from corrldp.experiments.setting import Point

AXES = DATA


class Setting(DataSets):
    """Data sets, attributes whose value 1 is counted, and the two data sets whose `shared` attributes are counted."""

    holders_of_1: dict[str, tuple[str, ...]] = Field(default={})
    shared: tuple[str, str]

    def points(self, choices: Mapping[str, Any]) -> Iterator[Point]:
        """Yield every data set, and the two that share attributes."""
        yield from super().points(choices)
        yield {"dataset": " and ".join(self.shared)}


def measure(cell: Cell) -> Iterator[Measure]:
    """Yield records, attributes and the largest domain; of two data sets the attributes that both have."""
    if cell["dataset"] not in cell.setting.views:
        first, second = ({*view_of(cell, dataset).names} for dataset in cell.setting.shared)
        yield Measure("data", "attributes", len(first & second))
        return
    view = view_of(cell, cell["dataset"])
    yield Measure("data", "records", view.n)
    yield Measure("data", "attributes", view.d)
    yield Measure("data", "binary_attributes", sum(size == 2 for size in view.sizes))
    yield Measure("data", "largest_domain", max(view.sizes))
    for attribute in cell.setting.holders_of_1.get(cell["dataset"], ()):
        yield Measure("data", f"holders_of_{attribute}", int(view.counts([attribute])[1]))
