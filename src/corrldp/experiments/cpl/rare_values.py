"""Tables I and II with rare values merged: the text does not say how it treats them."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from corrldp.data.table import Table
from corrldp.experiments.axes import by_name
from corrldp.experiments.cpl.axes import DATA, EXPANSION, RAPPOR, RARE
from corrldp.experiments.cpl.data import view_of
from corrldp.experiments.cpl.mechanisms import Compared, MechanismName, build
from corrldp.experiments.engine import Cell
from corrldp.experiments.measures import Measure
from corrldp.leakage.baselines import nmse
from corrldp.leakage.cpl import conditional, leakage_bound, leakage_of_channel
from corrldp.leakage.empirical import estimated_leakage, sampled_tables
from corrldp.leakage.tables import Tables, contingency_tables, stacked

Setting = Compared
AXES = DATA | by_name(RAPPOR, EXPANSION, RARE)


def measure(cell: Cell) -> Iterator[Measure]:
    """Yield NMSE-CPL (Eq. 29) of every mechanism against both algorithms; one run is one pass over the expanded data.

    The axis `rare` is the share of the records below which values of an attribute are merged into one.
    """
    tables = cell.once(_tables, cell["dataset"])
    for name in cell.setting.mechanisms:
        found, actual, bound = _leakages(cell, tables, name)
        yield Measure.of_runs(name, "nmse_algorithm_1", nmse(found, actual))
        yield Measure.of_runs(name, "nmse_algorithm_2", nmse(found, bound))


def merge(view: Table, smallest: float) -> tuple[np.ndarray, list[int]]:
    """Return codes (n, d) and domain sizes in which all values of an attribute rarer than a share are one.

    An attribute that is left with one value says nothing, and is left out.
    """
    columns, sizes = [], []
    for codes, size in zip(view.codes.T, view.sizes, strict=True):
        kept = np.flatnonzero(np.bincount(codes, minlength=size) >= smallest * view.n)
        new = np.full(size, len(kept))
        new[kept] = np.arange(len(kept))
        merged = len(kept) + (len(kept) < size)
        if merged > 1:
            columns.append(new[codes])
            sizes.append(merged)
    return np.column_stack(columns), sizes


def _tables(cell: Cell, dataset: str) -> Tables:
    return contingency_tables(*merge(view_of(cell, dataset), cell["rare"]))


def _leakages(cell: Cell, tables: Tables, name: MechanismName) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Return the leakages of all pairs: estimated (runs, q), of Algorithm 1 (q,) and of Algorithm 2 (q,)."""
    epsilon, rng = cell["epsilon"], cell.rng(**cell.point, mechanism=name)
    found, actual, bound = [], [], []
    for _, counts in stacked(tables):
        channel, law = build(cell, name, epsilon, counts.shape[-1]).effective_channel(), conditional(counts)
        found.append(estimated_leakage(sampled_tables(counts, channel, cell["expansion"], cell.runs, rng), "skip"))
        actual.append(leakage_of_channel(law, channel))
        bound.append(leakage_bound(law, epsilon))
    return np.concatenate(found, axis=1), np.concatenate(actual), np.concatenate(bound)
