"""Distance between the true and the estimated joint law of attributes: random sets of them, and pairs of Adult."""

import math
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import partial

import numpy as np
from castell.runners import axes
from castell.runners.estimates import (
    RANDOM,
    DataSet,
    MechanismName,
    RandomSets,
    Variant,
    budget,
    distances,
    errors,
    evenly,
    joint_bound,
    part,
    variant,
    view_of,
)

from claimaudit.experiments.engine import Cell
from claimaudit.experiments.runner import BaseSetting, Measure, Point, Swept, ViewName
from corrldp.arrays import Floats
from corrldp.data.table import Table
from corrldp.dependence import cramers_v
from corrldp.runners import Epsilon, Users, runner

BOUNDED = "RR-Ind-Joint"
LARGEST_W_OF_JOINT = 3  # Table VI has RR-Joint for no more; `spread` has no such limit


class Sampled(DataSet):
    """A data set from which n users take part; all of them if n is not given."""

    n: Swept[Users] = ()


class ComparedSets(RandomSets):
    """Data sets, budgets and mechanisms; `left_out` are attributes that some readings leave out."""

    datasets: Mapping[str, Sampled]
    mechanisms: tuple[MechanismName, ...]
    left_out: tuple[str, ...] = ()


of_sets = partial(runner, ComparedSets, axes=axes.SETS | axes.VARIANTS, simulates=True)


@of_sets(mechanisms=lambda setting: setting.mechanisms, metrics=("avd",), columns=("n",))
def random_sets(cell: Cell) -> Iterator[Measure]:
    """Yield the mean distance (`avd`) of every mechanism; a run is a random set of attributes and its reports."""
    view = view_of(cell)
    if view is None:
        return
    names = [name for name in cell.setting.mechanisms if name != "RR-Joint" or cell["w"] <= LARGEST_W_OF_JOINT]
    for name, values in by_mechanism(cell, view, names, cell["distance"]):
        yield Measure.of_runs(name, "avd", values, place={"n": users(cell, view)})


def by_mechanism(cell: Cell, view: Table, names: Sequence[str], distance: str) -> Iterator[tuple[str, Floats]]:
    """Yield the distances (runs,) of each of some mechanisms."""
    epsilon = budget(cell["epsilon"], cell["w"], cell["budget"])
    variants = tuple(variant(name, cell.choices) for name in names)
    found = cell.once(of_random_sets, view, epsilon, variants)
    for key in variants:
        yield key[0], found[key, distance]


@of_sets(mechanisms=(BOUNDED,), metrics=("avd", "bound"), columns=("n",))
def beside_bound(cell: Cell) -> Iterator[Measure]:
    """Yield the distance of `random_sets`, and Eq. 10 for the data set's largest domain (`bound`)."""
    yield from random_sets(cell)
    if (view := view_of(cell)) is not None:
        w, n = cell["w"], users(cell, view)
        epsilon = budget(cell["epsilon"], w, cell["budget"])
        yield Measure(BOUNDED, "bound", joint_bound(max(view.sizes), w, w * epsilon, n), place={"n": n})


def of_random_sets(
    cell: Cell, view: Table, epsilon: float, variants: tuple[Variant, ...]
) -> dict[tuple[Variant, str], Floats]:
    """Return every distance (runs,) of the `variants` of mechanisms; readings share the attributes of each run.

    A set of attributes whose table is not random is estimated once.
    """
    n, noise, estimates = users(cell, view), cell["sampling_noise"], cell["estimates"]
    point = {**cell.point, "n": n}
    draws, rng = cell.rng(point=point, what="attributes"), cell.rng(point=point, what="reports")
    sets = evenly(cell, view, draws)

    def of(columns: tuple[int, ...]) -> Iterator[tuple[Variant, Floats]]:
        chosen = part(view, columns)
        if n != view.n:
            chosen = chosen.records(draws.choice(view.n, size=n, replace=False))
        return errors(chosen, epsilon, noise, variants, rng, estimates)

    if noise in RANDOM or n != view.n:
        return distances(map(of, sets))
    different = list(dict.fromkeys(sets))
    places = [different.index(columns) for columns in sets]
    return {key: values[places] for key, values in distances(map(of, different)).items()}


