"""What a collection is, a protocol, perhaps with an id of its own and with names; and the reports of many users."""

from __future__ import annotations

import json
import re
import secrets
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import ArrayLike

from corrldp.arrays import in_short
from corrldp.data.table import Table
from corrldp.domain import Answer, Domain
from corrldp.mechanisms.pure import RawReports, Report
from corrldp.protocols.documents import dump, load, parse
from corrldp.protocols.estimates import Estimates
from corrldp.protocols.protocol import RecordProtocol
from corrldp.protocols.registry import KEYS, from_description
from corrldp.protocols.two_phase import Phased

KIND = "collection"
ENVELOPE = dict.fromkeys(("collection", "id", "report")).keys()
NAMED = ("attributes",)
ID = re.compile("[0-9a-f]{32}")


@dataclass(frozen=True)
class Collection:
    """What clients and servers agree on: a protocol, and names of attributes and of their values (`domain`), if any.

    With an `id`, 32 hexadecimal digits, a report says to which collection it belongs and has a random id of its own, so
    that none is counted twice; without it, reports are bare. Another id, or names that do not fit the protocol, are a
    ValueError.
    """

    protocol: RecordProtocol
    id: str | None = None
    domain: Domain | None = None

    def __post_init__(self) -> None:
        if not isinstance(self.protocol, RecordProtocol):
            raise ValueError(
                f"{in_short(self.protocol)} is no protocol: build one, as corrldp.protocol('SPL', 1.0, (2, 3)) does"
            )
        if self.id is not None:
            check_id(self.id)
        if not isinstance(self.domain, Domain | None):
            raise ValueError(f"domain={in_short(self.domain)} must be a Domain: names and values of the attributes")
        if self.domain is not None:
            self.domain.check(self.protocol.sizes)

    @classmethod
    def of(cls, protocol: RecordProtocol | Collection) -> Collection:
        """Return a collection as it is, a bare protocol as one without id and names; two phases are a ValueError."""
        found = protocol if isinstance(protocol, Collection) else cls(protocol)
        if isinstance(found.protocol, Phased):
            raise ValueError(
                "the protocol has two phases: use those of first_phase() and of second_phase(first), then "
                "combine(first, second)"
            )
        return found

    def start(self) -> Collection:
        """Return a new collection of the same protocol and names, with a random id."""
        return replace(self, id=secrets.token_hex(16))

    def codes(self, record: Sequence[int] | Mapping[str, Answer]) -> Sequence[int]:
        """Return a record as codes, given codes or, if the collection has names, the value of each attribute.

        A name that is unknown, or names although there are none, are a ValueError.
        """
        if not isinstance(record, Mapping):
            return record
        if self.domain is None:
            raise ValueError(f"record={in_short(record)} must be codes: the collection has no names of attributes")
        return self.domain.codes(record)

    def seal(self, report: Report) -> Report:
        """Return what a client sends: the report in its envelope, with a random id, or bare."""
        return report if self.id is None else {"collection": self.id, "id": secrets.token_hex(16), "report": report}

    def unseal(self, sent: Report) -> tuple[str | None, Report]:
        """Return the id of a report and the report.

        If it belongs to another collection, or to one or none although it should not, it is a ValueError.
        """
        if self.id is None:
            if isinstance(sent, dict) and sent.keys() == ENVELOPE:
                raise ValueError(f"the report is of collection {in_short(sent['collection'])}: take its document")
            return None, sent
        if not isinstance(sent, dict) or sent.keys() != ENVELOPE:
            raise ValueError(f"{in_short(sent)} must have {', '.join(ENVELOPE)}")
        if sent["collection"] != self.id:
            raise ValueError(f"the report is of collection {in_short(sent['collection'])}, not of {self.id}")
        return check_id(sent["id"]), sent["report"]

    def to_json(self) -> str:
        """Return the document that clients and servers read; without an id it is that of a protocol."""
        named = {} if self.domain is None else {"attributes": self.domain.describe()}
        if self.id is None:
            return dump("protocol", {**self.protocol.describe(), **named})
        return dump(KIND, {"id": self.id, "protocol": self.protocol.describe(), **named})

    @classmethod
    def from_json(cls, text: str, protocol: RecordProtocol | None = None) -> Collection:
        """Read what `to_json` of a collection or of a protocol wrote.

        The `protocol`, if it is given, must be the one of the text; it is needed if it is a class of your own, since a
        text never runs code. A text that is something else, of another version, or has impossible parameters, is a
        ValueError.
        """
        if begins_with(text, KIND):
            content = load(KIND, text, ("id", "protocol"), NAMED)
            found, name = from_description(content["protocol"], protocol), check_id(content["id"])
        else:
            content = load("protocol", text, KEYS, NAMED)
            found, name = from_description({key: content[key] for key in KEYS}, protocol), None
        return cls(found, name, Domain.of(content.get("attributes"), found.sizes))


