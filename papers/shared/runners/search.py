"""The search for attributes, merges and numberings of the real data that meet the printed correlations.

The papers name neither the attributes of Clave and Mushroom nor the groups into which values were merged, so all
admissible choices are tried.
"""

import itertools
from collections.abc import Iterable, Iterator, Sequence
from itertools import combinations, product
from typing import Annotated, Any, Literal

import numpy as np
from annotated_types import Ge, Le
from shared.runners import axes
from shared.runners.data import merged_correlations

from claimaudit.experiments.engine import Cell
from claimaudit.experiments.runner import BaseSetting, Measure, Point, ViewName
from corrldp.arrays import Integers
from corrldp.data.table import Table
from corrldp.runners import Count, DomainSize, OnViews, Users, runner

Found = tuple[dict[str, str], dict[str, Any]]


class Attributes(OnViews):
    """The views of Clave, Mushroom and Adult, and what the paper prints about them."""

    views: dict[Literal["clave", "mushroom", "adult"], ViewName]  # type: ignore[assignment]  # of these alone
    domain_size: DomainSize
    mushroom_correlation: Annotated[float, Ge(-1), Le(1)]
    adult_attributes: tuple[str, ...]
    clave_sample: Users


@runner(
    Attributes,
    mechanisms=("data",),
    metrics=("correlation", "correlation_min", "correlation_max", "choices", "matches"),
    columns=("pool", "choice"),
    axes=axes.SEARCH,
    simulates=True,
)
def attributes(cell: Cell) -> Iterator[Measure]:
    """Yield the correlation of every admissible choice of attributes and merges; for Mushroom, the nearest per pair.

    Adult's records are the first `adult_users` or all, Clave's are all or, in each run, `clave_sample` random ones.
    """
    setting = cell.setting
    view = cell.views[setting.views[cell["dataset"]]]
    match cell["dataset"]:
        case "clave":
            samples: list[Integers] = [np.arange(view.n)]
            if cell["clave_users"] == "random":
                rng = cell.rng(samples=setting.clave_sample)
                samples = [rng.choice(view.n, setting.clave_sample, replace=False) for _ in range(cell.runs)]
            matrices = np.stack([np.corrcoef(view.codes[users], rowvar=False) for users in samples])
            found: Iterator[Found] = clave(view.names, matrices)
        case "mushroom":
            found = mushroom(view, setting.domain_size, setting.mushroom_correlation)
        case "adult":
            users = cell["adult_users"]
            first = view if users == "all" else view.records(slice(users))
            found = adult_groups(first, setting.adult_attributes)
    for place, measures in found:
        for metric, values in measures.items():
            yield Measure.of_runs("data", metric, values, place=place)


def clave(names: Sequence[str], matrices: np.ndarray) -> Iterator[tuple[dict[str, str], dict[str, np.ndarray]]]:
    """Yield the correlations, from `matrices` (runs, d, d), of two onsets and of an onset and a class bit."""
    onsets = [j for j, name in enumerate(names) if name.startswith("onset")]
    classes = [j for j in range(len(names)) if j not in onsets]
    pools = {"onsets": combinations(onsets, 2), "onset_class": product(onsets, classes)}
    for pool, pairs in pools.items():
        for i, j in pairs:
            yield {"pool": pool, "choice": f"{names[i]}, {names[j]}"}, {"correlation": matrices[:, i, j]}


def mushroom(view: Table, size: int, printed: float) -> Iterator[Found]:
    """Yield, for all pairs of attributes, the correlation nearest to the printed one, up to its sign.

    Only adjacent values are merged, into `size` classes, of whose sizes a choice tells: with the documented values in
    documented order, in alphabetical order, and with the values that occur in alphabetical order. `choices` counts the
    merges of the pair, `matches` those within half a unit of the third decimal.
    """
    for pool, orders in value_orders(view).items():
        usable = {j: order for j, order in enumerate(orders) if len(order) >= size}
        merged = {j: merges(len(order), size) for j, order in usable.items()}
        for i, j in combinations(usable, 2):
            joint = np.zeros((len(usable[i]), len(usable[j])))
            ranks = [np.argsort(usable[a])[np.searchsorted(np.sort(usable[a]), view.codes[:, a])] for a in (i, j)]
            np.add.at(joint, tuple(ranks), 1 / len(view.codes))
            table = merged_correlations(joint, merged[i], merged[j])
            distance = np.abs(np.abs(table) - printed)
            best = np.unravel_index(np.argmin(distance.round(9)), table.shape)
            classes = ("-".join(map(str, np.bincount(merged[a][at]))) for a, at in zip((i, j), best, strict=True))
            choice = ", ".join(f"{view.names[a]} {sizes}" for a, sizes in zip((i, j), classes, strict=True))
            matches = int((distance <= 0.0005).sum())
            found = {"correlation": table[best], "choices": table.size, "matches": matches}
            yield {"pool": pool, "choice": choice}, found