def users(cell: Cell, view: Table) -> int:
    """Return how many users take part: all, unless the point has another n."""
    n = cell.point.get("n", view.n)
    if n > view.n:
        raise ValueError(f"n={n}: {cell['dataset']} has {view.n} records; lower n")
    return n


@of_sets(mechanisms=lambda setting: setting.mechanisms, metrics=("avd", "sd", "excess", "total_variation"))
def spread(cell: Cell) -> Iterator[Measure]:
    """Yield the mean (`avd`) and the standard deviation (`sd`) of every mechanism's distance over the runs.

    A run is a random set of attributes and its reports, which the mechanisms share. `excess` is the mean difference
    from the first mechanism in the same run, `total_variation` half the sum of all errors. Unlike in `random_sets`,
    RR-Joint has no largest number of attributes: the inverse of its channel has a closed form.
    """
    view = view_of(cell)
    if view is None:
        return
    first = None
    for name, values in by_mechanism(cell, view, cell.setting.mechanisms, "total_variation"):
        yield Measure.of_runs(name, "total_variation", values)
    for name, values in by_mechanism(cell, view, cell.setting.mechanisms, cell["distance"]):
        yield Measure.of_runs(name, "avd", values)
        deviation, error = spread_of(values)
        yield Measure(name, "sd", deviation, error, len(values))
        if first is not None:
            yield Measure.of_runs(name, "excess", values - first)
        first = values if first is None else first


def spread_of(values: Floats) -> tuple[float, float]:
    """Return the standard deviation of the values (runs,) and, by their fourth moment, its standard error."""
    off = values - values.mean()
    variance = float(np.sum(off**2) / (len(values) - 1))
    if variance == 0:
        return 0.0, 0.0
    excess = max(float(np.mean(off**4)) - variance**2, 0.0)
    return math.sqrt(variance), math.sqrt(excess / len(values)) / (2 * math.sqrt(variance))


OF_PAIRS = [("RR-Independent", ""), ("RR-Ind-Joint", "")]


class AttributePairs(BaseSetting):
    """Pairs of attributes by name, and the budget of an attribute."""

    view: ViewName
    pairs: tuple[tuple[str, str], ...]
    epsilon: Epsilon

    def outer(self) -> Iterable[Point]:
        return ({"pair": ", ".join(pair)} for pair in self.pairs)


@runner(
    AttributePairs,
    mechanisms=("data", "RR-Independent", "RR-Ind-Joint"),
    metrics=("size_1", "size_2", "cramers_v", "mae"),
    axes=axes.PAIRS,
    simulates=True,
)
def pairs(cell: Cell) -> Iterator[Measure]:
    """Yield domain sizes, Cramer's V and the error (`mae`) of both estimates."""
    pair = cell.views[cell.setting.view].subset(cell["pair"].split(", "))
    yield Measure("data", "size_1", pair.sizes[0])
    yield Measure("data", "size_2", pair.sizes[1])
    yield Measure("data", "cramers_v", float(cramers_v(pair.counts(), "domain")))
    found = cell.once(repeated)
    for key in OF_PAIRS:
        yield Measure.of_runs(key[0], "mae", found[key, cell["error"]])


def repeated(cell: Cell) -> dict[tuple[Variant, str], Floats]:
    """Return every distance (runs,) of both estimates; a table that is not random needs one run."""
    pair = cell.views[cell.setting.view].subset(cell["pair"].split(", "))
    noise, estimates, rng = cell["sampling_noise"], cell["estimates"], cell.rng(point=dict(cell.point))
    runs = cell.runs if noise in RANDOM else 1
    return distances(errors(pair, cell.setting.epsilon, noise, OF_PAIRS, rng, estimates) for _ in range(runs))
