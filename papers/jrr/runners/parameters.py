"""The choice of p and rho (Section 4.4 of the JRR paper): lemmas, what Algorithm 1 finds, and where JRR loses to RR."""

import itertools
import math
from collections.abc import Iterator, Sequence
from typing import Annotated, Any

import numpy as np
from annotated_types import Ge, Gt, Le, Lt
from jrr.runners import axes, population
from jrr.runners.population import BinaryData, Correlation, Truthfulness, optimum, protocols, search

from claimaudit.experiments.axes import by_name
from claimaudit.experiments.engine import Cell
from claimaudit.experiments.runner import BaseSetting, Choices, Measure, Point, Swept
from corrldp.protocols.jrr.mechanism import JointRandomizedResponse, lowest_correlation
from corrldp.protocols.jrr.privacy import claimed_epsilon, feasible_rho, rr_parameters
from corrldp.runners import Users, runner

Fact = tuple[dict[str, Any], float]
NO_LEMMA = {"lemma": "", "n": 0, "n1": 0, "p": math.nan, "rho": math.nan, "colluders": 0, "side": ""}


class Lemmas(BaseSetting):
    """All populations of up to `largest_n` users with every `rho`; parameters and sizes of the other statements."""

    largest_n: Users
    rho: tuple[Correlation, ...]
    populations: tuple[BinaryData, ...]
    p: tuple[Truthfulness, ...]
    n: tuple[Users, ...]


@runner(Lemmas, mechanisms=("JRR",), metrics=("value",), columns=tuple(NO_LEMMA))
def lemmas(cell: Cell) -> Iterator[Measure]:
    """Yield the quantities whose signs and orders the lemmas state."""
    setting = cell.setting
    facts = itertools.chain(
        imbalance(setting.largest_n, setting.rho),
        objective(setting.populations, setting.p),
        privacy(setting.n, setting.p),
    )
    for place, value in facts:
        yield Measure("JRR", "value", value, place={**NO_LEMMA, **place})


def imbalance(largest_n: int, correlations: Sequence[float]) -> Iterator[Fact]:
    """Yield (2 n1 - n)^2 - n (Lemma 1) and the factor of the variance (Lemma 2) for all n1 and even n."""
    for n in range(2, largest_n + 1, 2):
        for n1 in range(n + 1):
            excess = (2 * n1 - n) ** 2 - n
            side = "outside" if excess > 0 else "inside" if excess < 0 else "boundary"
            yield {"lemma": "lemma_1", "n": n, "n1": n1, "side": side}, excess
            for rho in correlations:
                yield {"lemma": "lemma_2", "n": n, "n1": n1, "rho": rho}, n + rho * excess / (n - 1)


def objective(populations: Sequence[BinaryData], probabilities: Sequence[float]) -> Iterator[Fact]:
    """Yield pq/(p - q)^2 (Lemma 3) and the objective h(p, rho) along p and along rho (Theorem 4)."""
    for p in probabilities:
        yield {"lemma": "lemma_3", "p": p}, p * (1 - p) / (2 * p - 1) ** 2
    for held in populations:
        n, n1 = held.n, held.n1
        side = "inside" if (2 * n1 - n) ** 2 < n else "outside"
        point = {"n": n, "n1": n1, "side": side}
        for p in probabilities:
            shared = JointRandomizedResponse(p, max(map(lowest_correlation, probabilities)))
            yield {**point, "lemma": "along_p", "p": p}, float(shared.variance_of_counts(n1, n))
            for rho in np.linspace(lowest_correlation(p), 1, 9):
                jrr = JointRandomizedResponse(p, float(rho))
                yield {**point, "lemma": "along_rho", "p": p, "rho": float(rho)}, float(jrr.variance_of_counts(n1, n))


