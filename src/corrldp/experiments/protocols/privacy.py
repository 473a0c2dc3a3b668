"""Exact budgets of protocols by name: of whole records, and of each attribute."""

from __future__ import annotations

from collections.abc import Iterator

from corrldp.experiments.engine import Cell
from corrldp.experiments.measures import Measure
from corrldp.experiments.protocols import comparison
from corrldp.protocols.names import label

AXES = comparison.AXES
Setting = comparison.Setting


def measure(cell: Cell) -> Iterator[Measure]:
    """Yield every protocol's nominal budget and its exact ones: of a record, and the largest of an attribute."""
    for name in cell.setting.protocols:
        guarantee = comparison.build(cell, name, comparison.sizes(cell)).guarantee()
        yield Measure(label(name), "epsilon_nominal", comparison.budget(cell))
        yield Measure(label(name), "epsilon_record", guarantee.record)
        yield Measure(label(name), "epsilon_attribute", max(guarantee.attributes))
