"""Records of the real data, the reports that each reading of the Castell paper makes of them, and the distances."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from itertools import combinations
from typing import Any

import numpy as np

from corrldp.experiments.command import Experiment, View
from corrldp.mechanisms.grr import GRR
from corrldp.mechanisms.pure import Floats
from corrldp.protocols.castell.inversion import expected_table
from corrldp.protocols.castell.tables import tabulate
from corrldp.protocols.records import Integers

# What an error of a joint law is: its supremum (the paper's AVD), the total variation (LoPub's AVD), or a mean.
DISTANCES: dict[str, Callable[[Floats], float]] = {
    "sup": lambda errors: float(np.abs(errors).max()),
    "total_variation": lambda errors: float(np.abs(errors).sum() / 2),
    "mean_absolute": lambda errors: float(np.abs(errors).mean()),
    "mean_squared": lambda errors: float((errors**2).mean()),
}


@dataclass(frozen=True, eq=False)
class Population:
    """Records (n, d) of one data set, the domain sizes (d,) and the attributes' names."""

    records: Integers
    sizes: tuple[int, ...]
    names: tuple[str, ...]
    standin: bool

    @classmethod
    def from_view(cls, view: View) -> Population:
        """Take the records of an aligned view."""
        return cls(view.codes.astype(np.int64), view.sizes, tuple(view.names), view.standin)

    @property
    def n(self) -> int:
        """Number of users."""
        return len(self.records)

    def of(self, subset: Sequence[int], n: int | None = None, rng: np.random.Generator | None = None) -> Population:
        """Return some attributes of all users, or of `n` users drawn at random without replacement."""
        rows = slice(None) if n is None else rng.choice(self.n, size=n, replace=False)
        chosen = list(subset)
        return Population(
            self.records[rows][:, chosen],
            tuple(self.sizes[j] for j in chosen),
            tuple(self.names[j] for j in chosen),
            self.standin,
        )

    def table(self) -> Integers:
        """Count the users in every cell, (k_1, ..., k_w)."""
        return tabulate(self.records, self.sizes)


def populations(experiment: Experiment) -> Iterator[tuple[str, dict[str, Any], Population]]:
    """Yield name, grid and records of each data set whose view there is; optional ones may be missing."""
    for dataset, grid in experiment.setting["datasets"].items():
        if grid["view"] in experiment.views:
            yield dataset, grid, Population.from_view(experiment.views[grid["view"]])


def budget(epsilon: float, w: int, how: str | float) -> float:
    """Epsilon of each attribute: the stated one, the stated one split over w attributes, or a number."""
    if how == "per_attribute":
        return epsilon
    if how == "over_w":
        return epsilon / w
    return float(how)


def observe(
    counts: Integers,
    mechanisms: list[GRR],
    noise: str,
    randomised: Callable[[], Integers],
) -> Floats:
    """Return the observed frequencies (k_1, ..., k_w) as a reading has it.

    Parameters
    ----------
    counts : (k_1, ..., k_w)
        True counts.
    mechanisms : list of GRR
        The randomizer of each axis.
    noise : {"randomised", "rounded", "unrounded"}
        Every respondent randomises; or the table is the expected one, with or without rounding to whole counts.
    randomised : callable
        Draws the table of the respondents' reports.

    Raises
    ------
    ValueError
        `noise` is unknown.
    """
    n = int(counts.sum())
    if noise == "randomised":
        return randomised() / n
    if noise not in ("rounded", "unrounded"):
        raise ValueError(f"sampling_noise={noise!r} is none of randomised, rounded, unrounded")
    expected = expected_table(counts, mechanisms)
    return (np.rint(expected) if noise == "rounded" else expected) / n


def subsets(population: Population, w: int, which: str | None, left_out: Sequence[str]) -> list[tuple[int, ...]]:
    """List the sets of `w` attributes; a reading other than "all" leaves some attributes out."""
    chosen = [j for j, name in enumerate(population.names) if which in (None, "all") or name not in left_out]
    return list(combinations(chosen, w))


def cells_of(population: Population, subset: Sequence[int]) -> int:
    """Return the size of the joint domain of some attributes."""
    return math.prod(population.sizes[j] for j in subset)
