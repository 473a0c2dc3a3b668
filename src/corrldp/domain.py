"""Names of attributes and of their values, as documents and tables have them."""

from __future__ import annotations

import math
from bisect import bisect
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise

from corrldp.arrays import in_short, plain

Answer = str | float
"""The name of a value, or a number that falls into a bin."""


@dataclass(frozen=True)
class Domain:
    """What the codes of a record mean: the `names` (d,) of the attributes, and those of the values of each, in order.

    If the values of an attribute are bins of a number, `bins` has their increasing bounds, those behind them aside. A
    number counts in the bin that it begins or lies in; beyond all bounds, in the first or last one. Names that are no
    texts, empty or there twice, fewer than two values of an attribute, or bounds that do not fit are a ValueError.
    """

    names: tuple[str, ...]
    values: tuple[tuple[str, ...], ...]
    bins: tuple[tuple[float, ...], ...] = ()

    def __post_init__(self) -> None:
        _check_texts(self.names, "names of attributes")
        if not isinstance(self.values, tuple | list):
            raise ValueError(f"values={in_short(self.values)} must be a list of values for each attribute")
        if len(self.names) != len(self.values):
            raise ValueError(f"{len(self.names)} attributes have {len(self.values)} lists of values: give one for each")
        for name, values in zip(self.names, self.values, strict=True):
            _check_texts(values, f"values of {in_short(name)}")
            if len(values) < 2:
                raise ValueError(f"values of {in_short(name)}, {in_short(values)}, must be at least two")
        object.__setattr__(self, "names", tuple(self.names))
        object.__setattr__(self, "values", tuple(map(tuple, self.values)))
        bins = plain(self.bins) or ((),) * len(self.names)
        if not isinstance(bins, tuple | list) or len(bins) != len(self.names):
            raise ValueError(f"bins={in_short(bins)} must be bounds, or none, for each of the attributes")
        checked = (_bounds(*one) for one in zip(self.names, self.values, bins, strict=True))
        object.__setattr__(self, "bins", tuple(checked))

    @property
    def sizes(self) -> tuple[int, ...]:
        return tuple(map(len, self.values))

    def codes(self, record: Mapping[str, Answer]) -> list[int]:
        """Return the codes (d,) of a record, given the value, or number, of each attribute; others are left out.

        A missing attribute or an unknown value is a ValueError.
        """
        missing = [name for name in self.names if name not in record]
        if missing:
            raise ValueError(f"the record {in_short(dict(record))} must have {in_short(missing[0])}")
        attributes = zip(self.names, self.values, self.bins, strict=True)
        return [_code(name, record[name], values, bounds) for name, values, bounds in attributes]

    def describe(self) -> list[dict[str, object]]:
        """Return what documents have; `of` is the inverse."""
        entries = zip(self.names, self.values, self.bins, strict=True)
        return [
            {"name": name, "values": list(values), **({"bins": list(bins)} if bins else {})}
            for name, values, bins in entries
        ]

    @classmethod
    def of(cls, content: object, sizes: Sequence[int]) -> Domain | None:
        """Read what a document says about attributes of these domain sizes, None if nothing; if unfit, a ValueError."""
        if content is None:
            return None
        if not isinstance(content, list) or not all(_is_entry(entry) for entry in content):
            raise ValueError(f"attributes={in_short(content)} must be a list, each with name and values")
        names, values = (tuple(entry[key] for entry in content) for key in ("name", "values"))
        found = cls(names, values, tuple(entry.get("bins", ()) for entry in content))
        return found.check(sizes)

    def check(self, sizes: Sequence[int]) -> Domain:
        """Return the domain, or raise ValueError unless it has these sizes."""
        if self.sizes != tuple(sizes):
            raise ValueError(f"the attributes have {self.sizes} values, but the protocol's sizes are {tuple(sizes)}")
        return self


def _is_entry(entry: object) -> bool:
    keys = {"name", "values"}
    return isinstance(entry, dict) and keys <= set(entry) <= {*keys, "bins"} and isinstance(entry["values"], list)


def _code(name: str, value: object, values: tuple[str, ...], bounds: tuple[float, ...]) -> int:
    if isinstance(value, str) and value in values:
        return values.index(value)
    number = _number(value) if bounds else math.nan
    if math.isnan(number):
        what = "a number, or " if bounds else ""
        raise ValueError(f"{name}: {in_short(value)} must be {what}one of {in_short(', '.join(values))}")
    return min(max(bisect(bounds, number), 1), len(bounds) - 1) - 1


def _number(value: object) -> float:
    """Return a number, or what a text says; NaN if it is none, or infinite."""
    number = plain(value)
    if isinstance(number, bool) or not isinstance(number, str | int | float):
        return math.nan
    try:
        found = float(number)
    except (ValueError, OverflowError):
        return math.nan
    return found if math.isfinite(found) else math.nan


def _bounds(name: str, values: Sequence[str], bounds: object) -> tuple[float, ...]:
    found = plain(bounds)
    if isinstance(found, tuple | list) and not found:
        return ()
    numbers = [] if not isinstance(found, tuple | list) or any(isinstance(one, str) for one in found) else found
    exact = tuple(map(_number, numbers))
    if not 2 <= len(exact) <= len(values) + 1 or not all(low < high for low, high in pairwise(exact)):
        raise ValueError(
            f"bins of {in_short(name)}, {in_short(found)}, must be 2 to {len(values) + 1} increasing numbers"
        )
    return exact


def _check_texts(found: object, what: str) -> None:
    if not isinstance(found, tuple | list):
        raise ValueError(f"{what}, {in_short(found)}, must be a list of texts")
    if not all(isinstance(text, str) and text for text in found) or len(set(found)) != len(found):
        raise ValueError(f"{what}, {in_short(list(found))}, must be different texts, none empty")
