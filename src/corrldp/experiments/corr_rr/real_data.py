"""Real data sets: the view of each, and how its values are numbered."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from pydantic import Field

from corrldp.data.table import Table
from corrldp.experiments.axes import Axis, by_name
from corrldp.experiments.corr_rr.axes import ENCODING
from corrldp.experiments.engine import Cell
from corrldp.experiments.setting import BaseSetting, Point, ViewName

ATTRIBUTES = Axis(
    "attributes",
    {
        "nearest": "the attributes that fit the printed correlations best",
        "onsets": "two onsets of Clave",
        "all_adults": "all training records of Adult",
    },
)
AXES = by_name(ATTRIBUTES, ENCODING)


class RealData(BaseSetting):
    """Views by data set; `other_views` replace them under a value of the axis `attributes`."""

    views: dict[str, ViewName]
    other_views: dict[str, dict[str, ViewName]] = Field(default={})

    def points(self, choices: Mapping[str, Any]) -> Iterator[Point]:
        """Yield every data set."""
        return ({"dataset": dataset} for dataset in self.views)


def view_of(cell: Cell) -> Table:
    """Return the data set of a cell, encoded."""
    setting, dataset = cell.setting, cell["dataset"]
    others = setting.other_views.get(cell["attributes"], {}) if setting.other_views else {}
    return cell.views[others.get(dataset, setting.views[dataset])].encode(cell["encoding"])
