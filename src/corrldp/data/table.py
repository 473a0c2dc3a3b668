"""An aligned table of records: integer codes of attributes with public domains."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import DTypeLike, NDArray

from corrldp.arrays import Integers
from corrldp.domain import Domain

ENCODINGS = ("recipe", "alphabetical")
LARGEST_TABLE = 2**30  # cells of eight bytes


@dataclass(frozen=True, eq=False)
class Table:
    """Records as codes.

    Parameters
    ----------
    codes : (n, d) integers
        Code of each record's value of each attribute.
    names : (d,)
        Names of the attributes.
    values : (d,)
        Values of each attribute, in the order of their codes.
    standin : bool
        Whether the records are a stand-in because the real data could not be obtained.
    """

    codes: Integers
    names: tuple[str, ...]
    values: tuple[tuple[str, ...], ...]
    standin: bool = False

    def __array__(self, dtype: DTypeLike | None = None, copy: bool | None = None) -> NDArray[np.generic]:
        """Return the codes (n, d), so that a table is taken wherever records are."""
        return np.array(self.codes, dtype=dtype, copy=copy)

    @property
    def n(self) -> int:
        """Number of records."""
        return len(self.codes)

    @property
    def d(self) -> int:
        """Number of attributes."""
        return len(self.names)

    @property
    def sizes(self) -> tuple[int, ...]:
        """Domain sizes (d,)."""
        return tuple(map(len, self.values))

    @property
    def domain(self) -> Domain:
        """Names of the attributes and of their values, for a collection."""
        return Domain(self.names, self.values)

    def place(self, name: str) -> int:
        """Return the column of an attribute.

        Raises
        ------
        ValueError
            There is no such attribute.
        """
        if name not in self.names:
            raise ValueError(f"no attribute {name!r}; there are {', '.join(self.names)}")
        return self.names.index(name)

    def subset(self, attributes: Sequence[str | int]) -> Table:
        """Return the given attributes of all records, by name or column, in the given order."""
        columns = [name if isinstance(name, int) else self.place(name) for name in attributes]
        return replace(
            self,
            codes=self.codes[:, columns],
            names=tuple(self.names[column] for column in columns),
            values=tuple(self.values[column] for column in columns),
        )

    def records(self, rows: slice | Integers) -> Table:
        """Return all attributes of the given records."""
        return replace(self, codes=self.codes[rows])

    def counts(self, attributes: Sequence[str | int] | None = None) -> Integers:
        """Count the records in every cell (k_1, ..., k_w) of some attributes, or of all.

        Raises
        ------
        ValueError
            The table is larger than 8 GiB.
        """
        view = self if attributes is None else self.subset(attributes)
        size = math.prod(view.sizes)
        if size > LARGEST_TABLE:
            raise ValueError(
                f"the table of {', '.join(view.names)} has {size:,} cells, {size / 2**27:,.1f} GiB, above the limit of "
                f"{LARGEST_TABLE / 2**27:g} GiB: take fewer attributes"
            )
        cells = np.ravel_multi_index(tuple(view.codes.T), view.sizes)
        return np.bincount(cells, minlength=size).reshape(view.sizes)

    def encode(self, encoding: str) -> Table:
        """Return the same records with codes in the order of the recipe, or in alphabetical order of the values.

        Raises
        ------
        ValueError
            The encoding is unknown.
        """
        if encoding not in ENCODINGS:
            raise ValueError(f"encoding={encoding!r} must be one of {', '.join(ENCODINGS)}")
        if encoding == "recipe":
            return self
        ranks = [np.argsort(np.argsort(values)) for values in self.values]
        codes = np.column_stack([rank[self.codes[:, j]] for j, rank in enumerate(ranks)])
        return replace(self, codes=codes, values=tuple(tuple(sorted(values)) for values in self.values))
