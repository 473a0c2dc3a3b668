"""Names of attributes and of their values, as documents and tables have them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from corrldp.arrays import in_short


@dataclass(frozen=True)
class Domain:
    """What the codes of a record mean.

    Parameters
    ----------
    names : (d,)
        Names of the attributes, all different.
    values : (d,)
        Names of the values of each attribute, all different, in the order of their codes.

    Raises
    ------
    ValueError
        Something is no text, is empty or is there twice, or an attribute has fewer than two values.
    """

    names: tuple[str, ...]
    values: tuple[tuple[str, ...], ...]

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

    @property
    def sizes(self) -> tuple[int, ...]:
        """Domain sizes (d,)."""
        return tuple(map(len, self.values))

    def codes(self, record: Mapping[str, str]) -> list[int]:
        """Return the codes (d,) of a record, given the name of the value of each attribute; others are left out.

        Raises
        ------
        ValueError
            An attribute is missing, or its value is unknown.
        """
        missing = [name for name in self.names if name not in record]
        if missing:
            raise ValueError(f"the record {in_short(dict(record))} must have {in_short(missing[0])}")
        return [self.code(name, record[name]) for name in self.names]

    def code(self, name: str, value: object) -> int:
        """Return the code of a value, or raise ValueError."""
        values = self.values[self.names.index(name)]
        if not isinstance(value, str) or value not in values:
            raise ValueError(f"{name}: {in_short(value)} must be one of {in_short(', '.join(values))}")
        return values.index(value)

    def describe(self) -> list[dict[str, object]]:
        """Return what documents have; `of` is the inverse."""
        pairs = zip(self.names, self.values, strict=True)
        return [{"name": name, "values": list(values)} for name, values in pairs]

    @classmethod
    def of(cls, content: object, sizes: Sequence[int]) -> Domain | None:
        """Read what a document says about the attributes with these domain sizes; None if it says nothing.

        Raises
        ------
        ValueError
            It is something else, or about other domains.
        """
        if content is None:
            return None
        if not isinstance(content, list) or not all(_is_entry(entry) for entry in content):
            raise ValueError(f"attributes={in_short(content)} must be a list, each with name and values")
        found = cls(tuple(entry["name"] for entry in content), tuple(tuple(entry["values"]) for entry in content))
        return found.check(sizes)

    def check(self, sizes: Sequence[int]) -> Domain:
        """Return the domain, or raise ValueError unless it has these sizes."""
        if self.sizes != tuple(sizes):
            raise ValueError(f"the attributes have {self.sizes} values, but the protocol's sizes are {tuple(sizes)}")
        return self


def _is_entry(entry: object) -> bool:
    return isinstance(entry, dict) and set(entry) == {"name", "values"} and isinstance(entry["values"], list)


def _check_texts(found: object, what: str) -> None:
    if not isinstance(found, tuple | list):
        raise ValueError(f"{what}, {in_short(found)}, must be a list of texts")
    if not all(isinstance(text, str) and text for text in found) or len(set(found)) != len(found):
        raise ValueError(f"{what}, {in_short(list(found))}, must be different texts, none empty")