def value_orders(view: Table) -> dict[str, list[np.ndarray]]:
    """Return, for each pool, the codes of each attribute's values in the order in which neighbours may be merged."""
    values = [np.array(names) for names in view.values]
    alphabetical = [np.argsort(names) for names in values]
    return {
        "documented": [np.arange(len(names)) for names in values],
        "alphabetical": alphabetical,
        "occurring": [order[np.isin(order, view.codes[:, j])] for j, order in enumerate(alphabetical)],
    }


def merges(values: int, size: int) -> np.ndarray:
    """All merges of adjacent values to `size` classes: the class of each value, (merges, values)."""
    cuts = np.array(list(combinations(range(1, values), size - 1))).reshape(-1, size - 1)
    return (np.arange(values)[None, :, None] >= cuts[:, None, :]).sum(axis=2)


def adult_groups(view: Table, attributes: Sequence[str]) -> Iterator[Found]:
    """Yield the extreme correlations, up to their signs, for all ways to put each attribute's values in two groups."""
    options = [[*two_groups(view.codes[:, at], view.values[at])] for at in map(view.place, attributes)]
    columns = np.column_stack([group for choices in options for _, group in choices])
    matrix = np.abs(np.corrcoef(columns, rowvar=False))
    starts = np.cumsum([0, *map(len, options)])
    for chosen in product(*(range(len(choices)) for choices in options)):
        places = starts[:-1] + chosen
        pairs = [matrix[i, j] for i, j in combinations(places, 2)]
        choice = " | ".join(options[a][index][0] for a, index in enumerate(chosen))
        yield {"pool": "groups", "choice": choice}, {"correlation_min": min(pairs), "correlation_max": max(pairs)}


def two_groups(column: np.ndarray, values: Sequence[str]) -> Iterator[tuple[str, np.ndarray]]:
    """Yield the name and the indicator of every group without the first value that has some, but not all, users."""
    others = range(1, len(values))
    for size in range(1, len(values)):
        for group in combinations(others, size):
            member = np.isin(column, group)
            if member.any() and not member.all():
                yield "+".join(values[value] for value in group), member


class Numberings(BaseSetting):
    """A view whose attributes `features` depend on each other only through the attribute `target`.

    All are reduced to `size` values: the target by frequency, the others in every way that keeps all but the last of
    them, because their values are equally frequent.
    """

    view: ViewName
    features: tuple[Count, ...]
    target: Count
    size: DomainSize
    lowest: float
    highest: float

    def outer(self) -> Iterable[Point]:
        for order in itertools.permutations(range(self.size)):
            if order <= order[::-1]:
                yield {"order": "-".join(map(str, order))}


@runner(Numberings, mechanisms=("data",), metrics=("range_distance",))
def numberings(cell: Cell) -> Iterator[Measure]:
    """Yield `range_distance`: over all numberings, the least largest distance of both extremes from the printed ones.

    The numberings of the features are chosen independently of each other, so the extremes fit if each feature has a
    correlation between them and one of them each is close to an end.
    """
    setting, view = cell.setting, cell.views[cell.setting.view]
    order = np.array([int(code) for code in cell["order"].split("-")])
    target = order[by_frequency(view.codes[:, setting.target], setting.size)]
    found = [np.array(sorted(options(view.codes[:, j], target, setting.size))) for j in setting.features]
    yield Measure("data", "range_distance", nearest_range(found, setting.lowest, setting.highest))


def by_frequency(column: Integers, size: int) -> Integers:
    """Return codes: the most frequent values get the first `size` - 1 numbers, all others the last one."""
    rank = np.argsort(np.argsort(-np.bincount(column), kind="stable"))
    return np.minimum(rank, size - 1)[column]


def options(column: Integers, target: Integers, size: int) -> set[float]:
    """Return the correlations with the target of all ways to reduce a column to `size` values and to number them."""
    law = np.zeros((column.max() + 1, target.max() + 1))
    np.add.at(law, (column, target), 1 / len(column))
    values, numbers = len(law), np.arange(law.shape[1])[None]
    kept = itertools.permutations(range(values), min(values, size) - 1)
    found = set()
    for chosen in kept:
        groups = np.full(values, len(chosen))
        groups[list(chosen)] = np.arange(len(chosen))
        for codes in itertools.permutations(range(len(chosen) + 1)):
            found.add(round(float(merged_correlations(law, np.array(codes)[groups][None], numbers)[0, 0]), 12))
    return found


def nearest_range(found: list[np.ndarray], lowest: float, highest: float) -> float:
    """Return the smallest possible value of max(|min - lowest|, |max - highest|) over one choice from each array."""
    every, best = np.unique(np.concatenate(found)), np.inf
    for low, high in itertools.product(every, every):
        allowed = [(array >= low) & (array <= high) for array in found]
        if not low <= 0 <= high or not all(inside.any() for inside in allowed):
            continue
        ends = [{*np.flatnonzero([(array == end).any() for array in found]).tolist()} for end in (low, high)]
        if len(ends[0] | ends[1]) > 1:  # different attributes
            best = min(best, max(abs(low - lowest), abs(high - highest)))
    return float(best)
