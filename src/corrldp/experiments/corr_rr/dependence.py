"""Pairwise correlations of the synthetic data (Table 2 of the PETS version)."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import combinations
from typing import Literal

import numpy as np

from corrldp.experiments.corr_rr.axes import DATA
from corrldp.experiments.corr_rr.correlation import correlations
from corrldp.experiments.corr_rr.synthetic_data import records
from corrldp.experiments.engine import Cell
from corrldp.experiments.measures import Measure
from corrldp.experiments.setting import Attributes, BaseSetting, DomainSize, Probability, Swept, Users

AXES = DATA


class Setting(BaseSetting):
    """Synthetic data sets of every size."""

    dataset: Swept[Literal["syn_a", "syn_b"]]
    n: Swept[Users]
    d: Swept[Attributes]
    k: Swept[DomainSize]
    rho: Swept[Probability]


def measure(cell: Cell) -> Iterator[Measure]:
    """Yield the mean correlation of every pair of attributes over independent data sets, and the pairs' average.

    The paper prints one data set, whose error is the standard deviation over our runs. In SynB it includes the draw of
    the tree, which differs between data sets.
    """
    found = np.concatenate([correlations(table) for table in records(cell)])
    pairs = {f"{i + 1}-{j + 1}": found[:, i, j] for i, j in combinations(range(cell["d"]), 2)}
    pairs["average"] = np.mean(list(pairs.values()), axis=0)
    for pair, values in pairs.items():
        yield Measure.of_runs("data", "correlation", values, place={"pair": pair})
