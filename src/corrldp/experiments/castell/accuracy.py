"""Distance between the true and the estimated joint law of random attributes (Table VI, Figures 3 and 5 to 7)."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from corrldp.data.table import Table
from corrldp.experiments.castell import axes
from corrldp.experiments.castell.collection import RANDOM, DataSet, RandomSets, budget, subsets, view_of
from corrldp.experiments.castell.distances import distances
from corrldp.experiments.castell.estimates import MechanismName, Variant, errors, variant
from corrldp.experiments.engine import Cell
from corrldp.experiments.measures import Measure
from corrldp.experiments.setting import Swept, Users
from corrldp.mechanisms.pure import Floats

AXES = axes.SETS | axes.VARIANTS
LARGEST_W_OF_JOINT = 3  # Table VI has RR-Joint for no more; castell.spread has no such limit


class Sampled(DataSet):
    """A data set from which n users take part; all of them if n is not given."""

    n: Swept[Users] = ()


class Setting(RandomSets):
    """Data sets, budgets and mechanisms; `left_out` are attributes that some readings leave out."""

    datasets: Mapping[str, Sampled]
    mechanisms: tuple[MechanismName, ...]
    left_out: tuple[str, ...] = ()


def measure(cell: Cell) -> Iterator[Measure]:
    """Yield the mean distance (`avd`) of every mechanism; a run is a random set of attributes and its reports."""
    view = view_of(cell)
    if view is None:
        return
    epsilon = budget(cell["epsilon"], cell["w"], cell["budget"])
    variants = tuple(variant(mechanism, cell.choices) for mechanism in mechanisms(cell))
    found = cell.once(of_random_sets, view, epsilon, variants)
    for key in variants:
        yield Measure.of_runs(key[0], "avd", found[key, cell["distance"]], place={"n": users(cell, view)})


def of_random_sets(
    cell: Cell, view: Table, epsilon: float, variants: tuple[Variant, ...]
) -> dict[tuple[Variant, str], Floats]:
    """Return every distance (runs,) of the `variants` of mechanisms; readings share the attributes of each run.

    A set of attributes whose table is not random is estimated once.
    """
    n, noise = users(cell, view), cell["sampling_noise"]
    point = {**cell.point, "n": n}
    draws, rng = cell.rng(point=point, what="attributes"), cell.rng(point=point, what="reports")
    possible = subsets(view, cell["w"], cell["attributes"], cell.setting.left_out)
    drawn = (possible[int(draws.integers(len(possible)))] for _ in range(cell.runs))

    def of(columns: tuple[int, ...]) -> Iterator[tuple[Variant, Floats]]:
        chosen = view if n == view.n else view.records(draws.choice(view.n, size=n, replace=False))
        return errors(chosen.subset(columns), epsilon, noise, variants, rng)

    if noise in RANDOM or n != view.n:
        return distances(map(of, drawn))
    sets = list(drawn)
    different = list(dict.fromkeys(sets))
    places = [different.index(columns) for columns in sets]
    return {key: values[places] for key, values in distances(map(of, different)).items()}


def mechanisms(cell: Cell) -> list[str]:
    """Return the mechanisms of a cell."""
    return [name for name in cell.setting.mechanisms if name != "RR-Joint" or cell["w"] <= LARGEST_W_OF_JOINT]


def users(cell: Cell, view: Table) -> int:
    """Return how many users take part: all, unless the point has another n."""
    n = cell.point.get("n", view.n)
    if n > view.n:
        raise ValueError(f"n={n}: {cell['dataset']} has {view.n} records; lower n")
    return n
