"""The copy probability p_y of two binary attributes over their marginals (Figure 2 of both Corr-RR papers)."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any, Literal

import numpy as np

from corrldp.experiments.axes import by_name
from corrldp.experiments.corr_rr.axes import MECHANISMS
from corrldp.experiments.corr_rr.mechanisms import RULES
from corrldp.experiments.engine import Cell
from corrldp.experiments.measures import Measure
from corrldp.experiments.setting import BaseSetting, Count, Epsilon, Point, Probability, Users
from corrldp.mechanisms.grr import GRR

AXES = by_name(MECHANISMS["py_rule"])


class Setting(BaseSetting):
    """A grid of the frequency of one value in each attribute, taken as known.

    `pivot` names the column of the attribute that is copied; f_j is that of its follower, in `steps` steps. With
    `sides`, two more columns state on which side of the pivot's frequency the follower's lies, and how far away.
    """

    pivot: Literal["f_s", "f_k"]
    sides: bool
    pivot_frequency: tuple[Probability, ...]
    steps: Count
    n2: Users
    epsilon: Epsilon

    def points(self, choices: Mapping[str, Any]) -> Iterator[Point]:
        """Yield every pair of frequencies."""
        for pivot in self.pivot_frequency:
            for follower in np.linspace(0, 1, self.steps + 1).round(12).tolist():
                yield {self.pivot: pivot, "f_j": follower} | (side_of(pivot, follower) if self.sides else {})


def measure(cell: Cell) -> Iterator[Measure]:
    """Yield `p_y` of the follower."""
    pivot, follower = cell.point[cell.setting.pivot], cell.point["f_j"]
    marginals = np.array([[1 - follower, follower], [1 - pivot, pivot]])
    rule = RULES[cell["py_rule"]]
    yield Measure("Corr-RR", "p_y", rule(marginals, cell.setting.n2, GRR(cell.setting.epsilon, 2))[1, 0])


def side_of(pivot: float, follower: float) -> dict[str, Any]:
    """Return whether the follower's frequency lies towards 1/2 as seen from the pivot's, and how far away."""
    toward_half = (follower - pivot) * (0.5 - pivot) >= 0
    return {"side": "toward_half" if toward_half else "away", "distance": round(abs(follower - pivot), 12)}
