"""Contingency tables of all ordered pairs of attributes, and matrices of measures of them."""

from collections import defaultdict
from collections.abc import Callable, Iterator, Mapping, Sequence
from itertools import pairwise, permutations
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from corrldp.arrays import Floats, Integers

Pair = tuple[int, int]
Tables = Mapping[Pair, Integers]

BLOCK = 2**11  # records counted at a time, whose indicators a cache holds, and by floats of 24 digits without an error


def contingency_tables(codes: ArrayLike, sizes: Sequence[int]) -> dict[Pair, Integers]:
    """Count the pairs of values, {(k, j): (sizes[k], sizes[j])} for all k != j, in records (n, d) of codes.

    Rows are attribute k's values. Codes that do not fit the domain `sizes` (d,) are a ValueError.
    """
    codes, starts = np.asarray(codes), np.cumsum([0, *sizes])
    if codes.ndim != 2 or codes.shape[1] != len(sizes):
        raise ValueError(f"codes of shape {codes.shape} must be (n, {len(sizes)}), a column per domain size")
    if (codes < 0).any() or (codes >= np.asarray(sizes)).any():
        raise ValueError(f"codes reach {codes.max(axis=0)} but must lie in 0..k-1 for sizes {sizes}: recode them")
    counts = np.zeros((starts[-1], starts[-1]), dtype=np.int64)
    for first in range(0, len(codes), BLOCK):
        block = codes[first : first + BLOCK]
        indicators = np.zeros((len(block), starts[-1]), dtype=np.float32)
        indicators.ravel()[np.arange(0, indicators.size, starts[-1])[:, None] + (block + starts[:-1])] = 1
        counts += (indicators.T @ indicators).astype(np.int64)
    within = [slice(start, stop) for start, stop in pairwise(starts)]
    return {(k, j): counts[within[k], within[j]] for k, j in permutations(range(len(sizes)), 2)}


def leakage_matrix(tables: Mapping[Pair, ArrayLike], measure: Callable[[Floats], Floats]) -> Floats:
    """Apply a measure to the table {(k, j): (m_k, m_j)} of each ordered pair of attributes, k attacked through j.

    The result (d, d) is zero on the diagonal. The measure maps a stack (P, m, t) to (P,) and is called once for all
    tables of one shape.
    """
    attributes = 1 + max(max(pair) for pair in tables)
    matrix = np.zeros((attributes, attributes))
    for places, stack in stacked(tables):
        matrix[places] = measure(stack)
    return matrix


def stacked(tables: Mapping[Pair, ArrayLike]) -> Iterator[tuple[tuple[Integers, Integers], NDArray[Any]]]:
    """Yield, for each shape of tables, their indices (k, j), (P,) each, and their stack (P, m, t)."""
    groups: dict[tuple[int, ...], list[Pair]] = defaultdict(list)
    for pair, table in tables.items():
        groups[np.shape(table)].append(pair)
    for pairs in groups.values():
        about, by = np.transpose(pairs)
        yield (about, by), np.stack([tables[pair] for pair in pairs])
