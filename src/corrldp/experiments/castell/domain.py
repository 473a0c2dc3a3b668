"""Distance against the size of the joint domain, and the line through it (Figure 4 and Eq. 11)."""

from __future__ import annotations

import math
from collections.abc import Iterator

import numpy as np
import pandas as pd

from corrldp.experiments.castell import axes
from corrldp.experiments.castell.collection import budget, subsets
from corrldp.experiments.castell.distances import distances_of
from corrldp.experiments.castell.estimates import errors
from corrldp.experiments.engine import Cell
from corrldp.experiments.measures import Measure
from corrldp.experiments.setting import Attributes, BaseSetting, Epsilon, Users, ViewName
from corrldp.metrics import mean_and_se

AXES = axes.SETS
MECHANISM = "RR-Ind-Joint"


class Setting(BaseSetting):
    """Numbers w of attributes, a budget, and how many random sets of each w a line is fitted to.

    `left_out` are attributes that some readings leave out.
    """

    view: ViewName
    w: tuple[Attributes, ...]
    epsilon: Epsilon
    subsets: Users
    left_out: tuple[str, ...] = ()


def measure(cell: Cell) -> Iterator[Measure]:
    """Yield the mean distance (`avd`) of all sets of attributes with one joint domain, and the fitted line.

    Every set is estimated once. The line is fitted by least squares in each run to `subsets` random sets for each w
    (the paper takes 20 to 50): `intercept` and `slope`.
    """
    ways = pd.concat([cell.once(of_all_sets, w) for w in cell.setting.w])
    points = ways.rename(columns={cell["distance"]: "avd"})[["w", "cells", "avd"]]
    lines = [fit(points, cell.setting.subsets, cell.rng(line=number)) for number in range(cell.runs)]
    intercept, slope = np.array(lines).T
    for _, group in points.groupby(["w", "cells"]):
        w, cells = (group[name].iloc[0].item() for name in ("w", "cells"))
        line = intercept.mean() + slope.mean() * cells
        mean, se = mean_and_se(group["avd"]) if len(group) > 1 else (group["avd"].item(), 0.0)
        yield Measure(MECHANISM, "avd", float(mean), float(se), len(group), line, {"w": w, "cells": cells})
    for name, values in (("intercept", intercept), ("slope", slope)):
        yield Measure.of_runs(MECHANISM, name, values, place={"w": 0, "cells": 0})


def of_all_sets(cell: Cell, w: int) -> pd.DataFrame:
    """Return every distance of the joint law of every set of w attributes, and the cells of its joint domain."""
    setting = cell.setting
    view, epsilon = cell.views[setting.view], budget(setting.epsilon, w, cell["budget"])
    found = []
    for columns in subsets(view, w, cell["attributes"], setting.left_out):
        chosen = view.subset(columns)
        rng = cell.rng(subset=columns)
        [(_, error)] = errors(chosen, epsilon, cell["sampling_noise"], [(MECHANISM, "")], rng)
        found.append({"w": w, "cells": math.prod(chosen.sizes), **distances_of(error)})
    return pd.DataFrame(found)


def fit(points: pd.DataFrame, number: int, rng: np.random.Generator) -> tuple[float, float]:
    """Return intercept and slope of the line through `number` random sets of attributes for each w."""
    chosen = pd.concat([group.sample(number, replace=True, random_state=rng) for _, group in points.groupby("w")])
    slope, intercept = np.polyfit(chosen["cells"], chosen["avd"], 1)
    return float(intercept), float(slope)
