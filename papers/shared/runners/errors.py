"""Mean squared errors of multi-attribute frequency estimates, and what the Corr-RR papers say of their ratios."""

from collections.abc import Iterable, Iterator
from functools import partial
from typing import Literal

import numpy as np
from pydantic import Field
from shared.runners import axes
from shared.runners.data import SYNTHETIC, models_of, populations
from shared.runners.mechanisms import MechanismName, build, labels, needs_records, protocol_of
from shared.runners.two_phases import RULES, rule_of, spl

from claimaudit.experiments.axes import by_name
from claimaudit.experiments.engine import Cell
from claimaudit.experiments.runner import BaseSetting, Measure, Point, Swept, ViewName
from corrldp.mechanisms.grr import GRR
from corrldp.protocols.corr_rr.rules import theorem_5
from corrldp.protocols.names import label
from corrldp.protocols.postprocess import postprocess
from corrldp.protocols.records import average_error
from corrldp.protocols.two_phase import Phased, first_users
from corrldp.runners import Attributes, DomainSize, Epsilon, Probability, Users, runner
from corrldp.runners.protocols import expected_error

OWN = "Corr-RR"
AXES = axes.DATA | axes.MECHANISMS | axes.EXTENSIONS | by_name(axes.TRUTH, axes.AVERAGED)
of_errors = partial(runner, axes=AXES, simulates=True)


class Errors(BaseSetting):
    """Synthetic data sets of every size, or `views` of real ones (data set to view), which fix the sizes.

    `postprocess` replaces the axis of that name.
    """

    dataset: Swept[Literal["syn_a", "syn_b", "correlated", "linear_first", "dominated_first"]] = ()
    n: Swept[Users] = ()
    d: Swept[Attributes] = ()
    k: Swept[DomainSize] = ()
    rho: Swept[Probability] = ()
    epsilon: Swept[Epsilon]
    phase1_fraction: Swept[Probability] = ()
    mechanisms: tuple[MechanismName, ...]
    views: dict[str, ViewName] = Field(default={})
    postprocess: Swept[Literal["none", "clip", "clip_normalise"]] = ()

    def outer(self) -> Iterable[Point]:
        return [{"dataset": dataset} for dataset in self.views] or [{}]


@of_errors(Errors, mechanisms=labels, metrics=("mse",))
def mse(cell: Cell) -> Iterator[Measure]:
    """Yield the mean squared error (Eq. 2) of every mechanism (Figures and Tables 4 to 9 of the Corr-RR papers).

    The theory of protocols with one phase is the exact expected error for the records of these runs.
    """
    law = None
    if cell["dataset"] in SYNTHETIC and cell["truth"] == "law":
        law = np.stack([one.marginals[-cell["d"] :] for one in models_of(cell)[0]])
    for mechanism in cell.setting.mechanisms:
        estimates, truth, theory = cell.once(estimate, mechanism)
        if law is not None:
            # What is unbiased for the users errs by their own distance from the law, too.
            drawn = average_error((truth - law) ** 2).mean() if mechanism != "Uniform" else np.nan
            truth, theory = law, float(theory + drawn)
        how, which = cell["postprocess"], cell["averaged"]
        squares = averaged((postprocess(estimates, how) - truth) ** 2, which)
        known = how == "none" and which == "all"
        yield Measure.of_runs(label(mechanism), "mse", average_error(squares), theory if known else float("nan"))


def averaged(squares: np.ndarray, which: str) -> np.ndarray:
    """Return those of the squared errors (runs, d, K), NaN beyond a domain, of which a reading takes the mean."""
    if which == "last_value_left_out":
        last = np.isfinite(squares[:1]).sum(axis=-1, keepdims=True) - 1
        return np.where(np.arange(squares.shape[-1]) == last, 0.0, squares)
    return squares[:, :1] if which == "first_attribute" else squares


def estimate(cell: Cell, mechanism: str) -> tuple[np.ndarray, np.ndarray, float]:
    """Return a mechanism's estimates and the true frequencies, both (runs, d, K), and the closed form of the error.

    The runs are split among the populations. The closed form is NaN if there is none.
    """
    tables = cell.latest(populations, any(map(needs_records, cell.setting.mechanisms)))
    kind = protocol_of(mechanism)
    idle = set() if isinstance(kind, type) and issubclass(kind, Phased) else {"phase1_fraction"}
    rng = cell.rng(mechanism=mechanism, point={name: cell.point[name] for name in cell.point if name not in idle})
    runs = cell.runs // len(tables)
    pairs = [(build(mechanism, cell, table), table) for table in tables]
    estimates = np.concatenate([protocol.simulate(table, runs, rng) for protocol, table in pairs])
    truth = np.concatenate([np.broadcast_to(table.frequencies(), (runs, *estimates.shape[1:])) for table in tables])
    return estimates, truth, float(np.mean([expected_error(*pair) for pair in pairs]))


