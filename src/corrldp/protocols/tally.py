"""The state of a server, integers by key, and its result, estimates with their errors."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import TypeVar

import numpy as np
from numpy.typing import NDArray

from corrldp.arrays import Floats, Integers
from corrldp.mechanisms.validation import check_share
from corrldp.protocols.postprocess import postprocess

Scalar = TypeVar("Scalar", bound=np.generic)
Key = tuple[int, ...]
LARGEST_TABLE = 10**9


@dataclass
class Tally:
    """Counts of reports, so that merging is addition: exact, and in any order.

    Parameters
    ----------
    n : int
        Reports.
    counts : Counter
        How many of them support each key, such as value v of attribute j, (j, v).
    """

    n: int = 0
    counts: Counter[Key] = field(default_factory=Counter)

    @classmethod
    def of_support(cls, support: Integers, n: int) -> Tally:
        """Count the positive numbers of an array (d, K) by index."""
        return cls(n, Counter({(j, v): int(support[j, v]) for j, v in np.argwhere(support).tolist()}))

    @classmethod
    def of_rows(cls, rows: Integers) -> Tally:
        """Count equal rows (n, d)."""
        distinct, counts = np.unique(rows, axis=0, return_counts=True)
        return cls(len(rows), Counter(dict(zip(map(tuple, distinct.tolist()), counts.tolist(), strict=True))))

    def __add__(self, other: Tally) -> Tally:
        return Tally(self.n + other.n, self.counts + other.counts)

    def update(self, other: Tally) -> None:
        """Add the counts of another tally to this one."""
        self.n += other.n
        self.counts.update(other.counts)

    def check(self) -> Tally:
        """Return the tally, or raise ValueError if it has no reports."""
        if not self.n:
            raise ValueError("no reports: an estimate needs at least 1")
        return self

    def support(self, sizes: Sequence[int]) -> Integers:
        """Return the counts (d, K) of the keys (j, v), 0 beyond a domain."""
        support = np.zeros((len(sizes), max(sizes)), dtype=np.int64)
        for key, count in self.counts.items():
            if len(key) == 2:
                support[key] = count
        return support

    def rows(self) -> tuple[Integers, Integers]:
        """Return the distinct reports (m, d) and how many there are of each, (m,)."""
        return np.array(list(self.counts)), np.array(list(self.counts.values()))

    def expand(self, rows: NDArray[Scalar]) -> NDArray[Scalar]:
        """Return the rows (n, width) of single reports, given those (m, width) of the distinct ones.

        Raises
        ------
        ValueError
            The rows have more than 10^9 numbers.
        """
        if self.n * rows.shape[1] > LARGEST_TABLE:
            raise ValueError(f"{self.n} whole reports are too many for this estimate: add up fewer")
        return np.repeat(rows, list(self.counts.values()), axis=0)


@dataclass(frozen=True, eq=False)
class Estimate:
    """Estimated frequencies with standard errors, both from reports alone.

    Parameters
    ----------
    frequencies : (d, K) or (k_1, ..., k_w)
        Frequencies of each value of each attribute, NaN beyond a domain, or of each cell of a joint table. They are
        not post-processed, so they may lie outside [0, 1].
    standard_errors : as `frequencies`
        Root of the estimated mean squared error. Infinite if nothing was reported, NaN if the error is unknown.
    n : int
        Number of reports.
    """

    frequencies: Floats
    standard_errors: Floats
    n: int

    def interval(self, level: float = 0.95) -> tuple[Floats, Floats]:
        """Lower and upper ends, each as `frequencies` and in [0, 1], of intervals that cover with probability `level`.

        The normal approximation holds for each frequency alone, with some hundreds of reports or more.

        Raises
        ------
        ValueError
            The level is no number between 0 and 1.
        """
        from scipy.special import ndtri  # here, since most programs never need it and it takes long to import

        level = check_share(level, "level")
        reach = float(ndtri((1 + level) / 2)) * self.standard_errors
        lower, upper = self.frequencies - reach, self.frequencies + reach
        return np.clip(lower, 0, 1), np.clip(upper, 0, 1)

    def postprocess(self, how: str) -> Floats:
        """Return the frequencies after a method of `corrldp.protocols.postprocess`, which has the errors from here."""
        return postprocess(self.frequencies, how, self.standard_errors)
