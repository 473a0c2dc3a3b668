"""The data sets and all sets of their attributes: sizes, exact errors, and the line through distance and domain."""

import itertools
import math
from collections.abc import Iterable, Iterator

import numpy as np
import pandas as pd
from castell.runners import axes
from castell.runners.estimates import budget, distances_of, errors, part, subsets

from claimaudit.experiments.axes import by_name
from claimaudit.experiments.engine import Cell
from claimaudit.experiments.runner import BaseSetting, Measure, Swept, ViewName
from claimaudit.results import mean_and_se
from corrldp.mechanisms.grr import GRR
from corrldp.protocols.castell import marginals, product, squared_error
from corrldp.runners import Attributes, Epsilon, OnViews, Users, runner


@runner(OnViews, mechanisms=("data",), metrics=("records", "attributes", "domain", "smallest", "median", "largest"))
def datasets(cell: Cell) -> Iterator[Measure]:
    """Yield the numbers of records and attributes, and the sizes of the joint domain and of single domains.

    An optional data set that was not fetched has no rows.
    """
    view = cell.views.get(cell.setting.views[cell["dataset"]])
    if view is None:
        return
    yield Measure("data", "records", view.n)
    yield Measure("data", "attributes", view.d)
    yield Measure("data", "domain", math.prod(view.sizes))
    yield Measure("data", "smallest", min(view.sizes))
    yield Measure("data", "median", float(np.median(view.sizes)))
    yield Measure("data", "largest", max(view.sizes))


MECHANISM = "RR-Ind-Joint"


class LineSetting(BaseSetting):
    """Numbers w of attributes, a budget, and how many random sets of each w a line is fitted to.

    `left_out` are attributes that some readings leave out.
    """

    view: ViewName
    w: tuple[Attributes, ...]
    epsilon: Epsilon
    subsets: Users
    left_out: tuple[str, ...] = ()


@runner(
    LineSetting,
    mechanisms=(MECHANISM,),
    metrics=("avd", "intercept", "slope", "height_1000", "height_2500"),
    columns=("w", "cells"),
    axes=axes.SETS | by_name(axes.LINE),
    simulates=True,
)
def line(cell: Cell) -> Iterator[Measure]:
    """Yield the mean distance (`avd`) of all sets of attributes with one joint domain, and the fitted line.

    Every set is estimated once. The line is fitted by least squares in each run to `subsets` random sets for each w
    or in all (the paper takes 20 to 50): `intercept`, `slope`, and its heights at 1,000 and 2,500 cells.
    """
    ways = pd.concat([cell.once(of_all_sets, w) for w in cell.setting.w])
    points = ways.rename(columns={cell["distance"]: "avd"})[["w", "cells", "avd"]]
    of_w = [group for _, group in points.groupby("w")]
    groups = of_w if cell["line"] == "each" else [points]
    lines = [fit(groups, cell.setting.subsets, cell.rng(line=number)) for number in range(cell.runs)]
    intercept, slope = np.array(lines).T
    for _, group in points.groupby(["w", "cells"]):
        w, cells = (group[name].iloc[0].item() for name in ("w", "cells"))
        line = intercept.mean() + slope.mean() * cells
        mean, se = mean_and_se(group["avd"]) if len(group) > 1 else (group["avd"].item(), 0.0)
        yield Measure(MECHANISM, "avd", float(mean), float(se), len(group), line, {"w": w, "cells": cells})
    heights = {f"height_{cells}": intercept + cells * slope for cells in (1000, 2500)}
    for name, values in {"intercept": intercept, "slope": slope, **heights}.items():
        yield Measure.of_runs(MECHANISM, name, values, place={"w": 0, "cells": 0})


def of_all_sets(cell: Cell, w: int) -> pd.DataFrame:
    """Return every distance of the joint law of every set of w attributes, and the cells of its joint domain."""
    setting = cell.setting
    view, epsilon = cell.views[setting.view], budget(setting.epsilon, w, cell["budget"])
    found = []
    for columns in subsets(view, w, cell["attributes"], setting.left_out):
        chosen = part(view, columns)
        rng = cell.rng(subset=columns)
        noise, estimates = cell["sampling_noise"], cell["estimates"]
        [(_, error)] = errors(chosen, epsilon, noise, [(MECHANISM, "")], rng, estimates)
        found.append({"w": w, "cells": math.prod(chosen.sizes), **distances_of(error)})
    return pd.DataFrame(found)


def fit(groups: Iterable[pd.DataFrame], number: int, rng: np.random.Generator) -> tuple[float, float]:
    """Return intercept and slope of the line through `number` random sets of attributes of each group."""
    chosen = pd.concat([group.sample(number, replace=True, random_state=rng) for group in groups])
    slope, intercept = np.polyfit(chosen["cells"], chosen["avd"], 1)
    return float(intercept), float(slope)


class EverySet(BaseSetting):
    """A data set, numbers w of attributes, budgets of an attribute, and the size of a joint domain.

    `drawn` sets are drawn at random for each w.
    """

    view: ViewName
    w: Swept[Attributes]
    epsilon: tuple[Epsilon, ...]
    cells: Users
    drawn: Users


@runner(
    EverySet,
    mechanisms=("sets", "RR-Independent", "RR-Joint", "RR-Ind-Joint"),
    metrics=("sets", "larger", "chance", "sup", "total_variation", "squared"),
    columns=("epsilon",),
)
def every_set(cell: Cell) -> Iterator[Measure]:
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
    laws = (view.counts(columns) / view.n for columns in sets)
    biases = [distances_of(product(marginals(law)) - law) for law in laws]
    for name in ("sup", "total_variation"):
        yield Measure("RR-Independent", name, float(np.mean([of[name] for of in biases])), place=none)
    for epsilon in setting.epsilon:
        joint = [squared_error([GRR(w * epsilon, math.prod(of))], view.n) for of in sizes]
        independent = [squared_error([GRR(epsilon, k) for k in of], view.n) for of in sizes]
        yield Measure("RR-Joint", "squared", float(np.mean(joint)), place={"epsilon": epsilon})
        yield Measure("RR-Ind-Joint", "squared", float(np.mean(independent)), place={"epsilon": epsilon})


def chance_of_none(sets: int, larger: int, drawn: int) -> float:
    """Return the probability that `drawn` different sets out of `sets` include none of the `larger` ones."""
    return math.comb(sets - larger, drawn) / math.comb(sets, drawn)
