"""The permanent responses of one user, which stay on the device; see `corrldp.protocols.longitudinal`."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from corrldp.arrays import in_short
from corrldp.mechanisms.coding import Report
from corrldp.mechanisms.validation import check_integer
from corrldp.protocols.documents import dump, load
from corrldp.protocols.longitudinal import Memoised
from corrldp.protocols.records import as_records
from corrldp.protocols.registry import from_description

KEYS = ("protocol", "attributes", "responses")


class Memory:
    """Which attributes a user reports in every round, and the permanent response to each value that they had.

    It has the user's values in the clear: it must not leave the device.

    Parameters
    ----------
    protocol : Memoised
    """

    def __init__(self, protocol: Memoised) -> None:
        if not isinstance(protocol, Memoised):
            raise ValueError(f"{type(protocol).__name__} keeps no responses: take L-SPL or L-SMP for repeated reports")
        self.protocol = protocol
        self.attributes: list[int] = []
        self.responses: dict[tuple[int, int], Report] = {}

    @property
    def spent(self) -> float:
        """Epsilon of all reports from the responses that are there."""
        return sum(self.protocol.rounds[j].permanent for j, _ in self.responses)

    def price(self, record: Sequence[int]) -> float:
        """Return what the responses spend that a report on a `record` (d,) of codes needs and that are not there."""
        if not self.attributes:
            return self.protocol.permanent
        missing = [j for j in self.attributes if (j, record[j]) not in self.responses]
        return min(self.protocol.permanent, sum(self.protocol.rounds[j].permanent for j in missing))

    def report(self, record: Sequence[int], rng: np.random.Generator) -> Report:
        """Return a report on a `record` (d,) of codes, as JSON has it, and draw and keep the responses it needs."""
        as_records([record], self.protocol.sizes)
        if not self.attributes:
            self.attributes = self.protocol.reported(rng)
        return self.protocol.assemble({j: self._one(j, record[j], rng) for j in self.attributes})

    def _one(self, attribute: int, value: int, rng: np.random.Generator) -> Report:
        oracle, key = self.protocol.rounds[attribute], (attribute, value)
        if key not in self.responses:
            [self.responses[key]] = oracle.encode(oracle.remember([value], rng))
        [report] = oracle.encode(oracle.repeat(oracle.decode([self.responses[key]]), rng))
        return report

    def to_json(self) -> str:
        """Return the memory as JSON; `from_json` is the inverse."""
        responses = [[*key, response] for key, response in sorted(self.responses.items())]
        content = {"protocol": self.protocol.describe(), "attributes": self.attributes, "responses": responses}
        return dump("memory", content)

    @classmethod
    def from_json(cls, text: str) -> Memory:
        """Read what `to_json` wrote.

        Raises
        ------
        ValueError
            The text is something else, or damaged.
        """
        content = load("memory", text, KEYS)
        protocol = from_description(content["protocol"])
        if not isinstance(protocol, Memoised):
            raise ValueError(f"{content['protocol']['name']} keeps no responses")
        found, attributes = cls(protocol), content["attributes"]
        if not isinstance(attributes, list) or not isinstance(content["responses"], list):
            raise ValueError("attributes and responses must be lists")
        found.attributes = [check_integer(j, "attribute", 0, protocol.d - 1) for j in attributes]
        if attributes and not len({*attributes}) == len(attributes) == (protocol.d if protocol.all_reported else 1):
            raise ValueError(f"attributes={in_short(attributes)} must be those that a user reports, each once")
        for entry in content["responses"]:
            if not isinstance(entry, list) or len(entry) != 3 or entry[0] not in found.attributes:
                raise ValueError(f"{in_short(entry)} in responses must be an attribute, a value and a response")
            j, value, response = check_integer(entry[0], "attribute", 0, protocol.d - 1), *entry[1:]
            found.responses[j, check_integer(value, "value", 0, protocol.sizes[j] - 1)] = response
            protocol.rounds[j].decode([response])
        return found
