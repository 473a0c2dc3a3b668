"""Building blocks of count-level laws: exact in distribution, at a cost that does not grow with the users."""

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from corrldp.mechanisms.grr import GRR

Integers = NDArray[np.int64]

# numpy draws hypergeometric numbers only from smaller populations.
LARGEST_POPULATION = 10**9


def draw_without_replacement(counts: Integers, size: int | Integers, rng: np.random.Generator) -> Integers:
    """Choose `size` of the users at random: how many come from each class.

    The classes are halved again and again: how many of a node's chosen users are in its left half is
    hypergeometric, so a draw takes log2(m) vectorised steps.

    Parameters
    ----------
    counts : (draws, m)
        Users in each class.
    size : int or (draws,)
        Number of users to choose.

    Returns
    -------
    (draws, m) users chosen from each class.

    Raises
    ------
    ValueError
        There are fewer users than `size`, or 10^9 and more.
    """
    draws, m = counts.shape
    levels = [np.pad(counts, ((0, 0), (0, (1 << (m - 1).bit_length()) - m)))]
    while levels[-1].shape[1] > 1:
        levels.append(levels[-1].reshape(draws, -1, 2).sum(axis=2))
    totals, sizes = levels[-1][:, 0], np.broadcast_to(size, draws)
    impossible = np.flatnonzero((sizes < 0) | (sizes > totals) | (totals >= LARGEST_POPULATION))
    if impossible.size:
        first = impossible[0]
        raise ValueError(
            f"size={sizes[first]} of n={totals[first]} users must satisfy 0 <= size <= n < {LARGEST_POPULATION}"
        )
    chosen = sizes[:, None]
    for level in reversed(levels[:-1]):
        left = rng.hypergeometric(level[:, ::2], level[:, 1::2], chosen)
        chosen = np.stack([left, chosen - left], axis=2).reshape(draws, -1)
    return chosen[:, :m]


def grr_reports(counts: Integers, mechanism: GRR, rng: np.random.Generator) -> Integers:
    """Count the reports of each value, (..., k), of users who have it `counts` (..., k) times."""
    return rng.multinomial(counts, mechanism.channel()).sum(axis=-2)


def perturb_axes(tables: Integers, mechanisms: Sequence[GRR], rng: np.random.Generator) -> Integers:
    """Draw the tables of reports of users counted in `tables` (runs, k_1, ..., k_d): one axis after the other."""
    for j, grr in enumerate(mechanisms):
        values_last = np.moveaxis(tables, j + 1, -1)
        tables = np.moveaxis(grr_reports(values_last, grr, rng), -1, j + 1)
    return tables
