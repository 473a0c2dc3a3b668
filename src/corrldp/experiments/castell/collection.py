"""Random sets of attributes of the real data, and the table of reports that the collector observes of a set."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from itertools import combinations
from typing import Any

import numpy as np

from corrldp.data.table import Table
from corrldp.experiments.engine import Cell
from corrldp.experiments.setting import Attributes, BaseSetting, Epsilon, Point, Swept, ViewName
from corrldp.mechanisms.grr import GRR
from corrldp.mechanisms.pure import Floats
from corrldp.protocols.castell.inversion import expected_table
from corrldp.protocols.records import Integers


class DataSet(BaseSetting):
    """The view of a data set, and numbers w of attributes."""

    view: ViewName
    w: Swept[Attributes]


class RandomSets(BaseSetting):
    """Data sets whose attributes are drawn at random, and budgets."""

    datasets: Mapping[str, DataSet]
    epsilon: Swept[Epsilon]

    def points(self, choices: Mapping[str, Any]) -> Iterator[Point]:
        """Yield every size of every data set with every budget."""
        for name, dataset in self.datasets.items():
            for size in dataset.points(choices):
                for budgets in super().points(choices):
                    yield {"dataset": name, **size, **budgets}


RANDOM = ("randomised", "modelled")
"""Values of the axis `sampling_noise` under which the table that the collector observes is random."""


def view_of(cell: Cell) -> Table | None:
    """Return the records of the cell's data set; None if they are optional and were not fetched."""
    return cell.views.get(cell.setting.datasets[cell["dataset"]].view)


def subsets(view: Table, w: int, which: str, left_out: Sequence[str]) -> list[tuple[int, ...]]:
    """List the sets of `w` attributes, by their columns; unless `which` is "all", some attributes are left out."""
    without = set() if which == "all" else {view.place(name) for name in left_out}
    columns = [column for column in range(view.d) if column not in without]
    if w > len(columns):
        raise ValueError(f"w={w}: there are {len(columns)} attributes to choose from; lower w")
    return list(combinations(columns, w))


def budget(epsilon: float, w: int, how: str | float) -> float:
    """Epsilon of each attribute: the stated one, the stated one split over w attributes, or a number."""
    if isinstance(how, str):
        return epsilon / w if how == "over_w" else epsilon
    return how


def observe(
    counts: Integers, mechanisms: list[GRR], noise: str, randomised: Callable[[], Integers], rng: np.random.Generator
) -> Floats:
    """Return the observed frequencies (k_1, ..., k_w) under a reading.

    Parameters
    ----------
    counts : (k_1, ..., k_w)
        True counts.
    mechanisms : list of GRR
        The randomizer of each axis.
    noise : {"randomised", "rounded", "unrounded", "modelled"}
        Every respondent randomises; or the table is the expected one, rounded to whole counts, or not, or with
        errors as Section III-H models those of rounding: uniform, up to half a record in each cell.
    randomised : callable
        Draws the table of the respondents' reports.
    rng : Generator
        Source of the modelled errors.

    Raises
    ------
    ValueError
        `noise` is unknown.
    """
    n = int(counts.sum())
    if noise == "randomised":
        return randomised() / n
    if noise not in ("rounded", "unrounded", "modelled"):
        raise ValueError(f"sampling_noise={noise!r} is none of randomised, rounded, unrounded, modelled")
    expected = expected_table(counts.astype(float), mechanisms)
    if noise == "modelled":
        return (expected + rng.uniform(-0.5, 0.5, size=expected.shape)) / n
    return (np.rint(expected) if noise == "rounded" else expected) / n
