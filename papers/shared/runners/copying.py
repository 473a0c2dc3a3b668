"""The copy probability p_y of two attributes: over their marginals, and against the best one."""

import itertools
from collections.abc import Iterable, Iterator
from typing import Any, Literal

import numpy as np
from shared.runners.axes import MECHANISMS
from shared.runners.data import marginal_of
from shared.runners.second_phase import printed_report_law, proposition_1_of_appendix, stationary_point
from shared.runners.two_phases import RULES

from claimaudit.experiments.axes import by_name
from claimaudit.experiments.engine import Cell
from claimaudit.experiments.runner import BaseSetting, Choices, Measure, Point, Swept
from corrldp.arrays import Floats
from corrldp.mechanisms.grr import GRR
from corrldp.protocols.corr_rr.rules import theorem_5
from corrldp.runners import Count, DomainSize, Epsilon, Probability, Users, runner


class CopyingGrid(BaseSetting):
    """A grid of the frequency of one value in each attribute, taken as known.

    `pivot` names the column of the attribute that is copied; f_j is that of its follower, in `steps` steps. With
    `sides`, two more columns state on which side of the pivot's frequency the follower's lies, and how far away.
    """

    pivot: Literal["f_s", "f_k"]
    sides: bool
    pivot_frequency: tuple[Probability, ...]
    steps: Count
    n2: Users
    epsilon: Epsilon

    def outer(self) -> Iterable[Point]:
        followers = np.linspace(0, 1, self.steps + 1).round(12).tolist()
        for pivot, follower in itertools.product(self.pivot_frequency, followers):
            yield {self.pivot: pivot, "f_j": follower} | (side_of(pivot, follower) if self.sides else {})


@runner(CopyingGrid, mechanisms=("Corr-RR",), metrics=("p_y",), axes=by_name(MECHANISMS["py_rule"]))
def grid(cell: Cell) -> Iterator[Measure]:
    """Yield `p_y` of the follower."""
    pivot, follower = cell.point[cell.setting.pivot], cell.point["f_j"]
    marginals = np.array([[1 - follower, follower], [1 - pivot, pivot]])
    rule = RULES[cell["py_rule"]]
    yield Measure("Corr-RR", "p_y", rule(marginals, cell.setting.n2, GRR(cell.setting.epsilon, 2))[1, 0])


def side_of(pivot: float, follower: float) -> dict[str, Any]:
    """Return whether the follower's frequency lies towards 1/2 as seen from the pivot's, and how far away."""
    toward_half = (follower - pivot) * (0.5 - pivot) >= 0
    return {"side": "toward_half" if toward_half else "away", "distance": round(abs(follower - pivot), 12)}


class Procedure(BaseSetting):
    """Two attributes with known frequencies, each of one of the `laws`; `formula` is the one compared with 0 and 1."""

    k: Swept[DomainSize]
    epsilon: Swept[Epsilon]
    laws: tuple[Literal["uniform", "falling", "rising", "peaked"], ...]
    formula: Swept[Literal["preprint", "preprint_appendix"]]
    n2: Users

    def points(self, choices: Choices) -> Iterator[Point]:
        for point in super().points(choices):
            for first, second in itertools.product(self.laws, repeat=2):
                yield {**point, "first": first, "second": second, "equal_marginals": int(first == second)}


@runner(Procedure, mechanisms=("chosen", "best", "Corr-RR"), metrics=("p_y", "error", "stationary_point"))
def procedure(cell: Cell) -> Iterator[Measure]:
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
        printed = float(proposition_1_of_appendix(f[0], f[1], n2, grr))
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
    reported = printed_report_law(f_a, f_b, p_y, grr)
    bias = (1 - f_a - f_b + p_y * (2 * f_b - 1)) / 2
    return float(np.mean(bias**2 + reported * (1 - reported) / (n2 * grr.gap**2)))
