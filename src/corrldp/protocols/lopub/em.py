"""LoPub's joint distribution by expectation maximisation over all users' reports (Ren et al. 2018, Algorithm 1)."""

from __future__ import annotations

import math

import numpy as np

from corrldp.arrays import Bits, Floats
from corrldp.protocols.castell.repair import until_stable
from corrldp.protocols.castell.tables import check_bytes
from corrldp.protocols.lopub.bloom import BloomResponse

USERS_AT_A_TIME = 4096


def expectation_maximisation(
    lopub: BloomResponse,
    reports: list[Bits],
    start: Floats | None = None,
    iterations: int = 50,
    tolerance: float = 1e-3,
) -> Floats:
    """Maximum-likelihood distribution (k_1, ..., k_w) given the reports.

    Parameters
    ----------
    lopub : BloomResponse
        The protocol.
    reports : list of (n, bits)
        Every attribute's reported bits.
    start : (k_1, ..., k_w), optional
        Initial distribution, such as the Lasso's; uniform by default or if all 0. Cells at 0 would stay at 0, so 1 % of
        the uniform distribution is mixed in.
    iterations, tolerance
        Stop after this many steps, or when no cell changes by more than the tolerance times the largest cell.
    """
    cells, n = math.prod(lopub.sizes), len(reports[0])
    check_bytes(n * sum(lopub.sizes), "the users' likelihoods", "take fewer attributes at once")
    likelihoods = [_likelihood(lopub, bits, filters) for bits, filters in zip(reports, lopub.filters, strict=True)]
    law = np.full(cells, 1 / cells)
    if start is not None and start.any():
        law = 0.99 * start.ravel() / start.sum() + 0.01 * law

    def update(law: Floats) -> Floats:
        updated = np.zeros(cells)
        for first in range(0, n, USERS_AT_A_TIME):
            joint = _joint([part[first : first + USERS_AT_A_TIME] for part in likelihoods])
            updated += (1 / (joint @ law)) @ joint
        return updated * (law / n)

    return until_stable(update, law, iterations, tolerance).reshape(lopub.sizes)


def _likelihood(lopub: BloomResponse, bits: Bits, filters: Bits) -> Floats:
    """Likelihood (n, k) of each value given a user's bits, up to a factor per user."""
    odds = np.log((2 - lopub.flip) / lopub.flip)
    agreeing = (2.0 * bits - 1) @ (2.0 * filters.T - 1)
    logs = odds * agreeing / 2
    return np.exp(logs - logs.max(axis=1, keepdims=True))


def _joint(parts: list[Floats]) -> Floats:
    """Likelihood (users, k_1 ... k_w) of each combination of values."""
    joint = parts[0]
    for part in parts[1:]:
        joint = (joint[:, :, None] * part[:, None, :]).reshape(len(part), -1)
    return joint
