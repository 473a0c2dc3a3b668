"""The lemmas and the monotonicity of Section 4.4 of the JRR paper, on every small population."""

from __future__ import annotations

import itertools
import math
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

import numpy as np

from corrldp.experiments.engine import Cell
from corrldp.experiments.jrr.population import Correlation, Population, Truthfulness
from corrldp.experiments.measures import Measure
from corrldp.experiments.setting import BaseSetting, Point, Users
from corrldp.protocols.jrr.binary import JointRandomizedResponse
from corrldp.protocols.jrr.law import lowest_correlation
from corrldp.protocols.jrr.privacy import claimed_epsilon

Fact = tuple[dict[str, Any], float]


class Setting(BaseSetting):
    """All populations of up to `largest_n` users with every `rho`; parameters and sizes of the other statements."""

    largest_n: Users
    rho: tuple[Correlation, ...]
    populations: tuple[Population, ...]
    p: tuple[Truthfulness, ...]
    n: tuple[Users, ...]

    def points(self, choices: Mapping[str, Any]) -> Iterator[Point]:
        """Yield one point, whose columns the lemmas fill."""
        yield {"lemma": "", "n": 0, "n1": 0, "p": math.nan, "rho": math.nan, "colluders": 0, "side": ""}


def measure(cell: Cell) -> Iterator[Measure]:
    """Yield the quantities whose signs and orders the lemmas state."""
    setting = cell.setting
    facts = itertools.chain(
        imbalance(setting.largest_n, setting.rho),
        objective(setting.populations, setting.p),
        privacy(setting.n, setting.p),
    )
    for place, value in facts:
        yield Measure("JRR", "value", value, place=place)


def imbalance(largest_n: int, correlations: Sequence[float]) -> Iterator[Fact]:
    """Yield (2 n1 - n)^2 - n (Lemma 1) and the factor of the variance (Lemma 2) for all n1 and even n."""
    for n in range(2, largest_n + 1, 2):
        for n1 in range(n + 1):
            excess = (2 * n1 - n) ** 2 - n
            side = "outside" if excess > 0 else "inside" if excess < 0 else "boundary"
            yield {"lemma": "lemma_1", "n": n, "n1": n1, "side": side}, excess
            for rho in correlations:
                yield {"lemma": "lemma_2", "n": n, "n1": n1, "rho": rho}, n + rho * excess / (n - 1)


def objective(populations: Sequence[Population], probabilities: Sequence[float]) -> Iterator[Fact]:
    """Yield pq/(p - q)^2 (Lemma 3) and the objective h(p, rho) along p and along rho (Theorem 4)."""
    for p in probabilities:
        yield {"lemma": "lemma_3", "p": p}, p * (1 - p) / (2 * p - 1) ** 2
    for population in populations:
        n, n1 = population.n, population.n1
        side = "inside" if (2 * n1 - n) ** 2 < n else "outside"
        point = {"n": n, "n1": n1, "side": side}
        for p in probabilities:
            shared = JointRandomizedResponse(p, max(map(lowest_correlation, probabilities)))
            yield {**point, "lemma": "along_p", "p": p}, float(shared.variance_of_counts(n1, n))
            for rho in np.linspace(lowest_correlation(p), 1, 9):
                jrr = JointRandomizedResponse(p, float(rho))
                yield (
                    {**point, "lemma": "along_rho", "p": p, "rho": float(rho)},
                    float(jrr.variance_of_counts(n1, n)),
                )


def privacy(sizes: Sequence[int], probabilities: Sequence[float]) -> Iterator[Fact]:
    """Yield Eq. 20 along the number of colluders (Appendix H)."""
    for n, p in itertools.product(sizes, probabilities):
        for rho in (0.9 * lowest_correlation(p), 0.5 * lowest_correlation(p), 0.5):
            for m in range(0, n, max(1, n // 10)):
                point = {"lemma": "appendix_h", "n": n, "p": p, "rho": rho, "colluders": m}
                yield point, claimed_epsilon(p, rho, n, m)
