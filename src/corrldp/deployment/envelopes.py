"""A collection by its id: reports say to which one they belong, and none is counted twice.

A report in its envelope has the id of the collection and a random one of its own. A server keeps the ids that it has
seen in a file of SQLite, so that memory does not grow. A state has the ids of its parts, one for each file of reports
that was counted, so that none of them is merged twice.
"""

from __future__ import annotations

import json
import re
import secrets
import sqlite3
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Self

from corrldp.arrays import in_short
from corrldp.collection import Aggregator
from corrldp.mechanisms.coding import Report
from corrldp.protocols.documents import dump, load
from corrldp.protocols.protocol import RecordProtocol
from corrldp.protocols.registry import from_description, protocol_from_json

KIND, STATE = "collection", "collection state"
ENVELOPE = ("collection", "id", "report")


class ReplayError(ValueError):
    """A report, or a part of a state, is there already."""


@dataclass(frozen=True)
class Collection:
    """A protocol, and the id of the collection for which it is used.

    Parameters
    ----------
    protocol : RecordProtocol
    id : str or None
        32 hexadecimal digits; None for a bare protocol, whose reports have no envelopes.
    """

    protocol: RecordProtocol
    id: str | None = None

    @classmethod
    def start(cls, protocol: RecordProtocol) -> Collection:
        """Return a new collection, with a random id."""
        return cls(protocol, secrets.token_hex(16))

    @classmethod
    def from_json(cls, text: str) -> Collection:
        """Read what `to_json` wrote, or a bare protocol."""
        if not begins_with(text, KIND):
            return cls(protocol_from_json(text))
        content = load(KIND, text, ("id", "protocol"))
        return cls(from_description(content["protocol"]), check_id(content["id"]))

    def to_json(self) -> str:
        """Return the document that clients and servers read."""
        if self.id is None:
            return self.protocol.to_json()
        return dump(KIND, {"id": self.id, "protocol": self.protocol.describe()})

    def seal(self, report: Report) -> Any:  # noqa: ANN401
        """Return what a client sends: the report in its envelope, with a random id, or bare."""
        return report if self.id is None else {"collection": self.id, "id": secrets.token_hex(16), "report": report}

    def unseal(self, sent: Any) -> tuple[str | None, Report]:  # noqa: ANN401
        """Return the id of a report and the report.

        Raises
        ------
        ValueError
            It belongs to another collection, or has no envelope although it should have one.
        """
        if self.id is None:
            return None, sent
        if not isinstance(sent, dict) or set(sent) != set(ENVELOPE):
            raise ValueError(f"{in_short(sent)} must have {', '.join(ENVELOPE)}")
        if sent["collection"] != self.id:
            raise ValueError(f"the report is of collection {in_short(sent['collection'])}, not of {self.id}")
        return check_id(sent["id"]), sent["report"]


@dataclass
class State:
    """What a server keeps: counts, and which runs made them.

    Parameters
    ----------
    collection : Collection
    aggregator : Aggregator
    parts : set of str
        Ids of the runs that are added up here; empty for a bare protocol.
    """

    collection: Collection
    aggregator: Aggregator
    parts: set[str] = field(default_factory=set)

    @classmethod
    def empty(cls, collection: Collection) -> State:
        """Return the state before the first report."""
        return cls(collection, Aggregator(collection.protocol))

    @classmethod
    def from_json(cls, text: str) -> State:
        """Read what `to_json` wrote: the state of a collection, or an aggregator."""
        if not begins_with(text, STATE):
            aggregator = Aggregator.from_json(text)
            return cls(Collection(aggregator.protocol), aggregator)
        content = load(STATE, text, ("id", "parts", "aggregator"))
        parts = content["parts"]
        if not isinstance(parts, list) or len(set(map(check_id, parts))) != len(parts):
            raise ValueError(f"parts={in_short(parts)} must be a list of different ids")
        aggregator = Aggregator.from_json(json.dumps(content["aggregator"]))
        return cls(Collection(aggregator.protocol, check_id(content["id"])), aggregator, set(parts))

    def to_json(self) -> str:
        """Return the state as JSON."""
        if self.collection.id is None:
            return self.aggregator.to_json()
        counts = json.loads(self.aggregator.to_json())
        return dump(STATE, {"id": self.collection.id, "parts": sorted(self.parts), "aggregator": counts})

    def merge(self, other: State) -> State:
        """Return the state of both.

        Raises
        ------
        ValueError
            They are of different collections or protocols, or have a part in common.
        """
        if self.collection.id != other.collection.id:
            raise ValueError(f"the state is of collection {other.collection.id}, not of {self.collection.id}")
        if both := self.parts & other.parts:
            raise ReplayError(f"part {min(both)} of the state is there already: its reports would count twice")
        return State(self.collection, self.aggregator.merge(other.aggregator), self.parts | other.parts)


class Seen:
    """The ids of reports that a server has counted, in a file, or for one run only; closed by its `with`.

    Parameters
    ----------
    path : Path, optional

    Raises
    ------
    ValueError
        The file is another one, or another process counts reports with it.
    """

    def __init__(self, path: Path | None = None) -> None:
        try:
            self.database = sqlite3.connect("" if path is None else path, isolation_level=None)
            self.database.execute("CREATE TABLE IF NOT EXISTS seen (id BLOB PRIMARY KEY) WITHOUT ROWID")
            self.database.execute("BEGIN IMMEDIATE")
        except sqlite3.Error as error:
            raise ValueError(f"{path} cannot keep what was seen: {error}") from error

    @contextmanager
    def adding(self, ids: Sequence[str | None]) -> Iterator[None]:
        """Add ids, unless one is there already or what is done meanwhile fails.

        Raises
        ------
        ReplayError
            An id is there already.
        """
        known = [bytes.fromhex(one) for one in ids if one is not None]
        self.database.execute("SAVEPOINT block")
        try:
            before = self.database.total_changes
            self.database.executemany("INSERT OR IGNORE INTO seen VALUES (?)", ((one,) for one in known))
            if self.database.total_changes - before < len(known):
                raise ReplayError(f"report {ids[0]} has been counted already")
            yield
        except BaseException:
            self.database.execute("ROLLBACK TO block")
            raise
        finally:
            self.database.execute("RELEASE block")

    def commit(self) -> None:
        """Keep what was added."""
        self.database.execute("COMMIT")

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *error: object) -> None:
        self.database.close()


def begins_with(text: str, kind: str) -> bool:
    """Whether a document says that it is of a kind."""
    return re.match(rf'\s*\{{\s*"corrldp"\s*:\s*"{kind}"', text) is not None


def check_id(found: object) -> str:
    """Return an id, or raise ValueError unless it is 32 hexadecimal digits."""
    if not isinstance(found, str) or re.fullmatch("[0-9a-f]{32}", found) is None:
        raise ValueError(f"id {in_short(found)} must be 32 hexadecimal digits")
    return found
