"""How well the joint tables of a few columns can be estimated, from records that were collected once.

All schemes collect all columns with the budget of a record, divided evenly, and so can estimate every table. Those of
the Castell paper use GRR; LoPub uses Bloom filters and, here, Lasso regression.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from itertools import combinations
from math import comb, prod
from typing import Any

import numpy as np
import pandas as pd

from claimaudit.results import mean_and_se
from corrldp.arrays import Floats, Integers
from corrldp.data.table import Table
from corrldp.mechanisms.grr import GRR
from corrldp.protocols.bloom import BloomResponse, lasso
from corrldp.protocols.castell.schemes import (
    IndependentRR,
    hybrid_by_data,
    project_to_simplex,
    rr_ind_joint,
    rr_independent,
    squared_error,
    truncated_in_order,
)
from corrldp.randomness import generator
from corrldp.study.contenders import LeftOut
from corrldp.study.output import frame, interval
from corrldp.study.progress import SILENT, Silent
from corrldp.study.settings import JOINT_TABLES, StudySettings

MOST_CELLS = 4096
MOST_SETS = 100_000
LOPUB_RUNS = 20
PENALTY = 0.001

SCHEMES: dict[str, Callable[[Floats, list[GRR], int], Floats]] = {
    "RR-Ind-Joint": lambda observed, mechanisms, _: rr_ind_joint(observed, mechanisms),
    "RR-Independent": lambda observed, mechanisms, _: rr_independent(observed, mechanisms),
    "hybrid": hybrid_by_data,
    "truncated": lambda observed, mechanisms, _: truncated_in_order(observed, mechanisms),
    "projected": lambda observed, mechanisms, _: project_to_simplex(rr_ind_joint(observed, mechanisms)),
}


def measure(
    table: Table, dependence: pd.DataFrame, settings: StudySettings, progress: Silent = SILENT
) -> tuple[pd.DataFrame, LeftOut]:
    """Return the error of each scheme on the chosen sets of columns, and what was left out and why.

    Columns `columns, w, cells, epsilon, scheme, metric, mean, low, high, se, runs`: the metric `mse` is the squared
    error averaged over cells, `total_variation` half the sum of absolute errors; `runs` is 0 for a closed form.
    """
    rows: list[dict[str, Any]] = []
    left_out: LeftOut = []
    for w in settings.tables.ways:
        if w > table.d:
            continue
        sets = strongest_sets(table, dependence, w, settings.tables.sets)
        if not sets:
            reason = f"none has at most {MOST_CELLS:,} cells"
            left_out.append({"kind": JOINT_TABLES, "what": f"tables of {w} columns", "reason": reason})
        for names in progress.track(f"tables of {w} columns", sets):
            for epsilon in settings.epsilons:
                rows += of_set(table, names, epsilon, settings)
    return frame("joint", rows), left_out


def strongest_sets(table: Table, dependence: pd.DataFrame, w: int, most: int) -> list[tuple[str, ...]]:
    """Return the sets of `w` columns with the largest mean Cramer's V of their pairs, among those with few cells."""
    names = list(table.names)
    pairs = dependence[dependence["one"].isin(names) & dependence["other"].isin(names)]
    strength = {frozenset(pair): v for *pair, v in pairs[["one", "other", "cramers_v"]].itertuples(index=False)}
    while comb(len(names), w) > MOST_SETS:  # keep the columns with the strongest partners
        names.remove(min(names, key=lambda one: max(v for pair, v in strength.items() if one in pair)))
    size = dict(zip(table.names, table.sizes, strict=True))
    possible = [one for one in combinations(names, w) if prod(size[name] for name in one) <= MOST_CELLS]
    means = {one: np.mean([strength[frozenset(pair)] for pair in combinations(one, 2)]) for one in possible}
    return sorted(possible, key=lambda one: (-means[one], one))[:most]


def of_set(table: Table, names: Sequence[str], epsilon: float, settings: StudySettings) -> Iterator[dict[str, Any]]:
    """Yield the errors of all schemes on one set of columns, with `epsilon` for a whole record."""
    view = table.subset(names)
    counts = view.counts()
    truth = counts / view.n
    protocol = IndependentRR(epsilon / table.d, view.sizes)
    rng = generator(settings.seed, "study", "joint", *names, epsilon)
    observed = protocol.simulate(counts, settings.runs, rng) / view.n
    place = {"columns": ", ".join(names), "w": len(names), "cells": truth.size, "epsilon": epsilon}
    for scheme, estimate in SCHEMES.items():
        errors = np.stack([estimate(one, protocol.mechanisms, view.n) - truth for one in observed])
        exact = squared_error(protocol.mechanisms, view.n) / truth.size if scheme == "RR-Ind-Joint" else None
        yield from _rows({**place, "scheme": scheme}, errors, exact)
    by_lasso = lopub_errors(view, truth, epsilon / table.d, min(settings.runs, LOPUB_RUNS), rng)
    yield from _rows({**place, "scheme": "LoPub"}, by_lasso, None)


def lopub_errors(
    view: Table, truth: Floats, epsilon_per_attribute: float, runs: int, rng: np.random.Generator
) -> Floats:
    """Return the errors (runs, k_1, ..., k_w) of LoPub by Lasso."""
    lopub = BloomResponse.draw(epsilon_per_attribute, view.sizes, rng)
    marginals: list[Integers] = [view.counts((j,)) for j in range(view.d)]
    shares = (lopub.unbias(lopub.simulate(marginals, rng), view.n) for _ in range(runs))
    return np.stack([lasso(lopub, share, PENALTY) - truth for share in shares])


def _rows(place: dict[str, Any], errors: Floats, exact: float | None) -> Iterator[dict[str, Any]]:
    axes = tuple(range(1, errors.ndim))
    for metric, values in (
        ("mse", (errors**2).mean(axis=axes)),
        ("total_variation", np.abs(errors).sum(axis=axes) / 2),
    ):
        mean, se = map(float, mean_and_se(values))
        runs = len(values)
        if metric == "mse" and exact is not None:
            mean, se, runs = exact, 0.0, 0
        yield {**place, "metric": metric, "mean": mean, **interval(mean, se), "runs": runs}
