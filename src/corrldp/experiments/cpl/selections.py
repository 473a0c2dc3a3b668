"""Figure 8 for many selections of the attributes that the two data sets share: the paper does not name its 21."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial
from typing import Annotated

import numpy as np
from annotated_types import Ge, Gt
from pydantic import PositiveInt

from corrldp.experiments.axes import by_name
from corrldp.experiments.cpl.axes import CALIBRATION
from corrldp.experiments.engine import Cell
from corrldp.experiments.measures import Measure
from corrldp.experiments.setting import BaseSetting, Epsilon, Swept, ViewName
from corrldp.leakage.cpl import conditional, leakage_bound
from corrldp.leakage.tables import contingency_tables, leakage_matrix
from corrldp.mechanisms.grr import GRR

AXES = by_name(CALIBRATION)
STEPS = 200  # of the budget of one attribute, between which totals are interpolated


class Setting(BaseSetting):
    """Total budgets, views of the data itself (`own`) and of a public data set, and `draws` of `size` attributes.

    `step` is the step of the printed Algorithm 3.
    """

    own: ViewName
    public: ViewName
    budget: Swept[Epsilon]
    size: Annotated[int, Ge(2)]
    draws: PositiveInt
    step: Annotated[float, Gt(0)]


def measure(cell: Cell) -> Iterator[Measure]:
    """Yield the budget of each attribute, and the 0-1 error of GRR, for every selection and every algorithm.

    The axis `calibration` says whether Algorithm 3 or the largest budget that meets (30) is the calibrated one.
    """
    setting, budget = cell.setting, cell["budget"]
    attributes = cell.views[setting.own].d
    rng = cell.rng(size=setting.size)
    for draw in range(setting.draws):
        choice = np.sort(rng.choice(attributes, size=setting.size, replace=False))
        budgets = {"SPL": budget / setting.size}
        for name in ("calibrated", "calibrated on LFW"):
            epsilons, leakages = cell.once(_leakages, name)
            totals = epsilons + leakages[:, choice[:, None], choice].sum(axis=2).max(axis=1)
            budgets[name] = _calibrated(cell, epsilons, totals)
        for name, epsilon in budgets.items():
            yield Measure(name, "epsilon_attribute", epsilon, place={"draw": draw})
            yield Measure(name, "zero_one_error", 1 - GRR(epsilon, 2).p_support, place={"draw": draw})


def _leakages(cell: Cell, name: str) -> tuple[np.ndarray, np.ndarray]:
    """Return budgets (steps,) of one attribute and the leakages (steps, d, d) of all pairs by Algorithm 2."""
    setting = cell.setting
    view = cell.views[setting.own if name == "calibrated" else setting.public]
    laws = {pair: conditional(table) for pair, table in contingency_tables(view.codes, view.sizes).items()}
    epsilons = np.linspace(0, max(setting.budget), STEPS + 1)
    return epsilons, np.array([leakage_matrix(laws, partial(leakage_bound, epsilon=e)) for e in epsilons])


def _calibrated(cell: Cell, epsilons: np.ndarray, totals: np.ndarray) -> float:
    """Return the budget of one attribute for the total `budget`, from the largest total leakages (30) at `epsilons`."""
    setting, budget = cell.setting, cell["budget"]
    if cell["calibration"] == "optimum":
        return float(np.interp(budget, totals, epsilons))
    tried = np.arange(budget / setting.size, budget + 2 * setting.step, setting.step)
    first = int(np.argmax(np.interp(tried, epsilons, totals) >= budget))
    return float(tried[first] + setting.step)
