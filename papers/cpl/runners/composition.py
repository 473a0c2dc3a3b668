"""Leakage through several neighbours, and whether the sum of their leakages bounds it (Eqs. 5 and 6, Figure 4 (b))."""

from collections.abc import Iterable, Iterator
from typing import Annotated

import numpy as np
from annotated_types import Ge
from cpl.runners.axes import DATA, EXPANSION, OWN_REPORT
from cpl.runners.data import Budgets, DataSets, copied, joint_table, view_of

from claimaudit.experiments.axes import by_name
from claimaudit.experiments.engine import Cell
from claimaudit.experiments.runner import Measure, Point, Swept
from corrldp.dependence import pcc
from corrldp.leakage.cpl import conditional, leakage_limit, leakage_of_channel
from corrldp.leakage.empirical import estimated_leakage, sampled_tables
from corrldp.leakage.total import composition_bound, joint_leakage, total_leakage
from corrldp.mechanisms.grr import GRR
from corrldp.runners import runner


class Neighbours(DataSets):
    """Data sets, the attribute that is attacked, its neighbours from weak to strong, and budgets from 0 on."""

    about: str
    by: tuple[str, ...]
    epsilon: Swept[Annotated[float, Ge(0)]]


@runner(
    Neighbours,
    mechanisms=("GRR", "data"),
    metrics=("leakage", "leakage_estimated", "leakage_limit", "pcc", "joint", "sum"),
    columns=("about", "by", "rank"),
    axes=DATA | by_name(EXPANSION, OWN_REPORT),
    simulates=True,
)
def neighbours(cell: Cell) -> Iterator[Measure]:
    """Yield the leakage under GRR, and its limit for a vanishing perturbation; without budget nothing leaks.

    `by` is a neighbour, of `rank` 1, 2, ... in the order of the setting, "joint" for the supremum over the joint law of
    all reports (Eq. 5) or "sum" for the bound of Eq. 6; the last two are metrics, too. The axis
    `own_report` says whether the attribute's own report takes part in them.
    """
    nothing = [Measure("GRR", "leakage", 0.0, place=_place(cell, by)) for by in cell.setting.by]
    single = cell.once(_single) if cell["epsilon"] else nothing
    yield from single
    leakages = np.array([measure.mean for measure in single if measure.metric == "leakage"])
    for by, value in (_together(cell, leakages) if cell["epsilon"] else {"joint": 0.0, "sum": 0.0}).items():
        yield Measure("GRR", "leakage", value, place=_place(cell, by))
        yield Measure("GRR", by, value, place=_place(cell, "all"))


def _single(cell: Cell) -> list[Measure]:
    found, epsilon = [], cell["epsilon"]
    for by in cell.setting.by:
        place = _place(cell, by)
        counts = cell.once(joint_table, cell["dataset"], cell.setting.about, by)
        law, channel = conditional(counts), GRR(epsilon, counts.shape[-1]).channel()
        rng = cell.rng(by=by, epsilon=epsilon)
        tables = sampled_tables(copied(cell, counts), channel, cell.runs, rng)
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


EXCLUSIVE_OR = "exclusive or"
COINS = np.array([[[1, 0], [0, 1]], [[0, 1], [1, 0]]])


class Triples(Budgets):
    """Data sets of binary attributes, and budgets."""

    def outer(self) -> Iterable[Point]:
        return [*super().outer(), {"dataset": EXCLUSIVE_OR}]


@runner(
    Triples,
    mechanisms=("GRR",),
    metrics=("joint", "sum", "share_above", "share_near", "ratio_mean", "ratio_highest"),
    columns=("about",),
    axes=DATA,
)
def triples(cell: Cell) -> Iterator[Measure]:
    """Yield how the leakage of two neighbours' GRR reports compares with their sum, for each attacked attribute."""
    channel = GRR(cell["epsilon"], 2).channel()
    if cell["dataset"] == EXCLUSIVE_OR:
        place = {"about": EXCLUSIVE_OR}
        single = joint_leakage(COINS.sum(axis=2), [channel]) + joint_leakage(COINS.sum(axis=1), [channel])
        yield Measure("GRR", "joint", joint_leakage(COINS, [channel, channel]), place=place)
        yield Measure("GRR", "sum", single, place=place)
        return
    for about, laws in cell.once(_laws, cell["dataset"]).items():
        reports = np.einsum("pvij,ia,jb->pvab", laws, channel, channel)
        joint = leakage_limit(reports.reshape(len(laws), 2, 4))
        total = leakage_limit(reports.sum(axis=3)) + leakage_limit(reports.sum(axis=2))
        place = {"about": about}
        yield Measure("GRR", "share_above", float(np.mean(joint > total * (1 + 1e-9))), place=place)
        yield Measure("GRR", "share_near", float(np.mean(joint >= 0.9 * total)), place=place)
        yield Measure("GRR", "ratio_mean", float(np.mean(joint / total)), place=place)
        yield Measure("GRR", "ratio_highest", np.max(joint / total), place=place)


def _laws(cell: Cell, dataset: str) -> dict[str, np.ndarray]:
    """Return, for each attribute, the laws (pairs, 2, 2, 2) of every two others given its value, [pair, value]."""
    view = view_of(cell, dataset)
    found = {}
    for k, about in enumerate(view.names):
        laws = np.stack([_joint_laws(view.codes[view.codes[:, k] == value]) for value in (0, 1)], axis=2)
        others = np.delete(np.arange(view.d), k)
        first, second = (others[places] for places in np.triu_indices(len(others), 1))
        found[about] = laws[first, second]
    return found


def _joint_laws(codes: np.ndarray) -> np.ndarray:
    """Return the laws (d, d, 2, 2) of every two binary attributes."""
    ones = codes.astype(float)
    both = ones.T @ ones / len(ones)
    one = ones.mean(axis=0)
    first, second = one[:, None], one[None, :]
    cells = np.stack([1 - first - second + both, second - both, first - both, both], axis=-1)
    return np.clip(cells, 0, 1).reshape(*both.shape, 2, 2)
