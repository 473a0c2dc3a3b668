"""Lemmas, propositions, corollaries and algorithms of Section IV and the appendices, on random and on extreme laws."""

import itertools
from collections.abc import Iterator

import numpy as np
from pydantic import PositiveInt

from claimaudit.experiments.engine import Cell
from claimaudit.experiments.runner import BaseSetting, Measure
from corrldp.leakage.cpl import leakage_bound, leakage_limit, leakage_of_channel, leakage_of_reports, worst_channel
from corrldp.leakage.printed import algorithm_1, algorithm_2
from corrldp.mechanisms.grr import GRR
from corrldp.mechanisms.subset import SubsetSelection
from corrldp.mechanisms.unary import UnaryEncoding
from corrldp.runners import DomainSize, Epsilon, runner

NOTHING = {"law": "", "zeros": "", "case": 0, "t": 0, "epsilon": np.nan}


class LawSetting(BaseSetting):
    """Domain sizes of the neighbour, the number of laws (`cases`) of each size, and budgets."""

    t: tuple[DomainSize, ...]
    cases: PositiveInt
    epsilon: tuple[Epsilon, ...]


@runner(LawSetting, mechanisms=("CPL", "printed CPL", "actual CPL"), metrics=("value",), columns=tuple(NOTHING))
def statements(cell: Cell) -> Iterator[Measure]:
    """Yield one exact number per law and instance; `theory` is the value that the statement names, if any.

    `zeros` is "none" or "some" for laws in which no or some probabilities are 0, and "disjoint" for two conditional
    laws with no value in common. Algorithm 1 with its line 3 as printed and the actual CPL are numbers of their own.
    """
    setting, rng = cell.setting, cell.rng()
    for zeros, t, case in itertools.product(("none", "some", "disjoint"), setting.t, range(setting.cases)):
        laws = random_laws(2, t, zeros, rng)
        for epsilon in setting.epsilon:
            place = {**NOTHING, "zeros": zeros, "case": case, "t": t, "epsilon": epsilon}
            skewed = _random_channel(t, epsilon, rng)
            for law, value, theory in _statements(laws, epsilon, skewed):
                yield Measure("CPL", "value", value, theory=theory, place={**place, "law": law})
            line_3 = {"printed CPL": algorithm_1(laws, skewed), "actual CPL": float(leakage_of_channel(laws, skewed))}
            for name, value in line_3.items():
                yield Measure(name, "value", value, place={**place, "law": "algorithm_1_rows"})
    for case, (law, value, theory) in enumerate(_extremes(setting.cases, rng)):
        yield Measure("CPL", "value", value, theory=theory, place={**NOTHING, "case": case, "law": law})


def random_laws(values: int, t: int, zeros: str, rng: np.random.Generator) -> np.ndarray:
    """Return the law (values, t) of the neighbour given each value of the attacked attribute.

    Some probabilities are 0 if `zeros` is "some"; if it is "disjoint", the first law shares no value with the others.
    """
    laws = rng.dirichlet(np.full(t, 0.7), size=values)
    if zeros == "some":
        laws *= rng.random(laws.shape) < 0.6
    elif zeros == "disjoint":
        first = np.arange(t) < rng.integers(1, t)
        laws *= np.stack([first, *[~first] * (values - 1)])
    laws[:, -1] += (laws.sum(axis=1) == 0).astype(float)
    return laws / laws.sum(axis=1, keepdims=True)


