"""Castell's collection of whole records: GRR on every attribute, from which all joint tables can be estimated."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import ArrayLike

from corrldp.arrays import Floats
from corrldp.mechanisms.grr import GRR
from corrldp.protocols.castell.inversion import apply_axes, castell, inverse_pair
from corrldp.protocols.castell.tables import check_bytes, shares
from corrldp.protocols.estimates import Estimate, Key, Tally
from corrldp.protocols.protocol import RecordProtocol
from corrldp.protocols.records import check_records
from corrldp.protocols.smp import SPL


@dataclass(frozen=True)
class Castell(SPL):
    """RR-Ind-Joint with the budget of a whole record, divided evenly over the attributes (Castell paper, Algorithm 3).

    Users report as in SPL with GRR, and single frequencies are estimated as there; the reports also give an unbiased
    estimate of the joint table of any attributes.
    """

    name = "Castell"
    oracles = ()

    oracle: str = field(default="GRR", init=False)

    def randomizers(self, attributes: Sequence[int]) -> list[GRR]:
        """Return the GRR of each of some attributes."""
        return [GRR(self.epsilon_per_attribute, self.sizes[j]) for j in attributes]

    def estimate_joint(self, reports: ArrayLike, attributes: Sequence[int]) -> Floats:
        """Unbiased joint frequencies (k_1, ..., k_w) of some attributes from the `reports` (n, d).

        An attribute that is unknown or named twice, or a table above 8 GiB, is a ValueError.
        """
        columns = check_attributes(attributes, self.d)
        observed = shares(check_records(reports, self.sizes)[:, columns], [self.sizes[j] for j in columns])
        return castell(observed, self.randomizers(columns))

    def tally(self, reports: ArrayLike) -> Tally:
        """Count whole reports, so that joint tables can be estimated."""
        return RecordProtocol.tally(self, reports)

    def admits(self, key: Key) -> bool:
        return RecordProtocol.admits(self, key)

    def possible(self, tally: Tally) -> bool:
        return RecordProtocol.possible(self, tally)

    def estimate_from(self, tally: Tally) -> Estimate:
        support = np.zeros((self.d, max(self.sizes)), dtype=np.int64)
        rows, counts = tally.check().rows()
        for j, column in enumerate(rows.T):
            np.add.at(support[j], column, counts)
        return self.estimate_from_support(support, tally.n)

    def estimate_joint_from(self, tally: Tally, attributes: Sequence[int]) -> Estimate:
        """Estimate by RR-Ind-Joint; a cell's error follows from the spread of what single reports contribute to it."""
        columns = check_attributes(attributes, self.d)
        sizes = tuple(self.sizes[j] for j in columns)
        check_bytes(int(np.prod(sizes, dtype=object)), f"the joint table of sizes {sizes}", "take fewer attributes")
        rows, counts = tally.check().rows()
        observed = np.zeros(sizes)
        np.add.at(observed, tuple(rows[:, columns].T), counts / tally.n)
        mechanisms = self.randomizers(columns)
        estimate = castell(observed, mechanisms)
        squares = [(a * a + 2 * a * b, b * b) for a, b in map(inverse_pair, mechanisms)]
        spread = apply_axes(observed.copy(), squares) - estimate**2
        return Estimate(estimate, np.sqrt(np.maximum(spread, 0) / max(tally.n - 1, 1)), tally.n)


def check_attributes(attributes: Sequence[int], d: int) -> list[int]:
    """Return attribute numbers, or raise ValueError unless they are distinct and in 0, ..., d - 1."""
    columns = list(attributes)
    whole = all(isinstance(j, int | np.integer) for j in columns)
    if not columns or not whole or len(set(columns)) != len(columns) or not all(0 <= j < d for j in columns):
        raise ValueError(f"attributes={attributes} must be distinct attributes of 0..{d - 1}, at least one")
    return columns
