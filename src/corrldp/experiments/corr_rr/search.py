"""The search for attributes of the real data sets that meet the printed correlations (Table 3 of the PETS version).

The paper names neither the attributes of Clave and Mushroom nor the groups into which values were merged, so all
admissible choices are tried.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from itertools import combinations, product
from typing import Annotated, Any, Literal

import numpy as np
from annotated_types import Ge, Le

from corrldp.data.table import Table
from corrldp.experiments.axes import Axis, Number, by_name
from corrldp.experiments.corr_rr.correlation import correlations_of
from corrldp.experiments.engine import Cell
from corrldp.experiments.measures import Measure
from corrldp.experiments.setting import BaseSetting, DomainSize, Point, Users, ViewName

Found = tuple[dict[str, str], dict[str, Any]]
AXES = by_name(
    Axis("clave_users", {"all": "all users of Clave", "random": "new random users of Clave in each run"}),
    Axis("adult_users", {"all": "all users of Adult"}, Number(1, 10**9, "the first {:,} users of Adult", whole=True)),
)


class Setting(BaseSetting):
    """The views of Clave, Mushroom and Adult, and what the paper prints about them."""

    views: dict[Literal["clave", "mushroom", "adult"], ViewName]
    domain_size: DomainSize
    mushroom_correlation: Annotated[float, Ge(-1), Le(1)]
    adult_attributes: tuple[str, ...]
    clave_sample: Users

    def points(self, choices: Mapping[str, Any]) -> Iterator[Point]:
        """Yield every data set."""
        return ({"dataset": dataset} for dataset in self.views)


def measure(cell: Cell) -> Iterator[Measure]:
    """Yield the correlation of every admissible choice of attributes and merges; for Mushroom, the nearest per pair.

    Adult's records are the first `adult_users` or all, Clave's are all or, in each run, `clave_sample` random ones.
    """
    setting = cell.setting
    view = cell.views[setting.views[cell["dataset"]]]
    match cell["dataset"]:
        case "clave":
            samples = random_samples(cell, view) if cell["clave_users"] == "random" else [view.codes]
            found: Iterator[Found] = clave(view.names, np.stack([correlations_of(codes) for codes in samples]))
        case "mushroom":
            found = mushroom(view, setting.domain_size, setting.mushroom_correlation)
        case "adult":
            users = cell["adult_users"]
            first = view if users == "all" else view.records(slice(users))
            found = adult_groups(first, setting.adult_attributes)
    for place, measures in found:
        for metric, values in measures.items():
            yield Measure.of_runs("data", metric, values, place=place)


def random_samples(cell: Cell, view: Table) -> Iterator[np.ndarray]:
    """Yield the codes of `clave_sample` random records for each run."""
    size = cell.setting.clave_sample
    rng = cell.rng(samples=size)
    for _ in range(cell.runs):
        yield view.codes[rng.choice(view.n, size, replace=False)]


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

    Only adjacent values are merged, into `size` classes: with the documented values in documented order, in
    alphabetical order, and with the values that occur in alphabetical order. `choices` counts the merges of the pair,
    `matches` those within half a unit of the third decimal.
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
            best = np.unravel_index(np.argmin(distance), table.shape)
            names = view.names
            yield (
                {
                    "pool": pool,
                    "choice": f"{names[i]} {_classes(merged[i][best[0]])}, {names[j]} {_classes(merged[j][best[1]])}",
                },
                {
                    "correlation": table[best],
                    "choices": table.size,
                    "matches": int((distance <= 0.0005).sum()),
                },
            )


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


def merged_correlations(joint: np.ndarray, first: np.ndarray, second: np.ndarray) -> np.ndarray:
    """Correlations (a, b) of merged values, for their joint law (u, v) and their classes (a, u) and (b, v)."""
    means = [first @ joint.sum(axis=1), second @ joint.sum(axis=0)]
    variances = [first**2 @ joint.sum(axis=1) - means[0] ** 2, second**2 @ joint.sum(axis=0) - means[1] ** 2]
    covariance = first @ joint @ second.T - np.outer(*means)
    scale = np.sqrt(np.maximum(np.outer(*variances), 0))
    return np.divide(covariance, scale, out=np.zeros_like(covariance), where=scale > 0)


def adult_groups(view: Table, attributes: Sequence[str]) -> Iterator[Found]:
    """Yield the extreme correlations, up to their signs, for all ways to put each attribute's values in two groups."""
    options = []
    for name in attributes:
        column = view.codes[:, view.place(name)]
        options.append(list(two_groups(column, view.values[view.place(name)])))
    columns = np.column_stack([group for choices in options for _, group in choices])
    matrix = np.abs(correlations_of(columns))
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


def _classes(merge: np.ndarray) -> str:
    """Sizes of the classes of a merge, such as 1-1-1-1-3."""
    return "-".join(map(str, np.bincount(merge)))
