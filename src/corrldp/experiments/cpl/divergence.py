"""How far a mechanism is from epsilon-LDP: the smallest delta of Definition II.1 of the CPL paper."""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike


def delta_at(rows: ArrayLike, epsilon: float) -> float:
    """Smallest delta with which the rows (inputs, outputs) of a channel are (epsilon, delta)-LDP.

    The worst set of outputs for two inputs x, x' is that of all y with p(y|x) > e^epsilon p(y|x'), so no set has to be
    listed.
    """
    rows = np.asarray(rows, dtype=float)
    return float(np.maximum(rows[:, None] - np.exp(epsilon) * rows, 0).sum(axis=-1).max())
