"""Relaxed mechanisms, delta > 0: statements on random laws (Section IV-D1), and the relaxation of Eq. 20 on data."""

import itertools
from collections.abc import Iterator
from typing import Annotated

import numpy as np
from annotated_types import Gt, Lt
from cpl.runners.axes import DATA
from cpl.runners.data import Budgets, pair_tables
from cpl.runners.laws import LawSetting, random_laws, subsets
from numpy.typing import ArrayLike

from claimaudit.experiments.engine import Cell
from claimaudit.experiments.runner import Measure
from corrldp.leakage.cpl import conditional, leakage_bound, leakage_limit, leakage_of_channel, relaxation
from corrldp.leakage.printed import algorithm_2
from corrldp.mechanisms.grr import GRR
from corrldp.runners import runner

Delta = Annotated[float, Gt(0), Lt(1)]
Statement = tuple[str, float, float]
VALUES = 3  # of the attacked attribute: Algorithm 2 takes the relaxation of one pair of them and states it for all
OUTPUTS = 4
TINY = 1e-20  # likelihood of the rest of the worst mechanism: positive, as Eq. 9 requires, and without effect
STEPS = 20
UNKNOWN = float("nan")


class Relaxed(LawSetting):
    """Domain sizes of the neighbour, the number of laws (`cases`) of each size, budgets and relaxations."""

    delta: tuple[Delta, ...]


@runner(Relaxed, mechanisms=("CPL",), metrics=("value",), columns=("zeros", "case", "t", "epsilon", "delta", "law"))
def statements(cell: Cell) -> Iterator[Measure]:
    """Yield one exact number per law and instance; `theory` is the value that the statement names, if any.

    Where a statement names a bound, the number is the quotient of both sides, so that it should not exceed 1. `zeros`
    is "none" or "some" for laws in which no or some probabilities are 0, and "disjoint" for a first conditional law
    that has no value in common with the others.
    """
    setting, rng = cell.setting, cell.rng()
    for zeros, t, case in itertools.product(("none", "some", "disjoint"), setting.t, range(setting.cases)):
        laws = random_laws(VALUES, t, zeros, rng)
        for epsilon, delta in itertools.product(setting.epsilon, setting.delta):
            place = {"zeros": zeros, "case": case, "t": t, "epsilon": epsilon, "delta": delta}
            statements = itertools.chain(
                _of_sets(laws, epsilon, delta, rng),
                _of_mechanisms(laws, epsilon, delta, rng),
                _of_the_bound(laws, epsilon, delta),
                _of_several(laws, epsilon, delta),
            )
            for law, value, theory in statements:
                yield Measure("CPL", "value", value, theory=theory, place={**place, "law": law})


def _of_sets(laws: np.ndarray, epsilon: float, delta: float, rng: np.random.Generator) -> Iterator[Statement]:
    """Yield the statements about Eq. 10 for the sets S of the neighbour's values that can occur."""
    t, growth = laws.shape[1], np.exp(epsilon)
    members = subsets(t)
    a, b = members @ laws[0], members @ laws[1]
    members, a, b = (part[a + b > 0] for part in (members, a, b))
    low = rng.uniform(0.05, 1) * (1 - delta) / growth
    high = growth * low + delta
    below = low * (1 - b) + high * b
    ratio = (low * (1 - a) + high * a) / below
    leakage, relaxed = (low * (1 - a) + growth * low * a) / below, delta * a / below
    yield "eq_14", float(np.abs((leakage + relaxed) / ratio - 1).max()), 0
    with np.errstate(divide="ignore"):
        alone = a / b
    pure = (1 - a + growth * a) / (1 - b + growth * b)
    yield "eq_12", float((ratio / np.maximum(pure, alone)).max()), UNKNOWN
    yield "eq_12_ends", float((pure / np.maximum(1, alone)).max()), UNKNOWN
    yield "eq_15", float((ratio / (pure + relaxed)).max()), UNKNOWN
    levels = rng.uniform(low, high, t)
    two = np.where(members > 0, levels.max(), levels.min())
    best = (two @ laws[0] / (two @ laws[1])).max()
    yield "prop_iv_2_two_levels", float(levels @ laws[0] / (levels @ laws[1]) / best), UNKNOWN
    tops = np.linspace(low, high, STEPS)[:-1, None]
    others = (low * (1 - a) + tops * a) / (low * (1 - b) + tops * b)
    yield "prop_iv_2_levels", float(others.max() / max(ratio.max(), 1.0)), UNKNOWN
    lower = low / 10
    nearer = (lower * (1 - a) + (growth * lower + delta) * a) / (lower * (1 - b) + (growth * lower + delta) * b)
    yield "prop_iv_2_maximum", float(nearer.max() / ratio.max()), UNKNOWN


