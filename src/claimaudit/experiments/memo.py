"""A memo of results by what their computations read, and values that log every read."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any

Read = tuple[str, str]
"""Kind and name of something that was read, such as ``("choice", "py_rule")``."""

Log = dict[Read, Hashable]
"""Every value that a computation read, in the order of the first reads."""


Remembered = tuple[Any, Log]
"""A result and what was read to make it."""


class Reads(Mapping[str, Any]):
    """Named values of one kind that log every read."""

    def __init__(self, kind: str, values: Mapping[str, Any], log: Log) -> None:
        self._kind, self._values, self._log = kind, values, log

    def __getitem__(self, name: str) -> Any:  # noqa: ANN401
        self._log.setdefault((self._kind, name), self._values.get(name))
        return self._values[name]

    def __iter__(self) -> Iterator[str]:
        self._log.setdefault(("names", self._kind), tuple(self._values))
        return iter(self._values)

    def __len__(self) -> int:
        return len(self._values)


@dataclass
class _Node:
    """What all computations that come here read next, where each value leads, or the entry if they read no more."""

    read: Read | None = None
    following: dict[Hashable, _Node] = field(default_factory=dict)
    entry: Remembered | None = None


class Memo:
    """Results of computations that are functions of what they read.

    Computations that have read the same values so far read the same thing next, so a result is found by following
    the reads one by one.
    """

    def __init__(self) -> None:
        self._roots: dict[Hashable, _Node] = {}

    def find(self, key: Hashable, answers: Callable[[Read], tuple[Hashable, ...]]) -> Remembered | None:
        """Return the entry under `key` whose log agrees, read by read, with one of the `answers`; else None."""

        def follow(place: _Node | None) -> Remembered | None:
            if place is None or place.read is None:
                return place.entry if place else None
            found = map(follow, map(place.following.get, answers(place.read)))
            return next((entry for entry in found if entry is not None), None)

        return follow(self._roots.get(key))

    def store(self, key: Hashable, entry: Remembered, *, latest: bool = False) -> None:
        """Keep an entry under `key`; `latest` drops the others under that key, to save memory."""
        if latest:
            self._roots.pop(key, None)
        place = self._roots.setdefault(key, _Node())
        for read, value in entry[1].items():
            place.read = read
            place = place.following.setdefault(value, _Node())
        place.entry = entry
