"""Phase II of Corr-RR and Cond-RR: report a pivot by GRR and synthesise all other attributes from that report.

Throughout, `channels` (d, d, k, k) or (runs, d, d, k, k) contains, for pivot s and attribute j, the law
Pr[Y_j = v | Y_s = u] in row u, column v of `channels[..., s, j, :, :]`. A pivot's own channel is the identity, so
that the pivot needs no special case.
"""

import numpy as np

from corrldp.arrays import Floats, Integers
from corrldp.mechanisms.grr import GRR
from corrldp.protocols.records import Population


def copy_channels(copy: Floats, k: int) -> Floats:
    """Channels (..., d, d, k, k) of Corr-RR: repeat the pivot's report, or take another value uniformly.

    The attribute of the column copies the pivot of the row with probability `copy` (..., d, d), 1 on the diagonal.
    """
    copy = np.asarray(copy, dtype=float)[..., None, None]
    return np.where(np.eye(k, dtype=bool), copy, (1 - copy) / (k - 1))


def privatize(records: Integers, mechanism: GRR, channels: Floats, rng: np.random.Generator) -> Integers:
    """Perturb: reports (n, d) of users with `records` (n, d), each with a pivot drawn uniformly."""
    n, d = records.shape
    users, pivots = np.arange(n), rng.integers(d, size=n)
    pivot_reports = mechanism.privatize(records[users, pivots], rng)
    return np.column_stack([draw_rows(channels[pivots, j, pivot_reports], rng) for j in range(d)])


def draw_rows(laws: Floats, rng: np.random.Generator) -> Integers:
    """Draw one value from each of the laws (n, k)."""
    below = np.cumsum(laws[:, :-1], axis=1)
    return (rng.random((len(laws), 1)) >= below).sum(axis=1)


def simulate(table: Population, mechanism: GRR, channels: Floats, rng: np.random.Generator) -> Integers:
    """Draw the counts (runs, d, k) of the reports, with `channels` (runs, d, d, k, k) for each run.

    Who draws which pivot depends on whole records. Given the reports of the pivots, those of the other attributes
    are independent of each other and multinomial.
    """
    runs = len(channels)
    pivot_reports = mechanism.perturb_counts(table.draw_one_attribute(runs, rng), rng)
    return np.einsum("rsjuv->rjv", rng.multinomial(pivot_reports[:, :, None, :], channels))


def record_channel(mechanism: GRR, channels: Floats) -> Floats:
    """Pr[report | record] of whole records (k^d, k^d), both in the order of `numpy.ravel_multi_index`."""
    d, k = channels.shape[0], mechanism.k
    records = np.column_stack(np.unravel_index(np.arange(k**d), (k,) * d))
    total = np.zeros((k**d, k**d))
    for s in range(d):
        given_pivot = np.ones((k, 1))
        for channel in channels[s]:  # of one attribute after the other
            given_pivot = (given_pivot[:, :, None] * channel[:, None, :]).reshape(k, -1)
        total += (mechanism.channel() @ given_pivot)[records[:, s]]
    return total / d
