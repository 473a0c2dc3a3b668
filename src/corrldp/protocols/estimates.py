"""The state of a server, integers by key, and what it estimates from them: frequencies with errors."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, NamedTuple, TypeVar

import numpy as np
from numpy.typing import NDArray

from corrldp.arrays import Floats, Integers, in_short
from corrldp.domain import Domain
from corrldp.mechanisms.validation import check_share
from corrldp.protocols.postprocess import postprocess

if TYPE_CHECKING:
    import pandas as pd

Scalar = TypeVar("Scalar", bound=np.generic)
Key = tuple[int, ...]
LARGEST_TABLE = 10**9

Name = str | int
"""A name or, where there are none, a number from 0 on."""


@dataclass
class Tally:
    """Counts of `n` reports by key, such as value v of attribute j, (j, v): merging is addition, exact in any order."""

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

        More than 10^9 numbers are a ValueError.
        """
        if self.n * rows.shape[1] > LARGEST_TABLE:
            raise ValueError(f"{self.n} whole reports are too many for this estimate: add up fewer")
        return np.repeat(rows, list(self.counts.values()), axis=0)


@dataclass(frozen=True, eq=False)
class Estimate:
    """Frequencies estimated from `n` reports, with standard errors from these reports alone.

    Both are (d, K), NaN beyond a domain, or a joint table (k_1, ..., k_w). The frequencies are not post-processed, so
    they may lie outside [0, 1]. The errors, roots of estimated mean squared errors, are infinite if nothing was
    reported, NaN if unknown.
    """

    frequencies: Floats
    standard_errors: Floats
    n: int

    def interval(self, level: float = 0.95) -> tuple[Floats, Floats]:
        """Lower and upper ends, each as `frequencies` and in [0, 1], of intervals that cover with probability `level`.

        The normal approximation holds for each frequency alone, with some hundreds of reports or more.
        """
        from scipy.special import ndtri  # here, since most programs never need it and it takes long to import

        level = check_share(level, "level")
        reach = float(ndtri((1 + level) / 2)) * self.standard_errors
        lower, upper = self.frequencies - reach, self.frequencies + reach
        return np.clip(lower, 0, 1), np.clip(upper, 0, 1)


class Row(NamedTuple):
    """The estimate of one frequency, and an interval for it."""

    attribute: Name
    value: Name
    frequency: float
    standard_error: float
    low: float
    high: float


@dataclass(frozen=True, eq=False)
class Estimates:
    """The estimated frequency of each value of each attribute, with standard errors.

    It is what a protocol made of the reports, `raw` (d, K), with the domain sizes, names of attributes and values
    (numbers without a `domain`), and the frequencies `repaired` by post-processing, if any.
    """

    raw: Estimate
    sizes: tuple[int, ...]
    domain: Domain | None = None
    repaired: Floats | None = None

    @property
    def n(self) -> int:
        return self.raw.n

    @property
    def attributes(self) -> Sequence[Name]:
        return range(len(self.sizes)) if self.domain is None else self.domain.names

    def values(self, attribute: Name) -> Sequence[Name]:
        """Names of the values of an attribute."""
        j = self._place(attribute)
        return range(self.sizes[j]) if self.domain is None else self.domain.values[j]

    @property
    def frequencies(self) -> list[Floats]:
        """The frequencies (k_j,) of each attribute."""
        return self._cut(self.raw.frequencies if self.repaired is None else self.repaired)

    @property
    def standard_errors(self) -> list[Floats]:
        """The standard errors (k_j,) of each attribute, before post-processing."""
        return self._cut(self.raw.standard_errors)

    def interval(self, level: float = 0.95) -> tuple[list[Floats], list[Floats]]:
        """Lower and upper ends (k_j,) of intervals, before post-processing; see `Estimate.interval`."""
        lower, upper = self.raw.interval(level)
        return self._cut(lower), self._cut(upper)

    def __getitem__(self, attribute: Name) -> dict[Name, float]:
        """Return the frequency of each value of an attribute, given its name or its number."""
        j = self._place(attribute)
        return dict(zip(self.values(attribute), self.frequencies[j].tolist(), strict=True))

    def postprocess(self, how: str) -> Estimates:
        """Return the estimates after a method of `corrldp.protocols.postprocess`; errors stay those from before."""
        return replace(self, repaired=postprocess(self.raw.frequencies, how, self.raw.standard_errors))

    def rows(self, level: float = 0.95) -> Iterator[Row]:
        """Yield a row for each value of each attribute."""
        columns = (self.frequencies, self.standard_errors, *self.interval(level))
        for j, attribute in enumerate(self.attributes):
            numbers = zip(*(column[j].tolist() for column in columns), strict=True)
            for value, (frequency, error, low, high) in zip(self.values(attribute), numbers, strict=True):
                yield Row(attribute, value, frequency, error, low, high)

    def to_frame(self, level: float = 0.95) -> pd.DataFrame:
        """Return the rows as a data frame of pandas, which the extra `report` has."""
        from corrldp.extras import require  # which reads metadata

        require("report", "a data frame", "pandas")
        import pandas as pd  # only here, since a server needs numpy and scipy only

        return pd.DataFrame(list(self.rows(level)), columns=list(Row._fields))

    def _cut(self, padded: Floats) -> list[Floats]:
        return [np.asarray(row[:k]) for row, k in zip(padded, self.sizes, strict=True)]

    def _place(self, attribute: Name) -> int:
        if self.domain is not None and attribute in self.domain.names:
            return self.domain.names.index(str(attribute))
        if isinstance(attribute, int) and 0 <= attribute < len(self.sizes):
            return attribute
        names = ", ".join(map(str, self.attributes))
        raise KeyError(f"no attribute {in_short(attribute)}; there are {in_short(names)}")
