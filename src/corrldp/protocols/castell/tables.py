"""Contingency tables: dense ones with one axis per attribute, which must fit into memory, and sparse ones.

A `SparseTable` has the observed records alone. The inverse channel of GRR is (I - q J) / gap in each axis, so the
estimate of a cell is a sum, over the 2^w subsets of attributes, of marginal counts of the observed records. That costs
2^w sorted look-ups and memory for the observed records. Methods that need every cell of the domain (projection,
truncation, EM, the supremum of an error) need the dense table: cells that nobody reported have non-zero estimates.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import chain, combinations

import numpy as np
from numpy.typing import ArrayLike

from corrldp.arrays import Floats, Integers
from corrldp.mechanisms.grr import GRR
from corrldp.protocols.records import check_records

LARGEST_BYTES = 8 * 2**30


def check_bytes(cells: int, what: str, fix: str, item: int = 8) -> None:
    """Raise ValueError, before anything is allocated, unless `cells` numbers of `item` bytes fit into 8 GiB."""
    if cells * item > LARGEST_BYTES:
        raise ValueError(
            f"{what} needs {cells:,} cells, {cells * item / 2**30:,.1f} GiB, above the limit of "
            f"{LARGEST_BYTES / 2**30:g} GiB: {fix}"
        )


def tabulate(records: ArrayLike, sizes: Sequence[int]) -> Integers:
    """Count the records (n, w) in a dense table (k_1, ..., k_w); one above 8 GiB is a ValueError."""
    cells = math.prod(sizes)
    check_bytes(cells, f"the dense table of sizes {tuple(sizes)}", "use a SparseTable of the observed records")
    codes = np.ravel_multi_index(check_records(records, sizes).T, tuple(sizes))
    return np.bincount(codes, minlength=cells).reshape(sizes)


def shares(records: ArrayLike, sizes: Sequence[int]) -> Floats:
    """Return the frequencies (k_1, ..., k_w) of the records (n, w); errors: see `tabulate`."""
    table = tabulate(records, sizes)
    return table / table.sum()


def marginals(table: Floats) -> list[Floats]:
    """Return the one-way marginal (k_j,) of each axis; reads the table twice, however many axes there are."""
    found = []
    for k in table.shape:
        rows = table.reshape(k, -1)
        found.append(rows.sum(axis=1))
        table = rows.sum(axis=0)
    return found


def product(marginals: Sequence[Floats]) -> Floats:
    """Return the joint table (k_1, ..., k_w) of independent attributes with these marginals."""
    joint = np.ones(())
    for frequencies in marginals:
        joint = np.multiply.outer(joint, frequencies)
    return joint


LARGEST_WAYS = 20
LARGEST_KEY = 2**60  # of a record in 64 bits; above, only the records that occur are numbered


@dataclass(frozen=True, eq=False)
class SparseTable:
    """Distinct reported records, `rows` (m, w), and how often each was reported, `counts` (m,).

    A table of all cells of their domains need not fit into memory.
    """

    rows: Integers
    counts: Integers
    sizes: tuple[int, ...]

    @classmethod
    def from_records(cls, records: ArrayLike, sizes: Sequence[int]) -> SparseTable:
        """Tabulate records (n, w) of codes; memory grows with n only."""
        rows, counts = np.unique(check_records(records, sizes), axis=0, return_counts=True)
        return cls(rows, counts, tuple(sizes))

    @property
    def n(self) -> int:
        return int(self.counts.sum())

    def estimate(self, cells: ArrayLike, mechanisms: Sequence[GRR]) -> Floats:
        """Unbiased joint frequencies (c,) of `cells` (c, w), the same as those of `castell`.

        More than 20 attributes are a ValueError.
        """
        cells = check_records(cells, self.sizes)
        w = len(self.sizes)
        if w > LARGEST_WAYS:
            raise ValueError(f"w={w} attributes need 2^{w} marginals: estimate at most {LARGEST_WAYS} at once")
        total = np.zeros(len(cells))
        for kept in chain.from_iterable(combinations(range(w), size) for size in range(w + 1)):
            weight = math.prod(-mechanisms[j].q_support for j in range(w) if j not in kept)
            total += weight * self._matching(cells, kept)
        return total / (self.n * math.prod(grr.gap for grr in mechanisms))

    def _matching(self, cells: Integers, kept: tuple[int, ...]) -> Integers:
        if not kept:
            return np.full(len(cells), self.n)
        stacked = np.concatenate([self.rows[:, kept], cells[:, kept]])
        group = np.zeros(len(stacked), dtype=np.int64)
        for column, j in enumerate(kept):
            if group.max() * self.sizes[j] > LARGEST_KEY:
                group = np.unique(group, return_inverse=True)[1]
            group = group * self.sizes[j] + stacked[:, column]
        group = np.unique(group, return_inverse=True)[1]
        reports = np.bincount(group[: len(self.rows)], weights=self.counts, minlength=group.max() + 1)
        return reports[group[len(self.rows) :]]
