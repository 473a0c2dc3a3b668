"""What all protocols for whole records share: a privacy budget, attributes, and the meaning of `epsilon`."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, ClassVar

import numpy as np

from corrldp.arrays import Floats, make_plain
from corrldp.mechanisms.validation import check_epsilon
from corrldp.privacy import epsilon_of_channel
from corrldp.protocols.guarantee import Guarantee
from corrldp.protocols.privacy import attribute_epsilon
from corrldp.protocols.records import check_sizes


class RecordProtocol:
    """A protocol by which users report records of d attributes.

    Parameters
    ----------
    epsilon : float
        Privacy budget of a whole record, > 0. A protocol whose paper counts the budget per attribute takes
        `epsilon_per_attribute` instead and has `epsilon` as a property.
    sizes : (d,)
        Domain sizes, each >= 2.

    Raises
    ------
    ValueError
        A parameter, including those of subclasses, is outside its range.
    """

    fewest_attributes: ClassVar[int] = 1

    if TYPE_CHECKING:  # in subclasses fields or properties

        @property
        def epsilon(self) -> float:
            """Privacy budget of a whole record."""

        @property
        def sizes(self) -> tuple[int, ...]:
            """Domain sizes (d,)."""

        def privatize(self, records: Any, rng: np.random.Generator) -> Any:  # noqa: ANN401
            """Perturb the `records` (n, d) of users into reports."""

        def estimate(self, reports: Any) -> Floats:  # noqa: ANN401
            """Frequencies (d, K) from the reports of all users."""

    def __post_init__(self) -> None:
        make_plain(self)
        check_sizes(self.sizes, self.fewest_attributes)
        check_epsilon(self.epsilon)

    @property
    def d(self) -> int:
        """Number of attributes."""
        return len(self.sizes)

    def guarantee(self) -> Guarantee:
        """Return the exact epsilon of a whole record and of each attribute, for domains of any size.

        A subclass that does not say it enumerates its `channel()`; without one, this is a ValueError.
        """
        channel = getattr(self, "channel", None)
        if channel is None:
            raise ValueError(f"{type(self).__name__} needs guarantee() or channel(): its privacy is unknown")
        matrix = channel()
        attributes = (attribute_epsilon(matrix, self.sizes, j) for j in range(self.d))
        return Guarantee(epsilon_of_channel(matrix), tuple(attributes))

    # Imported here because the collection knows every protocol.

    def client(self) -> Any:  # noqa: ANN401
        """Return what runs on a user's device."""
        from corrldp.protocols.collection.client import Client

        return Client(self)

    def aggregator(self) -> Any:  # noqa: ANN401
        """Return an empty aggregator of reports."""
        from corrldp.protocols.collection.server import Aggregator

        return Aggregator(self)

    def to_json(self) -> str:
        """Return the protocol as JSON, which `from_json` of any protocol reads."""
        from corrldp.protocols.collection.documents import protocol_to_json

        return protocol_to_json(self)

    @staticmethod
    def from_json(text: str) -> RecordProtocol:
        """Return the protocol, of whatever kind, that `to_json` wrote; other texts are a ValueError."""
        from corrldp.protocols.collection.documents import protocol_from_json

        return protocol_from_json(text)


@dataclass(frozen=True, eq=False)
class AttributeBudget(RecordProtocol):
    """A protocol that spends the same budget on every attribute, so that a record spends d times as much.

    Parameters
    ----------
    epsilon_per_attribute : float
        Privacy budget of each attribute, > 0.
    """

    epsilon_per_attribute: float

    def __post_init__(self) -> None:
        make_plain(self)
        check_epsilon(self.epsilon_per_attribute, "epsilon_per_attribute")
        super().__post_init__()

    @property
    def epsilon(self) -> float:
        """Privacy budget of a whole record: d times that of an attribute."""
        return self.epsilon_per_attribute * self.d
