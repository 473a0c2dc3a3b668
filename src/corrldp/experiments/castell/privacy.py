"""The exact epsilon of the schemes of the Castell paper, by enumeration of their channels (Theorem 3)."""

from __future__ import annotations

from collections.abc import Iterator

from corrldp.experiments.engine import Cell
from corrldp.experiments.measures import Measure
from corrldp.experiments.setting import BaseSetting, DomainSize, Epsilon, Swept
from corrldp.privacy import attribute_epsilon, epsilon_of_channel
from corrldp.protocols.castell.schemes import IndependentRR, RRJoint
from corrldp.protocols.lopub.bloom import BloomResponse


class Setting(BaseSetting):
    """Domains and budgets of an attribute."""

    sizes: Swept[tuple[DomainSize, ...]]
    epsilon: Swept[Epsilon]


def measure(cell: Cell) -> Iterator[Measure]:
    """Yield the exact epsilon of a record and the largest of its attributes.

    `theory` is the value of Theorem 3. LoPub spends at most its formula's value, less where filters overlap; its hash
    functions are those of one draw.
    """
    sizes, epsilon = cell["sizes"], cell["epsilon"]
    w = len(sizes)
    channel = IndependentRR(epsilon, sizes).channel()
    attribute = max(attribute_epsilon(channel, sizes, j) for j in range(w))
    joint = epsilon_of_channel(RRJoint(w * epsilon, sizes).channel())
    lopub = BloomResponse.draw(epsilon, sizes, cell.rng(sizes=sizes)).exact_epsilons()
    for mechanism, level, value, theory in (
        ("RR-Ind-Joint", "attribute", attribute, epsilon),
        ("RR-Ind-Joint", "record", epsilon_of_channel(channel), w * epsilon),
        ("RR-Joint", "record", joint, w * epsilon),
        ("LoPub", "attribute", max(lopub), float("nan")),
        ("LoPub", "record", sum(lopub), float("nan")),
    ):
        place = {"sizes": " x ".join(map(str, sizes)), "w": w}
        yield Measure(mechanism, f"epsilon_{level}", value, theory=theory, place=place)
