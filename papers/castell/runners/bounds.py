"""Bounds of the Castell paper in exact numbers: theorems, the thresholds that follow from them, and privacy."""

import math
from collections.abc import Iterable, Iterator, Sequence
from itertools import chain, combinations
from itertools import product as cartesian

import numpy as np
from castell.runners import axes
from castell.runners.estimates import distances_of, independent_bound, joint_bound
from castell.runners.synthetic import correlated_law

from claimaudit.experiments.engine import Cell
from claimaudit.experiments.runner import BaseSetting, Measure, Point, Swept, ViewName
from corrldp.data.table import Table
from corrldp.dependence import cramers_v
from corrldp.mechanisms.grr import GRR
from corrldp.privacy import attribute_epsilon, epsilon_of_channel, record_channel
from corrldp.protocols.castell import marginals, product, squared_error
from corrldp.protocols.lopub import BloomResponse
from corrldp.runners import Attributes, DomainSize, Epsilon, Probability, Users, runner

NOTHING = {"fact": "", "data": "none", "attributes": "any", "d": 0, "w": 0, "epsilon": math.nan, "n": 0, "v": math.nan}
Fact = tuple[Point, float, float]


class Theorems(BaseSetting):
    """Views by data set, and the domains (of Theorems 1 and 5) and parameters of the bounds that need no data."""

    views: dict[str, ViewName]
    channel_sizes: tuple[tuple[DomainSize, ...], ...]
    uniform_sizes: tuple[tuple[DomainSize, ...], ...]
    d: tuple[DomainSize, ...]
    v: tuple[Probability, ...]
    ways: tuple[Attributes, ...]
    epsilon: tuple[Epsilon, ...]
    n: tuple[Users, ...]

    def outer(self) -> Iterable[Point]:
        return ({**NOTHING, "data": data} for data in ("none", *self.views))


@runner(Theorems, mechanisms=("paper",), metrics=("value", "bound"), columns=tuple(NOTHING))
def theorems(cell: Cell) -> Iterator[Measure]:
    """Yield `value` and `bound` of every instance."""
    setting, data = cell.setting, cell["data"]
    without_data = (
        theorem_1(setting.channel_sizes, setting.epsilon),
        theorem_4(setting.d, setting.v),
        theorem_5(setting.uniform_sizes),
        lemma_2(setting.d, setting.epsilon),
        rounding(setting.d, setting.ways, setting.epsilon, setting.n),
    )
    for place, value, bound in chain(*without_data) if data == "none" else of_pairs(cell.views[setting.views[data]]):
        yield Measure("paper", "value", value, place=place)
        yield Measure("paper", "bound", bound, place=place)


def theorem_1(all_sizes: Sequence[tuple[int, ...]], epsilons: Sequence[float]) -> Iterator[Fact]:
    """Yield the smallest singular value of the aggregated channel, which must exceed 0, and its rows' error."""
    for sizes, epsilon in cartesian(all_sizes, epsilons):
        channel = record_channel(GRR(epsilon, k).channel() for k in sizes)
        point = {"w": len(sizes), "attributes": " x ".join(map(str, sizes)), "epsilon": epsilon}
        yield {**point, "fact": "theorem_1_singular"}, float(np.linalg.svd(channel, compute_uv=False)[-1]), 0.0
        yield {**point, "fact": "theorem_1_rows"}, float(np.abs(channel.sum(axis=1) - 1).max()), 1e-12


def of_pairs(view: Table) -> Iterator[Fact]:
    """Yield Lemma 1 and, with the true marginals, Theorems 4 and 5 for every two attributes of a data set."""
    for pair in combinations(range(view.d), 2):
        chosen = view.subset(pair)
        law = chosen.counts() / chosen.n
        of_attributes = marginals(law)
        error, v, d = law - product(of_attributes), float(cramers_v(law, "domain")), max(chosen.sizes)
        point = {"attributes": ", ".join(chosen.names), "d": d, "w": 2, "n": chosen.n, "v": v}
        excess = law - np.minimum.outer(*of_attributes)
        yield {**point, "fact": "lemma_1"}, float(excess.max()), 0.0
        distances = distances_of(error)
        yield {**point, "fact": "theorem_5_data"}, distances["sup"], independent_bound(d, 2)
        smallest = min(chosen.sizes)
        fact = "theorem_4_data" if smallest == d else "theorem_4_other_sizes"
        yield {**point, "fact": fact}, distances["mean_squared"], v**2 / d


def theorem_4(sizes: Sequence[int], dependences: Sequence[float]) -> Iterator[Fact]:
    """Yield the squared error of RR-Independent for the synthetic pairs of Appendix D and for uniform marginals."""
    for d, v in cartesian(sizes, dependences):
        uniform = (1 - v) / d**2 + v * np.eye(d) / d
        for name, law in (("synthetic", correlated_law(d, v)), ("uniform", uniform)):
            error = law - product(marginals(law))
            point = {"data": name, "d": d, "w": 2, "v": v, "fact": "theorem_4"}
            yield point, distances_of(error)["mean_squared"], v**2 / d


def theorem_5(all_sizes: Sequence[tuple[int, ...]]) -> Iterator[Fact]:
    """Yield the largest possible error of the product law for uniform marginals: the true cell is 0 or the minimum."""
    for sizes in all_sizes:
        cell, most = 1 / math.prod(sizes), 1 / max(sizes)
        point = {"attributes": " x ".join(map(str, sizes)), "d": max(sizes), "w": len(sizes), "fact": "theorem_5"}
        yield point, max(cell, most - cell), independent_bound(max(sizes), len(sizes))


