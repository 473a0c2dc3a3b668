"""The data of a Corr-RR experiment: points of a grid, and the records behind each point."""

from __future__ import annotations

import itertools
import math
from functools import cache
from typing import Any

import numpy as np

from corrldp.data.synthetic import CopyModel, Integers, syn_a, syn_b
from corrldp.experiments.command import Experiment, View
from corrldp.protocols.records import RecordTable
from corrldp.protocols.trees import TreeTable

DATA_AXES = ("marginal", "non_copy", "parent", "structure", "data_per_run", "data_rho")
SYNTHETIC = ("syn_a", "syn_b", "correlated")
GRID = ("n", "d", "k", "rho", "epsilon", "phase1_fraction")


def points(setting: dict[str, Any], axes: dict[str, Any]) -> list[dict[str, Any]]:
    """Return one dictionary per point: data set and grid settings; an axis overrides the setting of its name.

    `setting` names the synthetic models as `dataset` and the views of real data as `views` (data set to view), whose n,
    d and k follow from the records.
    """
    grid = {**setting, **{name: [axes[name]] for name in GRID if name in axes}}
    real = grid.get("views", {})
    names = [name for name in GRID if name in grid and (not real or name in ("epsilon", "phase1_fraction"))]
    return [
        {"dataset": dataset, **dict(zip(names, values, strict=True))}
        for dataset in (real or grid["dataset"])
        for values in itertools.product(*(grid[name] for name in names))
    ]


def records(experiment: Experiment, point: dict[str, Any], axes: dict[str, Any]) -> list[RecordTable]:
    """Return the records of a point: a new data set for each run, one for all, or a view's.

    Either one table serves all runs, or, where there are more possible records than users, each run has its own. The
    draw depends on the point without epsilon and phase1_fraction, so mechanisms and budgets meet the same data.
    """
    if point["dataset"] not in SYNTHETIC:
        return [of_view(experiment.views[experiment.setting["views"][point["dataset"]]])]
    rng = experiment.rng(data=data_of(point))
    data_sets = experiment.runs if axes.get("data_per_run", "new") == "new" else 1
    n, sizes = point["n"], (point["k"],) * point["d"]
    if np.prod(sizes) >= n:
        drawn = (model(point, axes, rng).records(n, rng)[:, -point["d"] :] for _ in range(data_sets))
        return [RecordTable.from_records(records, sizes) for records in drawn]
    counts = np.stack([rng.multinomial(n, _law(model(point, axes, rng), point["d"])) for _ in range(data_sets)])
    return [RecordTable(_all_records(sizes), counts if data_sets > 1 else counts[0], sizes)]


def trees(experiment: Experiment, point: dict[str, Any], axes: dict[str, Any]) -> TreeTable | None:
    """Return a new data set for each run along its tree; None if the records do not follow one, or cost less.

    Real records do not, nor do those of SynB if every user draws other parents; and one data set for all runs must be
    kept whole. Where there are fewer possible records than cells in the tables of a tree's edges, they cost less.
    """
    if point["dataset"] not in SYNTHETIC or axes.get("data_per_run", "new") != "new":
        return None
    if point["k"] ** point["d"] <= point["d"] * point["k"] ** 2:
        return None
    rng = experiment.rng(data=data_of(point))
    models = [model(point, axes, rng) for _ in range(experiment.runs)]
    if any(len(parents) > 1 for parents in models[0].parents):
        return None
    parents = np.array([[parent for (parent,) in one.parents] for one in models])
    hidden = parents.shape[1] + 1 - point["d"]
    return TreeTable.draw(point["n"], models[0].marginal, models[0].transition, parents, rng, hidden)


def data_of(point: dict[str, Any]) -> dict[str, Any]:
    """Return what of a point decides its records: neither budget nor phases, which all meet the same data."""
    return {name: value for name, value in point.items() if name not in ("epsilon", "phase1_fraction")}


def model(point: dict[str, Any], axes: dict[str, Any], rng: np.random.Generator) -> CopyModel:
    """Return the law of the records, whose last d attributes are those of the point.

    SynB with a parent per attribute draws its tree. The `correlated` data of the preprint, by their `structure`:
    `equicorrelated`, copies of a hidden first attribute with probability sqrt(rho), so that each pair correlates by rho
    if `non_copy` is "marginal"; `star`, copies of the first attribute; `unequal`, a star whose first attribute has
    frequencies that fall linearly while the others draw uniformly where they do not copy.

    The axis `data_rho` supposes that the data were made with another rho than the `stated` one of the point.
    """
    correlated = point["dataset"] == "correlated"
    marginal = marginal_of(axes.get("marginal", "uniform" if correlated else "pi"), point["k"])
    non_copy = axes.get("non_copy", "marginal" if correlated else "different")
    d, rho = point["d"], axes.get("data_rho", "stated")
    if rho == "stated":
        rho = point["rho"]
    if point["dataset"] == "syn_a":
        return syn_a(d, rho, marginal, non_copy)
    if point["dataset"] == "syn_b":
        return syn_b(d, rho, marginal, non_copy, axes.get("parent", "attribute"), rng)
    match axes.get("structure", "equicorrelated"):
        case "equicorrelated":
            return syn_a(d + 1, math.sqrt(rho), marginal, non_copy)
        case "star":
            return syn_a(d, rho, marginal, non_copy)
        case "unequal":
            return syn_a(d, rho, marginal_of("pi", point["k"]), "any")
    raise ValueError(f"structure={axes['structure']!r} is none of equicorrelated, star, unequal")


def marginal_of(name: str, k: int) -> tuple[float, ...]:
    """Return the law of the first attribute: `pi` falls linearly, (0.4, 0.3, 0.2, 0.1) for k = 4, or `uniform`.

    Raises
    ------
    ValueError
        The name is unknown.
    """
    weights = {"pi": np.arange(k, 0, -1), "uniform": np.ones(k)}
    if name not in weights:
        raise ValueError(f"marginal={name!r} is none of {', '.join(weights)}")
    return tuple((weights[name] / weights[name].sum()).tolist())


def of_view(view: View) -> RecordTable:
    """Return the records of an aligned view."""
    return RecordTable.from_records(view.codes, view.sizes)


def _all_records(sizes: tuple[int, ...]) -> Integers:
    return np.indices(sizes).reshape(len(sizes), -1).T


@cache
def _law(model: CopyModel, d: int) -> np.ndarray:
    """Return the law of the last `d` attributes."""
    return model.law.reshape(-1, len(model.marginal) ** d).sum(axis=0)
