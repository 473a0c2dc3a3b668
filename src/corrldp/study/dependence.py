"""How strongly columns depend on each other, and how well joint tables of the strongest can be estimated.

All schemes of joint tables collect all columns once, with the budget of a record divided evenly, and so can estimate
every table. Those of the Castell paper use GRR; LoPub uses Bloom filters and, here, Lasso regression.
"""

from collections.abc import Callable, Iterable, Iterator, Sequence
from itertools import combinations
from math import comb, prod

import numpy as np
import pandas as pd
from scipy.stats import chi2, false_discovery_control

from claimaudit.results import mean_and_se
from corrldp.arrays import Floats, Integers
from corrldp.data.table import Table
from corrldp.dependence import cramers_v, nmi
from corrldp.leakage.empirical import holm, p_values, surrogate_tables
from corrldp.mechanisms.grr import GRR
from corrldp.protocols.castell import (
    hybrid_by_data,
    perturb_axes,
    project_to_simplex,
    rr_ind_joint,
    rr_independent,
    squared_error,
    truncated_in_order,
)
from corrldp.protocols.lopub import BloomResponse, lasso
from corrldp.randomness import generator
from corrldp.study.settings import StudySettings
from corrldp.study.tables import Dependence, JointError, frame, interval

FEWEST, MOST = 999, 9_999  # surrogates of a table
LARGEST_DRAW = 2 * 10**7  # cells of all surrogates together
RARE, MOST_RARE = 5, 0.2
"""Cochran's rule: the chi-squared law holds if few expected counts are below 5, and none below 1."""

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


def measure(table: Table, pairs: Iterable[tuple[str, str]], settings: StudySettings) -> pd.DataFrame:
    """Return the `Dependence` of every two columns, the strongest first.

    The p-value is from the chi-squared law where Cochran's rule allows it, else from random tables with the same
    margins: so many that Holm's correction can reach the level, unless the pairs or cells are too many.
    """
    wanted = int(np.clip(2 * comb(table.d, 2) / settings.level, FEWEST, MOST))
    found = frame(Dependence, (_of_pair(table, one, other, wanted, settings.seed) for one, other in pairs))
    if len(found):
        found["holm"] = holm(found["p_value"])
        found["fdr"] = false_discovery_control(found["p_value"])
    return found.sort_values(["cramers_v", "one", "other"], ascending=[False, True, True], ignore_index=True)


def _of_pair(table: Table, one: str, other: str, wanted: int, seed: int) -> Dependence:
    counts = table.counts((one, other))
    occurring = counts[counts.any(axis=1)][:, counts.any(axis=0)]
    p_value, test = 1.0, "none: one value only"
    if min(occurring.shape) > 1:
        expected = np.outer(occurring.sum(axis=1), occurring.sum(axis=0)) / occurring.sum()
        few = (expected < RARE).mean() <= MOST_RARE and expected.min() >= 1
        if few:
            p_value, test = float(chi2.sf(_statistic(occurring), (np.array(occurring.shape) - 1).prod())), "chi-squared"
        else:
            number = min(wanted, max(FEWEST, LARGEST_DRAW // occurring.size))
            surrogates = surrogate_tables(occurring, number, generator(seed, "study", "surrogates", one, other))
            p_value, test = float(p_values(_statistic(occurring), _statistic(surrogates))), f"{number:,} surrogates"
    strength, shared = (float(np.nan_to_num(found)) for found in (cramers_v(counts), nmi(counts, "max")))
    return Dependence(one, other, strength, shared, p_value, test)


def _statistic(counts: Integers) -> Floats:
    """Pearson's statistic (...) of tables (..., m, t) all of whose rows and columns occur."""
    n = counts.sum(axis=(-2, -1))
    return n * (min(counts.shape[-2:]) - 1) * cramers_v(counts, "domain") ** 2


def strongest(table: Table, dependence: pd.DataFrame, w: int, most: int) -> list[tuple[str, ...]]:
    """Return the sets of w columns with the largest mean Cramer's V of their pairs and few cells."""
    names = list(table.names)
    pairs = dependence[dependence["one"].isin(names) & dependence["other"].isin(names)]
    strength = {frozenset(pair): v for *pair, v in pairs[["one", "other", "cramers_v"]].itertuples(index=False)}
    while comb(len(names), w) > MOST_SETS:  # keep the columns with the strongest partners
        names.remove(min(names, key=lambda one: max(v for pair, v in strength.items() if one in pair)))
    size = dict(zip(table.names, table.sizes, strict=True))
    possible = [one for one in combinations(names, w) if prod(size[name] for name in one) <= MOST_CELLS]
    means = {one: np.mean([strength[frozenset(pair)] for pair in combinations(one, 2)]) for one in possible}
    return sorted(possible, key=lambda one: (-means[one], one))[:most]


def of_set(table: Table, names: Sequence[str], epsilon: float, settings: StudySettings) -> Iterator[JointError]:
    """Yield the errors of all schemes on one set of columns, with `epsilon` for a whole record."""
    view = table.subset(names)
    counts = view.counts()
    truth = counts / view.n
    mechanisms = [GRR(epsilon / table.d, k) for k in view.sizes]
    rng = generator(settings.seed, "study", "joint", *names, epsilon)
    observed = perturb_axes(np.broadcast_to(counts, (settings.runs, *counts.shape)), mechanisms, rng) / view.n
    place = (", ".join(names), len(names), truth.size, epsilon)
    for scheme, estimate in SCHEMES.items():
        errors = np.stack([estimate(one, mechanisms, view.n) - truth for one in observed])
        exact = squared_error(mechanisms, view.n) / truth.size if scheme == "RR-Ind-Joint" else None
        yield from _of_scheme((*place, scheme), errors, exact)
    by_lasso = lopub_errors(view, truth, epsilon / table.d, min(settings.runs, LOPUB_RUNS), rng)
    yield from _of_scheme((*place, "LoPub"), by_lasso, None)


def lopub_errors(
    view: Table, truth: Floats, epsilon_per_attribute: float, runs: int, rng: np.random.Generator
) -> Floats:
    """Return the errors (runs, k_1, ..., k_w) of LoPub by Lasso."""
    lopub = BloomResponse.draw(epsilon_per_attribute, view.sizes, rng)
    marginals: list[Integers] = [view.counts((j,)) for j in range(view.d)]
    shares = (lopub.unbias(lopub.simulate(marginals, rng), view.n) for _ in range(runs))
    return np.stack([lasso(lopub, share, PENALTY) - truth for share in shares])


def _of_scheme(place: tuple[str, int, int, float, str], errors: Floats, exact: float | None) -> Iterator[JointError]:
    axes = tuple(range(1, errors.ndim))
    mean, se = map(float, mean_and_se((errors**2).mean(axis=axes)))
    mean, se, runs = (mean, se, len(errors)) if exact is None else (exact, 0.0, 0)
    yield JointError(*place, "mse", mean, *interval(mean, se), runs)
    mean, se = map(float, mean_and_se(np.abs(errors).sum(axis=axes) / 2))
    yield JointError(*place, "total_variation", mean, *interval(mean, se), len(errors))