def lemma_2(sizes: Sequence[int], epsilons: Sequence[float]) -> Iterator[Fact]:
    """Yield the largest element of the inverse channel beside 1/p."""
    for d, epsilon in cartesian(sizes, epsilons):
        grr = GRR(epsilon, d)
        largest = float(np.linalg.inv(grr.channel()).max())
        yield {"fact": "lemma_2", "d": d, "w": 1, "epsilon": epsilon}, largest, 1 / grr.p_support


def rounding(
    sizes: Sequence[int], ways: Sequence[int], epsilons: Sequence[float], users: Sequence[int]
) -> Iterator[Fact]:
    """Yield what Theorem 6 bounds by Eq. 10; `epsilon` is the record's, epsilon / w each attribute's.

    The worst error of cells that are wrong by at most 1/n is the largest row sum of absolute values of the inverse,
    over n; it is reached by errors of alternating signs, which leave the sum at 1. `theorem_6_real` is the standard
    deviation of a cell when everybody randomises, the mean over cells being exact for any data.
    """
    for d, w, epsilon, n in cartesian(sizes, ways, epsilons, users):
        grr = GRR(epsilon / w, d)
        row_sum = float(np.abs(np.linalg.inv(grr.channel())).sum(axis=1).max())
        bound = joint_bound(d, w, epsilon, n)
        point = {"d": d, "w": w, "epsilon": epsilon, "n": n}
        yield {**point, "fact": "theorem_6_rounding"}, row_sum**w / n, bound
        yield {**point, "fact": "theorem_6_half"}, row_sum**w / (2 * n), bound
        deviation = math.sqrt(squared_error([grr] * w, n) / d**w)
        yield {**point, "fact": "theorem_6_real"}, deviation, bound


class Thresholds(BaseSetting):
    """Largest domain sizes d and numbers n of users."""

    d: Swept[DomainSize]
    n: Swept[Users]


@runner(Thresholds, mechanisms=("hybrid",), metrics=("n_star", "epsilon_star", "w_star"), axes=axes.THRESHOLDS)
def thresholds(cell: Cell) -> Iterator[Measure]:
    """Yield n*, epsilon* and w* of Appendix C.

    A threshold that the formula does not define (a logarithm of a negative number) is left out.
    """
    d, n = cell["d"], cell["n"]
    w_star = largest_w(d, n)
    w = w_star if cell["ways"] == "w_star" else cell["ways"]
    levels = {"n_star": smallest_n(d, w, cell["epsilon"]), "epsilon_star": smallest_epsilon(d, w, n), "w_star": w_star}
    for name, value in levels.items():
        if not math.isnan(value):
            yield Measure("hybrid", name, value)


class ActualPrivacy(BaseSetting):
    """Domains and budgets of an attribute."""

    sizes: Swept[tuple[DomainSize, ...]]
    epsilon: Swept[Epsilon]


@runner(
    ActualPrivacy,
    mechanisms=("RR-Ind-Joint", "RR-Joint", "LoPub"),
    metrics=("epsilon_attribute", "epsilon_record"),
    columns=("sizes", "w"),
)
def privacy(cell: Cell) -> Iterator[Measure]:
    """Yield the exact epsilon of a record and the largest of its attributes.

    `theory` is the value of Theorem 3. LoPub spends at most its formula's value, less where filters overlap; its hash
    functions are those of one draw.
    """
    sizes, epsilon = cell["sizes"], cell["epsilon"]
    w = len(sizes)
    channel = record_channel(GRR(epsilon, k).channel() for k in sizes)
    attribute = max(attribute_epsilon(channel, sizes, j) for j in range(w))
    joint = epsilon_of_channel(GRR(w * epsilon, math.prod(sizes)).channel())
    lopub = BloomResponse.draw(epsilon, sizes, cell.rng(sizes=sizes)).exact_epsilons()
    for mechanism, level, value, theory in (
        ("RR-Ind-Joint", "attribute", attribute, epsilon),
        ("RR-Ind-Joint", "record", epsilon_of_channel(channel), w * epsilon),
        ("RR-Joint", "record", joint, w * epsilon),
        ("LoPub", "attribute", max(lopub), float("nan")),
        ("LoPub", "record", sum(lopub), float("nan")),
    ):
        place = {"sizes": " x ".join(map(str, sizes)), "w": w}
        yield Measure(mechanism, f"epsilon_{level}", value, theory=theory, place=place)


def smallest_n(d: int, w: float, epsilon: float) -> float:
    """Return the number of users n* above which Eq. 10 is below Eq. 9."""
    return joint_bound(d, w, epsilon, 1) / independent_bound(d, w)


def smallest_epsilon(d: int, w: float, n: int) -> float:
    """Return the threshold epsilon* of Appendix C; NaN where the argument of its logarithm is not positive."""
    if w <= 1:
        return math.nan
    denominator = (1 / d - d**-w) ** (1 / w) * n ** (1 / w) / d - 1
    return w * math.log((d - 1) / denominator) if denominator > 0 else math.nan


def largest_w(d: int, n: int) -> float:
    """Return the threshold w* of Appendix C, (log n - log d) / log d^2."""
    return (math.log(n) - math.log(d)) / math.log(d**2)
