"""The kind of check `monotone`: a trend along a setting."""

from typing import ClassVar, Literal

import numpy as np
import pandas as pd

from claimaudit.audit.checks.base import Along, Disturb, one_moved, reordered
from claimaudit.audit.checks.comparing import decide, pairs
from claimaudit.audit.checks.sentences import Fields, matched
from claimaudit.audit.quantities import Rows, by_reading
from claimaudit.results import axes_of
from claimaudit.verdicts import Comparisons, Evidence, Levels, Steps

DIRECTIONS = {"grows": "increasing", "falls": "decreasing"}


class Monotone(Along):
    """A quantity that increases (or decreases) along a setting column, in each group of the other settings.

    Every step between neighbours must go the right way or, for exact numbers, stay level, and the last value of each
    group must lie strictly on the right side of the first.
    """

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

    def compare(self, rows: pd.DataFrame, published: pd.DataFrame | None = None) -> list[Rows]:
        """Compare neighbours and, strictly, the first and the last row of each group: a row per step.

        The columns are those of `claimaudit.audit.checks.comparing.pairs`; ``left`` is the value at the end of a step.
        """
        settings, _ = axes_of(rows)
        ordered = self.grouped(rows)
        _, first, size = np.unique(ordered["group_number"], return_index=True, return_counts=True)
        last = first + size - 1
        in_longer = np.repeat(size > 2, size)  # in a group of two, the only step is already the one from first to last
        neighbours = np.setdiff1d(np.flatnonzero(in_longer), last)
        before = ordered.iloc[np.concatenate([neighbours, first])]
        after = ordered.iloc[np.concatenate([neighbours + 1, last])]
        along = pd.Series(list(zip(before[self.along], after[self.along], strict=True)), dtype=object)
        strict = np.arange(len(before)) >= len(neighbours)
        return by_reading(pairs(before, after).assign(strict=strict).assign(**{self.along: along}), settings)

    def judge(self, compared: Rows, levels: Levels) -> Evidence:
        def shown(at: int, counts: Comparisons) -> Steps:
            return Steps(**vars(counts), start=float(compared["right"][at]), end=float(compared["left"][at]))

        return decide(compared, 1 if self.direction == "increasing" else -1, levels, shown)
