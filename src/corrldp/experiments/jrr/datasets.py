"""Numbers of users and of users holding 1 (Table 3 of the JRR paper)."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from corrldp.experiments.engine import Cell
from corrldp.experiments.jrr.population import Population
from corrldp.experiments.measures import Measure
from corrldp.experiments.setting import BaseSetting, Point, ViewName


class Setting(BaseSetting):
    """Views of the data sets that are `counted`, and the sets for which only the `printed` counts are known."""

    counted: dict[str, ViewName]
    printed: tuple[Population, ...]

    def points(self, choices: Mapping[str, Any]) -> Iterator[Point]:
        """Yield every data set."""
        return ({"dataset": name} for name in [*self.counted, *(entry.dataset for entry in self.printed)])


def measure(cell: Cell) -> Iterator[Measure]:
    """Yield the counts: from the first attribute of a binary view, or as the paper prints them."""
    counted, dataset = cell.setting.counted, cell["dataset"]
    if dataset in counted:
        view = cell.views[counted[dataset]]
        users, ones = view.n, int((view.codes[:, 0] == 1).sum())
    else:
        [(users, ones)] = [(entry.n, entry.n1) for entry in cell.setting.printed if entry.dataset == dataset]
    yield Measure("data", "users", users)
    yield Measure("data", "ones", ones)
    yield Measure("data", "ones_share", ones / users)
