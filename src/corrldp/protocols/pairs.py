"""Counts of the pairs of values in SPL's reports, from which a collector learns joint distributions."""

import numpy as np

from corrldp.arrays import Integers
from corrldp.mechanisms.grr import GRR
from corrldp.protocols.counting import perturb_axes
from corrldp.protocols.records import RecordTable
from corrldp.protocols.spl import SPL

# The count level keeps a table of all possible records for every run.
LARGEST_DOMAIN = 20_000


def reported_pairs(reports: Integers, sizes: tuple[int, ...]) -> Integers:
    """Count the pairs of values of each pair of attributes, (d, d, k, k), in reports (n, d); all sizes are k."""
    d, k = len(sizes), sizes[0]
    pairs = np.zeros((d, d, k, k), dtype=np.int64)
    for s in range(d):
        for j in range(d):
            pairs[s, j] = np.bincount(reports[:, s] * k + reports[:, j], minlength=k * k).reshape(k, k)
    return pairs


def simulate_pairs(table: RecordTable, spl: SPL, runs: int, rng: np.random.Generator) -> Integers:
    """Draw the counts of the pairs of values of each pair of attributes, (runs, d, d, k, k), in SPL's reports by GRR.

    The table of all possible records is perturbed attribute by attribute.

    Raises
    ------
    ValueError
        There are too many possible records.
    """
    tables = dense(table.rows, table.counts_of(runs), table.sizes)
    mechanisms = [GRR(spl.epsilon_per_attribute, k) for k in spl.sizes]
    return pair_counts(perturb_axes(tables, mechanisms, rng))


def marginals_of_pairs(pairs: Integers) -> Integers:
    """Return the counts (..., d, k) of single values: the diagonals of each attribute's pairs with itself."""
    return np.einsum("...jjuu->...ju", pairs)


def dense(rows: Integers, counts: Integers, sizes: tuple[int, ...]) -> Integers:
    """Contingency tables (runs, k_1, ..., k_d) from `rows` (m, d), which may repeat, and `counts` (runs, m)."""
    cells = int(np.prod(sizes, dtype=float))
    if cells > LARGEST_DOMAIN:
        raise ValueError(f"sizes={sizes} allow {cells} records, above {LARGEST_DOMAIN}: use the user level instead")
    table = np.zeros((len(counts), cells), dtype=np.int64)
    cells_of_rows = np.asarray(np.ravel_multi_index(tuple(rows.T), sizes))
    for row, cell in enumerate(cells_of_rows.tolist()):
        table[:, cell] += counts[:, row]
    return table.reshape(len(counts), *sizes)


def pair_counts(tables: Integers) -> Integers:
    """Count the pairs of values of each pair of attributes, (runs, d, d, k, k), in tables (runs, k, ..., k)."""
    runs, *sizes = tables.shape
    d, k = len(sizes), sizes[0]
    pairs = np.zeros((runs, d, d, k, k), dtype=np.int64)
    for s in range(d):
        for j in range(s, d):
            joint = tables.sum(axis=tuple(axis + 1 for axis in range(d) if axis not in (s, j)))
            pairs[:, s, j] = joint if s != j else joint[:, :, None] * np.eye(k, dtype=np.int64)
            pairs[:, j, s] = np.swapaxes(pairs[:, s, j], 1, 2)
    return pairs
