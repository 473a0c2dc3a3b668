"""Contingency tables, which must fit into memory, and how to undo their randomisation.

Three ways invert independent randomisation, with equal results (Castell paper, Section III-C.3 and Table II). Each
takes the observed table (k_1, ..., k_w) of counts or frequencies and the mechanism of each axis, and returns the
unbiased estimate of the true table, in the same unit. `castell` needs products of a table with one matrix a I + b J per
axis, as the channels of GRR and their inverses are: neighbouring axes are grouped while their product matrix stays
small, so the table is read and written once per group of axes, in blocks that fit the processor's cache.
"""

import math
from collections.abc import Callable, Sequence
from functools import lru_cache, reduce
from itertools import pairwise

import numpy as np
from numpy.typing import ArrayLike

from corrldp.arrays import Floats, Integers, kronecker
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
    """Count the records (n, w) in a table (k_1, ..., k_w); one above 8 GiB is a ValueError."""
    cells = math.prod(sizes)
    check_bytes(cells, f"the table of sizes {tuple(sizes)}", "take fewer attributes at once")
    codes = np.ravel_multi_index(check_records(records, sizes).T, tuple(sizes))
    return np.bincount(codes, minlength=cells).reshape(sizes)


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
    return reduce(np.multiply.outer, marginals, np.ones(()))


def naive(table: Floats, mechanisms: Sequence[GRR]) -> Floats:
    """Build the product of the channels and invert it (Eq. 3); a matrix above 8 GiB is a ValueError."""
    _check_matrix(table.size)
    channel = kronecker(grr.channel() for grr in mechanisms)
    return (np.linalg.inv(channel).T @ table.ravel()).reshape(table.shape)


def reduced(table: Floats, mechanisms: Sequence[GRR]) -> Floats:
    """Build the product of the inverted channels (Eq. 4); a matrix above 8 GiB is a ValueError."""
    _check_matrix(table.size)
    inverse = kronecker(np.linalg.inv(grr.channel()) for grr in mechanisms)
    return (inverse.T @ table.ravel()).reshape(table.shape)


def castell(table: Floats, mechanisms: Sequence[GRR]) -> Floats:
    """Invert axis by axis (Algorithm 3), with the closed form (I - q J) / gap of the inverse channel of GRR.

    Time is linear in cells and axes; memory is one table of doubles.
    """
    return _applied(table, mechanisms, inverse_pair)


def expected_table(table: Floats, mechanisms: Sequence[GRR]) -> Floats:
    """Return the expected randomised table of a population with `table`."""
    return _applied(table, mechanisms, channel_pair)


def _applied(table: Floats, mechanisms: Sequence[GRR], pair: Callable[[GRR], "Pair"]) -> Floats:
    sizes = tuple(grr.k for grr in mechanisms)
    if np.shape(table) != sizes:
        raise ValueError(f"table of shape {np.shape(table)} must be {sizes}: one axis per mechanism")
    return apply_axes(np.array(table, dtype=float, order="C"), [pair(grr) for grr in mechanisms])


def _check_matrix(cells: int) -> None:
    check_bytes(cells**2, f"the aggregated matrix of {cells:,} cells", "use castell, which needs the table only")


WIDEST_GROUP = 32
BLOCK = 1 << 15  # cells worked on at a time

Pair = tuple[float, float]


def inverse_pair(grr: GRR) -> Pair:
    """Return (a, b) of the inverse channel a I + b J: (1 / gap, -q / gap)."""
    return 1 / grr.gap, -grr.q_support / grr.gap


def channel_pair(grr: GRR) -> Pair:
    """Return (a, b) of the channel a I + b J: (gap, q)."""
    return grr.gap, grr.q_support


def apply_axes(table: Floats, pairs: Sequence[Pair]) -> Floats:
    """Multiply axis j of `table` (k_1, ..., k_w) by a_j I + b_j J, in place; time linear in cells and axes.

    The matrices are symmetric, so left and right multiplication agree.
    """
    if not table.flags.c_contiguous or table.dtype != np.float64:
        raise ValueError("the table must be a C-contiguous array of doubles: it is changed in place")
    for first, stop in groups(table.shape):
        width = math.prod(table.shape[first:stop])
        view = table.reshape(-1, width, math.prod(table.shape[stop:]))
        if width > WIDEST_GROUP:
            _apply_one(view, pairs[first])
        else:
            _apply_group(view, _product(table.shape[first:stop], tuple(pairs[first:stop])))
    return table


def groups(sizes: Sequence[int]) -> list[tuple[int, int]]:
    """Divide the axes into runs whose joint domain is small enough for one product matrix."""
    borders, width = [0], 1
    for axis, size in enumerate(sizes):
        if width * size > WIDEST_GROUP and axis > borders[-1]:
            borders.append(axis)
            width = 1
        width *= size
    return list(pairwise([*borders, len(sizes)]))


@lru_cache(maxsize=1024)
def _product(sizes: tuple[int, ...], pairs: tuple[Pair, ...]) -> Floats:
    """Return the product matrix of a group of axes; an estimate of many marginals needs the same one often."""
    return kronecker(a * np.eye(k) + b for k, (a, b) in zip(sizes, pairs, strict=True))


def _apply_group(view: Floats, matrix: Floats) -> None:
    """Multiply the middle axis of `view` (before, width, after) by a small symmetric matrix, in place."""
    before, width, after = view.shape
    if after == 1:
        rows = view[:, :, 0]
        step = max(1, BLOCK // width)
        for start in range(0, before, step):
            rows[start : start + step] = rows[start : start + step] @ matrix
        return
    step, stride = _steps(view)
    for start in range(0, before, step):
        for column in range(0, after, stride):
            block = view[start : start + step, :, column : column + stride]
            block[...] = matrix @ block


def _apply_one(view: Floats, pair: Pair) -> None:
    a, b = pair
    weights = np.full(view.shape[1], b)
    step, stride = _steps(view)
    for start in range(0, view.shape[0], step):
        for column in range(0, view.shape[2], stride):
            block = view[start : start + step, :, column : column + stride]
            total = weights @ block  # faster than a sum along the axis
            block *= a
            block += total[:, None]


def _steps(view: Floats) -> tuple[int, int]:
    _, width, after = view.shape
    return max(1, BLOCK // (width * after)), max(64, BLOCK // width)


def perturb_axes(tables: Integers, mechanisms: Sequence[GRR], rng: np.random.Generator) -> Integers:
    """Draw the tables of reports of users counted in `tables` (runs, k_1, ..., k_d), axis by axis."""
    for j, grr in enumerate(mechanisms):
        values_last = np.moveaxis(tables, j + 1, -1)
        tables = np.moveaxis(grr.perturb_counts(values_last, rng), -1, j + 1)
    return tables
