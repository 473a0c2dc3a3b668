"""The second phase of Corr-RR or Cond-RR alone: its users need to know a channel for each pair of attributes."""

from __future__ import annotations

import math
from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import ArrayLike

from corrldp.arrays import Floats, Integers
from corrldp.mechanisms.grr import GRR
from corrldp.protocols.corr_rr import synthesis
from corrldp.protocols.guarantee import Guarantee
from corrldp.protocols.kronecker import check_channel
from corrldp.protocols.protocol import RecordProtocol
from corrldp.protocols.records import Population, check_population, check_records, check_runs

Channels = tuple[tuple[tuple[tuple[float, ...], ...], ...], ...]

LARGEST_DOMAIN = 2**20
"""Most reports that `PivotPhase.guarantee` enumerates."""


@dataclass(frozen=True)
class PivotPhase(RecordProtocol):
    """Report a pivot, drawn uniformly, by GRR, and synthesise all other attributes from its report.

    Estimates are biased unless the channels have the law of the data, see `synthesis.expected_mse`.

    Parameters
    ----------
    epsilon, sizes
        See `RecordProtocol`; all sizes are k.
    channels : (d, d, k, k) nested tuples
        Pr[Y_j = v | Y_s = u] for pivot s, attribute j, report u, value v; the identity for s = j.
    """

    fewest_attributes = 2

    epsilon: float
    sizes: tuple[int, ...]
    channels: Channels

    def __post_init__(self) -> None:
        super().__post_init__()
        shape, laws = (self.d, self.d, self.sizes[0], self.sizes[0]), self.laws
        if len(set(self.sizes)) != 1 or laws.shape != shape:
            raise ValueError(f"channels of shape {laws.shape} must be (d, d, k, k) for sizes={self.sizes}, all equal")
        if not (laws >= 0).all() or not np.allclose(laws.sum(axis=-1), 1, rtol=0, atol=1e-9):
            raise ValueError("every row of a channel must be probabilities that sum to 1")
        if any((laws[s, s] != np.eye(self.sizes[0])).any() for s in range(self.d)):
            raise ValueError("a pivot must repeat its own report: its channel is the identity")

    @classmethod
    def of(cls, epsilon: float, sizes: tuple[int, ...], channels: Floats) -> PivotPhase:
        """Build from an array of channels (d, d, k, k)."""
        return cls(epsilon, sizes, tuple(tuple(tuple(map(tuple, c)) for c in row) for row in channels.tolist()))

    @cached_property
    def laws(self) -> Floats:
        """The channels (d, d, k, k) as an array."""
        return np.array(self.channels, dtype=float)

    @cached_property
    def mechanism(self) -> GRR:
        """Randomizer of the pivot."""
        return GRR(self.epsilon, self.sizes[0])

    def privatize(self, records: ArrayLike, rng: np.random.Generator) -> Integers:
        """Perturb the `records` (n, d) of users into reports (n, d)."""
        return synthesis.privatize(check_records(records, self.sizes), self.mechanism, self.laws, rng)

    def estimate(self, reports: ArrayLike) -> Floats:
        """Frequencies (d, k) from the reports (n, d) of all users, biased."""
        reports = check_records(reports, self.sizes)
        return self.unbias(
            np.stack([np.bincount(column, minlength=self.sizes[0]) for column in reports.T]), len(reports)
        )

    def unbias(self, support: Integers, n: int) -> Floats:
        """Frequencies (..., d, k) from the counts (..., d, k) of each value in `n` reports."""
        return self.mechanism.unbias(support, n)

    def simulate(self, table: Population, runs: int, rng: np.random.Generator) -> Floats:
        """Draw estimates (runs, d, k) from their exact distribution."""
        check_population(table, self.sizes)
        check_runs(runs, None)
        channels = np.broadcast_to(self.laws, (runs, *self.laws.shape))
        return self.unbias(synthesis.simulate(table, self.mechanism, channels, rng), table.n)

    def channel(self) -> Floats:
        """Pr[report | record], both in the order of `numpy.ravel_multi_index`."""
        check_channel(self.sizes[0] ** self.d, self.sizes[0] ** self.d)
        return synthesis.record_channel(self.mechanism, self.laws)

    def guarantee(self) -> Guarantee:
        """Find the largest ratio for attribute j: no other attribute has its reported value.

        With e_s the probability that pivot s, given its report, has the others report what they do, it is
        1 + (p / q - 1) e_j / (e_1 + ... + e_d).
        """
        d, k = self.d, self.sizes[0]
        if k**d > LARGEST_DOMAIN:
            return Guarantee(self.epsilon, (self.epsilon,) * d, exact=False)
        reports = np.stack(np.unravel_index(np.arange(k**d), self.sizes), axis=1)
        explained = np.stack(
            [np.prod([self.laws[s, j, reports[:, s], reports[:, j]] for j in range(d)], axis=0) for s in range(d)]
        )
        possible = explained[:, explained.any(axis=0)]
        shares = (possible / possible.sum(axis=0)).max(axis=1)
        odds = math.expm1(self.epsilon)
        return Guarantee(self.epsilon, tuple(math.log1p(odds * float(share)) for share in shares))

    def bias(self, frequencies: Floats) -> Floats:
        """Bias (d, k) of the estimates if the frequencies are those given, (d, k)."""
        pivots = self.mechanism.q_support + self.mechanism.gap * frequencies
        reported = np.einsum("sv,sjvw->jw", pivots, self.laws) / self.d
        return (reported - self.mechanism.q_support) / self.mechanism.gap - frequencies
