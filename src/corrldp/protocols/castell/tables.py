"""Contingency tables with one axis per attribute, and the refusal of those that memory cannot hold."""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np
from numpy.typing import ArrayLike, NDArray

from corrldp.mechanisms.pure import Floats
from corrldp.protocols.records import Integers, check_records

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


def marginal(table: NDArray, axis: int) -> NDArray:
    """Return the one-way marginal (k,) of one axis."""
    return table.sum(axis=tuple(other for other in range(table.ndim) if other != axis))


def product(marginals: Sequence[Floats]) -> Floats:
    """Return the joint table (k_1, ..., k_w) of independent attributes with these marginals."""
    joint = np.ones(())
    for frequencies in marginals:
        joint = np.multiply.outer(joint, frequencies)
    return joint


def cramers_v(table: ArrayLike) -> float:
    """Cramer's V of a two-way table of counts or frequencies (Castell paper, Section II-B); 0 for a constant attribute.

    Raises
    ------
    ValueError
        The table is not two-way, or has a negative cell.
    """
    table = np.asarray(table, dtype=float)
    if table.ndim != 2 or table.min() < 0 or table.sum() == 0:
        raise ValueError(f"Cramer's V needs a two-way table of counts >= 0, found shape {table.shape}")
    joint = table / table.sum()
    expected = np.outer(joint.sum(axis=1), joint.sum(axis=0))
    possible = expected > 0
    excess = ((joint - expected)[possible] ** 2 / expected[possible]).sum()
    occurring = min((joint.sum(axis=1) > 0).sum(), (joint.sum(axis=0) > 0).sum())
    return math.sqrt(excess / (min(table.shape) - 1)) if occurring > 1 else 0.0
