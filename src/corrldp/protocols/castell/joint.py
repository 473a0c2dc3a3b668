"""RR-Joint: the whole record as one value of a large domain (Castell paper, Section II-B.1)."""

from __future__ import annotations

import math
from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import ArrayLike

from corrldp.arrays import Floats, Integers
from corrldp.mechanisms.grr import GRR
from corrldp.protocols.castell.inversion import castell
from corrldp.protocols.castell.tables import shares
from corrldp.protocols.protocol import RecordProtocol
from corrldp.protocols.records import check_records


@dataclass(frozen=True)
class RRJoint(RecordProtocol):
    """GRR over the Cartesian product of the attributes.

    Parameters: see `RecordProtocol`.
    """

    epsilon: float
    sizes: tuple[int, ...]

    @cached_property
    def mechanism(self) -> GRR:
        """The randomizer of a record's number in the order of `numpy.ravel_multi_index`."""
        return GRR(self.epsilon, math.prod(self.sizes))

    def privatize(self, records: ArrayLike, rng: np.random.Generator) -> Integers:
        """Perturb the `records` (n, w) of users into reports (n, w)."""
        codes = np.ravel_multi_index(check_records(records, self.sizes).T, self.sizes)
        return np.column_stack(np.unravel_index(self.mechanism.privatize(codes, rng), self.sizes))

    def simulate(self, table: Integers, runs: int, rng: np.random.Generator) -> Integers:
        """Draw the table of reports (runs, k_1, ..., k_w) of users counted in `table` (k_1, ..., k_w); exact.

        GRR reports the truth with probability `gap`, and otherwise a value drawn uniformly from the whole domain.
        """
        kept = rng.binomial(np.broadcast_to(table.ravel(), (runs, table.size)), self.mechanism.gap)
        lost = int(table.sum()) - kept.sum(axis=1)
        drawn = rng.multinomial(lost, np.full(table.size, 1 / table.size))
        return (kept + drawn).reshape(runs, *self.sizes)

    def channel(self) -> Floats:
        """Pr[report | record], records in the order of `numpy.ravel_multi_index`."""
        return self.mechanism.channel()

    def unbias(self, observed: Floats) -> Floats:
        """Unbiased joint frequencies from observed ones, both (k_1, ..., k_w) (Eq. 1)."""
        return castell(observed.ravel(), [self.mechanism]).reshape(self.sizes)

    def estimate(self, reports: ArrayLike) -> Floats:
        """Joint frequencies (k_1, ..., k_w) from `reports` (n, w)."""
        return self.unbias(shares(reports, self.sizes))
