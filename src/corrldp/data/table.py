"""An aligned table of records: integer codes of attributes with public domains."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import DTypeLike, NDArray

from corrldp.arrays import Integers, as_array, check_bytes, in_short, is_integer
from corrldp.domain import Domain
from corrldp.mechanisms.validation import check_integer

ENCODINGS = ("recipe", "alphabetical")


def check_texts(texts: object, name: str) -> tuple[str, ...]:
    """Return texts as a tuple, or raise ValueError unless they are a list of texts."""
    if isinstance(texts, str) or not isinstance(texts, Sequence) or not all(isinstance(one, str) for one in texts):
        raise ValueError(f"{name}={in_short(texts)} must be a list of texts")
    return tuple(texts)


@dataclass(frozen=True, eq=False)
class Table:
    """Records as `codes` (n, d), the places of their values among the `values` of each attribute; its `names` are (d,).

    A `standin` is made up, because the real data could not be obtained. Parts that do not fit each other are a
    ValueError.
    """

    codes: Integers
    names: tuple[str, ...]
    values: tuple[tuple[str, ...], ...]
    standin: bool = False

    def __post_init__(self) -> None:
        codes = as_array(self.codes)
        if codes.ndim != 2 or not is_integer(codes):
            raise ValueError(f"codes of shape {codes.shape} and type {codes.dtype} must be (n, d) integers")
        if not isinstance(self.values, Sequence):
            raise ValueError(f"values={in_short(self.values)} must be lists of texts, one for each column")
        names, values = check_texts(self.names, "names"), tuple(check_texts(one, "values") for one in self.values)
        if not len(names) == len(values) == codes.shape[1] or len(set(names)) < len(names):
            raise ValueError(
                f"names={in_short(names)} and {len(values)} lists of values must be those of the {codes.shape[1]} "
                "columns of codes, each name once"
            )
        if codes.size and (codes.min() < 0 or (codes.max(axis=0) >= [len(known) for known in values]).any()):
            raise ValueError(f"codes span {codes.min()}..{codes.max()} but must be places in their columns' values")
        for name, value in (("codes", codes), ("names", names), ("values", values)):
            object.__setattr__(self, name, value)

    def __array__(self, dtype: DTypeLike | None = None, copy: bool | None = None) -> NDArray[np.generic]:
        """Return the codes (n, d), so that a table is taken wherever records are."""
        return np.array(self.codes, dtype=dtype, copy=copy)

    @property
    def n(self) -> int:
        return len(self.codes)

    @property
    def d(self) -> int:
        return len(self.names)

    @property
    def sizes(self) -> tuple[int, ...]:
        return tuple(map(len, self.values))

    @property
    def domain(self) -> Domain:
        return Domain(self.names, self.values)

    def place(self, name: str) -> int:
        """Return the column of an attribute; an unknown one is a ValueError."""
        if name not in self.names:
            raise ValueError(f"no attribute {in_short(name)}; there are {', '.join(self.names)}")
        return self.names.index(name)

    def subset(self, attributes: Sequence[str | int]) -> Table:
        """Return the given attributes of all records, by name or column, in the given order."""
        columns = [
            self.place(name) if isinstance(name, str) else check_integer(name, "attribute", 0, self.d - 1)
            for name in attributes
        ]
        return replace(
            self,
            codes=self.codes[:, columns],
            names=tuple(self.names[column] for column in columns),
            values=tuple(self.values[column] for column in columns),
        )

    def records(self, rows: slice | Integers) -> Table:
        """Return all attributes of the given records."""
        try:
            return replace(self, codes=self.codes[rows])
        except IndexError as error:
            raise ValueError(f"rows={in_short(rows)} must be a slice or places of the {self.n} records") from error

    def counts(self, attributes: Sequence[str | int] | None = None) -> Integers:
        """Count the records in every cell (k_1, ..., k_w) of some attributes, or of all; above 8 GiB, a ValueError."""
        view = self if attributes is None else self.subset(attributes)
        size = math.prod(view.sizes)
        check_bytes(size, f"the table of {', '.join(view.names)}", "take fewer attributes")
        cells = np.ravel_multi_index(tuple(view.codes.T), view.sizes)
        return np.bincount(cells, minlength=size).reshape(view.sizes)

    def encode(self, encoding: str) -> Table:
        """Return the records with codes in the order of the recipe or the alphabet; an unknown one is a ValueError."""
        if encoding not in ENCODINGS:
            raise ValueError(f"encoding={encoding!r} must be one of {', '.join(ENCODINGS)}")
        if encoding == "recipe":
            return self
        ranks = [np.argsort(np.argsort(values)) for values in self.values]
        codes = np.column_stack([rank[self.codes[:, j]] for j, rank in enumerate(ranks)])
        return replace(self, codes=codes, values=tuple(tuple(sorted(values)) for values in self.values))
