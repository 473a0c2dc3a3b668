"""Mean and spread of the distance over random attributes, for every scheme at every number of attributes (Figure 5)."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping

import numpy as np

from corrldp.experiments.castell import axes
from corrldp.experiments.castell.accuracy import Sampled, of_random_sets
from corrldp.experiments.castell.collection import RandomSets, budget, view_of
from corrldp.experiments.castell.estimates import MechanismName, variant
from corrldp.experiments.engine import Cell
from corrldp.experiments.measures import Measure
from corrldp.mechanisms.pure import Floats

AXES = axes.SETS | axes.VARIANTS


class Setting(RandomSets):
    """Data sets, budgets and mechanisms; `left_out` are attributes that some readings leave out."""

    datasets: Mapping[str, Sampled]
    mechanisms: tuple[MechanismName, ...]
    left_out: tuple[str, ...] = ()


def measure(cell: Cell) -> Iterator[Measure]:
    """Yield the mean (`avd`) and the standard deviation (`sd`) of every mechanism's distance over the runs.

    A run is a random set of attributes and its reports, which the mechanisms share. `excess` is the mean difference
    from the first mechanism in the same run. Unlike in `castell.accuracy`, RR-Joint has no largest number of
    attributes: the inverse of its channel has a closed form.
    """
    view = view_of(cell)
    if view is None:
        return
    epsilon = budget(cell["epsilon"], cell["w"], cell["budget"])
    variants = tuple(variant(mechanism, cell.choices) for mechanism in cell.setting.mechanisms)
    found = cell.once(of_random_sets, view, epsilon, variants)
    for key in variants:
        values = found[key, cell["distance"]]
        yield Measure.of_runs(key[0], "avd", values)
        deviation, error = spread(values)
        yield Measure(key[0], "sd", deviation, error, len(values))
        if key != variants[0]:
            yield Measure.of_runs(key[0], "excess", values - found[variants[0], cell["distance"]])


def spread(values: Floats) -> tuple[float, float]:
    """Return the standard deviation of the values (runs,) and, by their fourth moment, its standard error."""
    off = values - values.mean()
    variance = float(np.sum(off**2) / (len(values) - 1))
    if variance == 0:
        return 0.0, 0.0
    excess = max(float(np.mean(off**4)) - variance**2, 0.0)
    return math.sqrt(variance), math.sqrt(excess / len(values)) / (2 * math.sqrt(variance))
