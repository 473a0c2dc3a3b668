"""Contingency tables with one axis per attribute; those that memory cannot hold are refused."""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np
from numpy.typing import ArrayLike

from corrldp.arrays import Floats, Integers
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
    """Count the records (n, w) in a dense table (k_1, ..., k_w).

    Raises
    ------
    ValueError
        A code is outside its domain, or the table is larger than 8 GiB.
    """
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
