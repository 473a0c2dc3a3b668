"""Whether the sum of leakages bounds the leakage of the joint reports (Eq. 6): all triples of binary attributes."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

import numpy as np

from corrldp.experiments.cpl.axes import DATA
from corrldp.experiments.cpl.data import Budgets, view_of
from corrldp.experiments.engine import Cell
from corrldp.experiments.measures import Measure
from corrldp.experiments.setting import BaseSetting, Point
from corrldp.leakage.cpl import leakage_limit
from corrldp.leakage.total import joint_leakage
from corrldp.mechanisms.grr import GRR

AXES = DATA
EXCLUSIVE_OR = "exclusive or"
COINS = np.array([[[1, 0], [0, 1]], [[0, 1], [1, 0]]])


class Setting(Budgets):
    """Data sets of binary attributes, and budgets."""

    def points(self, choices: Mapping[str, Any]) -> Iterator[Point]:
        """Yield every data set and the textbook case, two fair coins and their exclusive or, with every budget."""
        yield from super().points(choices)
        for point in BaseSetting.points(self, choices):
            yield {"dataset": EXCLUSIVE_OR, **point}


def measure(cell: Cell) -> Iterator[Measure]:
    """Yield, for each attacked attribute, how the leakage of two neighbours' GRR reports compares with their sum."""
    channel = GRR(cell["epsilon"], 2).channel()
    if cell["dataset"] == EXCLUSIVE_OR:
        place = {"about": EXCLUSIVE_OR}
        single = joint_leakage(COINS.sum(axis=2), [channel]) + joint_leakage(COINS.sum(axis=1), [channel])
        yield Measure("GRR", "joint", joint_leakage(COINS, [channel, channel]), place=place)
        yield Measure("GRR", "sum", single, place=place)
        return
    for about, laws in cell.once(_laws, cell["dataset"]).items():
        joint, total = _triples(laws, channel)
        place = {"about": about}
        yield Measure("GRR", "share_above", float(np.mean(joint > total * (1 + 1e-9))), place=place)
        yield Measure("GRR", "share_near", float(np.mean(joint >= 0.9 * total)), place=place)
        yield Measure("GRR", "ratio_mean", np.mean(joint / total), place=place)
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


def _triples(laws: np.ndarray, channel: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Return the leakage of every two reports, jointly and summed, (pairs,) each."""
    reports = np.einsum("pvij,ia,jb->pvab", laws, channel, channel)
    joint = leakage_limit(reports.reshape(len(laws), 2, 4))
    return joint, leakage_limit(reports.sum(axis=3)) + leakage_limit(reports.sum(axis=2))
