"""The choice of the copy probability in the preprint's Section 3.2.2 beside the exact optimum."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any, Literal

import numpy as np

from corrldp.arrays import Floats
from corrldp.experiments.corr_rr.enumeration import stationary_point
from corrldp.experiments.corr_rr.mechanisms import RULES
from corrldp.experiments.corr_rr.synthetic_data import marginal_of
from corrldp.experiments.engine import Cell
from corrldp.experiments.measures import Measure
from corrldp.experiments.setting import BaseSetting, DomainSize, Epsilon, Point, Swept, Users
from corrldp.mechanisms.grr import GRR
from corrldp.protocols.corr_rr import preprint
from corrldp.protocols.corr_rr.rules import theorem_5


class Setting(BaseSetting):
    """Two attributes with known frequencies, each of one of the `laws`; `formula` is the one compared with 0 and 1."""

    k: Swept[DomainSize]
    epsilon: Swept[Epsilon]
    laws: tuple[Literal["uniform", "falling", "rising", "peaked"], ...]
    formula: Swept[Literal["preprint", "preprint_appendix"]]
    n2: Users

    def points(self, choices: Mapping[str, Any]) -> Iterator[Point]:
        """Yield every pair of laws, in both orders, with every other setting."""
        for point in super().points(choices):
            for first in self.laws:
                for second in self.laws:
                    yield {**point, "first": first, "second": second, "equal_marginals": int(first == second)}


def measure(cell: Cell) -> Iterator[Measure]:
    """Yield the Phase II error, averaged over both attributes, at the chosen p_y and at the best one in [0, 1].

    `stationary_point` is that of the appendix's own average, with the printed formula beside it; there is none where
    every p_y is equally good.
    """
    k, n2, grr = cell["k"], cell.setting.n2, GRR(cell["epsilon"], cell["k"])
    f = np.stack([law_of(cell["first"], k), law_of(cell["second"], k)])
    chosen = float(RULES[cell["formula"]](f, n2, grr)[0, 1])
    yield Measure("chosen", "p_y", chosen)
    yield Measure("chosen", "error", pair_error(f, chosen, n2, grr))
    yield Measure("best", "error", lowest_error(f, n2, grr))
    if cell["formula"] == "preprint_appendix" and not (k == 2 and cell["second"] == "uniform"):
        found = stationary_point(lambda p_y: appendix_error(f[0], f[1], p_y, n2, grr))
        printed = float(preprint.stationary_point_of_appendix(f[0], f[1], n2, grr))
        yield Measure("Corr-RR", "stationary_point", found, theory=printed)


def law_of(name: str, k: int) -> Floats:
    """Return frequencies (k,): all equal, linearly falling or rising, or half of the users with the first value."""
    if name == "peaked":
        return np.array([0.5 + 0.5 / k, *[0.5 / k] * (k - 1)])
    falling = np.array(marginal_of("uniform" if name == "uniform" else "pi", k))
    return falling[::-1] if name == "rising" else falling


def pair_error(f: Floats, p_y: float, n2: int, grr: GRR) -> float:
    """Return the exact mean squared error of both attributes' Phase II estimates, as Algorithm 1 copies."""
    return float(np.mean(theorem_5(f, f[::-1], np.full(2, p_y), n2, grr)))


def lowest_error(f: Floats, n2: int, grr: GRR) -> float:
    """Return the smallest `pair_error` of any p_y in [0, 1]; it is a quadratic function of p_y."""
    start, middle, end = (pair_error(f, p_y, n2, grr) for p_y in (0.0, 0.5, 1.0))
    square, linear = 2 * (start - 2 * middle + end), 4 * middle - 3 * start - end
    vertex = -linear / (2 * square) if square > 0 else 0.0
    return min(start, end, pair_error(f, min(max(vertex, 0.0), 1.0), n2, grr))


def appendix_error(f_a: Floats, f_b: Floats, p_y: float, n2: int, grr: GRR) -> float:
    """Return the average error as Appendix 6.2 prints it: with the variance pi_v (1 - pi_v)."""
    reported = preprint.printed_report_law(f_a, f_b, p_y, grr)
    bias = (1 - f_a - f_b + p_y * (2 * f_b - 1)) / 2
    return float(np.mean(bias**2 + reported * (1 - reported) / (n2 * grr.gap**2)))
