"""Does Corr-RR profit from correlation or from equal marginals? Two attributes that have either, both or neither."""

from __future__ import annotations

import itertools
from collections.abc import Iterator
from typing import Literal

import numpy as np

from corrldp.experiments.axes import by_name
from corrldp.experiments.corr_rr.axes import MECHANISMS
from corrldp.experiments.corr_rr.mechanisms import MechanismName, build
from corrldp.experiments.corr_rr.synthetic_data import marginal_of
from corrldp.experiments.engine import Cell
from corrldp.experiments.measures import Measure
from corrldp.experiments.setting import BaseSetting, DomainSize, Epsilon, Swept, Users
from corrldp.protocols.names import label
from corrldp.protocols.records import RecordTable, average_error

AXES = by_name(*(axis for name, axis in MECHANISMS.items() if name != "postprocess"))


class Setting(BaseSetting):
    """How the marginals of the two attributes compare and how strongly their values depend on each other."""

    marginals: Swept[Literal["equal", "different"]]
    dependence: Swept[Literal["none", "strong"]]
    n: Swept[Users]
    k: Swept[DomainSize]
    epsilon: Swept[Epsilon]
    mechanisms: tuple[MechanismName, ...]


def measure(cell: Cell) -> Iterator[Measure]:
    """Yield the mean squared error of every mechanism over new data in each run, and the correlation of their law."""
    law = joint_law(cell["marginals"], cell["dependence"], cell["k"])
    yield Measure("data", "correlation", correlation(law))
    for mechanism in cell.setting.mechanisms:
        yield Measure.of_runs(label(mechanism), "mse", cell.once(_errors, mechanism))


def _errors(cell: Cell, mechanism: str) -> np.ndarray:
    """Return the mean squared error of each run, (runs,), of a mechanism."""
    table = _records(cell, cell["marginals"], cell["dependence"])
    estimates = build(mechanism, cell, table).simulate(table, cell.runs, cell.rng(mechanism=mechanism, **cell.point))
    return average_error((estimates - table.frequencies()) ** 2)


def joint_law(marginals: str, dependence: str, k: int) -> np.ndarray:
    """Return the law (k, k) of two attributes.

    The frequencies of the first fall linearly; those of the second are the same ("equal") or rise ("different"). The
    values are independent ("none") or as close to each other as the marginals allow ("strong"): the comonotone law,
    which is a copy if the marginals are equal.
    """
    first = np.array(marginal_of("pi", k))
    second = first if marginals == "equal" else first[::-1]
    if dependence == "none":
        return np.outer(first, second)
    upper = np.minimum.outer(np.cumsum(first), np.cumsum(second))
    padded = np.pad(upper, ((1, 0), (1, 0)))
    return np.clip(np.diff(np.diff(padded, axis=0), axis=1), 0.0, None)


def correlation(law: np.ndarray) -> float:
    """Return the Pearson correlation of two codes with the law (k, k)."""
    codes = np.arange(len(law))
    first, second = law.sum(axis=1), law.sum(axis=0)
    means = first @ codes, second @ codes
    spread = np.sqrt((first @ codes**2 - means[0] ** 2) * (second @ codes**2 - means[1] ** 2))
    return float((codes @ law @ codes - means[0] * means[1]) / spread)


def _records(cell: Cell, marginals: str, dependence: str) -> RecordTable:
    """Return a new data set for each run; all mechanisms and budgets get the same ones."""
    n, k = cell["n"], cell["k"]
    law = joint_law(marginals, dependence, k).ravel()
    rng = cell.rng(data={"marginals": marginals, "dependence": dependence, "n": n, "k": k})
    counts = rng.multinomial(n, law / law.sum(), size=cell.runs)
    return RecordTable(np.array([*itertools.product(range(k), repeat=2)]), counts, (k, k))
