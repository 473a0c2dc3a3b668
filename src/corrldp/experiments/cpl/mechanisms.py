"""The mechanisms of the CPL paper by name, and the leakage that they cause."""

from __future__ import annotations

from functools import cache
from typing import Any

import numpy as np

from corrldp.experiments.cpl.data import Data
from corrldp.leakage.cpl import conditional, leakage_bound, leakage_of_channel
from corrldp.leakage.reports import leakage_of_reports
from corrldp.leakage.tables import leakage_matrix
from corrldp.mechanisms.exponential import Exponential
from corrldp.mechanisms.grr import GRR
from corrldp.mechanisms.hashing import LocalHashing
from corrldp.mechanisms.histogram import SummationHistogram
from corrldp.mechanisms.rappor import RAPPOR
from corrldp.mechanisms.subset import SubsetSelection
from corrldp.mechanisms.unary import UnaryEncoding

BUILDERS = {
    "GRR": GRR,
    "EXP": Exponential,
    "OUE": UnaryEncoding.optimized,
    "BLH": LocalHashing.binary,
    "OLH": LocalHashing.optimal,
    "SS": SubsetSelection.floored,
    "SHE": SummationHistogram,
}
NAMES = ("GRR", "RAPPOR", "EXP", "OUE", "BLH", "OLH", "SS", "SHE")


@cache
def build(name: str, epsilon: float, k: int, rappor: str = "constants") -> Any:  # noqa: ANN401 (one of eight classes)
    """Return a mechanism by its name in the paper.

    `rappor` is the reading of RAPPOR: its "constants" f = p = 0.5 and q = 0.75 whatever the budget, or the "symmetric"
    unary encoding of the whole budget, which libraries also call basic RAPPOR.
    """
    if name == "RAPPOR":
        return RAPPOR(k) if rappor == "constants" else UnaryEncoding.symmetric(epsilon, k)
    return BUILDERS[name](epsilon, k)


@cache
def inferred_channel(name: str, epsilon: float, k: int, rappor: str = "constants") -> np.ndarray:
    """Law (k, k) of the value that the attack of Appendix B infers, given the true one."""
    return build(name, epsilon, k, rappor).effective_channel()


def inferred_leakage(data: Data, name: str, epsilon: float, rappor: str = "constants") -> np.ndarray:
    """CPL (d, d) of what the attack infers, [about, by]: Algorithm 1 on the effective channel."""

    def measure(joint: np.ndarray) -> np.ndarray:
        return leakage_of_channel(conditional(joint), inferred_channel(name, epsilon, joint.shape[-1], rappor))

    return leakage_matrix(data.tables, measure)


def report_leakage(data: Data, name: str, epsilon: float, rappor: str = "constants") -> np.ndarray:
    """CPL (d, d) of the reports themselves, [about, by]."""

    def measure(joint: np.ndarray) -> np.ndarray:
        return leakage_of_reports(build(name, epsilon, joint.shape[-1], rappor), conditional(joint))

    return leakage_matrix(data.tables, measure)


def bound(data: Data, epsilon: float) -> np.ndarray:
    """CPL (d, d) by Algorithm 2, [about, by]: the largest that any epsilon-LDP mechanism can cause."""
    return leakage_matrix(data.tables, lambda joint: leakage_bound(conditional(joint), epsilon))
