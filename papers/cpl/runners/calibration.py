"""Budgets calibrated to the leakage on the data themselves and on a public data set (Figure 8)."""

from collections import defaultdict
from collections.abc import Callable, Iterator
from functools import partial
from itertools import permutations
from typing import Annotated

import numpy as np
from annotated_types import Ge, Gt
from cpl.runners.axes import CALIBRATION, CHOSEN
from pydantic import PositiveInt

from claimaudit.experiments.axes import by_name
from claimaudit.experiments.engine import Cell
from claimaudit.experiments.runner import BaseSetting, Measure, Swept, ViewName
from corrldp.data.table import Table
from corrldp.leakage.cpl import conditional, leakage_bound
from corrldp.leakage.printed import algorithm_3
from corrldp.leakage.total import Tables, calibrate, contingency_tables, leakage_matrix, total_leakage, worst_total
from corrldp.mechanisms.grr import GRR
from corrldp.mechanisms.validation import ROUNDING
from corrldp.runners import Epsilon, runner

Total = Callable[[float], float]


class Calibrated(BaseSetting):
    """Total budgets, and the views of the data itself (`own`) and of a public data set with the same attributes.

    `size` is the number of attributes where not all take part, `step` the step of the printed Algorithm 3.
    """

    own: ViewName
    public: ViewName
    budget: Swept[Epsilon]
    size: Annotated[int, Ge(2)]
    step: Annotated[float, Gt(0)]


@runner(
    Calibrated,
    mechanisms=("SPL", "calibrated", "calibrated on LFW", "Algorithm 3 as printed"),
    metrics=("epsilon_attribute", "ratio", "total_leakage", "zero_one_error", "ratio_lowest", "ratio_highest"),
    axes=by_name(CHOSEN),
    simulates=True,
)
def budgets(cell: Cell) -> Iterator[Measure]:
    """Yield the budget of each attribute and what follows from it.

    `ratio` is the calibrated budget over that of SPL, `total_leakage` the largest bound of Eq. 6 on the data itself,
    and `zero_one_error` that of GRR. The axis `chosen` says which of the shared attributes take part: all of them,
    `size` drawn at random, of which there are `runs` draws (with rows for the extremes), or the `size` least dependent.
    """
    outcomes: defaultdict[str, list[dict[str, float]]] = defaultdict(list)
    budget = cell["budget"]
    for on_own, on_public, attributes in cell.once(_totals):
        shared = budget / attributes
        epsilons = {"SPL": shared}
        epsilons |= {"calibrated": calibrate(on_own, budget), "calibrated on LFW": calibrate(on_public, budget)}
        if cell["chosen"] != "random_21":  # many steps for each draw
            epsilons["Algorithm 3 as printed"] = algorithm_3(on_own, budget, attributes, cell.setting.step)
        for name, epsilon in epsilons.items():
            of_attribute = {"epsilon_attribute": epsilon, "ratio": epsilon / shared, "total_leakage": on_own(epsilon)}
            outcomes[name].append({**of_attribute, "zero_one_error": 1 - GRR(epsilon, 2).p_support})
    for name, found in outcomes.items():
        for metric in found[0]:
            values = [outcome[metric] for outcome in found]
            yield Measure.of_runs(name, metric, values)
            if len(values) > 1 and metric == "ratio":
                yield Measure(name, "ratio_lowest", min(values))
                yield Measure(name, "ratio_highest", max(values))


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
                left = np.delete(left, np.argmax((among.sum(axis=0) + among.sum(axis=1)).round(9)))
            yield left
        case "random_21":
            rng = cell.rng(chosen="random_21")
            for _ in range(cell.runs):
                yield np.sort(rng.choice(own.d, size=size, replace=False))


def _total(tables: Tables, choice: np.ndarray) -> Total:
    """Return the largest total leakage of the chosen attributes as a function of the budget, by Algorithm 2."""
    chosen = {(k, j): tables[choice[k], choice[j]] for k, j in permutations(range(len(choice)), 2)}
    return worst_total(chosen, leakage_bound)


