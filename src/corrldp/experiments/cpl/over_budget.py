"""Leakage of one attribute against the budget, through single neighbours and through all of them (Figure 4 (b))."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Annotated

import numpy as np
from annotated_types import Ge

from corrldp.dependence import pcc
from corrldp.experiments.axes import by_name
from corrldp.experiments.cpl.axes import DATA, EXPANSION, OWN_REPORT
from corrldp.experiments.cpl.data import DataSets, joint_table
from corrldp.experiments.engine import Cell
from corrldp.experiments.measures import Measure
from corrldp.experiments.setting import Swept
from corrldp.leakage.cpl import conditional, leakage_limit, leakage_of_channel
from corrldp.leakage.empirical import estimated_leakage, sampled_tables
from corrldp.leakage.total import composition_bound, joint_leakage, total_leakage
from corrldp.mechanisms.grr import GRR

AXES = DATA | by_name(EXPANSION, OWN_REPORT)


class Setting(DataSets):
    """Data sets, the attribute that is attacked, its neighbours from weak to strong, and budgets from 0 on."""

    about: str
    by: tuple[str, ...]
    epsilon: Swept[Annotated[float, Ge(0)]]


def measure(cell: Cell) -> Iterator[Measure]:
    """Yield the leakage under GRR, and its limit for a vanishing perturbation; without budget nothing leaks.

    `by` is a neighbour, of `rank` 1, 2, ... in the order of the setting, "joint" for the supremum over the joint law of
    all reports (Eq. 5) or "sum" for the bound of Eq. 6; the last two are metrics, too. The axis
    `own_report` says whether the attribute's own report takes part in them.
    """
    single = cell.once(_single)
    yield from single
    leakages = np.array([measure.mean for measure in single if measure.metric == "leakage"])
    for by, value in _together(cell, leakages).items():
        yield Measure("GRR", "leakage", value, place=_place(cell, by))
        yield Measure("GRR", by, value, place=_place(cell, "all"))


def _single(cell: Cell) -> list[Measure]:
    """Return the measures of every neighbour alone."""
    found, epsilon = [], cell["epsilon"]
    for by in cell.setting.by:
        place = _place(cell, by)
        if epsilon == 0:
            found.append(Measure("GRR", "leakage", 0.0, place=place))
            continue
        counts = cell.once(joint_table, cell["dataset"], cell.setting.about, by)
        law, channel = conditional(counts), GRR(epsilon, counts.shape[-1]).channel()
        rng = cell.rng(by=by, epsilon=epsilon)
        tables = sampled_tables(counts, channel, cell["expansion"], cell.runs, rng)
        found += [
            Measure("GRR", "leakage", float(leakage_of_channel(law, channel)), place=place),
            Measure.of_runs("GRR", "leakage_estimated", estimated_leakage(tables, "skip"), place=place),
            Measure("GRR", "leakage_limit", float(leakage_limit(law)), place=place),
            Measure("data", "pcc", abs(float(pcc(counts))), place=place),
        ]
    return found


def _together(cell: Cell, single: np.ndarray) -> dict[str, float]:
    """Return the leakage through all reports together, and the sum that should bound it."""
    setting, epsilon = cell.setting, cell["epsilon"]
    if epsilon == 0:
        return {"joint": 0.0, "sum": 0.0}
    counts = cell.once(joint_table, cell["dataset"], setting.about, *setting.by)
    law = counts / counts.reshape(len(counts), -1).sum(axis=1).reshape(-1, *[1] * len(setting.by))
    channels = [GRR(epsilon, size).channel() for size in counts.shape[1:]]
    if cell["own_report"] == "included":
        joint = total_leakage(law, GRR(epsilon, len(law)).channel(), channels)
        return {"joint": joint, "sum": float(composition_bound(epsilon, single))}
    return {"joint": joint_leakage(law, channels), "sum": float(composition_bound(0, single))}


def _place(cell: Cell, by: str) -> dict[str, object]:
    neighbours = cell.setting.by
    rank = neighbours.index(by) + 1 if by in neighbours else 0
    return {"about": cell.setting.about, "by": by, "rank": rank}
