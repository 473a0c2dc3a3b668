"""Exact errors of Corr-RR and Cond-RR, given what their second phase has learned."""

import numpy as np

from corrldp.protocols.two_phase import first_users


def error_with_channels(protocol, table, channels, group=slice(None)):
    """Expected squared error (d, k) of Corr-RR or Cond-RR in a group of attributes, given channels (d, d, k, k).

    A user of the second phase contributes something with mean m = (Pr[Y_j = v] - q) / Delta, not 1[x_j = v]. The error
    has the bias of m, the variance of the reports of both phases, and that of the draw of n1 of n users.
    """
    grr, n, rows = protocol.mechanism, table.n, table.rows[:, group]
    n1 = first_users(n, protocol.phase1_fraction)
    n2, weights, given_value = n - n1, table.counts / n, grr.channel() @ channels
    laws = np.mean([of[:, values] for of, values in zip(given_value, rows.T, strict=True)], axis=0)
    laws = laws.transpose(1, 0, 2)
    off = (laws - grr.q_support) / grr.gap - np.eye(grr.k)[rows]
    bias, square, variance = (np.tensordot(weights, of, 1) for of in (off, off**2, laws * (1 - laws)))
    reports = (n1 * n * protocol.spl.expected_mse(table)[group] + n2 * variance / grr.gap**2) / n**2
    return (n2 / n * bias) ** 2 + reports + n1 * n2 / max(n - 1, 1) * (square - bias**2) / n**2