def begins_with(text: str, kind: str) -> bool:
    """Whether a document says that it is of a kind."""
    return isinstance(text, str) and re.match(rf'\s*\{{\s*"corrldp"\s*:\s*{json.dumps(kind)}', text) is not None


def check_id(found: object) -> str:
    """Return an id, or raise ValueError unless it is 32 hexadecimal digits."""
    if not isinstance(found, str) or ID.fullmatch(found) is None:
        raise ValueError(f"id {in_short(found)} must be 32 hexadecimal digits")
    return found


class Reports:
    """What the users of a protocol sent, in the order of the users, or of the attributes if each user reports one.

    `len` is the number of users; a slice has the reports of some of them; an iteration gives each report as JSON has
    it. The `raw` reports are what `protocol.privatize` returned (of a two-phase protocol that of one phase): an array
    with a row for each user, a list of such arrays, one for each attribute, or a mapping from the attributes to the
    arrays of those who report them. Other forms are a ValueError.
    """

    def __init__(self, protocol: RecordProtocol, raw: RawReports) -> None:
        if not isinstance(protocol, RecordProtocol):
            raise ValueError(f"{in_short(protocol)} is no protocol: the reports are of one")
        arrays = list(raw.values()) if isinstance(raw, dict) else raw if isinstance(raw, list) else [raw]
        lengths = {len(one) if isinstance(one, np.ndarray) and one.ndim else None for one in arrays}
        if not lengths or None in lengths or (isinstance(raw, list) and len(lengths) > 1):
            raise ValueError(
                f"reports={in_short(raw)} of {type(protocol).__name__} must be an array with a row for each user, "
                "a list of such arrays, or a mapping from attributes to arrays"
            )
        self.protocol, self.raw = protocol, raw

    @classmethod
    def draw(cls, protocol: RecordProtocol, records: ArrayLike | Table, rng: np.random.Generator) -> Reports:
        """Perturb the `records` (n, d) of users, codes or a table."""
        return cls(protocol, protocol.privatize(records, rng))

    @classmethod
    def from_json(cls, protocol: RecordProtocol, reports: Iterable[Report]) -> Reports:
        """Read reports of single users, at least one; one that no user can send is a ValueError."""
        return cls(protocol, protocol.decode(list(reports)))

    @classmethod
    def from_lines(cls, protocol: RecordProtocol, lines: Iterable[str]) -> Reports:
        """Read JSON lines, a report in each; empty lines are left out."""
        return cls.from_json(protocol, [parse(line) for line in lines if line.strip()])

    def to_lines(self) -> Iterator[str]:
        """Yield a line of JSON for each user, without the end of the line."""
        for report in self:
            yield json.dumps(report, separators=(",", ":"), allow_nan=False)

    def estimate(self) -> Estimates:
        """Estimate the frequency of each value, with standard errors."""
        return Estimates(self.protocol.estimate_from(self.protocol.tally(self.raw)), self.protocol.sizes)

    def __len__(self) -> int:
        if isinstance(self.raw, dict):
            return sum(map(len, self.raw.values()))
        return len(self.raw[0] if isinstance(self.raw, list) else self.raw)

    def __getitem__(self, users: slice) -> Reports:
        if not isinstance(users, slice):
            raise ValueError("take a slice, such as reports[:10]: a single report is next(iter(reports))")
        if isinstance(self.raw, dict):
            return Reports.from_json(self.protocol, [*self][users])
        some = [column[users] for column in self.raw] if isinstance(self.raw, list) else self.raw[users]
        return Reports(self.protocol, some)

    def __iter__(self) -> Iterator[Report]:
        return iter(self.protocol.encode(self.raw))
