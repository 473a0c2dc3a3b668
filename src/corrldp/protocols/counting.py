"""Building blocks of count-level laws: exact in distribution, at a cost that does not grow with the users."""

from collections.abc import Sequence

import numpy as np

from corrldp.mechanisms.grr import GRR
from corrldp.protocols.records import Integers, RecordTable

# numpy draws hypergeometric numbers only from smaller populations.
LARGEST_POPULATION = 10**9


def draw_without_replacement(counts: Integers, size: int, rng: np.random.Generator) -> Integers:
    """Choose `size` of the users at random: how many come from each class.

    The classes are halved again and again: how many of a node's chosen users are in its left half is
    hypergeometric, so a draw takes log2(m) vectorised steps.

    Parameters
    ----------
    counts : (runs, m)
        Users in each class, with one sum in all runs.
    size : int
        Number of users to choose.

    Returns
    -------
    (runs, m) users chosen from each class.

    Raises
    ------
    ValueError
        There are fewer users than `size`, or 10^9 and more.
    """
    runs, m = counts.shape
    n = int(counts[0].sum())
    if not 0 <= size <= n < LARGEST_POPULATION:
        raise ValueError(f"size={size} of n={n} users must satisfy 0 <= size <= n < {LARGEST_POPULATION}")
    levels = [np.pad(counts, ((0, 0), (0, (1 << (m - 1).bit_length()) - m)))]
    while levels[-1].shape[1] > 1:
        levels.append(levels[-1].reshape(runs, -1, 2).sum(axis=2))
    chosen = np.full((runs, 1), size, dtype=np.int64)
    for level in reversed(levels[:-1]):
        left = rng.hypergeometric(level[:, ::2], level[:, 1::2], chosen)
        chosen = np.stack([left, chosen - left], axis=2).reshape(runs, -1)
    return chosen[:, :m]


def draw_one_attribute(table: RecordTable, runs: int, rng: np.random.Generator) -> Integers:
    """Let each user draw one attribute uniformly: (runs, d, K) users with each value who drew the attribute.

    The attributes are dealt one after the other. Once those who drew attribute j are known, the value of j matters no
    more for all others, so that records that agree from attribute j + 1 on are merged: the tables shrink.
    """
    drawn = np.zeros((runs, table.d, max(table.sizes)), dtype=np.int64)
    order, firsts, tails = table.tails
    users = np.add.reduceat(table.counts_of(runs)[:, order], firsts, axis=1)
    for j, blocks in enumerate(tails):
        chosen = rng.binomial(users, 1 / (table.d - j))
        most = max(int(rests.max()) for _, _, rests in blocks)
        others, users = users - chosen, np.zeros((runs, most + 1), dtype=np.int64)
        for value, block, rests in blocks:
            drawn[:, j, value] = chosen[:, block].sum(axis=1)
            users[:, rests] += others[:, block]
    return drawn


def grr_reports(counts: Integers, mechanism: GRR, rng: np.random.Generator) -> Integers:
    """Count the reports of each value, (..., k), of users who have it `counts` (..., k) times."""
    return rng.multinomial(counts, mechanism.channel()).sum(axis=-2)


def perturb_axes(tables: Integers, mechanisms: Sequence[GRR], rng: np.random.Generator) -> Integers:
    """Draw the tables of reports of users counted in `tables` (runs, k_1, ..., k_d): one axis after the other."""
    for j, grr in enumerate(mechanisms):
        values_last = np.moveaxis(tables, j + 1, -1)
        tables = np.moveaxis(grr_reports(values_last, grr, rng), -1, j + 1)
    return tables
