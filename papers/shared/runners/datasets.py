"""Characteristics of the data sets, real and synthetic: sizes, marginals and correlations."""

import math
from collections.abc import Iterator
from functools import partial
from itertools import combinations
from typing import Literal

import numpy as np
import scipy
from shared.runners import axes, data
from shared.runners.data import correlations, records

from claimaudit.experiments.engine import Cell
from claimaudit.experiments.runner import BaseSetting, Measure, Swept
from corrldp.runners import Attributes, DomainSize, Probability, Users, runner

FACTS = ("users", "attributes", "domain_size", "correlation_min", "correlation_max")


class DataSetFacts(data.RealData):
    """Real data; with `matrix` the correlation of every two attributes instead of their extremes."""

    matrix: bool = False


of_data = partial(runner, mechanisms=("data",), axes=axes.REAL_DATA)


@of_data(
    DataSetFacts,
    metrics=lambda setting: ("correlation",) if setting.matrix else FACTS,
    columns=("first", "second"),
)
def facts(cell: Cell) -> Iterator[Measure]:
    """Yield users, attributes, domain size and extreme correlations, or all correlations, numbered from 1.

    Table 3 of the PETS version; Table I and Figure 3 of the preprint.
    """
    view = data.view_of(cell)
    matrix = np.atleast_2d(np.corrcoef(view.codes, rowvar=False))
    if cell.setting.matrix:
        for (i, j), value in np.ndenumerate(matrix):
            yield Measure("data", "correlation", value, place={"first": i + 1, "second": j + 1})
        return
    pairs = matrix[np.triu_indices(len(matrix), k=1)]
    yield Measure("data", "users", view.n)
    yield Measure("data", "attributes", view.d)
    yield Measure("data", "domain_size", max(view.sizes))
    yield Measure("data", "correlation_min", pairs.min())
    yield Measure("data", "correlation_max", pairs.max())


@of_data(data.RealData, metrics=("frequency", "skewness"), columns=("attribute", "value"))
def marginals(cell: Cell) -> Iterator[Measure]:
    """Yield the share of users with each value of each attribute, X1, X2, ..., and the skewness of its codes.

    Figure 12 of the PETS version.
    """
    view = data.view_of(cell)
    for j, (column, size) in enumerate(zip(view.codes.T, view.sizes, strict=True), start=1):
        for code, share in enumerate(np.bincount(column, minlength=size) / len(column), start=1):
            yield Measure("data", "frequency", share, place={"attribute": f"X{j}", "value": code})
        yield Measure("data", "skewness", scipy.stats.skew(column), place={"attribute": f"X{j}", "value": math.nan})


@of_data(data.RealData, metrics=("correlation",), columns=("first", "second", "distance"))
def pairs(cell: Cell) -> Iterator[Measure]:
    """Yield the correlation of every two attributes; `distance` is half the sum of the differences of frequencies.

    Do attributes with similar marginals correlate (preprint, Section 3.2.2)?
    """
    view = data.view_of(cell)
    matrix, size = np.atleast_2d(np.corrcoef(view.codes, rowvar=False)), max(view.sizes)
    shares = np.stack([np.bincount(column, minlength=size) for column in view.codes.T]) / view.n
    for i, j in zip(*np.triu_indices(view.d, k=1), strict=True):
        distance = round(float(np.abs(shares[i] - shares[j]).sum() / 2), 6)
        place = {"first": int(i) + 1, "second": int(j) + 1, "distance": distance}
        yield Measure("data", "correlation", matrix[i, j], place=place)


class Synthetic(BaseSetting):
    """Synthetic data sets of every size."""

    dataset: Swept[Literal["syn_a", "syn_b"]]
    n: Swept[Users]
    d: Swept[Attributes]
    k: Swept[DomainSize]
    rho: Swept[Probability]


@runner(Synthetic, mechanisms=("data",), metrics=("correlation",), columns=("pair",), axes=axes.DATA, simulates=True)
def synthetic(cell: Cell) -> Iterator[Measure]:
    """Yield the mean correlation of every pair of attributes over independent data sets, and the pairs' average.

    Table 2 of the PETS version.
    The paper prints one data set, whose error is the standard deviation over our runs. In SynB it includes the draw of
    the tree, which differs between data sets.
    """
    found = np.concatenate([correlations(table) for table in records(cell)])
    pairs = {f"{i + 1}-{j + 1}": found[:, i, j] for i, j in combinations(range(cell["d"]), 2)}
    pairs["average"] = np.mean(list(pairs.values()), axis=0)
    for pair, values in pairs.items():
        yield Measure.of_runs("data", "correlation", values, place={"pair": pair})
