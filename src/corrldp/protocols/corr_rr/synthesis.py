"""Phase II of Corr-RR and Cond-RR: report a pivot by GRR and synthesise all other attributes from that report.

Throughout, `channels` (d, d, k, k) or (runs, d, d, k, k) contains, for pivot s and attribute j, the law
Pr[Y_j = v | Y_s = u] in row u, column v of `channels[..., s, j, :, :]`. A pivot's own channel is the identity, so
that the pivot needs no special case.
"""

import numpy as np

from corrldp.arrays import Floats, Integers
from corrldp.mechanisms.grr import GRR
from corrldp.protocols.records import Population, RecordTable


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


def report_laws(rows: Integers, mechanism: GRR, channels: Floats) -> Floats:
    """Pr[Y_j = v] for users with the records `rows` (m, d): (m, d, k)."""
    d = rows.shape[1]
    given_value = mechanism.channel() @ channels
    return sum(given_value[s][:, rows[:, s]] for s in range(d)).transpose(1, 0, 2) / d


def expected_mse(table: RecordTable, n1: int, first_variance: Floats, mechanism: GRR, channels: Floats) -> Floats:
    """Exact expected squared error of each combined frequency (d, k), for given `channels` (d, d, k, k) and any d.

    The estimate is a mean over users: a user of the first phase contributes something with mean 1[x_j = v], one of the
    second with mean m = (Pr[Y_j = v] - q) / Delta. The error has a bias from the second phase, the variance of the
    reports of both phases (`first_variance` (d, k) were all users in the first), and the variance of the draw of n1 of
    n users without replacement.
    """
    n, n2 = table.n, table.n - n1
    weights = table.counts / n
    laws = report_laws(table.rows, mechanism, channels)
    means = (laws - mechanism.q_support) / mechanism.gap
    truth = np.stack(table.indicators, axis=1)
    difference = means - truth
    bias = np.tensordot(weights, difference, axes=(-1, 0))
    spread = np.tensordot(weights, difference**2, axes=(-1, 0)) - bias**2
    second_variance = np.tensordot(weights, laws * (1 - laws), axes=(-1, 0)) / mechanism.gap**2
    of_reports = (n1 * n * first_variance + n2 * second_variance) / n**2
    of_split = n1 * n2 / max(n - 1, 1) * spread / n**2
    return (n2 / n * bias) ** 2 + of_reports + of_split


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