def _of_mechanisms(laws: np.ndarray, epsilon: float, delta: float, rng: np.random.Generator) -> Iterator[Statement]:
    """Yield the statements about the guarantee (l, f) that Algorithm 2 returns, for three mechanisms.

    One is GRR that releases the value itself with probability delta, one a random channel with the smallest delta at
    which it is (epsilon, delta)-LDP, and one the worst of all.
    """
    t = laws.shape[1]
    if leakage_limit(laws) == 0:  # independent: nothing leaks
        return
    leaky, channel = _leaky(epsilon, delta, t), rng.dirichlet(np.ones(OUTPUTS), size=t)
    yield "leaky_delta", delta_at(leaky, epsilon), delta
    quotients = np.array([_quotients(laws, epsilon, *pair) for pair in ((leaky, delta), (channel, None))]).max(axis=0)
    for law, quotient in zip(("relaxed_guarantee", "relaxed_least", "relaxed_pointwise"), quotients, strict=True):
        yield law, float(quotient), UNKNOWN
    leakage, relaxed = algorithm_2(laws, epsilon, delta)
    least = float(relaxation(leakage, epsilon, delta))
    worst = _worst(laws, epsilon, delta)
    yield "worst_delta", delta_at(worst, epsilon) / delta, UNKNOWN
    yield "relaxed_attained", delta_at(laws @ worst, leakage) / least, 1
    yield "relaxed_tight", relaxed / least, UNKNOWN
    limit = float(leakage_limit(laws))
    if np.isfinite(limit):
        yield "relaxed_limit", float(leakage_of_channel(laws, leaky)) / limit, UNKNOWN
        highest, lowest = laws.max(axis=0), laws.min(axis=0)
        apart = np.divide(highest, lowest, out=np.zeros(t), where=highest > 0).argmax()  # the value with the most
        single = _two_reports(np.arange(t) == apart, epsilon, delta)
        yield "single_delta", delta_at(single, epsilon) / delta, UNKNOWN
        yield "no_tighter", float(leakage_of_channel(laws, single)), limit


def _quotients(laws: np.ndarray, epsilon: float, mechanism: np.ndarray, delta: float | None) -> list[float]:
    """Return how much of the relaxations f and of the least one the reports of a mechanism use up, and of Eq. 15.

    Without a `delta`, the mechanism is taken with the smallest one at which it is (epsilon, delta)-LDP.
    """
    delta = delta_at(mechanism, epsilon) if delta is None else delta
    leakage, relaxed = algorithm_2(laws, epsilon, delta)
    reports, least = laws @ mechanism, float(relaxation(leakage, epsilon, delta))
    excess = delta_at(reports, leakage)
    allowed = np.exp(leakage) * reports + np.nan_to_num(relaxed)
    pointwise = float((reports[:, None] / allowed).max())
    return [excess / relaxed, excess / least, pointwise] if least > 0 else [0.0, 0.0, pointwise]


def _of_the_bound(laws: np.ndarray, epsilon: float, delta: float) -> Iterator[Statement]:
    """Yield the first component of Algorithm 2, its growth far out where its limit is infinite, and a special case.

    The special case is independence: whether line 16 has given the relaxation a value when line 19 returns it.
    """
    yield "leakage", algorithm_2(laws, epsilon, delta)[0], UNKNOWN
    yield "relaxation_has_a_value", float(not np.isnan(algorithm_2(laws[[0, 0]], epsilon, delta)[1])), 1
    if not np.isfinite(leakage_limit(laws)):
        yield "no_saturation", float(leakage_bound(laws, 200.0) - leakage_bound(laws, 100.0)), 100


