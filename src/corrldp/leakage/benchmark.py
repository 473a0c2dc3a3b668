"""How well estimated leakages or frequencies match their reference (Section V of the CPL paper)."""

import numpy as np
from numpy.typing import ArrayLike

from corrldp.arrays import Floats, plain_arguments
from corrldp.leakage.total import total_correlation_leakage
from corrldp.mechanisms.validation import check_epsilon


def off_diagonal(matrix: ArrayLike) -> Floats:
    """Off-diagonal entries (d (d - 1),) of a (d, d) matrix, row by row."""
    matrix = np.asarray(matrix, dtype=float)
    return matrix[~np.eye(len(matrix), dtype=bool)]


@plain_arguments
def undershoot(estimates: ArrayLike, reference: ArrayLike, epsilon: float) -> float:
    """Mean shortfall of estimated CPLs (q,) below the reference (q,), in units of the budget epsilon (Eq. 21)."""
    difference = np.asarray(reference, dtype=float) - np.asarray(estimates, dtype=float)
    return float(np.maximum(difference, 0).mean() / check_epsilon(epsilon))


def overshoot(estimates: ArrayLike, reference: ArrayLike, epsilon: float) -> float:
    """Mean excess of estimated CPLs (q,) above the reference (q,), in units of the budget epsilon (Eq. 21)."""
    return undershoot(reference, estimates, epsilon)


def normalised_total(matrix: ArrayLike, reference: ArrayLike) -> float:
    """TCPL of a leakage matrix (d, d) over that of the reference matrix (d, d) (Eq. 22)."""
    return total_correlation_leakage(matrix) / total_correlation_leakage(reference)


def nmse(estimates: ArrayLike, reference: ArrayLike) -> Floats:
    """Squared error of estimates (..., q) over the squared norm of the reference (q,) (Eqs. 23 and 29)."""
    reference = np.asarray(reference, dtype=float)
    return ((np.asarray(estimates, dtype=float) - reference) ** 2).sum(axis=-1) / (reference**2).sum(axis=-1)
