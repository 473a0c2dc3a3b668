"""How the reports of a protocol are written as JSON, counted, and turned into an estimate with its errors.

What a server keeps is a `Tally`: integers by key, so that merging is addition, exact and in any order.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections import Counter
from collections.abc import Sequence
from typing import Any

import numpy as np

from corrldp.arrays import Integers
from corrldp.protocols.collection.coding import Report
from corrldp.protocols.collection.estimate import Estimate

Key = tuple[int, ...]
Tally = Counter[Key]
LARGEST_TABLE = 10**9
NO_REPORT = "no reports: an estimate needs at least 1"


class Tallier(ABC):
    """Counts reports of one protocol.

    Parameters
    ----------
    protocol : RecordProtocol
        The protocol.
    """

    def __init__(self, protocol: Any) -> None:  # noqa: ANN401
        self.protocol = protocol

    @abstractmethod
    def encode(self, reports: Any) -> list[Report]:  # noqa: ANN401
        """Return the JSON of each user's report, given what `privatize` returned."""

    @abstractmethod
    def decode(self, reports: Sequence[Report]) -> Any:  # noqa: ANN401
        """Return n >= 1 reports as `privatize` returns them; a report that nobody can send is a ValueError."""

    @abstractmethod
    def count(self, reports: Any) -> Tally:  # noqa: ANN401
        """Count the reports that `privatize` returned."""

    @abstractmethod
    def fits(self, key: Key) -> bool:
        """Whether a tally may have this key."""

    def totals(self, tally: Tally) -> list[int]:
        """Return sums of counts that must all be the number of reports."""
        return []

    def possible(self, tally: Tally, n: int) -> bool:
        """Whether `n` reports can have this tally."""
        return all(total == n for total in self.totals(tally))

    @abstractmethod
    def estimate(self, tally: Tally, n: int) -> Estimate:
        """Estimate from the tally of `n` >= 1 reports."""

    def estimate_joint(self, tally: Tally, n: int, attributes: Sequence[int]) -> Estimate:
        """Estimate the joint table of some attributes; only Castell's and LoPub's reports are kept whole."""
        raise ValueError(f"{type(self.protocol).__name__} keeps no joint counts: use Castell or LoPub")


def tally_of(support: Integers) -> Tally:
    """Return the positive counts of an array by index."""
    return Counter({tuple(place.tolist()): int(support[tuple(place)]) for place in np.argwhere(support)})


def support_of(tally: Tally, sizes: Sequence[int]) -> Integers:
    """Return the counts (d, K) of the keys (j, v), 0 beyond a domain."""
    support = np.zeros((len(sizes), max(sizes)), dtype=np.int64)
    for key, count in tally.items():
        if len(key) == 2:
            support[key] = count
    return support


def expanded(rows: Integers, tally: Tally) -> Integers:
    """Return the rows (n, width) of single reports, from distinct rows and their counts in the order of the tally.

    Raises
    ------
    ValueError
        The rows have more than 10^9 numbers.
    """
    if tally.total() * rows.shape[1] > LARGEST_TABLE:
        raise ValueError(f"{tally.total()} whole reports are too many for this estimate: add up fewer")
    return np.repeat(rows, list(tally.values()), axis=0)


def is_cell(key: Key, sizes: Sequence[int]) -> bool:
    """Whether a key (j, v) names a value of an attribute."""
    return len(key) == 2 and 0 <= key[0] < len(sizes) and 0 <= key[1] < sizes[key[0]]
