"""Repairs of estimated tables that are not distributions: projection, or maximum likelihood from the start."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from corrldp.arrays import Floats
from corrldp.mechanisms.grr import GRR
from corrldp.protocols.castell.inversion import apply_axes, channel_pair
from corrldp.protocols.postprocess import simplex


def project_to_simplex(estimate: Floats) -> Floats:
    """Return the distribution nearest to `estimate` (any shape) in Euclidean distance; see `postprocess.simplex`."""
    return simplex(estimate.ravel()).reshape(estimate.shape)


def iterative_bayesian_update(
    observed: Floats, mechanisms: list[GRR], iterations: int = 200, tolerance: float = 1e-4
) -> Floats:
    """Maximum-likelihood distribution (k_1, ..., k_w) of the observed frequencies by EM, from the uniform one.

    Parameters
    ----------
    observed : (k_1, ..., k_w)
        Frequencies of the reports.
    mechanisms : list of GRR
        The randomizer of each axis.
    iterations, tolerance
        Stop after this many steps, or when no cell changes by more than the tolerance times the largest cell.
    """
    pairs = [channel_pair(grr) for grr in mechanisms]

    def update(law: Floats) -> Floats:
        return law * apply_axes(observed / apply_axes(law.copy(), pairs), pairs)

    return until_stable(update, np.full(observed.shape, 1 / observed.size), iterations, tolerance)


def until_stable(update: Callable[[Floats], Floats], law: Floats, iterations: int, tolerance: float) -> Floats:
    """Repeat the step `update` of EM on a distribution.

    Stop after this many `iterations`, or when no cell changes by more than the `tolerance` times the largest cell.
    """
    for _ in range(iterations):
        updated = update(law)
        change = np.abs(updated - law).max()
        law = updated
        if change <= tolerance * law.max():
            break
    return law
