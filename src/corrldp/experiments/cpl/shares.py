"""Conditional frequencies of single values, with which the text explains its figures."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from corrldp.experiments.cpl.axes import DATA
from corrldp.experiments.cpl.data import DataSets, joint_table
from corrldp.experiments.engine import Cell
from corrldp.experiments.measures import Measure
from corrldp.experiments.setting import BaseSetting, Count, Point

AXES = DATA


class Share(BaseSetting):
    """The share of the records with code `code` of `attribute` among those with code `given` of `among`."""

    name: str
    dataset: str
    attribute: str
    code: Count
    among: str
    given: Count


class Setting(DataSets):
    """Data sets, and the shares that are wanted of them."""

    shares: tuple[Share, ...]

    def points(self, choices: Mapping[str, Any]) -> Iterator[Point]:
        """Yield every data set of which a share is wanted."""
        yield from ({"dataset": dataset} for dataset in dict.fromkeys(share.dataset for share in self.shares))


def measure(cell: Cell) -> Iterator[Measure]:
    """Yield every share under its name."""
    for share in cell.setting.shares:
        if share.dataset == cell["dataset"]:
            counts = joint_table(cell, share.dataset, share.among, share.attribute)[share.given]
            yield Measure("data", share.name, float(counts[share.code] / counts.sum()))
