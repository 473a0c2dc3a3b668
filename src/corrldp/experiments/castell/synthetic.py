"""Synthetic pairs of attributes with a given Cramer's V (Appendix D, Figures 9 and 10)."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

import numpy as np

from corrldp.experiments.axes import Axis, by_name
from corrldp.experiments.castell import axes
from corrldp.experiments.castell.collection import observe
from corrldp.experiments.castell.distances import distances
from corrldp.experiments.engine import Cell
from corrldp.experiments.measures import Measure
from corrldp.experiments.setting import BaseSetting, DomainSize, Epsilon, Point, Probability, Swept, Users
from corrldp.mechanisms.pure import Floats
from corrldp.protocols.castell.schemes import IndependentRR, rr_ind_joint, rr_independent, squared_error

AXES = axes.PAIRS | by_name(
    Axis(
        "held",
        {
            "defaults": "the parameters that do not vary as in Figure 9",
            "small_epsilon": "epsilon = 0.5 where it does not vary",
            "many_users": "n = 10,000 and d = 2 where they do not vary",
        },
    )
)
HELD: Mapping[str, Point] = {"small_epsilon": {"epsilon": 0.5}, "many_users": {"n": 10_000, "d": 2}}
"""Parameters that replace defaults under the values of the axis `held`."""
ESTIMATES = {"RR-Independent": rr_independent, "RR-Ind-Joint": rr_ind_joint}


class Pair(BaseSetting):
    """Values d of both attributes, n users and Cramer's V."""

    d: DomainSize
    n: Users
    v: Probability


class Defaults(Pair):
    """A pair, and the budget of each attribute."""

    epsilon: Epsilon


class Grids(BaseSetting):
    """Values of each parameter to sweep, with the others at their defaults."""

    d: Swept[DomainSize] = ()
    epsilon: Swept[Epsilon] = ()
    n: Swept[Users] = ()
    v: Swept[Probability] = ()


class Setting(BaseSetting):
    """Default parameters, and the values of those that vary."""

    defaults: Defaults
    varied: Grids

    def points(self, choices: Mapping[str, Any]) -> Iterator[Point]:
        """Yield every value of each parameter in turn."""
        held = {**self.defaults.model_dump(), **HELD.get(choices["held"], {})}
        for varied in self.varied.swept():
            for value in getattr(self.varied, varied):
                yield {"varied": varied, **held, varied: value}


def measure(cell: Cell) -> Iterator[Measure]:
    """Yield the error (`mae`) of a cell of both estimates, and its mean square (`mse`); each run has new data.

    If everybody randomises, the mean square of RR-Ind-Joint has an exact theory.
    """
    found = cell.once(of_pair)
    for mechanism in ESTIMATES:
        exact = mechanism == "RR-Ind-Joint" and cell["sampling_noise"] == "randomised"
        yield Measure.of_runs(mechanism, "mae", found[mechanism, cell["error"]])
        theory = expected(cell["d"], cell["epsilon"], cell["n"]) if exact else float("nan")
        yield Measure.of_runs(mechanism, "mse", found[mechanism, "mean_squared"], theory)


def of_pair(cell: Cell) -> dict[tuple[str, str], Floats]:
    """Return every distance (runs,) of both estimates."""
    d, n, noise, rng = cell["d"], cell["n"], cell["sampling_noise"], cell.rng(point=dict(cell.point))
    protocol, law = IndependentRR(cell["epsilon"], (d, d)), correlated_law(d, cell["v"])

    def errors(table: np.ndarray) -> Iterator[tuple[str, Floats]]:
        observed = observe(table, protocol.mechanisms, noise, lambda: protocol.simulate(table, 1, rng)[0], rng)
        for name, estimate in ESTIMATES.items():
            yield name, estimate(observed, protocol.mechanisms) - table / n

    return distances(map(errors, rng.multinomial(n, law.ravel(), size=cell.runs).reshape(-1, d, d)))


def expected(d: int, epsilon: float, n: int) -> float:
    """Return the exact mean of the squared error of a cell of RR-Ind-Joint when everybody randomises."""
    return squared_error(IndependentRR(epsilon, (d, d)).mechanisms, n) / d**2


def marginal_law(d: int) -> Floats:
    """Return the marginal (d,) proportional to 1/2, 1/3, ..., 1/(d + 1)."""
    weights = 1 / np.arange(2, d + 2)
    return weights / weights.sum()


def correlated_law(d: int, v: float) -> Floats:
    """Return the joint law (d, d) of two attributes with that marginal and Cramer's V of exactly v.

    With probability v the second value copies the first, else it is drawn independently.
    """
    marginal = marginal_law(d)
    return (1 - v) * np.outer(marginal, marginal) + v * np.diag(marginal)
