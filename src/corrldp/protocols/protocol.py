"""What all protocols for whole records share: a privacy budget, attributes, and the meaning of `epsilon`."""

from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar

from corrldp.mechanisms.validation import check_epsilon
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

    def __post_init__(self) -> None:
        check_sizes(self.sizes, self.fewest_attributes)
        check_epsilon(self.epsilon)

    @property
    def d(self) -> int:
        """Number of attributes."""
        return len(self.sizes)


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
        check_epsilon(self.epsilon_per_attribute, "epsilon_per_attribute")
        super().__post_init__()

    @property
    def epsilon(self) -> float:
        """Privacy budget of a whole record: d times that of an attribute."""
        return self.epsilon_per_attribute * self.d
