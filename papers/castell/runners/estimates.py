"""Estimates of joint laws: random sets of attributes, the reports on a set, estimates from them and their distances."""

import math
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import lru_cache
from itertools import combinations
from typing import Literal, TypeVar

import numpy as np

from claimaudit.experiments.engine import Cell
from claimaudit.experiments.runner import BaseSetting, Choices, Point, Swept, ViewName
from corrldp.arrays import Floats, Integers
from corrldp.data.table import Table
from corrldp.mechanisms.grr import GRR
from corrldp.protocols.castell import (
    apply_axes,
    castell,
    channel_pair,
    expected_table,
    hybrid_by_data,
    perturb_axes,
    project_to_simplex,
    rr_ind_joint,
    rr_independent,
    tabulate,
    truncated_in_order,
)
from corrldp.protocols.lopub import until_stable
from corrldp.runners import Attributes, Epsilon


class DataSet(BaseSetting):
    """The view of a data set, and numbers w of attributes."""

    view: ViewName
    w: Swept[Attributes]


class RandomSets(BaseSetting):
    """Data sets whose attributes are drawn at random, and budgets."""

    datasets: Mapping[str, DataSet]
    epsilon: Swept[Epsilon]

    def points(self, choices: Choices) -> Iterator[Point]:
        for name, dataset in self.datasets.items():
            for size in dataset.points(choices):
                for budgets in super().points(choices):
                    yield {"dataset": name, **size, **budgets}


RANDOM = ("randomised", "modelled")
"""Values of the axis `sampling_noise` under which the table that the collector observes is random."""


def view_of(cell: Cell) -> Table | None:
    """Return the records of the cell's data set; None if they are optional and were not fetched."""
    return cell.views.get(cell.setting.datasets[cell["dataset"]].view)


def subsets(view: Table, w: int, which: str, left_out: Sequence[str]) -> list[tuple[int, ...]]:
    """List the sets of `w` attributes, by their columns; unless `which` is "all", some attributes are left out."""
    without = set() if which == "all" else {view.place(name) for name in left_out}
    columns = [column for column in range(view.d) if column not in without]
    if w > len(columns):
        raise ValueError(f"w={w}: there are {len(columns)} attributes to choose from; lower w")
    return list(combinations(columns, w))


# Many runs draw the same attributes.
part, counted = lru_cache(maxsize=256)(Table.subset), lru_cache(maxsize=256)(Table.counts)