def _of_several(laws: np.ndarray, epsilon: float, delta: float) -> Iterator[Statement]:
    """Yield the statements about several reports: sequential composition and Eq. 6."""
    t = laws.shape[1]
    first, second = _leaky(epsilon, delta, t), _leaky(epsilon / 2, delta / 2, t)
    both = _joined(first, second)
    yield "theorem_ii_3", delta_at(both, 1.5 * epsilon) / (1.5 * delta), UNKNOWN
    leakage, relaxed = algorithm_2(laws, epsilon, delta)
    own, reports = _leaky(epsilon, delta, VALUES), laws @ first
    total = delta_at(_joined(own, _joined(reports, reports)), epsilon + 2 * leakage)
    yield "eq_6_independent", total / (delta + 2 * np.nan_to_num(relaxed)), UNKNOWN
    coin = _leaky(epsilon, delta, 2)
    pairs = np.einsum("ia,jb->ijab", coin, coin).reshape(4, -1) / 2
    exclusive_or = _joined(coin, np.stack([pairs[0] + pairs[3], pairs[1] + pairs[2]]))
    yield "eq_6_exclusive_or", delta_at(exclusive_or, epsilon) / delta, UNKNOWN


def _leaky(epsilon: float, delta: float, k: int) -> np.ndarray:
    """GRR that releases the value itself, marked as such, with probability delta: (k, 2 k), (epsilon, delta)-LDP."""
    return np.hstack([(1 - delta) * GRR(epsilon, k).channel(), delta * np.eye(k)])


def _joined(first: np.ndarray, second: np.ndarray) -> np.ndarray:
    """Return the law (inputs, pairs of outputs) of two reports that are independent given the input."""
    return np.einsum("ia,ib->iab", first, second).reshape(len(first), -1)


def _worst(laws: np.ndarray, epsilon: float, delta: float) -> np.ndarray:
    """Return a mechanism whose report about the neighbour exceeds Algorithm 2's first component most often."""
    ratio = np.exp(float(leakage_bound(laws, epsilon)))
    margins = laws[:, None] - ratio * laws
    x, other = np.unravel_index(np.maximum(margins, 0).sum(axis=-1).argmax(), (len(laws), len(laws)))
    return _two_reports(margins[x, other] > 0, epsilon, delta)


def _two_reports(likely: np.ndarray, epsilon: float, delta: float) -> np.ndarray:
    """Return a mechanism (t, 2) whose first report has the two likelihoods of Proposition IV.2, c_min next to 0."""
    first = np.where(likely, np.exp(epsilon) * TINY + delta, TINY)
    return np.column_stack([first, 1 - first])


def delta_at(rows: ArrayLike, epsilon: float) -> float:
    """Smallest delta with which the rows (inputs, outputs) of a channel are (epsilon, delta)-LDP.

    The worst set of outputs for two inputs x, x' is that of all y with p(y|x) > e^epsilon p(y|x'), so no set has to be
    listed.
    """
    rows = np.asarray(rows, dtype=float)
    return float(np.maximum(rows[:, None] - np.exp(epsilon) * rows, 0).sum(axis=-1).max())


DELTA = 1e-6  # cancels in the quotient
PERCENTS = (0, 50, 90, 100)


@runner(
    Budgets,
    mechanisms=("Algorithm 2",),
    metrics=("pairs", *(f"percentile_{percent}" for percent in PERCENTS)),
    axes=DATA,
)
def pairs(cell: Cell) -> Iterator[Measure]:
    """Yield statistics over the ordered pairs of the relaxation that Algorithm 2 returns over the least possible one.

    Independent pairs, for which both are 0, are left out. Algorithm 2 runs as printed.
    """
    quotients = []
    for counts in cell.once(pair_tables, cell["dataset"]).values():
        leakage, relaxed = algorithm_2(conditional(counts), cell["epsilon"], DELTA)
        if leakage > 0:
            quotients.append(relaxed / relaxation(leakage, cell["epsilon"], DELTA))
    yield Measure("Algorithm 2", "pairs", len(quotients))
    for percent in PERCENTS:
        yield Measure("Algorithm 2", f"percentile_{percent}", float(np.percentile(quotients, percent)))
