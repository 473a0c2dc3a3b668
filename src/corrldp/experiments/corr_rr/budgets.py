"""The exact epsilon at the nominal and at the amplified budget of RS+FD and RS+RFD, which is a setting here."""

from __future__ import annotations

from collections.abc import Iterator

from corrldp.experiments.axes import by_name
from corrldp.experiments.corr_rr import levels
from corrldp.experiments.engine import Cell
from corrldp.experiments.measures import Measure
from corrldp.experiments.setting import Swept
from corrldp.privacy import attribute_epsilon, epsilon_of_channel

AXES = by_name()


class Setting(levels.Setting):
    """The settings of `levels` with each choice of `amplify`, in place of the axis of that name."""

    amplify: Swept[bool]


def measure(cell: Cell) -> Iterator[Measure]:
    """Yield `epsilon_exact` for records that differ in everything, and only in the first attribute."""
    sizes = (cell["k"],) * cell["d"]
    for mechanism, channel in levels.channels(**cell.point).items():
        yield Measure(mechanism, "epsilon_exact", epsilon_of_channel(channel), place={"level": "record"})
        alone = attribute_epsilon(channel, sizes, 0)
        yield Measure(mechanism, "epsilon_exact", alone, place={"level": "attribute"})