def evenly(cell: Cell, view: Table, rng: np.random.Generator) -> list[tuple[int, ...]]:
    """Draw a set of attributes for each run, in random order, every set equally often but for one run.

    A few sets have several times the distance of the others, so a mean over sets that are drawn anew depends on how
    many of these it happens to contain. The standard deviation over the runs is still that of a set drawn at random.
    """
    sets = subsets(view, cell["w"], cell["attributes"], cell.setting.left_out)
    orders = [rng.permutation(len(sets)) for _ in range(-(-cell.runs // len(sets)))]
    return [sets[at] for at in np.concatenate(orders)[: cell.runs]]


def budget(epsilon: float, w: int, how: str | float) -> float:
    """Epsilon of each attribute: the stated one, the stated one split over w attributes, or a number."""
    if isinstance(how, str):
        return epsilon / w if how == "over_w" else epsilon
    return how


def observe(
    counts: Integers, mechanisms: list[GRR], noise: str, randomised: Callable[[], Integers], rng: np.random.Generator
) -> Floats:
    """Return the observed frequencies (k_1, ..., k_w) of true counts under a reading.

    If the `noise` is "randomised", every respondent randomises; `randomised` draws the table of reports. Otherwise the
    table is the expected one, "rounded" to whole counts or "unrounded", or, "modelled", with errors as Section III-H
    models those of rounding: uniform, up to half a record in each cell.
    """
    n = int(counts.sum())
    if noise == "randomised":
        return randomised() / n
    expected = expected_table(counts.astype(float), mechanisms)
    if noise == "modelled":
        return (expected + rng.uniform(-0.5, 0.5, size=expected.shape)) / n
    return (np.rint(expected.round(6)) if noise == "rounded" else expected) / n  # last bits do not decide about halves


def hybrid_by_bounds(observed: Floats, mechanisms: list[GRR], n: int) -> Floats:
    """Choose by the printed bounds: RR-Ind-Joint where Eq. 10 is below Eq. 9 (Appendix C)."""
    w, d = len(mechanisms), max(grr.k for grr in mechanisms)
    joint = joint_bound(d, w, sum(grr.epsilon for grr in mechanisms), n) < independent_bound(d, w)
    return rr_ind_joint(observed, mechanisms) if joint else rr_independent(observed, mechanisms)


def truncated(observed: Floats, mechanisms: list[GRR]) -> Floats:
    """Algorithm 4 as printed: negative cells become 0, then the raw (w - 1)-way estimates are upper limits.

    Those limits may be negative, and then so is the result. A single attribute is only clipped.
    """
    raw = castell(observed, mechanisms)
    estimate = np.maximum(raw, 0)
    if observed.ndim > 1:
        for axis in range(observed.ndim):
            # The marginal of the estimate is the estimate from the marginal of the reports: the estimate is linear.
            np.minimum(estimate, raw.sum(axis=axis, keepdims=True), out=estimate)
    return estimate


def independent_bound(d: int, w: float) -> float:
    """Return the bound of RR-Independent, max(d^-w, 1/d - d^-w) (Eq. 9); `d` is the largest of w domain sizes."""
    return max(d**-w, 1 / d - d**-w)


def joint_bound(d: int, w: float, epsilon: float, n: int) -> float:
    """Return the bound of RR-Ind-Joint, (1 + (d - 1) / e^(epsilon / w))^w d^w / n (Eq. 10).

    `d` is the largest of w domain sizes, and `epsilon` the budget of a record, epsilon / w for each attribute.
    """
    return (1 + (d - 1) * math.exp(-epsilon / w)) ** w * d**w / n


def iterative_bayesian_update(
    observed: Floats, mechanisms: list[GRR], iterations: int = 200, tolerance: float = 1e-4
) -> Floats:
    """Maximum-likelihood distribution (k_1, ..., k_w) of the observed frequencies by EM, from the uniform one.

    For `iterations` and `tolerance` see `until_stable`.
    """
    pairs = [channel_pair(grr) for grr in mechanisms]

    def update(law: Floats) -> Floats:
        return law * apply_axes(observed / apply_axes(law.copy(), pairs), pairs)

    return until_stable(update, np.full(observed.shape, 1 / observed.size), iterations, tolerance)


FEW_USERS = 3  # users per cell up to which randomising each of them is cheaper than spreading cells
ARITHMETIC = 1e-12  # smaller errors come from the arithmetic, not from the estimate
MechanismName = Literal["RR-Ind-Joint", "RR-Independent", "RR-Joint", "hybrid", "truncated", "projected", "EM"]
Variant = tuple[str, str]


# Post-processing of one observed table: (mechanism, variant) -> estimate of (observed, mechanisms, n). Section IV-B
# prefers RR-Ind-Joint for up to four attributes of Adult.
ESTIMATES: dict[Variant, Callable[[Floats, list[GRR], int], Floats]] = {
    ("RR-Ind-Joint", ""): lambda observed, mechanisms, _: rr_ind_joint(observed, mechanisms),
    ("RR-Independent", ""): lambda observed, mechanisms, _: rr_independent(observed, mechanisms),
    ("hybrid", "appendix_c"): hybrid_by_bounds,
    ("hybrid", "data"): hybrid_by_data,
    ("hybrid", "w_up_to_4"): lambda observed, mechanisms, _: (rr_ind_joint if len(mechanisms) <= 4 else rr_independent)(
        observed, mechanisms
    ),
    ("truncated", "printed"): lambda observed, mechanisms, _: truncated(observed, mechanisms),
    ("truncated", "clipped"): lambda observed, mechanisms, _: np.maximum(truncated(observed, mechanisms), 0),
    ("truncated", "in_order"): lambda observed, mechanisms, _: truncated_in_order(observed, mechanisms),
    ("projected", ""): lambda observed, mechanisms, _: project_to_simplex(rr_ind_joint(observed, mechanisms)),
    ("EM", ""): lambda observed, mechanisms, _: iterative_bayesian_update(observed, mechanisms),
}
AXIS_OF = {"hybrid": "thresholds", "truncated": "truncation"}


def variant(mechanism: str, choices: Choices) -> Variant:
    """Return the variant of a mechanism that a reading asks for."""
    return mechanism, str(choices[AXIS_OF[mechanism]]) if mechanism in AXIS_OF else ""


def errors(
    view: Table,
    epsilon: float,
    noise: str,
    variants: Iterable[Variant],
    rng: np.random.Generator,
    estimates: str = "exact",
) -> Iterator[tuple[Variant, Floats]]:
    """Yield the error (k_1, ..., k_w) of each estimate from one collection of reports.

    `epsilon` is the budget of each attribute. RR-Joint draws separate reports, with the same budget for the record.
    If `estimates` are "whole", each is rounded to whole counts.
    """
    counts = counted(view)
    frequencies = counts / view.n
    mechanisms = [GRR(epsilon, k) for k in view.sizes]

    def reports() -> np.ndarray:
        if view.n <= FEW_USERS * counts.size:
            columns = [grr.privatize(column, rng) for grr, column in zip(mechanisms, view.codes.T, strict=True)]
            return tabulate(np.column_stack(columns), view.sizes)
        return perturb_axes(counts[None], mechanisms, rng)[0]

    observed = observe(counts, mechanisms, noise, reports, rng)
    for chosen in variants:
        if chosen[0] == "RR-Joint":
            estimate = rr_joint(counts, epsilon * view.d, noise, rng)
        elif chosen == ("truncated", "own_tables"):
            estimate = truncated_by_own_tables(observed, counts, mechanisms, noise, rng)
        else:
            estimate = ESTIMATES[chosen](observed, mechanisms, view.n)
        error = rounded(estimate, view.n, estimates) - frequencies
        error[np.abs(error) < ARITHMETIC] = 0
        yield chosen, error


def rounded(estimate: Floats, n: int, estimates: str) -> Floats:
    """Return an estimate of frequencies of n users, in whole counts if `estimates` are "whole".

    Rounding keeps order: the least of an estimate and its limits is rounded like the least of them in whole counts.
    """
    return np.rint(estimate * n) / n if estimates == "whole" else estimate


def truncated_by_own_tables(
    observed: Floats, counts: Integers, mechanisms: list[GRR], noise: str, rng: np.random.Generator
) -> Floats:
    """Return what Algorithm 4 estimates if each (w - 1)-way table has an error of its own; negative results are 0.

    Expected tables that are rounded do not sum to one another; the marginals of one collection of reports do.
    """
    if noise == "randomised":
        return ESTIMATES["truncated", "clipped"](observed, mechanisms, int(counts.sum()))
    estimate = rr_ind_joint(observed, mechanisms)
    for axis in range(counts.ndim):
        others = [*mechanisms[:axis], *mechanisms[axis + 1 :]]
        limit = rr_ind_joint(observe(counts.sum(axis=axis), others, noise, lambda: counts, rng), others)
        np.minimum(estimate, np.expand_dims(limit, axis), out=estimate)
    return np.maximum(estimate, 0)


def rr_joint(counts: Integers, epsilon: float, noise: str, rng: np.random.Generator) -> Floats:
    """Return the estimate of RR-Joint from one collection of reports, with a budget of `epsilon` for the record.

    It is GRR over the Cartesian product of the attributes (Section II-B.1), which reports the truth with probability
    `gap`, and otherwise a value drawn uniformly from the whole domain.
    """
    joint = GRR(epsilon, counts.size)

    def reports() -> Integers:
        kept = rng.binomial(counts.ravel(), joint.gap)
        return kept + rng.multinomial(counts.sum() - kept.sum(), np.full(counts.size, 1 / counts.size))

    observed = observe(counts.ravel(), [joint], noise, reports, rng)
    return rr_ind_joint(observed, [joint]).reshape(counts.shape)


T = TypeVar("T")


def distances_of(errors: Floats) -> dict[str, float]:
    """Return the distances that an error (k_1, ..., k_w) amounts to.

    They are the supremum (the paper's AVD), the total variation (LoPub's AVD), and means over cells.
    """
    sizes = np.abs(errors)
    total = float(sizes.sum())
    return {
        "sup": float(sizes.max()),
        "total_variation": total / 2,
        "mean_absolute": total / sizes.size,
        "mean_squared": float(np.vdot(sizes, sizes)) / sizes.size,
    }


def distances(runs: Iterable[Iterable[tuple[T, Floats]]]) -> dict[tuple[T, str], Floats]:
    """Return every distance (runs,) of each estimate, whose error (k_1, ..., k_w) each run yields."""
    found: dict[tuple[T, str], list[float]] = {}
    for run in runs:
        for estimate, error in run:
            for name, distance in distances_of(error).items():
                found.setdefault((estimate, name), []).append(distance)
    return {key: np.array(values) for key, values in found.items()}
