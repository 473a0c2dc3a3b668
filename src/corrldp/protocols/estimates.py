"""Estimated frequencies as users see them: by attribute and value, with errors, without padding."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from corrldp.arrays import Floats, in_short
from corrldp.domain import Domain
from corrldp.extras import require
from corrldp.protocols.tally import Estimate

if TYPE_CHECKING:
    import pandas as pd

Name = str | int
"""A name or, where there are none, a number from 0 on."""


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

    Parameters
    ----------
    raw : Estimate
        What a protocol made of the reports, (d, K).
    sizes : (d,)
        Domain sizes.
    domain : Domain, optional
        Names of attributes and values; without it both are numbers.
    repaired : (d, K), optional
        The frequencies after post-processing.
    """

    raw: Estimate
    sizes: tuple[int, ...]
    domain: Domain | None = None
    repaired: Floats | None = None

    @property
    def n(self) -> int:
        """Number of reports."""
        return self.raw.n

    @property
    def attributes(self) -> Sequence[Name]:
        """Names of the attributes (d,)."""
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
        return replace(self, repaired=self.raw.postprocess(how))

    def rows(self, level: float = 0.95) -> Iterator[Row]:
        """Yield a row for each value of each attribute."""
        columns = (self.frequencies, self.standard_errors, *self.interval(level))
        for j, attribute in enumerate(self.attributes):
            numbers = zip(*(column[j].tolist() for column in columns), strict=True)
            for value, (frequency, error, low, high) in zip(self.values(attribute), numbers, strict=True):
                yield Row(attribute, value, frequency, error, low, high)

    def to_frame(self, level: float = 0.95) -> pd.DataFrame:
        """Return the rows as a data frame of pandas, which the extra `report` has."""
        require("report", "a data frame")
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