def privacy(sizes: Sequence[int], probabilities: Sequence[float]) -> Iterator[Fact]:
    """Yield Eq. 20 along the number of colluders (Appendix H)."""
    for n, p in itertools.product(sizes, probabilities):
        for rho in (0.9 * lowest_correlation(p), 0.5 * lowest_correlation(p), 0.5):
            law = JointRandomizedResponse(p, rho)
            for m in range(0, n, max(1, n // 10)):
                yield {"lemma": "appendix_h", "n": n, "p": p, "rho": rho, "colluders": m}, claimed_epsilon(law, n, m)


class Heuristic(population.PopulationSetting):
    """Users, and the steps of p and rho in Algorithm 1."""

    step: Swept[Annotated[float, Gt(0), Lt(0.5)]]

    def points(self, choices: Choices) -> Iterator[Point]:
        for point in super().points(choices):
            for step in self.step:
                yield {**point, "step": step}


@runner(
    Heuristic,
    mechanisms=("RR", "JRR", "optimal JRR"),
    metrics=("found", "tried", "smallest_rho", "p", "rho", "mse_counts"),
    axes=axes.POPULATION,
)
def heuristic(cell: Cell) -> Iterator[Measure]:
    """Yield the parameters of RR, of Algorithm 1 and of the optimum with their variances.

    `found` is 1 where the search returns a pair, and `tried` is the number of pairs (p, rho) that it looks at;
    `mse_counts` is the variance of Eq. 21, which for RR is Eq. 3; `smallest_rho` is the smallest feasible rho at the p
    of RR.
    """
    n, n1, epsilon, colluders = (cell[name] for name in ("n", "n1", "epsilon", "colluders"))
    plain, found = rr_parameters(epsilon), search(n, epsilon, colluders, cell["step"])
    yield Measure("JRR", "found", found is not None)
    if found is not None:
        yield Measure("JRR", "tried", pairs_tried(plain.p, found, cell["step"]))
    yield Measure("RR", "smallest_rho", feasible_rho(plain.p, epsilon, n, colluders)[0])
    choices = {"RR": plain, "JRR": found, "optimal JRR": optimum(n, n1, epsilon, colluders)}
    for mechanism, choice in choices.items():
        if choice is not None:
            variance = float(choice.variance_of_counts(n1, n))
            yield Measure(mechanism, "p", choice.p)
            yield Measure(mechanism, "rho", choice.rho)
            yield Measure(mechanism, "mse_counts", variance)


def pairs_tried(largest: float, found: JointRandomizedResponse, step: float) -> int:
    """Return at how many pairs (p, rho) Algorithm 1 looks until it finds one, if both steps are the same.

    For each p, from one step below the `largest` on, rho runs from 1 - 1/p to 1, or to the one that is found.
    """
    before = round((largest - step - found.p) / step)
    full = sum(math.floor(1 / (largest - row * step) / step) + 1 for row in range(1, before + 1))
    return full + round((found.rho - lowest_correlation(found.p)) / step) + 1


# A count this close to the end of the range is a tie: the end comes from a difference of nearly equal variances.
ROUNDING = 1e-9


class Halves(population.PopulationSetting):
    """Users, half of whom hold 1."""

    ones_fraction: Swept[Annotated[float, Ge(0.5), Le(0.5)]] = (0.5,)


@runner(
    Halves, mechanisms=("JRR",), metrics=("ri", "r"), axes=axes.POPULATION | axes.PARAMETERS | by_name(axes.FREQUENCIES)
)
def worst_case(cell: Cell) -> Iterator[Measure]:
    """Yield RI (Eq. 30) and R, unless Algorithm 1, or the corner in its place, finds no parameters."""
    found = dict(protocols(cell))
    if "JRR" in found and not (cell["choice"] == "corner" and found["JRR"] == found["RR"]):
        pair = found["JRR"], found["RR"]
        yield Measure("JRR", "ri", relative_increase(*pair, cell["n"]))
        yield Measure("JRR", "r", underperforming_range(*pair, cell["n"], cell["frequencies"]))


def relative_increase(jrr: JointRandomizedResponse, rr: JointRandomizedResponse, n: int) -> float:
    """Return the relative increase of the mean squared error at n1 = n/2 (Eq. 30)."""
    return float(jrr.variance_of_counts(n // 2, n) / rr.variance_of_counts(n // 2, n) - 1)


def underperforming_range(jrr: JointRandomizedResponse, rr: JointRandomizedResponse, n: int, frequencies: str) -> float:
    """Return the length R of the range of n1/n around 1/2 in which JRR's variance exceeds RR's (Section 5.3.5).

    The variance (Eq. 21) is A (n + rho (x^2 - n) / (n - 1)) with x = 2 n1 - n, so for rho < 0 it exceeds RR's where
    |x| is below one root. `frequencies` is "real", or "counts" to measure between whole numbers n1.
    """
    if jrr.rho >= 0:
        return 0.0 if jrr.variance_of_counts(n // 2, n) <= rr.variance_of_counts(n // 2, n) else 1.0
    at_centre, at_edge = (float(jrr.variance_of_counts(n1, n)) for n1 in (n // 2, n))
    target = float(rr.variance_of_counts(n // 2, n))
    if at_edge >= target:
        return 1.0
    root = n * math.sqrt(max(0.0, (at_centre - target) / (at_centre - at_edge)))
    if frequencies == "counts":
        root = 2 * max(0, math.ceil(root / 2 * (1 - ROUNDING)) - 1)
    return root / n
