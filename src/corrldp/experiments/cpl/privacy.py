"""The exact epsilon of each mechanism's reports and of the values that the attack infers from them."""

from __future__ import annotations

from collections.abc import Iterator

from corrldp.experiments.axes import by_name
from corrldp.experiments.cpl.axes import RAPPOR
from corrldp.experiments.cpl.mechanisms import NAMES, build
from corrldp.experiments.engine import Cell
from corrldp.experiments.measures import Measure
from corrldp.experiments.setting import BaseSetting, DomainSize, Epsilon, Swept
from corrldp.privacy import epsilon_of_channel

AXES = by_name(RAPPOR)


class Setting(BaseSetting):
    """Nominal budgets and domain sizes."""

    epsilon: Swept[Epsilon]
    k: Swept[DomainSize]


def measure(cell: Cell) -> Iterator[Measure]:
    """Yield the exact epsilon by enumeration of all reports; SHE's reports are real numbers and have no row."""
    for name in NAMES:
        mechanism = build(cell, name, cell["epsilon"], cell["k"])
        inferred = mechanism.effective_channel()
        yield Measure(name, "epsilon_inferred", epsilon_of_channel(inferred))
        yield Measure(name, "truth_inferred", inferred[0, 0])
        if name != "SHE":
            yield Measure(name, "epsilon_exact", epsilon_of_channel(mechanism.channel()))
