"""The kind of check `monotone`: a trend along a setting."""

from dataclasses import replace
from typing import ClassVar, Literal

import numpy as np
import pandas as pd

from claimaudit.audit.arrays import Arrays
from claimaudit.audit.checks.base import Along, Disturb, one_moved, reordered
from claimaudit.audit.checks.comparing import decide, pairs
from claimaudit.audit.checks.sentences import Fields, matched
from claimaudit.audit.quantities import Rows, by_reading
from claimaudit.verdicts import Comparisons, Evidence, Levels, Steps

DIRECTIONS = {"grows": "increasing", "falls": "decreasing"}


class Monotone(Along):
    """A quantity that increases (or decreases) along a column in each group; exact numbers may stay level midway."""

    name = "monotone"
    family = "trends"
    says = ("A grows along COLUMN", "A falls along COLUMN")
    disturbances: ClassVar[tuple[Disturb, ...]] = (reordered, one_moved)

    direction: Literal["increasing", "decreasing"]

    @classmethod
    def read(cls, statement: str) -> Fields | None:
        """Read ``A grows along COLUMN`` or ``A falls along COLUMN``."""
        pattern = r"(?P<quantity>.+?) (?P<direction>grows|falls) along (?P<along>\w+)"
        return matched(pattern, statement, direction=DIRECTIONS.__getitem__)

    def compare(self, rows: Arrays, published: pd.DataFrame | None = None) -> list[Rows]:
        """Compare neighbours and, strictly, the ends of each group; ``left`` is the value at the end of a step."""
        ordered = self.grouped(rows)
        _, first, size = np.unique(ordered["group_number"], return_index=True, return_counts=True)
        last = first + size - 1
        in_longer = np.repeat(size > 2, size)  # in a group of two, the only step is already the one from first to last
        neighbours = np.setdiff1d(np.flatnonzero(in_longer), last)
        before = ordered.take(np.concatenate([neighbours, first]))
        after = ordered.take(np.concatenate([neighbours + 1, last]))
        steps = np.empty(len(before), dtype=object)
        steps[:] = [*zip(before[self.along].tolist(), after[self.along].tolist(), strict=True)]
        start, end = (each.places.codes[self.along] for each in (before, after))
        places = before.places.replaced(self.along, steps, start * (end.max() + 1) + end)
        strict = np.arange(len(before)) >= len(neighbours)
        return by_reading(replace(pairs(before, after).assign(strict=strict), places=places))

    def judge(self, compared: Rows, levels: Levels) -> Evidence:
        def shown(at: int, counts: Comparisons) -> Steps:
            return Steps(**vars(counts), start=float(compared["right"][at]), end=float(compared["left"][at]))

        return decide(compared, 1 if self.direction == "increasing" else -1, levels, shown)
