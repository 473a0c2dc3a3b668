"""Synthetic pairs of attributes with a given Cramer's V (Appendix D), and pictures of joint laws."""

from collections.abc import Iterator, Mapping, Sequence
from typing import Self

import numpy as np
from castell.runners import axes
from castell.runners.estimates import distances, observe, rounded
from pydantic import model_validator

from claimaudit.experiments.axes import by_name
from claimaudit.experiments.engine import Cell
from claimaudit.experiments.runner import BaseSetting, Choices, Measure, Point, Swept, ViewName
from corrldp.arrays import Floats, Integers
from corrldp.mechanisms.grr import GRR
from corrldp.protocols.castell import perturb_axes, rr_ind_joint, rr_independent, squared_error
from corrldp.runners import DomainSize, Epsilon, Probability, Users, runner

HELD: Mapping[str, Point] = {"small_epsilon": {"epsilon": 0.5}, "many_users": {"n": 10_000, "d": 2}}
"""Parameters that replace defaults under the values of the axis `held`."""
BOTH = {"RR-Independent": rr_independent, "RR-Ind-Joint": rr_ind_joint}


class SyntheticPair(BaseSetting):
    """Values d of both attributes, n users and Cramer's V."""

    d: DomainSize
    n: Users
    v: Probability


class Defaults(SyntheticPair):
    """A pair, and the budget of each attribute."""

    epsilon: Epsilon


class Grids(BaseSetting):
    """Values of each parameter to sweep, with the others at their defaults."""

    d: Swept[DomainSize] = ()
    epsilon: Swept[Epsilon] = ()
    n: Swept[Users] = ()
    v: Swept[Probability] = ()


class Varied(BaseSetting):
    """Default parameters, and the values of those that vary."""

    defaults: Defaults
    varied: Grids

    def points(self, choices: Choices) -> Iterator[Point]:
        held = {**self.defaults.model_dump(), **HELD.get(str(choices["held"]), {})}
        for varied in self.varied.swept():
            for value in getattr(self.varied, varied):
                yield {"varied": varied, **held, varied: value}


@runner(Varied, mechanisms=tuple(BOTH), metrics=("mae", "mse"), axes=axes.PAIRS | by_name(axes.HELD), simulates=True)
def errors(cell: Cell) -> Iterator[Measure]:
    """Yield the error (`mae`) of a cell of both estimates, and its mean square (`mse`); each run has new data.

    If everybody randomises, the mean square of RR-Ind-Joint has an exact theory.
    """
    found = cell.once(of_pair)
    for mechanism in BOTH:
        exact = mechanism == "RR-Ind-Joint" and cell["sampling_noise"] == "randomised"
        yield Measure.of_runs(mechanism, "mae", found[mechanism, cell["error"]])
        d, n = cell["d"], cell["n"]
        theory = squared_error([GRR(cell["epsilon"], d)] * 2, n) / d**2 if exact else float("nan")
        yield Measure.of_runs(mechanism, "mse", found[mechanism, "mean_squared"], theory)


def of_pair(cell: Cell) -> dict[tuple[str, str], Floats]:
    """Return every distance (runs,) of both estimates."""
    d, n, noise, rng = cell["d"], cell["n"], cell["sampling_noise"], cell.rng(point=dict(cell.point))
    mechanisms, law = [GRR(cell["epsilon"], d)] * 2, correlated_law(d, cell["v"])

    def errors(table: np.ndarray) -> Iterator[tuple[str, Floats]]:
        observed = observe(table, mechanisms, noise, lambda: perturb_axes(table[None], mechanisms, rng)[0], rng)
        for name, estimate in BOTH.items():
            yield name, rounded(estimate(observed, mechanisms), n, cell["estimates"]) - table / n

    return distances(map(errors, rng.multinomial(n, law.ravel(), size=cell.runs).reshape(-1, d, d)))


def correlated_law(d: int, v: float) -> Floats:
    """Return the joint law (d, d) of two attributes with marginals as 1/2, ..., 1/(d + 1) and Cramer's V of exactly v.

    With probability v the second value copies the first, else it is drawn independently.
    """
    weights = 1 / np.arange(2, d + 2)
    marginal = weights / weights.sum()
    return (1 - v) * np.outer(marginal, marginal) + v * np.diag(marginal)


class LawPicture(BaseSetting):
    """Names of two attributes, and their records: those of a `view`, or a synthetic `pair`; each spends `epsilon`."""

    names: tuple[str, str]
    epsilon: Epsilon
    view: ViewName | None = None
    pair: SyntheticPair | None = None

    @model_validator(mode="after")
    def _one_source(self) -> Self:
        if (self.view is None) == (self.pair is None):
            raise ValueError("give either a view or a pair")
        return self


@runner(
    LawPicture,
    mechanisms=("RR-Ind-Joint",),
    metrics=("share",),
    columns=lambda setting: (*setting.names, "stage"),
    axes=by_name(axes.SETS["sampling_noise"], axes.ESTIMATES),
)
def pictures(cell: Cell) -> Iterator[Measure]:
    """Yield the data, the reports and both estimates of one run (`share` of each pair of values)."""
    counts, values = data(cell)
    names, rng, n = cell.setting.names, cell.rng(what="reports"), int(counts.sum())
    mechanisms = [GRR(cell.setting.epsilon, k) for k in counts.shape]
    noise = cell["sampling_noise"]
    observed = observe(counts, mechanisms, noise, lambda: perturb_axes(counts[None], mechanisms, rng)[0], rng)
    estimates = {name: rounded(estimate(observed, mechanisms), n, cell["estimates"]) for name, estimate in BOTH.items()}
    for stage, table in {"data": counts / n, "reports": observed, **estimates}.items():
        for places, share in np.ndenumerate(table):
            of = {name: value[place] for name, value, place in zip(names, values, places, strict=True)}
            yield Measure("RR-Ind-Joint", "share", share, place={**of, "stage": stage})


def data(cell: Cell) -> tuple[Integers, Sequence[Sequence[str | int]]]:
    """Return the counts (k_1, k_2) and the values of both attributes, numbers if the pair is synthetic."""
    pair = cell.setting.pair
    if pair is None:
        view = cell.views[cell.setting.view]
        return view.counts(), view.values
    law = correlated_law(pair.d, pair.v)
    return cell.rng(what="data").multinomial(pair.n, law.ravel()).reshape(law.shape), [range(1, pair.d + 1)] * 2