class CorrelationChange(Errors):
    """Synthetic data; `changes` are the pairs of correlations to compare, in place of `rho`."""

    changes: tuple[tuple[Probability, Probability], ...]

    def outer(self) -> Iterable[Point]:
        places = super().outer()
        return [{"rho_from": start, "rho_to": end, **place} for start, end in self.changes for place in places]


@of_errors(CorrelationChange, mechanisms=labels, metrics=("mse_left", "mse_fall"))
def change(cell: Cell) -> Iterator[Measure]:
    """Yield the share mse(rho_to) / mse(rho_from) that is left of every mechanism's error, and its fall, 1 - share.

    The runs of different correlations are independent of each other, so the standard error follows by the delta method.
    """
    before, after = ([*cell.once(_errors_at, cell[end])] for end in ("rho_from", "rho_to"))
    for first, last in zip(before, after, strict=True):
        yield from left_and_fall(first, last)


def left_and_fall(first: Measure, last: Measure) -> Iterator[Measure]:
    """Yield the share last / first that is left of a mechanism's error, and its fall."""
    ratio = last.mean / first.mean
    se = ratio * np.hypot(first.se / first.mean, last.se / last.mean)
    theory = last.theory / first.theory
    yield Measure(first.mechanism, "mse_left", ratio, se, first.runs, theory)
    yield Measure(first.mechanism, "mse_fall", 1 - ratio, se, first.runs, 1 - theory)


def _errors_at(cell: Cell, rho: float) -> list[Measure]:
    point = {name: cell.point[name] for name in cell.point if name not in ("rho_from", "rho_to")}
    return [*mse(cell.of({**point, "rho": rho}))]


@of_errors(Errors, mechanisms=lambda setting: {*labels(setting)} - {OWN}, metrics=("saving", "times"))
def gain(cell: Cell) -> Iterator[Measure]:
    """Yield the saving 1 - mse(Corr-RR) / mse over every other mechanism, and how many times its mse is larger.

    `mechanisms` of the setting are Corr-RR and those with which it is compared.

    The runs of different mechanisms are independent of each other, so the standard errors follow by the delta method.
    """
    errors = {error.mechanism: error for error in mse(cell)}
    own = errors.pop(OWN)
    for name, other in errors.items():
        share = own.mean / other.mean
        relative = np.hypot(own.se / own.mean, other.se / other.mean)
        yield Measure(name, "saving", 1 - share, share * relative, own.runs)
        yield Measure(name, "times", 1 / share, relative / share, own.runs)


class Stability(Errors):
    """The settings of `mse`, without mechanisms; only Corr-RR has a p_y."""

    mechanisms: tuple[()] = ()


@of_errors(Stability, mechanisms=("Corr-RR",), metrics=("p_y_error", "p_y_cost"))
def p_y(cell: Cell) -> Iterator[Measure]:
    """Yield the mean squared deviation of p_y, over all ordered pairs, from what its rule gives for the true marginals.

    Then its cost: by how much the Phase II error of Theorem 5, at the true marginals, is larger with it than with the
    p_y that minimises that error, in means over the pairs.
    """
    [table] = cell.latest(populations, False)
    n1 = first_users(table.n, cell["phase1_fraction"])
    rng, grr, rule = cell.rng(phase="I", point={**cell.point}), GRR(cell["epsilon"], cell["k"]), rule_of(cell, table)
    first, _ = table.split(n1, cell.runs, rng)
    chosen = rule(spl(cell, table.sizes, "phase1_whole").simulate(first, cell.runs, rng), table.n - n1, grr)
    true = np.broadcast_to(table.frequencies(), (cell.runs, table.d, cell["k"]))
    known, best = (of(true, table.n - n1, grr) for of in (rule, RULES["exact"]))
    pairs = ~np.eye(table.d, dtype=bool)
    yield Measure.of_runs("Corr-RR", "p_y_error", ((chosen - known)[:, pairs] ** 2).mean(axis=1))
    # A row of the copy probabilities is the pivot, a column the attribute that follows it.
    error, least = (
        theorem_5(true[:, None], true[:, :, None], p_y, table.n - n1, grr).mean(axis=-1)[:, pairs].mean(axis=1)
        for p_y in (chosen, best)
    )
    yield Measure.of_runs("Corr-RR", "p_y_cost", error / least - 1)