def _statements(laws: np.ndarray, epsilon: float, skewed: np.ndarray) -> Iterator[tuple[str, float, float]]:
    """Yield a statement's name, its value and the value that the paper states (NaN where it only states a bound)."""
    t = laws.shape[1]
    limit, best = float(leakage_limit(laws)), float(leakage_bound(laws, epsilon))
    brute = np.log(max(best_ratio(g, h, epsilon) for g, h in (laws, laws[::-1])))
    yield "theorem_iv_6", algorithm_2(laws, epsilon)[0], brute
    yield "algorithm_2_vectorised", best, brute
    yield "tight", float(leakage_of_channel(laws, worst_channel(laws, epsilon))), best
    yield "corollary_h_1", best - epsilon, np.nan
    yield "corollary_iv_4_maximum", best - limit if np.isfinite(limit) else -np.inf, np.nan
    if np.isfinite(limit):
        yield "corollary_iv_4_limit", float(leakage_bound(laws, 60.0)), limit
        members = subsets(t)
        first, second = members @ laws[0], members @ laws[1]
        with np.errstate(divide="ignore", invalid="ignore"):  # 0 / 0 says nothing
            ratios = first / second
        yield "lemma_iv_3", float(np.nanmax(ratios)), float(np.nanmax(ratios[members.sum(axis=1) == 1]))
    grr = GRR(epsilon, t)
    channel = grr.channel()
    yield "algorithm_1", algorithm_1(laws, channel), float(leakage_of_channel(laws, channel))
    if (laws[0] != laws[1]).any():
        yield (
            "exponential_over_bound",
            float(leakage_of_channel(laws, GRR(epsilon / 2, t).channel())) / best,
            np.nan,
        )
    yield "proposition_iv_1", float(leakage_of_channel(laws, skewed)), _by_enumeration(laws, skewed)
    yield "proposition_iv_2", float(leakage_of_channel(laws, skewed)) - best, np.nan
    if t <= 6:
        unary = UnaryEncoding.optimized(epsilon, t)
        yield "oue_reports", float(leakage_of_channel(laws, unary.channel())), best
        subset = SubsetSelection.floored(epsilon, t)
        yield "ss_reports", float(leakage_of_reports(subset, laws)), float(leakage_of_channel(laws, subset.channel()))


def _random_channel(t: int, epsilon: float, rng: np.random.Generator) -> np.ndarray:
    """Return an epsilon-LDP channel (t, t) without symmetry: a mixture of a constant law and perturbed ones."""
    output = rng.dirichlet(np.ones(t))
    tilt = np.exp(epsilon * rng.random((t, t)) / 2)
    rows = output * tilt
    return rows / rows.sum(axis=1, keepdims=True)


def _by_enumeration(laws: np.ndarray, channel: np.ndarray) -> float:
    """Return the leakage from the joint law of neighbour and report, summed value by value."""
    reports = np.array([sum(p * channel[u] for u, p in enumerate(law)) for law in laws])
    return float(np.log(reports / reports[::-1]).max())


def _extremes(cases: int, rng: np.random.Generator) -> Iterator[tuple[str, float, float]]:
    for _ in range(cases):
        a, b, g, h = rng.random(4)
        growth = np.expm1(rng.uniform(0.1, 5))
        before, after = ((1 + (a + s * g) * growth) / (1 + (b + s * h) * growth) for s in (0, 1))
        yield "lemma_iv_5", float((after >= before) == (g / h >= before)), 1
        without = (1 + (a + 0.5 * before * 0) * growth) / (1 + (b + 0) * growth)
        yield "lemma_iv_5_zero", float((without >= before) == (0.5 * before >= before)), 1
        yield "lemma_j_1", after - g / h if g / h >= before else -np.inf, np.nan
        a1, b1, a2, b2 = rng.uniform(0, 1, 4)
        values = (a1 * np.linspace(0, 5, 50) + b1) / (a2 * np.linspace(0, 5, 50) + b2)
        steps = np.diff(values) * (1 if a1 * b2 >= a2 * b1 else -1)
        yield "lemma_c_1", float(steps.min()), np.nan
    law = rng.dirichlet(np.ones(5))
    for epsilon in (0.1, 1.0, 5.0):
        yield "corollary_h_2_independent", float(leakage_bound(np.stack([law, law]), epsilon)), 0
    for _ in range(cases):
        yield "corollary_h_2_no_budget", float(leakage_bound(rng.dirichlet(np.ones(4), size=3), 0.0)), 0
    mixture = [(x - 1) / (x - 2) for x in (0.0, 1.0, 3.0)]
    yield "lemma_c_1_pole", float(np.all(np.diff(mixture) >= 0) or np.all(np.diff(mixture) <= 0)), 1


def subsets(t: int) -> np.ndarray:
    """Mark the members of every nonempty set of `t` values, (2^t - 1, t)."""
    return np.array([*itertools.product((0.0, 1.0), repeat=t)])[1:]


def best_ratio(g: np.ndarray, h: np.ndarray, epsilon: float) -> float:
    """Largest ratio of Eq. 18 over all sets S, or 1, that of the empty one."""
    growth, members = np.expm1(epsilon), subsets(len(g))
    return max(1.0, float(((1 + members @ g * growth) / (1 + members @ h * growth)).max()))
