"""Castell's collection of whole records: GRR on every attribute, from which all joint tables can be estimated."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import ArrayLike

from corrldp.arrays import Floats
from corrldp.mechanisms.grr import GRR
from corrldp.protocols.castell.inversion import castell
from corrldp.protocols.castell.tables import shares
from corrldp.protocols.records import check_records
from corrldp.protocols.spl import SPL


@dataclass(frozen=True)
class Castell(SPL):
    """RR-Ind-Joint with the budget of a whole record, divided evenly over the attributes (Castell paper, Algorithm 3).

    Users report as in SPL with GRR, and single frequencies are estimated as there; the reports also give an unbiased
    estimate of the joint table of any attributes.

    Parameters
    ----------
    epsilon, sizes
        See `RecordProtocol`.
    """

    oracle: str = field(default="GRR", init=False)

    def randomizers(self, attributes: Sequence[int]) -> list[GRR]:
        """Return the GRR of each of some attributes."""
        return [GRR(self.epsilon_per_attribute, self.sizes[j]) for j in attributes]

    def estimate_joint(self, reports: ArrayLike, attributes: Sequence[int]) -> Floats:
        """Unbiased joint frequencies (k_1, ..., k_w) of some attributes from the `reports` (n, d).

        Raises
        ------
        ValueError
            An attribute is unknown or named twice, or the table is larger than 8 GiB.
        """
        columns = check_attributes(attributes, self.d)
        observed = shares(check_records(reports, self.sizes)[:, columns], [self.sizes[j] for j in columns])
        return castell(observed, self.randomizers(columns))


def check_attributes(attributes: Sequence[int], d: int) -> list[int]:
    """Return attribute numbers, or raise ValueError unless they are distinct and in 0, ..., d - 1."""
    columns = list(attributes)
    whole = all(isinstance(j, int | np.integer) for j in columns)
    if not columns or not whole or len(set(columns)) != len(columns) or not all(0 <= j < d for j in columns):
        raise ValueError(f"attributes={attributes} must be distinct attributes of 0..{d - 1}, at least one")
    return columns
