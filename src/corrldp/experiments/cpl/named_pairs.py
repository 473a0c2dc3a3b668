"""CPL between named attributes under several mechanisms (Figure 4 (a) and the numbers of Section III-C3)."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from pydantic import PositiveInt

from corrldp.experiments.axes import by_name
from corrldp.experiments.cpl.axes import DATA, EXPANSION, RAPPOR
from corrldp.experiments.cpl.data import joint_table
from corrldp.experiments.cpl.mechanisms import Compared, build
from corrldp.experiments.engine import Cell
from corrldp.experiments.measures import Measure
from corrldp.experiments.setting import BaseSetting, Point
from corrldp.leakage.cpl import conditional, leakage_bound, leakage_of_channel
from corrldp.leakage.empirical import estimated_leakage, sampled_tables
from corrldp.leakage.reports import leakage_of_reports

AXES = DATA | by_name(RAPPOR, EXPANSION)


class Pair(BaseSetting):
    """The attacked attribute, its neighbour, and the `rank` of the pair in the order that a claim states."""

    dataset: str
    about: str
    by: str
    rank: PositiveInt


class Setting(Compared):
    """Pairs of attributes, budgets and mechanisms."""

    pairs: tuple[Pair, ...]

    def points(self, choices: Mapping[str, Any]) -> Iterator[Point]:
        """Yield every pair with every budget."""
        for pair in self.pairs:
            for point in BaseSetting.points(self, choices):
                yield {**pair.model_dump(), **point}


def measure(cell: Cell) -> Iterator[Measure]:
    """Yield the CPL of a pair under every mechanism.

    `cpl` is the exact one of the inferred values, `cpl_estimated` the paper's statistical estimate of it (one run is
    one pass over the expanded data), `cpl_reports` the one of the reports themselves; Algorithm 2 bounds it.
    """
    epsilon = cell["epsilon"]
    counts = cell.once(joint_table, cell["dataset"], cell["about"], cell["by"])
    law = conditional(counts)
    for name in cell.setting.mechanisms:
        mechanism = build(cell, name, epsilon, counts.shape[-1])
        channel = mechanism.effective_channel()
        yield Measure(name, "cpl", float(leakage_of_channel(law, channel)))
        yield Measure(name, "cpl_reports", float(leakage_of_reports(mechanism, law)))
        rng = cell.rng(**cell.point, mechanism=name)
        tables = sampled_tables(counts, channel, cell["expansion"], cell.runs, rng)
        yield Measure.of_runs(name, "cpl_estimated", estimated_leakage(tables, "skip"))
    yield Measure("Algorithm 2", "cpl", float(leakage_bound(law, epsilon)))