STEPS = 200  # of the budget of one attribute, between which totals are interpolated


class CalibratedSelections(Calibrated):
    """Total budgets, views of the data itself (`own`) and of a public data set, and `draws` of `size` attributes.

    `step` is the step of the printed Algorithm 3.
    """

    draws: PositiveInt


@runner(
    CalibratedSelections,
    mechanisms=("SPL", "calibrated", "calibrated on LFW"),
    metrics=("epsilon_attribute", "zero_one_error"),
    columns=("draw",),
    axes=by_name(CALIBRATION),
)
def selections(cell: Cell) -> Iterator[Measure]:
    """Yield the budget of each attribute, and the 0-1 error of GRR, for every selection and every algorithm.

    The axis `calibration` says whether Algorithm 3 or the largest budget that meets (30) is the calibrated one.
    """
    budget, size, step = cell["budget"], cell.setting.size, cell.setting.step
    tried = np.arange(budget / size, budget + 2 * step, step)
    for draw, choice in enumerate(_draws(cell)):
        budgets = {"SPL": budget / size}
        for name in ("calibrated", "calibrated on LFW"):
            epsilons, bounds = _bounds(cell, name, choice)
            if cell["calibration"] == "printed":
                first = int(np.argmax(np.interp(tried, epsilons, bounds) >= budget * (1 - ROUNDING)))
                budgets[name] = float(tried[first] + step)
            else:
                budgets[name] = float(np.interp(budget, bounds, epsilons))
        for name, epsilon in budgets.items():
            yield Measure(name, "epsilon_attribute", epsilon, place={"draw": draw})
            yield Measure(name, "zero_one_error", 1 - GRR(epsilon, 2).p_support, place={"draw": draw})


@runner(
    CalibratedSelections, mechanisms=("calibrated",), metrics=("epsilon_attribute", "total_leakage"), columns=("draw",)
)
def totals(cell: Cell) -> Iterator[Measure]:
    """Yield the largest budget of each attribute that meets (30), and the largest TPL of an attribute by Eq. 5 with it.

    All reports of a selection count, under GRR; the attributes are binary.
    """
    view = cell.views[cell.setting.own]
    for draw, choice in enumerate(_draws(cell)):
        epsilons, bounds = _bounds(cell, "calibrated", choice)
        epsilon = float(np.interp(cell["budget"], bounds, epsilons))
        counts, channel = view.subset(choice.tolist()).counts(), GRR(epsilon, 2).channel()
        others = [channel] * (len(choice) - 1)
        largest = max(total_leakage(np.moveaxis(counts, k, 0), channel, others) for k in range(len(choice)))
        yield Measure("calibrated", "epsilon_attribute", epsilon, place={"draw": draw})
        yield Measure("calibrated", "total_leakage", largest, place={"draw": draw})


def _draws(cell: Cell) -> Iterator[np.ndarray]:
    """Yield the attributes (size,) of every selection, the same for all budgets."""
    rng = cell.rng(size=cell.setting.size)
    for _ in range(cell.setting.draws):
        yield np.sort(rng.choice(cell.views[cell.setting.own].d, size=cell.setting.size, replace=False))


def _bounds(cell: Cell, name: str, choice: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Return budgets (steps,) of one attribute and the largest bound (steps,) of Eq. 6 among the chosen ones."""
    epsilons, leakages = cell.once(_leakages, name)
    return epsilons, epsilons + leakages[:, choice[:, None], choice].sum(axis=2).max(axis=1)


def _leakages(cell: Cell, name: str) -> tuple[np.ndarray, np.ndarray]:
    """Return budgets (steps,) of one attribute and the leakages (steps, d, d) of all pairs by Algorithm 2."""
    setting = cell.setting
    view = cell.views[setting.own if name == "calibrated" else setting.public]
    laws = {pair: conditional(table) for pair, table in contingency_tables(view.codes, view.sizes).items()}
    epsilons = np.linspace(0, max(setting.budget), STEPS + 1)
    return epsilons, np.array([leakage_matrix(laws, partial(leakage_bound, epsilon=e)) for e in epsilons])
