"""Budgets calibrated to the leakage on the data themselves and on a public data set (Figure 8)."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from itertools import permutations
from typing import Annotated

import numpy as np
from annotated_types import Ge, Gt

from corrldp.data.table import Table
from corrldp.experiments.axes import by_name
from corrldp.experiments.cpl.axes import CHOSEN
from corrldp.experiments.engine import Cell
from corrldp.experiments.measures import Measure
from corrldp.experiments.setting import BaseSetting, Epsilon, Swept, ViewName
from corrldp.leakage.cpl import conditional, leakage_bound
from corrldp.leakage.printed import algorithm_3
from corrldp.leakage.tables import Tables, contingency_tables, leakage_matrix
from corrldp.leakage.total import calibrate, worst_total
from corrldp.mechanisms.grr import GRR

Total = Callable[[float], float]
AXES = by_name(CHOSEN)


class Setting(BaseSetting):
    """Total budgets, and the views of the data itself (`own`) and of a public data set with the same attributes.

    `size` is the number of attributes where not all take part, `step` the step of the printed Algorithm 3.
    """

    own: ViewName
    public: ViewName
    budget: Swept[Epsilon]
    size: Annotated[int, Ge(2)]
    step: Annotated[float, Gt(0)]


def measure(cell: Cell) -> Iterator[Measure]:
    """Yield the budget of each attribute and what follows from it.

    `ratio` is the calibrated budget over that of SPL, `total_leakage` the largest bound of Eq. 6 on the data itself,
    and `zero_one_error` that of GRR. The axis `chosen` says which of the shared attributes take part: all of them,
    `size` drawn at random, of which there are `runs` draws (with rows for the extremes), or the `size` least dependent.
    """
    for name, outcomes in _outcomes(cell).items():
        for metric in outcomes[0]:
            values = [outcome[metric] for outcome in outcomes]
            yield Measure.of_runs(name, metric, values)
            if len(values) > 1 and metric == "ratio":
                yield Measure(name, "ratio_lowest", min(values))
                yield Measure(name, "ratio_highest", max(values))


def _outcomes(cell: Cell) -> dict[str, list[dict[str, float]]]:
    """Return the measures of every algorithm, for each choice of attributes."""
    budget = cell["budget"]
    outcomes: dict[str, list[dict[str, float]]] = {"SPL": [], "calibrated": [], "calibrated on LFW": []}
    for on_own, on_public, attributes in cell.once(_totals):
        shared = budget / attributes
        outcomes["SPL"].append(_measures(shared, shared, on_own))
        outcomes["calibrated"].append(_measures(calibrate(on_own, budget), shared, on_own))
        outcomes["calibrated on LFW"].append(_measures(calibrate(on_public, budget), shared, on_own))
        if cell["chosen"] != "random_21":  # many steps for each draw
            printed = algorithm_3(on_own, budget, attributes, cell.setting.step)
            outcomes["Algorithm 3 as printed"] = [_measures(printed, shared, on_own)]
    return outcomes


def _totals(cell: Cell) -> list[tuple[Total, Total, int]]:
    """Return the total leakage on both data sets and the number of attributes, for each choice of them."""
    views = cell.views[cell.setting.own], cell.views[cell.setting.public]
    own, public = (contingency_tables(view.codes, view.sizes) for view in views)
    return [(_total(own, choice), _total(public, choice), len(choice)) for choice in _choices(cell, views[0], own)]


def _choices(cell: Cell, own: Table, tables: Tables) -> Iterator[np.ndarray]:
    size = cell.setting.size
    match cell["chosen"]:
        case "all":
            yield np.arange(own.d)
        case "independent_21":
            left = np.arange(own.d)
            leakage = leakage_matrix(tables, lambda joint: leakage_bound(conditional(joint), 1.0))
            while len(left) > size:
                among = leakage[np.ix_(left, left)]
                left = np.delete(left, np.argmax(among.sum(axis=0) + among.sum(axis=1)))
            yield left
        case "random_21":
            rng = cell.rng(chosen="random_21")
            for _ in range(cell.runs):
                yield np.sort(rng.choice(own.d, size=size, replace=False))


def _total(tables: Tables, choice: np.ndarray) -> Total:
    """Return the largest total leakage of the chosen attributes as a function of the budget, by Algorithm 2."""
    chosen = {(k, j): tables[choice[k], choice[j]] for k, j in permutations(range(len(choice)), 2)}
    return worst_total(chosen, leakage_bound)


def _measures(epsilon: float, shared: float, on_own: Total) -> dict[str, float]:
    return {
        "epsilon_attribute": epsilon,
        "ratio": epsilon / shared,
        "total_leakage": on_own(epsilon),
        "zero_one_error": 1 - GRR(epsilon, 2).p_support,
    }
