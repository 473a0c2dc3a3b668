"""Who takes part in the JRR experiments, at which epsilon, and how (p, rho) is chosen (Section 4.4)."""

import math
from collections.abc import Iterable, Iterator
from dataclasses import replace
from itertools import product
from typing import Annotated, Self

from annotated_types import Ge, Gt, Le
from pydantic import model_validator

from claimaudit.configuration import Entry
from claimaudit.experiments.engine import Cell
from claimaudit.experiments.runner import BaseSetting, Choices, Measure, Point, Swept, ViewName
from corrldp.protocols.jrr.mechanism import JointRandomizedResponse, lowest_correlation
from corrldp.protocols.jrr.privacy import algorithm1, corner, rr_parameters
from corrldp.runners import Count, Epsilon, Probability, Users, runner

TIE = 1e-9  # steps by which a p may miss a bound that it would keep but for the rounding of floats
Truthfulness = Annotated[int | float, Gt(0.5), Le(1)]  # a probability of the truth

Correlation = Annotated[int | float, Ge(-1), Le(1)]  # a correlation of a pair's truthfulness


class BinaryData(Entry):
    """A data set: `n` users, `n1` of whom hold 1."""

    dataset: str = "synthetic"
    n: Users
    n1: Count

    @model_validator(mode="after")
    def _has_its_ones(self) -> Self:
        if self.n1 > self.n:
            raise ValueError(f"n1={self.n1} must lie in 0..n={self.n}: it counts the users who hold 1")
        return self


class PopulationSetting(BaseSetting):
    """The `populations`, or all `n` with all `ones_fraction` that make a whole number of users; budgets; colluders.

    `colluders_fraction` is a share of the other users. The axes decide `n`, `epsilon` and `colluders` if not given.
    """

    populations: tuple[BinaryData, ...] = ()
    n: Swept[Users] = ()
    ones_fraction: Swept[Probability] = ()
    epsilon: Swept[Epsilon] = ()
    colluders: Swept[Count] = ()
    colluders_fraction: Swept[Probability] = ()

    @model_validator(mode="after")
    def _is_decided_once(self) -> Self:
        if bool(self.populations) == bool(self.ones_fraction) or (self.populations and self.n):
            raise ValueError("state who takes part once: by populations, or by ones_fraction and n")
        if self.colluders and self.colluders_fraction:
            raise ValueError("both colluders and colluders_fraction are given; remove one")
        return self

    def points(self, choices: Choices) -> Iterator[Point]:
        """Yield every population with every budget and number of colluders, at most all other users.

        `imbalance` is |2 n1 - n| / n, which together with n determines the variance.
        """
        populations: list[Point] = [population.model_dump() for population in self.populations] or [
            {"dataset": "synthetic", "n": n, "n1": round(n * fraction), "ones_fraction": fraction}
            for n, fraction in product(self.n or [int(choices["n"])], self.ones_fraction)
            if abs(n * fraction - round(n * fraction)) < 1e-9
        ]
        for population, epsilon in product(populations, self.epsilon or [choices["epsilon"]]):
            n, n1 = population["n"], population["n1"]
            colluders: list[Point] = [
                {"colluders": round(share * (n - 1)), "colluders_fraction": share} for share in self.colluders_fraction
            ] or [{"colluders": min(m, n - 1)} for m in self.colluders or [int(choices["colluders"])]]
            for chosen in colluders:
                yield {**population, "imbalance": abs(2 * n1 - n) / n, "epsilon": epsilon, **chosen}


def protocols(cell: Cell) -> Iterator[tuple[str, JointRandomizedResponse]]:
    """Yield RR, which is JRR without correlation, and JRR, unless Algorithm 1 finds no parameters."""
    own, plain = choose(cell), rr_parameters(cell["epsilon"])
    if own is not None and cell["baseline"] == "parameter":
        plain = JointRandomizedResponse(own.p, 0.0)
    for mechanism, found in (("RR", plain), ("JRR", own)):
        if found is not None:
            yield mechanism, found


def choose(cell: Cell) -> JointRandomizedResponse | None:
    """Return JRR's parameters, or None if there are none.

    They may be those for another number of users, rounded, or have a correlation of the opposite sign.
    """
    other = cell["chosen_for"]
    found = parameters_for(cell, cell["n"] if other == "own" else int(other))
    if found is not None and cell["digits"] == "two":
        p = round(found.p, 2)
        found = JointRandomizedResponse(p, max(found.rho, lowest_correlation(p))) if p > 0.5 else None
    return replace(found, rho=-found.rho) if found is not None and cell["sign"] == "reversed" else found


