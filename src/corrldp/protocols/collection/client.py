"""The client: it has the parameters of a protocol, takes one user's record and returns what may leave the device."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from corrldp.arrays import as_array, in_short
from corrldp.protocols.collection import documents
from corrldp.protocols.collection.choice import tallier_of
from corrldp.protocols.collection.coding import Report
from corrldp.protocols.collection.sampling import check_sampling
from corrldp.protocols.protocol import RecordProtocol

KIND = "protocol"


class Client:
    """Perturbs the record of one user.

    Parameters
    ----------
    protocol : RecordProtocol
        A protocol whose users perturb alone: not JRR, and of a two-phase protocol one of its phases.

    Raises
    ------
    ValueError
        The budget is so large that reports as drawn, with 53-bit numbers, spend more than the guarantee says.
    """

    def __init__(self, protocol: RecordProtocol) -> None:
        check_sampling(protocol)
        self.protocol = protocol
        self._tallier = tallier_of(protocol)

    def report(self, record: Sequence[int], rng: np.random.Generator) -> Report:
        """Return the report on a `record` (d,) of codes, as JSON has it.

        Parameters
        ----------
        record : (d,) integers
        rng : numpy.random.Generator
            `corrldp.randomness.deployment_rng()` on a user's device; a seeded one in experiments.

        Raises
        ------
        ValueError
            The record does not fit the domains, or there is no generator.
        """
        check_generator(rng)
        values = as_array(record)
        if values.ndim != 1:
            raise ValueError(f"record={in_short(record)} must be the {self.protocol.d} codes of one user")
        [report] = self._tallier.encode(self.protocol.privatize(values[None], rng))
        return report

    def to_json(self) -> str:
        """Return the protocol as JSON; `from_json` is the inverse."""
        return documents.dump(KIND, documents.describe(self.protocol))

    @classmethod
    def from_json(cls, text: str, protocol: RecordProtocol | None = None) -> Client:
        """Read what `to_json` of a client or of a protocol wrote; `protocol`: see `Aggregator.from_json`."""
        return cls(documents.protocol_from_json(text, protocol))


def check_generator(rng: object) -> None:
    """Raise ValueError unless `rng` is a generator of numpy's."""
    if not isinstance(rng, np.random.Generator):
        raise ValueError(
            f"rng={in_short(rng)} must be a Generator: use corrldp.randomness.deployment_rng() on a device"
        )
