"""An aggregator: integer counts of reports, each counted once, written as JSON and merged exactly."""

from __future__ import annotations

import secrets
import sqlite3
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager, nullcontext
from pathlib import Path
from typing import Self

import numpy as np

from corrldp.arrays import in_short
from corrldp.collection.collection import Collection, Reports, check_id
from corrldp.domain import Domain
from corrldp.mechanisms.pure import Report
from corrldp.mechanisms.validation import check_integer
from corrldp.protocols.documents import MOST_USERS, dump, load
from corrldp.protocols.estimates import Estimate, Estimates, Key, Tally
from corrldp.protocols.protocol import RecordProtocol
from corrldp.protocols.registry import from_description

KEYS = ("protocol", "n", "counts")
OF_COLLECTION = ("id", "parts", "attributes")


class ReplayError(ValueError):
    """A report, or a part of a state, is there already."""


class Seen:
    """The ids of reports that a server has counted, in a file, or for one run only; closed by its `with`.

    Another file, or one with which another process counts reports, is a ValueError.
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
        """Add ids, unless one is there already (a ReplayError) or what is done meanwhile fails."""
        known = sorted(bytes.fromhex(one) for one in ids if one is not None)  # neighbours are inserted faster
        self.database.execute("SAVEPOINT block")
        before = self.database.total_changes
        try:
            try:
                self.database.executemany("INSERT INTO seen VALUES (?)", ((one,) for one in known))
            except sqlite3.IntegrityError as error:
                again = known[self.database.total_changes - before]
                raise ReplayError(f"report {again.hex()} has been counted already") from error
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


class Aggregator:
    """Integer counts of the reports of a protocol's users, in as many places as you like.

    Of a two-phase protocol it counts those of one of the phases. Of a collection with an id, it counts every report
    once: it refuses those that it has `seen` (kept in memory by default), those of other collections, and to be merged
    with what it has counted already. The `tally` has the counts so far; those of a collection with an id need the
    `parts`, the ids of the runs that made them, else they are a ValueError.
    """

    def __init__(
        self,
        protocol: RecordProtocol | Collection,
        tally: Tally | None = None,
        *,
        seen: Seen | None = None,
        parts: Iterable[str] = (),
    ) -> None:
        self.collection = Collection.of(protocol)
        self.protocol, self.domain = self.collection.protocol, self.collection.domain
        self.tally = Tally() if tally is None else tally
        self.seen, self.parts = seen, set(parts)
        if self.collection.id is not None and self.n and not self.parts:
            raise ValueError(f"parts are none, but n={self.n} reports were counted: name the runs that counted them")
        self._own = secrets.token_hex(16)

    @property
    def n(self) -> int:
        return self.tally.n

    def add(self, reports: Reports | Iterable[Report]) -> Aggregator:
        """Add reports, all or, after a ValueError, none of them.

        They are what `Client.report` made, one for each user, or those of many users in arrays, which is faster. A
        report that is none of the protocol, belongs to another collection or has been counted is a ValueError.
        """
        scalar = isinstance(reports, np.ndarray) and not reports.ndim
        if scalar or isinstance(reports, str | bytes | dict) or not isinstance(reports, Iterable):
            raise ValueError("add takes a list of reports, one per user: put a single one in brackets")
        if isinstance(reports, Reports):
            if self.collection.id is not None:
                raise ValueError("reports in arrays have no ids: add what the collection's clients sent")
            if reports.protocol is not self.protocol and reports.protocol.describe() != self.protocol.describe():
                raise ValueError(f"the reports are of {reports.protocol.describe()}, not of {self.protocol.describe()}")
            self._count(reports)
            return self
        sent = [self.collection.unseal(report) for report in reports]
        if self.collection.id is not None and self.seen is None:
            self.seen = Seen()
        if sent:
            with nullcontext() if self.seen is None else self.seen.adding([one for one, _ in sent]):
                self._count(Reports.from_json(self.protocol, [report for _, report in sent]))
        return self

    def merge(self, other: Aggregator) -> Aggregator:
        """Return the aggregator of the reports of both, which stay as they are; exact, in any order.

        If the other one is no aggregator, is of another collection or protocol, or has reports that are counted here,
        it is a ValueError.
        """
        if not isinstance(other, Aggregator):
            raise ValueError(f"{in_short(other)} is no aggregator: merge takes one of the same protocol")
        one, two = self.collection, other.collection
        if other is self:
            raise ReplayError("an aggregator is not merged with itself: its reports would count twice")
        if one.id != two.id:
            raise ValueError(f"the state is of collection {two.id}, not of {one.id}")
        if one.protocol.describe() != two.protocol.describe():
            raise ValueError("aggregators of different protocols or parameters cannot be merged")
        if one.domain and two.domain and one.domain != two.domain:
            raise ValueError("the names of attributes or values differ: aggregators of one collection have the same")
        if both := self.parts & other.parts:
            raise ReplayError(f"part {min(both)} of the state is there already: its reports would count twice")
        _check_bound(self.protocol, self.tally, other.tally)
        return Aggregator(
            one if one.domain else two, self.tally + other.tally, seen=self.seen, parts=self.parts | other.parts
        )

    def estimate(self) -> Estimates:
        """Estimate the frequency of each value, with standard errors, from the reports alone; none are a ValueError."""
        found = self.protocol.estimate_from(self.tally.check())
        return Estimates(found, self.protocol.sizes, self.domain)

    def estimate_joint(self, attributes: Sequence[int]) -> Estimate:
        """Estimate the joint table (k_1, ..., k_w) of some attributes; Castell and LoPub only."""
        return self.protocol.estimate_joint_from(self.tally.check(), attributes)

    def to_json(self) -> str:
        """Return protocol and counts as JSON; `from_json` is the inverse, but for what was seen."""
        content: dict[str, object] = {"protocol": self.protocol.describe(), "n": self.n}
        content["counts"] = [[*key, count] for key, count in sorted(self.tally.counts.items())]
        if self.collection.id is not None:
            content |= {"id": self.collection.id, "parts": sorted(self.parts)}
        if self.domain is not None:
            content["attributes"] = self.domain.describe()
        return dump("aggregator", content)

    @classmethod
    def from_json(cls, text: str, protocol: RecordProtocol | None = None) -> Aggregator:
        """Read what `to_json` wrote; `protocol`: see `Collection.from_json`.

        A text that is something else, of another version, or has impossible counts, is a ValueError.
        """
        content = load("aggregator", text, KEYS, OF_COLLECTION)
        found = from_description(content["protocol"], protocol)
        domain = Domain.of(content.get("attributes"), found.sizes)
        tally = _tally(found, content["n"], content["counts"])
        if ("id" in content) != ("parts" in content):
            raise ValueError("the aggregator of a collection must have id and parts")
        if "id" not in content:
            return cls(Collection(found, domain=domain), tally)
        parts = content["parts"]
        if not isinstance(parts, list) or len(set(map(check_id, parts))) != len(parts):
            raise ValueError(f"parts={in_short(parts)} must be a list of different ids")
        return cls(Collection(found, check_id(content["id"]), domain), tally, parts=parts)

    def _count(self, reports: Reports) -> None:
        more = self.protocol.tally(reports.raw)
        if max(more.counts.values(), default=0) > more.n:
            raise ValueError(f"{type(self.protocol).__name__} counts more than the {more.n} reports there are")
        _check_bound(self.protocol, self.tally, more)
        self.tally.update(more)
        if self.collection.id is not None:
            self.parts.add(self._own)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Aggregator) and self.to_json() == other.to_json()

    __hash__ = None  # type: ignore[assignment]


def _tally(protocol: RecordProtocol, n: object, counts: object) -> Tally:
    users = check_integer(n, "n", 0, MOST_USERS)
    if not isinstance(counts, list):
        raise ValueError(f"counts={in_short(counts)} must be a list")
    found: Counter[Key] = Counter()
    for entry in counts:
        if not isinstance(entry, list) or not all(map(_is_count, entry)) or not entry or not entry[-1]:
            raise ValueError(f"{in_short(entry)} in counts must be integers, the last one a count >= 1")
        *place, count = entry
        key = tuple(place)
        if not protocol.admits(key) or key in found:
            name = protocol.describe()["name"]
            raise ValueError(f"{in_short(entry)} in counts names nothing that {name} reports once")
        if count > users:
            raise ValueError(f"{in_short(entry)} in counts has more reports than the {users} there are")
        found[key] = count
    tally = Tally(users, found)
    _check_bound(protocol, Tally(), tally)
    if not protocol.possible(tally):
        raise ValueError(f"counts do not add up to the n={n} reports")
    return tally


def _check_bound(protocol: RecordProtocol, tally: Tally, more: Tally) -> None:
    """Raise ValueError if a sum would have more counts, or reports, than a state may have."""
    check_integer(tally.n + more.n, "the number of reports", 0, MOST_USERS)
    most = protocol.most_counts
    if len(tally.counts) + len(more.counts) > most and len(tally.counts.keys() | more.counts.keys()) > most:
        name = protocol.describe()["name"]
        hint = "; joint=False counts bits instead" if name == "LoPub" else ""
        raise ValueError(f"{name} keeps at most {most} different reports, and these are more: add up fewer{hint}")


def _is_count(number: object) -> bool:
    return isinstance(number, int) and not isinstance(number, bool) and number >= 0
