"""What a computation read is what its result depends on: values that log their readers, and a memo by that log."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterator, Mapping
from dataclasses import dataclass, field
from itertools import pairwise
from typing import Any

Read = tuple[str, str]
"""Kind and name of something that was read, such as ``("choice", "py_rule")``."""

Log = dict[Read, Hashable]
"""Every value that a computation read, in the order in which it first did."""


class Reads(Mapping[str, Any]):
    """Named values of one kind that log who reads what.

    Names in `constants` were set by the reader itself and are not logged.
    """

    def __init__(self, kind: str, values: Mapping[str, Any], log: Log, constants: frozenset[str] = frozenset()) -> None:
        self._kind, self._values, self._log, self._constants = kind, values, log, constants

    def __getitem__(self, name: str) -> Any:  # noqa: ANN401
        if name not in self._constants:
            self._log.setdefault((self._kind, name), self._values.get(name))
        return self._values[name]

    def __iter__(self) -> Iterator[str]:
        return iter(self._values)

    def __len__(self) -> int:
        return len(self._values)


@dataclass
class _Question:
    """A value that was read at this place of every computation that came here, and how each answer went on."""

    read: Read
    answers: dict[Hashable, Any] = field(default_factory=dict)


@dataclass(frozen=True)
class Entry:
    """A result and what was read to make it."""

    result: Any
    log: Log


class Memo:
    """Results of computations that are functions of what they read.

    A computation that reads the same values meets the same questions in the same order, so its result is found by
    answering them one after the other.
    """

    def __init__(self) -> None:
        self._roots: dict[Hashable, _Question | Entry] = {}

    def find(self, key: Hashable, answers: Callable[[Read], tuple[Hashable, ...]]) -> Entry | None:
        """Return the entry under `key` whose log agrees, read by read, with one of the `answers`; else None."""
        return self._follow(self._roots.get(key), answers)

    def _follow(self, node: _Question | Entry | None, answers: Callable[[Read], tuple[Hashable, ...]]) -> Entry | None:
        if not isinstance(node, _Question):
            return node
        following = (self._follow(node.answers.get(answer), answers) for answer in answers(node.read))
        return next((entry for entry in following if entry is not None), None)

    def store(self, key: Hashable, entry: Entry, *, latest: bool = False) -> None:
        """Keep an entry under `key`; `latest` forgets the others, where all together would not fit into memory."""
        if latest:
            self._roots.pop(key, None)
        reads = list(entry.log.items())
        if not reads:
            self._roots[key] = entry
            return
        node = self._roots.setdefault(key, _Question(reads[0][0]))
        for (_, value), (following, _) in pairwise(reads):
            node = node.answers.setdefault(value, _Question(following))  # type: ignore[union-attr]
        node.answers[reads[-1][1]] = entry  # type: ignore[union-attr]
