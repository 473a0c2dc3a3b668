"""The data sets of the CPL paper, its mechanisms by name, and the leakage that they cause on the data."""

import math
from collections.abc import Callable
from itertools import chain
from typing import Literal, Self, get_args

import numpy as np
from pydantic import Field, model_validator

from claimaudit.experiments.engine import Cell
from claimaudit.experiments.runner import Swept, ViewName
from claimaudit.names import require_known
from corrldp.arrays import Integers
from corrldp.data.table import Table
from corrldp.leakage.cpl import conditional, leakage_bound, leakage_of_channel, leakage_of_reports
from corrldp.leakage.total import Tables, contingency_tables, leakage_matrix
from corrldp.mechanisms.grr import GRR
from corrldp.mechanisms.hashing import LocalHashing
from corrldp.mechanisms.histogram import SummationHistogram
from corrldp.mechanisms.subset import SubsetSelection, best_size
from corrldp.mechanisms.unary import RAPPOR, UnaryEncoding
from corrldp.runners import Epsilon, OnViews


class DataSets(OnViews):
    """Views by data set.

    `binned` replaces views under a value of the axis `binning`; `attributes` are those that take part (default: all),
    `without` those that do not under a value of the axis `domain`. Of `halved` ones, the axis `records` may take half.
    """

    binned: dict[Literal["quartiles", "width"], dict[str, ViewName]] = Field(default={})
    attributes: dict[str, tuple[str, ...]] = Field(default={})
    without: dict[Literal["without_country"], dict[str, tuple[str, ...]]] = Field(default={})
    halved: tuple[str, ...] = ()

    @model_validator(mode="after")
    def _data_sets_are_known(self) -> Self:
        for dataset in chain(self.attributes, self.halved, *self.binned.values(), *self.without.values()):
            require_known(dataset, self.views, "data set")
        return self


class Budgets(DataSets):
    """Data sets and budgets."""

    epsilon: Swept[Epsilon]


def view_of(cell: Cell, dataset: str) -> Table:
    """Return the records of a data set under a reading; axes that do not affect it are not read."""
    setting = cell.setting
    require_known(dataset, setting.views, "data set")
    name, left_out = setting.views[dataset], ()
    if any(dataset in views for views in setting.binned.values()):
        name = setting.binned.get(cell["binning"], {}).get(dataset, name)
    if any(dataset in attributes for attributes in setting.without.values()):
        left_out = setting.without.get(cell["domain"], {}).get(dataset, ())
    view = cell.views[name]
    if dataset in setting.halved and cell["records"] == "half":
        view = view.records(cell.rng(dataset=dataset).permutation(view.n)[: view.n // 2])
    kept = tuple(name for name in setting.attributes.get(dataset, view.names) if name not in left_out)
    return (view if kept == view.names else view.subset(kept)).encode(cell["encoding"])


def pair_tables(cell: Cell, dataset: str) -> Tables:
    """Return the counts (m, t) of every ordered pair of attributes, see `contingency_tables`."""
    view = view_of(cell, dataset)
    return contingency_tables(view.codes, view.sizes)


MOST_ROWS, COPIES = 5_000_000, 50


def copied(cell: Cell, counts: Integers) -> Integers:
    """Return tables (..., m, t) of records after these are copied; a cut one has as many rows of each record."""
    if cell["expansion"] != "cut":
        return cell["expansion"] * counts
    copies = np.minimum(COPIES, MOST_ROWS / counts.sum(axis=(-2, -1), keepdims=True))
    return np.rint(copies * counts).astype(np.int64)


def joint_table(cell: Cell, dataset: str, *attributes: str) -> Integers:
    """Return the counts (k_1, ..., k_w) of some attributes."""
    return view_of(cell, dataset).counts(attributes)


MechanismName = Literal["GRR", "RAPPOR", "EXP", "OUE", "BLH", "OLH", "SS", "SHE"]
NAMES: tuple[MechanismName, ...] = get_args(MechanismName)
Mechanism = GRR | LocalHashing | RAPPOR | SubsetSelection | SummationHistogram | UnaryEncoding
BUILDERS: dict[str, Callable[[float, int], Mechanism]] = {
    "GRR": GRR,
    "EXP": lambda epsilon, k: GRR(epsilon / 2, k),
    "OUE": UnaryEncoding.optimized,
    "BLH": LocalHashing.binary,
    "OLH": LocalHashing.optimal,
    "SHE": SummationHistogram,
}
SUBSETS: dict[str, Callable[[float, int], Mechanism]] = {
    "floored": SubsetSelection.floored,
    "rounded": SubsetSelection.rounded,
    "up": lambda epsilon, k: SubsetSelection(epsilon, k, math.ceil(best_size(epsilon, k))),
}


class Compared(Budgets):
    """Data sets, budgets and the mechanisms to compare."""

    mechanisms: tuple[MechanismName, ...]


def build(cell: Cell, name: MechanismName, epsilon: float, k: int) -> Mechanism:
    """Return a mechanism by its name in the paper, which rounds the size of subsets down.

    RAPPOR has its constants f = p = 0.5 and q = 0.75 whatever the budget, or is the symmetric unary encoding of the
    whole budget, which libraries also call basic RAPPOR.
    """
    if name == "RAPPOR":
        return RAPPOR(k) if cell["rappor"] == "constants" else UnaryEncoding.symmetric(epsilon, k)
    return (SUBSETS[cell["subset_size"]] if name == "SS" else BUILDERS[name])(epsilon, k)


def inferred_channel(cell: Cell, name: MechanismName, epsilon: float, k: int) -> np.ndarray:
    """Law (k, k) of the value that the attack of Appendix B infers, given the true one."""
    return build(cell, name, epsilon, k).effective_channel()


TablesOf = Callable[[Cell, str], Tables]


def inferred_leakage(
    cell: Cell, dataset: str, name: MechanismName, epsilon: float, tables: TablesOf = pair_tables
) -> np.ndarray:
    """CPL (d, d) of what the attack infers, [about, by]: Algorithm 1 on the effective channel."""

    def measure(joint: np.ndarray) -> np.ndarray:
        return leakage_of_channel(conditional(joint), cell.once(inferred_channel, name, epsilon, joint.shape[-1]))

    return leakage_matrix(cell.once(tables, dataset), measure)


def report_leakage(cell: Cell, dataset: str, name: MechanismName, epsilon: float) -> np.ndarray:
    """CPL (d, d) of the reports themselves, [about, by]."""

    def measure(joint: np.ndarray) -> np.ndarray:
        return leakage_of_reports(build(cell, name, epsilon, joint.shape[-1]), conditional(joint))

    return leakage_matrix(cell.once(pair_tables, dataset), measure)


def bound(cell: Cell, dataset: str, epsilon: float, tables: TablesOf = pair_tables) -> np.ndarray:
    """CPL (d, d) by Algorithm 2, [about, by]: the largest that any epsilon-LDP mechanism can cause."""
    return leakage_matrix(cell.once(tables, dataset), lambda joint: leakage_bound(conditional(joint), epsilon))
