"""What a collection is: a protocol, perhaps with an id of its own and with names for attributes and values."""

from __future__ import annotations

import json
import re
import secrets
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

from corrldp.arrays import in_short
from corrldp.domain import Answer, Domain
from corrldp.mechanisms.pure import Report
from corrldp.protocols.documents import dump, load
from corrldp.protocols.protocol import RecordProtocol
from corrldp.protocols.registry import KEYS, from_description

KIND = "collection"
ENVELOPE = ("collection", "id", "report")
NAMED = ("attributes",)
ID = re.compile("[0-9a-f]{32}")


@dataclass(frozen=True)
class Collection:
    """What clients and servers agree on.

    Parameters
    ----------
    protocol : RecordProtocol
    id : str, optional
        32 hexadecimal digits. With it a report says to which collection it belongs and has a random id of its own, so
        that none is counted twice; without it, reports are bare.
    domain : Domain, optional
        Names of the attributes and of their values.

    Raises
    ------
    ValueError
        The id is none, or the names do not fit the protocol.
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
        """Return a collection as it is, and a bare protocol as one without id and names."""
        return protocol if isinstance(protocol, Collection) else cls(protocol)

    def start(self) -> Collection:
        """Return a new collection of the same protocol and names, with a random id."""
        return replace(self, id=secrets.token_hex(16))

    def codes(self, record: Sequence[int] | Mapping[str, Answer]) -> Sequence[int]:
        """Return a record as codes, given codes or, if the collection has names, the value of each attribute.

        Raises
        ------
        ValueError
            A name is unknown, or there are none.
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

        Raises
        ------
        ValueError
            It belongs to another collection, or to one or none although it should not.
        """
        if self.id is None:
            if isinstance(sent, dict) and set(sent) == set(ENVELOPE):
                raise ValueError(f"the report is of collection {in_short(sent['collection'])}: take its document")
            return None, sent
        if not isinstance(sent, dict) or sent.keys() != set(ENVELOPE):
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

        Parameters
        ----------
        text : str
        protocol : RecordProtocol, optional
            The protocol, which must be the one of the text; needed if it is a class of your own, since a text never
            runs code.

        Raises
        ------
        ValueError
            The text is something else, of another version, or has impossible parameters.
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
