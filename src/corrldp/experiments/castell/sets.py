"""Exact facts on all sets of attributes of a data set: sizes, two distances, and the errors of RR-Joint."""

from __future__ import annotations

import itertools
import math
from collections.abc import Iterator

import numpy as np

from corrldp.data.table import Table
from corrldp.experiments.castell.distances import distances_of
from corrldp.experiments.engine import Cell
from corrldp.experiments.measures import Measure
from corrldp.experiments.setting import Attributes, BaseSetting, Epsilon, Swept, Users, ViewName
from corrldp.mechanisms.grr import GRR
from corrldp.protocols.castell.schemes import squared_error
from corrldp.protocols.castell.tables import marginals, product


class Setting(BaseSetting):
    """A data set, numbers w of attributes, budgets of an attribute, and the size of a joint domain.

    `drawn` sets are drawn at random for each w.
    """

    view: ViewName
    w: Swept[Attributes]
    epsilon: tuple[Epsilon, ...]
    cells: Users
    drawn: Users


def measure(cell: Cell) -> Iterator[Measure]:
    """Yield exact numbers over all sets of w attributes.

    `sets` is their number, `larger` that of those with a joint domain above `cells`, and `chance` the probability that
    `drawn` different sets, or all if there are fewer, include none of these. `sup` and `total_variation` are the means
    of two distances of the product of the true marginals from the true joint law. With a budget of epsilon per
    attribute, or w epsilon for the record, `squared` is the mean over the sets of the expected squared error, summed
    over cells.
    """
    view, setting, w = cell.views[cell.setting.view], cell.setting, cell["w"]
    sets = list(itertools.combinations(range(view.d), w))
    sizes = [tuple(view.sizes[column] for column in columns) for columns in sets]
    larger = sum(math.prod(of) > setting.cells for of in sizes)
    none = {"epsilon": math.nan}
    yield Measure("sets", "sets", len(sets), place=none)
    yield Measure("sets", "larger", larger, place=none)
    yield Measure("sets", "chance", chance_of_none(len(sets), larger, min(setting.drawn, len(sets))), place=none)
    found = [biases(view.subset(columns)) for columns in sets]
    for name in found[0]:
        yield Measure("RR-Independent", name, float(np.mean([of[name] for of in found])), place=none)
    for epsilon in setting.epsilon:
        joint = [squared_error([GRR(w * epsilon, math.prod(of))], view.n) for of in sizes]
        independent = [squared_error([GRR(epsilon, k) for k in of], view.n) for of in sizes]
        yield Measure("RR-Joint", "squared", float(np.mean(joint)), place={"epsilon": epsilon})
        yield Measure("RR-Ind-Joint", "squared", float(np.mean(independent)), place={"epsilon": epsilon})


def biases(chosen: Table) -> dict[str, float]:
    """Return two distances between the joint law of some attributes and the product of its marginals."""
    law = chosen.counts() / chosen.n
    error = product(marginals(law)) - law
    distances = distances_of(error)
    return {name: distances[name] for name in ("sup", "total_variation")}


def chance_of_none(sets: int, larger: int, drawn: int) -> float:
    """Return the probability that `drawn` different sets out of `sets` include none of the `larger` ones."""
    return math.comb(sets - larger, drawn) / math.comb(sets, drawn)
