"""Mean squared error when the estimates of all mechanisms get the same repair, which is a setting here."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Literal

from corrldp.experiments.corr_rr import accuracy
from corrldp.experiments.engine import Cell
from corrldp.experiments.measures import Measure
from corrldp.experiments.setting import Swept

AXES = accuracy.AXES


class Setting(accuracy.Setting):
    """The settings of `accuracy` with each `postprocess`, in place of the axis of that name."""

    postprocess: Swept[Literal["none", "clip", "clip_normalise"]]


def measure(cell: Cell) -> Iterator[Measure]:
    """Yield the mean squared error of every mechanism after the repair."""
    yield from accuracy.measure(cell)
