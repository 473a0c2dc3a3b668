"""Pearson correlations of the codes of records, from their contingency tables."""

from __future__ import annotations

import numpy as np

from corrldp.mechanisms.pure import Floats
from corrldp.protocols.records import RecordTable


def correlations(table: RecordTable) -> Floats:
    """Correlations (runs, d, d) of the codes of each data set of a table."""
    weights = np.atleast_2d(table.counts) / table.n
    centred = table.rows[None] - (weights @ table.rows)[:, None]
    covariance = np.einsum("rm,rmi,rmj->rij", weights, centred, centred)
    deviations = np.sqrt(np.diagonal(covariance, axis1=1, axis2=2))
    return covariance / (deviations[:, :, None] * deviations[:, None, :])


def correlations_of(codes: np.ndarray) -> Floats:
    """Correlations (d, d) of the columns of codes (n, d)."""
    return np.corrcoef(codes, rowvar=False)
