"""The truncated scheme: no cell above the estimates of its lower-dimensional marginals (Castell paper, III-E)."""

from __future__ import annotations

import numpy as np

from corrldp.arrays import Floats
from corrldp.mechanisms.grr import GRR
from corrldp.protocols.castell.inversion import castell


def truncated(observed: Floats, mechanisms: list[GRR]) -> Floats:
    """Algorithm 4 as printed: negative cells become 0, then the raw (w - 1)-way estimates are upper limits.

    Those limits may be negative, and then so is the result. A single attribute is only clipped.
    """
    estimate = np.maximum(castell(observed, mechanisms), 0)
    if observed.ndim > 1:
        for axis in range(observed.ndim):
            limit = castell(observed.sum(axis=axis), mechanisms[:axis] + mechanisms[axis + 1 :])
            estimate = np.minimum(estimate, np.expand_dims(limit, axis))
    return estimate


def truncated_in_order(observed: Floats, mechanisms: list[GRR]) -> Floats:
    """Apply inequality (8) as intended: limit the marginals of every dimension, from one up, by valid limits.

    Every marginal estimate lies between 0 and the smallest of its own marginals, so the result lies in [0, 1].
    """
    known: dict[tuple[int, ...], Floats] = {(): np.ones(())}

    def limited(axes: tuple[int, ...]) -> Floats:
        if axes not in known:
            left_out = tuple(axis for axis in range(observed.ndim) if axis not in axes)
            raw = castell(observed.sum(axis=left_out), [mechanisms[axis] for axis in axes])
            limits = [np.expand_dims(limited(axes[:place] + axes[place + 1 :]), place) for place in range(len(axes))]
            known[axes] = np.minimum.reduce(np.broadcast_arrays(np.maximum(raw, 0), *limits))
        return known[axes]

    return limited(tuple(range(observed.ndim)))
