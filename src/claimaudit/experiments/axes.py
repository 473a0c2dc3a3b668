"""Axes: the open choices of a kind of experiment, with their types and phrases."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Literal

from claimaudit.configuration import Value
from claimaudit.names import nearest

Kind = Literal["number", "budget", "formula", "algorithm", "randomness", "estimator", "data", "measure"]
"""What a choice is about, which decides what people may have done in place of what a text says."""


@dataclass(frozen=True)
class Number:
    """Numbers that an axis may take: from `low` to `high`, both included.

    `words` is the format string of the phrase for a number, such as ``"{:.0%} of the users in Phase I"``, and `unit`
    what it counts or measures.
    """

    low: float
    high: float
    words: str
    unit: str = ""
    whole: bool = False

    def admits(self, value: object) -> bool:
        """Whether a value is such a number."""
        kinds = int if self.whole else (int, float)
        return isinstance(value, kinds) and not isinstance(value, bool) and self.low <= value <= self.high

    def __str__(self) -> str:
        kind = "whole number" if self.whole else "number"
        return f"a {kind} from {self.low:g} to {self.high:g}" + (f" ({self.unit})" if self.unit else "")


@dataclass(frozen=True)
class Axis:
    """One open choice.

    `words` has a phrase for each named value, which completes "read with ...", and `number` says which numbers it also
    takes. `default` is its value where a paper does not list the axis: the first named value unless given. `kind` is
    what it is about: by default data or, if it takes numbers, a number. Numbers that a text states for the `quantity`,
    by default the one of the axis's name, are proposed.
    """

    name: str
    words: Mapping[Value, str] = field(default_factory=dict)
    number: Number | None = None
    default: Value | None = None
    kind: Kind = "data"
    quantity: str = ""

    def __post_init__(self) -> None:
        if self.kind == "data" and self.number is not None:
            object.__setattr__(self, "kind", "number")
        if self.default is None:
            if not self.words:
                raise ValueError(f"axis {self.name}: give a default, as the axis has no named value")
            object.__setattr__(self, "default", next(iter(self.words)))

    def admits(self, value: object) -> bool:
        """Whether the axis takes a value; True is not 1."""
        named = any(value == other and isinstance(value, bool) == isinstance(other, bool) for other in self.words)
        return named or (self.number is not None and self.number.admits(value))

    def require(self, value: object) -> None:
        """Raise ValueError, in one line with the allowed values, unless the axis takes the value."""
        if not self.admits(value):
            raise ValueError(f"{self.name}={value!r} is none of {self.allowed}{nearest(value, self.words)}")

    @property
    def allowed(self) -> str:
        named = [str(value).lower() if isinstance(value, bool) else str(value) for value in self.words]
        return ", ".join(named + ([str(self.number)] if self.number else []))

    def phrase(self, value: Value) -> str:
        """Return the phrase for a value."""
        self.require(value)
        for other, words in self.words.items():
            if value == other and isinstance(value, bool) == isinstance(other, bool):
                return words
        assert self.number is not None
        # No format specification puts the space into "20 %".
        return self.number.words.format(value).replace("%", " %")


def by_name(*axes: Axis) -> dict[str, Axis]:
    """Return axes by their names, which must differ."""
    found = {axis.name: axis for axis in axes}
    if len(found) < len(axes):
        raise ValueError(f"two axes share a name among {', '.join(axis.name for axis in axes)}")
    return found
