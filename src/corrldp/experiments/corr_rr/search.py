"""The search for attributes of the real data sets that meet the printed correlations (Table 3 of the PETS version).

The paper names neither the attributes of Clave and Mushroom nor the groups into which values were merged, so all
admissible choices are tried.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import combinations, product

import numpy as np
import pandas as pd

from corrldp.experiments.command import Experiment, View, main
from corrldp.experiments.corr_rr.correlation import correlations_of
from corrldp.experiments.rows import row
from corrldp.metrics import mean_and_se

Found = tuple[dict[str, str], dict[str, float]]


def run(experiment: Experiment) -> pd.DataFrame:
    """Return the correlation of every admissible choice of attributes and merges; of Mushroom's the nearest per pair.

    Of Adult, the first `adult_users` records are taken or all; of Clave all, or `clave_sample` random ones in each run.
    """
    setting = experiment.setting
    views = {dataset: experiment.views[name] for dataset, name in setting["views"].items()}
    rows = []
    for reading in experiment.all_readings():
        _, axes = reading
        sampled = axes.get("clave_users", "all") == "random"
        samples = (
            random_samples(views["clave"], setting["clave_sample"], experiment) if sampled else [views["clave"].codes]
        )
        found = {
            "clave": clave(views["clave"].names, np.stack([correlations_of(codes) for codes in samples])),
            "mushroom": mushroom(views["mushroom"], setting["domain_size"], setting["mushroom_correlation"]),
            "adult": adult_groups(
                first_records(views["adult"], axes.get("adult_users", "all")), setting["adult_attributes"]
            ),
        }
        rows += [
            row(
                {"dataset": dataset, **choice},
                reading,
                "data",
                metric,
                standin=views[dataset].standin,
                **_statistics(value),
            )
            for dataset, choices in found.items()
            for choice, measures in choices
            for metric, value in measures.items()
        ]
    return pd.DataFrame(rows)


def random_samples(view: View, size: int, experiment: Experiment) -> Iterator[np.ndarray]:
    """Yield the codes of `size` random records, in each run anew."""
    rng = experiment.rng(samples=size)
    for _ in range(experiment.runs):
        yield view.codes[rng.choice(len(view.codes), size, replace=False)]


def _statistics(value: float | np.ndarray) -> dict[str, float]:
    """Mean, standard error and number of runs of sampled values; a single value is exact."""
    values = np.atleast_1d(value)
    if len(values) == 1:
        return {"mean": values[0]}
    mean, se = mean_and_se(values)
    return {"mean": mean, "se": se, "runs": len(values)}


def clave(names: list[str], matrices: np.ndarray) -> Iterator[tuple[dict[str, str], dict[str, np.ndarray]]]:
    """Yield the correlations, from `matrices` (runs, d, d), of two onsets and of an onset and a class bit."""
    onsets = [j for j, name in enumerate(names) if name.startswith("onset")]
    classes = [j for j in range(len(names)) if j not in onsets]
    pools = {"onsets": combinations(onsets, 2), "onset_class": product(onsets, classes)}
    for pool, pairs in pools.items():
        for i, j in pairs:
            yield {"pool": pool, "choice": f"{names[i]}, {names[j]}"}, {"correlation": matrices[:, i, j]}


def mushroom(view: View, size: int, printed: float) -> Iterator[Found]:
    """Yield, for all pairs of attributes, the correlation nearest to the printed one, up to its sign.

    Values are merged, adjacent ones only, to `size` classes: with the documented values in documented order, in
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


def value_orders(view: View) -> dict[str, list[np.ndarray]]:
    """For each pool the codes of each attribute's values in the order in which neighbours may be merged."""
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


def adult_groups(view: View, attributes: list[str]) -> Iterator[Found]:
    """Yield the extreme correlations, up to their signs, for all ways to put each attribute's values in two groups."""
    names = view.names
    options = []
    for name in attributes:
        column = view.codes[:, names.index(name)]
        options.append(list(two_groups(column, view.values[names.index(name)])))
    columns = np.column_stack([group for choices in options for _, group in choices])
    matrix = np.abs(correlations_of(columns))
    starts = np.cumsum([0, *map(len, options)])
    for chosen in product(*(range(len(choices)) for choices in options)):
        places = starts[:-1] + chosen
        pairs = [matrix[i, j] for i, j in combinations(places, 2)]
        choice = " | ".join(options[a][index][0] for a, index in enumerate(chosen))
        yield {"pool": "groups", "choice": choice}, {"correlation_min": min(pairs), "correlation_max": max(pairs)}


def two_groups(column: np.ndarray, values: list[str]) -> Iterator[tuple[str, np.ndarray]]:
    """Yield the name and the indicator of every group that does not hold the first value, unless nobody is in it."""
    others = range(1, len(values))
    for size in range(1, len(values)):
        for group in combinations(others, size):
            member = np.isin(column, group)
            if member.any() and not member.all():
                yield "+".join(values[value] for value in group), member


def first_records(view: View, count: int | str) -> View:
    """Keep the first records of a view, or "all"."""
    return view if count == "all" else View(view.codes[:count], view.domain)


def _classes(merge: np.ndarray) -> str:
    """Sizes of the classes of a merge, such as 1-1-1-1-3."""
    return "-".join(map(str, np.bincount(merge)))


if __name__ == "__main__":
    main(run)
