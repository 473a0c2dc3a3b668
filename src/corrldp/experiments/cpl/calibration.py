"""Budgets calibrated to the leakage, with the data's own law and with a public data set's (Figure 8)."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import numpy as np
import pandas as pd

from corrldp.experiments.command import Experiment, main
from corrldp.experiments.cpl.data import Data, datasets
from corrldp.experiments.cpl.mechanisms import bound
from corrldp.experiments.rows import row
from corrldp.leakage.calibration import calibrate, worst_total
from corrldp.leakage.cpl import leakage_bound
from corrldp.leakage.printed import algorithm_3
from corrldp.leakage.tables import Tables
from corrldp.mechanisms.grr import GRR
from corrldp.metrics import mean_and_se

Total = Callable[[float], float]
OWN, PUBLIC = "calibrated", "calibrated on LFW"


def run(experiment: Experiment) -> pd.DataFrame:
    """Return the budget of each attribute and what follows from it, for every total budget.

    `ratio` is the calibrated budget over that of SPL, `total_leakage` the largest bound of Eq. 6 on the data itself,
    and `zero_one_error` that of GRR. The axis `chosen` says which of the shared attributes take part: all of them,
    `size` drawn at random, of which there are `runs` draws (with rows for the extremes), or the `size` least dependent.
    """
    rows = []
    for reading in experiment.all_readings():
        found = {data.name: data for data in datasets(experiment, {})}
        standin = any(data.standin for data in found.values())
        for budget, name, measured in _budgets(experiment, found, reading[1]):
            for metric, values in measured.items():
                mean, se = mean_and_se(values) if len(values) > 1 else (values[0], 0)
                runs = len(values) if len(values) > 1 else 0
                rows.append(row({"budget": budget}, reading, name, metric, mean, se=se, runs=runs, standin=standin))
                if runs and metric == "ratio":
                    for end, value in (("lowest", np.min(values)), ("highest", np.max(values))):
                        rows.append(row({"budget": budget}, reading, name, f"ratio_{end}", value, standin=standin))
    return pd.DataFrame(rows)


def _budgets(
    experiment: Experiment, found: dict[str, Data], axes: dict[str, Any]
) -> Iterator[tuple[float, str, dict[str, list[float]]]]:
    """Yield total budget, algorithm and its measures, one number for each choice of attributes."""
    own, public = (found[name] for name in ("CelebA", "LFW"))
    choices = list(_choices(experiment, own, axes))
    totals = [(_total(own, choice), _total(public, choice), len(choice)) for choice in choices]
    for budget in experiment.setting["budget"]:
        outcomes: dict[str, list[dict[str, float]]] = {"SPL": [], OWN: [], PUBLIC: []}
        for on_own, on_public, attributes in totals:
            shared = budget / attributes
            outcomes["SPL"].append(_measures(shared, shared, on_own))
            outcomes[OWN].append(_measures(calibrate(on_own, budget), shared, on_own))
            outcomes[PUBLIC].append(_measures(calibrate(on_public, budget), shared, on_own))
            if axes["chosen"] == "all":
                printed = algorithm_3(on_own, budget, attributes, experiment.setting["step"])
                outcomes["Algorithm 3 as printed"] = [_measures(printed, shared, on_own)]
        for name, measured in outcomes.items():
            yield budget, name, {metric: [one[metric] for one in measured] for metric in measured[0]}


def _choices(experiment: Experiment, own: Data, axes: dict[str, Any]) -> Iterator[np.ndarray]:
    attributes = len(own.sizes)
    if axes["chosen"] == "all":
        yield np.arange(attributes)
        return
    if axes["chosen"] == "independent_21":
        left, leakage = np.arange(attributes), bound(own, 1.0)
        while len(left) > experiment.setting["size"]:
            among = leakage[np.ix_(left, left)]
            left = np.delete(left, np.argmax(among.sum(axis=0) + among.sum(axis=1)))
        yield left
        return
    rng = experiment.rng(chosen=axes["chosen"])
    for _ in range(experiment.runs):
        yield np.sort(rng.choice(attributes, size=experiment.setting["size"], replace=False))


def _total(data: Data, choice: np.ndarray) -> Total:
    """Return the largest total leakage of the chosen attributes as a function of the budget, by Algorithm 2."""
    tables: Tables = {
        (k, j): data.tables[first, second]
        for k, first in enumerate(choice)
        for j, second in enumerate(choice)
        if k != j
    }
    return worst_total(tables, leakage_bound)


def _measures(epsilon: float, shared: float, on_own: Total) -> dict[str, float]:
    return {
        "epsilon_attribute": epsilon,
        "ratio": epsilon / shared,
        "total_leakage": on_own(epsilon),
        "zero_one_error": 1 - GRR(epsilon, 2).p_support,
    }


if __name__ == "__main__":
    main(run)
