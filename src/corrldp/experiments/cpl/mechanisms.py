"""The mechanisms of the CPL paper by name, and the leakage that they cause."""

from __future__ import annotations

from typing import Any, Literal, get_args

import numpy as np

from corrldp.experiments.cpl.data import Budgets, pair_tables
from corrldp.experiments.engine import Cell
from corrldp.leakage.cpl import conditional, leakage_bound, leakage_of_channel
from corrldp.leakage.reports import leakage_of_reports
from corrldp.leakage.tables import leakage_matrix
from corrldp.mechanisms.grr import GRR, Exponential
from corrldp.mechanisms.hashing import LocalHashing
from corrldp.mechanisms.histogram import SummationHistogram
from corrldp.mechanisms.subset import SubsetSelection
from corrldp.mechanisms.unary import RAPPOR, UnaryEncoding

MechanismName = Literal["GRR", "RAPPOR", "EXP", "OUE", "BLH", "OLH", "SS", "SHE"]
NAMES: tuple[MechanismName, ...] = get_args(MechanismName)
BUILDERS = {
    "GRR": GRR,
    "EXP": Exponential,
    "OUE": UnaryEncoding.optimized,
    "BLH": LocalHashing.binary,
    "OLH": LocalHashing.optimal,
    "SS": SubsetSelection.floored,
    "SHE": SummationHistogram,
}


class Compared(Budgets):
    """Data sets, budgets and the mechanisms to compare."""

    mechanisms: tuple[MechanismName, ...]


def build(cell: Cell, name: MechanismName, epsilon: float, k: int) -> Any:  # noqa: ANN401 (one of eight classes)
    """Return a mechanism by its name in the paper.

    RAPPOR has its constants f = p = 0.5 and q = 0.75 whatever the budget, or is the symmetric unary encoding of the
    whole budget, which libraries also call basic RAPPOR.
    """
    if name == "RAPPOR":
        return RAPPOR(k) if cell["rappor"] == "constants" else UnaryEncoding.symmetric(epsilon, k)
    return BUILDERS[name](epsilon, k)


def inferred_channel(cell: Cell, name: MechanismName, epsilon: float, k: int) -> np.ndarray:
    """Law (k, k) of the value that the attack of Appendix B infers, given the true one."""
    return build(cell, name, epsilon, k).effective_channel()


def inferred_leakage(cell: Cell, dataset: str, name: MechanismName, epsilon: float) -> np.ndarray:
    """CPL (d, d) of what the attack infers, [about, by]: Algorithm 1 on the effective channel."""

    def measure(joint: np.ndarray) -> np.ndarray:
        return leakage_of_channel(conditional(joint), cell.once(inferred_channel, name, epsilon, joint.shape[-1]))

    return leakage_matrix(cell.once(pair_tables, dataset), measure)


def report_leakage(cell: Cell, dataset: str, name: MechanismName, epsilon: float) -> np.ndarray:
    """CPL (d, d) of the reports themselves, [about, by]."""

    def measure(joint: np.ndarray) -> np.ndarray:
        return leakage_of_reports(build(cell, name, epsilon, joint.shape[-1]), conditional(joint))

    return leakage_matrix(cell.once(pair_tables, dataset), measure)


def bound(cell: Cell, dataset: str, epsilon: float) -> np.ndarray:
    """CPL (d, d) by Algorithm 2, [about, by]: the largest that any epsilon-LDP mechanism can cause."""
    tables = cell.once(pair_tables, dataset)
    return leakage_matrix(tables, lambda joint: leakage_bound(conditional(joint), epsilon))
