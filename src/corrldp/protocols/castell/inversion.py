"""Three ways to invert independent randomisation, with equal results (Castell paper, Section III-C.3 and Table II).

Each takes the observed table (k_1, ..., k_w) of counts or frequencies and the mechanism of each axis, and returns the
unbiased estimate of the true table, in the same unit.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from corrldp.arrays import Floats
from corrldp.mechanisms.grr import GRR
from corrldp.protocols.castell.axes import apply_axes, channel_pair, inverse_pair
from corrldp.protocols.castell.tables import check_bytes
from corrldp.protocols.kronecker import kronecker


def naive(table: Floats, mechanisms: Sequence[GRR]) -> Floats:
    """Build the product of the channels and invert it (Eq. 3).

    Raises
    ------
    ValueError
        The matrix is larger than 8 GiB.
    """
    _check_matrix(table.size)
    channel = kronecker(grr.channel() for grr in mechanisms)
    return (np.linalg.inv(channel).T @ table.ravel()).reshape(table.shape)


def reduced(table: Floats, mechanisms: Sequence[GRR]) -> Floats:
    """Build the product of the inverted channels (Eq. 4).

    Raises
    ------
    ValueError
        The matrix is larger than 8 GiB.
    """
    _check_matrix(table.size)
    inverse = kronecker(np.linalg.inv(grr.channel()) for grr in mechanisms)
    return (inverse.T @ table.ravel()).reshape(table.shape)


def castell(table: Floats, mechanisms: Sequence[GRR]) -> Floats:
    """Invert axis by axis (Algorithm 3), with the closed form (I - q J) / gap of the inverse channel of GRR.

    Time is linear in cells and axes; memory is one table of doubles.
    """
    _check_table(table, mechanisms)
    return apply_axes(np.array(table, dtype=float, order="C"), [inverse_pair(grr) for grr in mechanisms])


def expected_table(table: Floats, mechanisms: Sequence[GRR]) -> Floats:
    """Return the expected randomised table of a population with `table`."""
    _check_table(table, mechanisms)
    return apply_axes(np.array(table, dtype=float, order="C"), [channel_pair(grr) for grr in mechanisms])


def _check_table(table: Floats, mechanisms: Sequence[GRR]) -> None:
    sizes = tuple(grr.k for grr in mechanisms)
    if np.shape(table) != sizes:
        raise ValueError(f"table of shape {np.shape(table)} must be {sizes}: one axis per mechanism")
    check_bytes(np.size(table), f"the table of sizes {sizes}", "estimate single cells with a SparseTable")


def _check_matrix(cells: int) -> None:
    check_bytes(cells**2, f"the aggregated matrix of {cells:,} cells", "use castell, which needs the table only")
