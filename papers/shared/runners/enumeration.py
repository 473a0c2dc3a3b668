"""Exact moments of the second phase of Corr-RR for two attributes and a few users, by listing all outcomes."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any

import numpy as np

from corrldp.arrays import Floats, Integers
from corrldp.mechanisms.grr import GRR
from corrldp.protocols.corr_rr.synthesis import copy_channels, record_channel


@dataclass(frozen=True, eq=False)
class Pair:
    """Second-phase users with two attributes of one domain, whose marginals compare as `records_of` says of a `case`.

    The pivot, whichever attribute it is, is reported by the `mechanism` and copied with probability `p_y`.
    """

    case: str
    mechanism: GRR
    p_y: float

    @property
    def k(self) -> int:
        return self.mechanism.k

    @cached_property
    def records(self) -> Integers:
        """Records (n2, 2)."""
        return records_of(self.case, self.k)

    @property
    def n2(self) -> int:
        return len(self.records)

    @cached_property
    def frequencies(self) -> Floats:
        """Share (2, k) of the users with each value."""
        return np.stack([np.bincount(column, minlength=self.k) for column in self.records.T]) / self.n2

    @cached_property
    def reports(self) -> Floats:
        """Pr[Y_j = v] of each user, (n2, 2, k), from the channel of whole records."""
        copy = np.where(np.eye(2, dtype=bool), 1.0, self.p_y)
        return self.through(record_channel(self.mechanism, copy_channels(copy, self.k)))

    def through(self, channel: Floats) -> Floats:
        """Pr[Y_j = v] of each user, (n2, 2, k), for a channel (k^2, k^2) of whole records."""
        laws = channel[np.ravel_multi_index(self.records.T, (self.k, self.k))].reshape(self.n2, self.k, self.k)
        return np.stack([laws.sum(axis=2), laws.sum(axis=1)], axis=1)

    def error(self, j: int, v: int, *, fixed: bool = False) -> float:
        """Mean squared error of the estimated frequency of value v of attribute j.

        The users are drawn independently from the records, as in the papers' proofs; if `fixed`, they have exactly
        these records.
        """
        probabilities = self.reports[:, j, v]
        if not fixed:
            probabilities = np.full(self.n2, probabilities.mean())
        mean, variance = moments(probabilities, self.mechanism)
        return variance + (mean - self.frequencies[j, v]) ** 2

    def average_error(self, j: int) -> float:
        """Mean of `error` over the values of attribute j."""
        return float(np.mean([self.error(j, v) for v in range(self.k)]))

    def best_copy(self, j: int) -> float:
        """Return the stationary point in p_y of the enumerated average error of attribute j."""
        return stationary_point(lambda p_y: replace(self, p_y=p_y).average_error(j))

    def point(self, j: int, v: int | None = None) -> dict[str, Any]:
        """Return the setting columns of attribute j, or of its value v, without p_y."""
        equal = int(np.array_equal(*self.frequencies))
        columns = {"case": self.case, "n2": self.n2, "equal_marginals": equal, "attribute": j + 1}
        return columns if v is None else {**columns, "value": v}


def records_of(case: str, k: int) -> Integers:
    """Make the records (n2, 2) of k (k + 1) users whose first attribute has linearly falling frequencies.

    The marginal of the second attribute is the same ("equal"), reversed ("opposite"), or differs by one user ("near").
    The case "uniform" has every possible record once instead.
    """
    first = np.repeat(np.arange(k), 2 * np.arange(k, 0, -1))
    near = first.copy()
    near[-1] = 0
    if case == "uniform":
        return np.indices((k, k)).reshape(2, -1).T
    return np.column_stack([first, {"equal": first[::-1], "opposite": k - 1 - first, "near": near}[case]])


def moments(probabilities: Floats, mechanism: GRR) -> tuple[float, float]:
    """Mean and variance of GRR's estimate when user i reports a value with `probabilities` (n,), independently."""
    law = np.ones(1)
    for probability in probabilities:
        law = np.convolve(law, [1 - probability, probability])
    estimates = (np.arange(len(law)) / len(probabilities) - mechanism.q_support) / mechanism.gap
    mean = law @ estimates
    return float(mean), float(law @ (estimates - mean) ** 2)


def stationary_point(quadratic: Callable[[float], float]) -> float:
    """Return the stationary point of a quadratic function from its values at 0, 1/2 and 1."""
    at_0, at_half, at_1 = (quadratic(p_y) for p_y in (0.0, 0.5, 1.0))
    square, linear = 2 * (at_0 - 2 * at_half + at_1), 4 * at_half - 3 * at_0 - at_1
    return -linear / (2 * square)