def parameters_for(cell: Cell, n: int) -> JointRandomizedResponse | None:
    """Return JRR's parameters for `n` users, or None where Algorithm 1 finds nothing.

    With a vanishing `grid_step` of p and rho in Algorithm 1, no room for a correlation is left, and JRR is RR. Nothing
    bounds rho if there are no colluders, for whom Eq. 22 holds at the p of RR.
    """
    rule, epsilon, colluders = cell["choice"], cell["epsilon"], min(cell["colluders"], n - 1)
    if rule in ("corner", "smallest_rho"):
        return corner(n, epsilon, colluders if rule == "corner" else 0)
    if rule == "one_loop":
        return without_inner_loop(n, epsilon, colluders, cell["grid_step"])
    if rule == "optimum":
        return optimum(n, round(n * cell["n1"] / cell["n"]), epsilon, colluders)
    if cell["grid_step"] == "limit":
        return rr_parameters(epsilon) if colluders else corner(n, epsilon, 0)
    return search(n, epsilon, colluders, cell["grid_step"], cell["rho_step"])


def search(n: int, epsilon: float, colluders: int, step: float, ratio: float = 1) -> JointRandomizedResponse | None:
    """Return what Algorithm 1 finds, with steps of rho and p in this `ratio`; None if its first p is 1/2 or below."""
    if math.tanh(epsilon / 2) / 2 <= step:
        return None
    return algorithm1(n, epsilon, colluders, step, ratio * step)


def without_inner_loop(n: int, epsilon: float, colluders: int, step: float | str) -> JointRandomizedResponse | None:
    """Return what Algorithm 1 finds if rho stays at 1 - 1/p, as without its lines 4 and 8; None if it is Null."""
    plain, largest = rr_parameters(epsilon), corner(n, epsilon, colluders)
    if step == "limit":
        return largest
    steps = max(1, math.ceil((plain.p - largest.p) / float(step) - TIE))
    p = plain.p - steps * float(step)
    return JointRandomizedResponse(p, lowest_correlation(p)) if p > 0.5 and largest != plain else None


class Ones(BaseSetting):
    """Views of the data sets that are `counted`, and the sets for which only the `printed` counts are known."""

    counted: dict[str, ViewName]
    printed: tuple[BinaryData, ...]

    def outer(self) -> Iterable[Point]:
        return ({"dataset": name} for name in [*self.counted, *(entry.dataset for entry in self.printed)])


@runner(Ones, mechanisms=("data",), metrics=("users", "ones", "ones_share"))
def datasets(cell: Cell) -> Iterator[Measure]:
    """Yield the counts: from the first attribute of a binary view, or as the paper prints them."""
    counted, dataset = cell.setting.counted, cell["dataset"]
    if dataset in counted:
        view = cell.views[counted[dataset]]
        users, ones = view.n, int((view.codes[:, 0] == 1).sum())
    else:
        [(users, ones)] = [(entry.n, entry.n1) for entry in cell.setting.printed if entry.dataset == dataset]
    yield Measure("data", "users", users)
    yield Measure("data", "ones", ones)
    yield Measure("data", "ones_share", ones / users)


def optimum(n: int, n1: int, epsilon: float, colluders: int) -> JointRandomizedResponse:
    """Solve problem (22) exactly for a known number `n1` of users with value 1.

    For a fixed p the variance h is linear in rho, so the best rho is an end of its feasible interval: the lower one if
    (2 n_1 - n)^2 > n, else the upper one. Let P, Q be p, q of plain randomized response. From p = P down to the corner
    p = P - c Q / (1 - c), c = colluders / (n - 1), the privacy constraint bounds rho and h has no interior minimum: as
    p falls, its derivative has the sign of a linear function that can change only from growth to decline. Below the
    corner, rho is at the end of its domain and h only grows as p falls. So the minimum is at plain randomized response
    or at the corner, whichever has the smaller variance.
    """
    plain, lowest = rr_parameters(epsilon), corner(n, epsilon, colluders)
    imbalance = (2 * n1 - n) ** 2 - n
    if lowest == plain or imbalance == 0:
        return plain
    best = lowest if imbalance > 0 else JointRandomizedResponse(lowest.p, 1.0)
    return min(plain, best, key=lambda one: float(one.variance_of_counts(n1, n)))
