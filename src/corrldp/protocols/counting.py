"""Building blocks of count-level simulation: exact in distribution, at a cost that does not grow with the users."""

from collections.abc import Sequence

import numpy as np

from corrldp.arrays import Integers
from corrldp.mechanisms.grr import GRR

# numpy draws hypergeometric numbers only for smaller populations.
LARGEST_POPULATION = 10**9

# With at most so many users per class, drawing for each user is cheaper than drawing for each class.
FEW_USERS = 8


def draw_without_replacement(counts: Integers, size: int | Integers, rng: np.random.Generator) -> Integers:
    """Choose `size`, a number or (draws,), of the users counted in classes (draws, m); count those from each class.

    The classes are halved repeatedly: the number of a node's chosen users in its left half is hypergeometric, so a draw
    takes log2(m) vectorised steps. If the classes have few users (`has_few_users`) and all draws have the same number
    of users and the same size, users are drawn instead. Fewer users than `size`, or 10^9 and more, are a
    ValueError.
    """
    totals, sizes = counts.sum(axis=1), np.broadcast_to(size, len(counts))
    impossible = np.flatnonzero((sizes < 0) | (sizes > totals) | (totals >= LARGEST_POPULATION))
    if impossible.size:
        first = impossible[0]
        raise ValueError(
            f"size={sizes[first]} of n={totals[first]} users must satisfy 0 <= size <= n < {LARGEST_POPULATION}"
        )
    classes = counts.shape[1]
    if np.ndim(size) == 0 and (totals == totals[0]).all() and has_few_users(totals[0], classes):
        return np.stack([_draw_users(of_draw, int(size), rng) for of_draw in counts])
    return _halve(counts, sizes, rng)


def _halve(counts: Integers, sizes: Integers, rng: np.random.Generator) -> Integers:
    draws, m = counts.shape
    levels = [np.zeros((draws, 1 << (m - 1).bit_length()), dtype=np.int64)]
    levels[0][:, :m] = counts
    while levels[-1].shape[1] > 1:
        levels.append(levels[-1][:, ::2] + levels[-1][:, 1::2])
    chosen = sizes[:, None]
    for level in reversed(levels[:-1]):
        halves = np.empty_like(level)
        halves[:, ::2] = rng.hypergeometric(level[:, ::2], level[:, 1::2], chosen)
        halves[:, 1::2] = chosen - halves[:, ::2]
        chosen = halves
    return chosen[:, :m]


def has_few_users(n: int, classes: int) -> bool:
    """Whether drawing for each of `n` users is cheaper than drawing for each class."""
    return n <= FEW_USERS * classes


def users_of(counts: Integers) -> Integers:
    """Return the class (n,) of each user, given the number of users in each class (m,)."""
    return np.repeat(np.arange(len(counts)), counts)


def _draw_users(counts: Integers, size: int, rng: np.random.Generator) -> Integers:
    return np.bincount(rng.choice(users_of(counts), size, replace=False, shuffle=False), minlength=len(counts))


def perturb_axes(tables: Integers, mechanisms: Sequence[GRR], rng: np.random.Generator) -> Integers:
    """Draw the tables of reports of users counted in `tables` (runs, k_1, ..., k_d), axis by axis."""
    for j, grr in enumerate(mechanisms):
        values_last = np.moveaxis(tables, j + 1, -1)
        tables = np.moveaxis(grr.perturb_counts(values_last, rng), -1, j + 1)
    return tables
