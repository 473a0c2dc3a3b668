"""Errors of the joint law of three pairs of attributes of the Adult data (Table V)."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from corrldp.dependence import cramers_v
from corrldp.experiments.castell import axes
from corrldp.experiments.castell.collection import RANDOM
from corrldp.experiments.castell.distances import distances
from corrldp.experiments.castell.estimates import Variant, errors
from corrldp.experiments.engine import Cell
from corrldp.experiments.measures import Measure
from corrldp.experiments.setting import BaseSetting, Epsilon, Point, ViewName
from corrldp.mechanisms.pure import Floats

AXES = axes.PAIRS
VARIANTS = [("RR-Independent", ""), ("RR-Ind-Joint", "")]


class Setting(BaseSetting):
    """Pairs of attributes by name, and the budget of an attribute."""

    view: ViewName
    pairs: tuple[tuple[str, str], ...]
    epsilon: Epsilon

    def points(self, choices: Mapping[str, Any]) -> Iterator[Point]:
        """Yield every pair."""
        return ({"pair": ", ".join(pair)} for pair in self.pairs)


def measure(cell: Cell) -> Iterator[Measure]:
    """Yield domain sizes, Cramer's V and the error (`mae`) of both estimates."""
    pair = cell.views[cell.setting.view].subset(cell["pair"].split(", "))
    yield Measure("data", "size_1", pair.sizes[0])
    yield Measure("data", "size_2", pair.sizes[1])
    yield Measure("data", "cramers_v", float(cramers_v(pair.counts(), "domain")))
    found = cell.once(repeated)
    for key in VARIANTS:
        yield Measure.of_runs(key[0], "mae", found[key, cell["error"]])


def repeated(cell: Cell) -> dict[tuple[Variant, str], Floats]:
    """Return every distance (runs,) of both estimates; a table that is not random needs one run."""
    pair = cell.views[cell.setting.view].subset(cell["pair"].split(", "))
    noise, rng = cell["sampling_noise"], cell.rng(point=dict(cell.point))
    runs = cell.runs if noise in RANDOM else 1
    return distances(errors(pair, cell.setting.epsilon, noise, VARIANTS, rng) for _ in range(runs))
