"""JRR inside other mechanisms, at equal privacy against the same colluders (Section 4.6 of the JRR paper).

The paper proposes these combinations without an experiment.
"""

from collections.abc import Iterator
from functools import partial
from typing import Literal

import numpy as np
from jrr.runners.axes import TUNING
from jrr.runners.errors import mse_counts
from jrr.runners.unary import JRRLocalHashing, largest_scale

from claimaudit.experiments.axes import by_name
from claimaudit.experiments.engine import Cell
from claimaudit.experiments.runner import BaseSetting, Measure, Swept
from corrldp.mechanisms.grr import GRR
from corrldp.mechanisms.hashing import LocalHashing
from corrldp.mechanisms.pure import PureMechanism
from corrldp.mechanisms.unary import UnaryEncoding
from corrldp.protocols.jrr.mechanism import JointRandomizedResponse
from corrldp.protocols.jrr.privacy import algorithm1, rr_parameters
from corrldp.runners import Count, DomainSize, Epsilon, Users, runner

PAPER_STEP = 0.0001
TUNED_STEPS = [0.0, *(10.0**exponent for exponent in np.arange(-7, -0.9, 0.25))]


class IntegrationSetting(BaseSetting):
    """Shapes of the population, domain sizes, budgets, and numbers of colluders among the users."""

    dataset: Swept[Literal["uniform", "zipf", "single"]]
    n: Swept[Users]
    k: Swept[DomainSize]
    epsilon: Swept[Epsilon]
    colluders: Swept[Count]


@runner(
    IntegrationSetting,
    mechanisms=("GRR", "k-JRR", "OLH", "JRR-OLH", "SUE", "JRR-SUE", "OUE", "JRR-OUE"),
    metrics=("mse_counts",),
    axes=by_name(TUNING),
    simulates=True,
)
def errors(cell: Cell) -> Iterator[Measure]:
    """Yield the mean squared error of counts with and without JRR, simulated and in closed form.

    The axis `tuning` is how much of the budget is reserved for the correlation: `algorithm1` takes the step of the
    paper's search, `tuned` the amount that suits the true counts best, which nobody could know.
    """
    counts = population(cell["dataset"], cell["n"], cell["k"])
    for name, mechanism in mechanisms(counts, cell["epsilon"], cell["colluders"], cell["tuning"] == "tuned"):
        yield cell.once(error_of, name, mechanism)


def error_of(cell: Cell, name: str, mechanism: PureMechanism) -> Measure:
    """Return the error of one mechanism."""
    counts = population(cell["dataset"], cell["n"], cell["k"])
    support = mechanism.simulate(counts, cell.runs, cell.rng(mechanism=name, point=dict(cell.point)))
    errors = mse_counts(mechanism.estimate_counts(support, cell["n"]), counts)
    return Measure.of_runs(name, "mse_counts", errors, expected_error(mechanism, counts))


def population(shape: str, n: int, k: int) -> np.ndarray:
    """Return the counts (k,) of `n` users: `uniform`, `zipf` (value v as 1/(v + 1)) or `single` (all hold one)."""
    weights = {"uniform": np.ones(k), "zipf": 1 / np.arange(1, k + 1), "single": np.eye(k)[0]}[shape]
    edges = np.rint(n * np.cumsum(weights) / weights.sum()).astype(int)
    return np.diff(edges, prepend=0)


def mechanisms(counts: np.ndarray, epsilon: float, m: int, tuned: bool) -> Iterator[tuple[str, PureMechanism]]:
    """Yield each mechanism and its JRR version, whose epsilon holds against `m` colluders."""
    k, n = len(counts), int(counts.sum())
    best = partial(min, key=partial(expected_error, counts=counts))
    steps = TUNED_STEPS if tuned else [PAPER_STEP]
    hashing = LocalHashing.optimal(epsilon, k)
    yield "GRR", GRR(epsilon, k)
    yield "k-JRR", best(searched(n, epsilon, m, k, steps))
    yield "OLH", hashing
    yield "JRR-OLH", best(JRRLocalHashing(one, k) for one in searched(n, epsilon, m, hashing.g, steps))
    for name, encoding in (("SUE", UnaryEncoding.symmetric), ("OUE", UnaryEncoding.optimized)):
        yield name, encoding(epsilon, k)
        yield f"JRR-{name}", best(largest_scale(encoding(epsilon - step, k), epsilon, n, m) for step in steps)


def searched(n: int, epsilon: float, m: int, k: int, steps: list[float]) -> Iterator[JointRandomizedResponse]:
    """Yield what Algorithm 1, extended to k values, finds with each step; for step 0, rho is 0."""
    for step in steps:
        plain = rr_parameters(epsilon, k)
        if step == 0:
            yield plain
        elif step < plain.p - 1 / k:
            yield algorithm1(n, epsilon, m, p_step=step, rho_step=0, k=k)


def expected_error(mechanism: PureMechanism, counts: np.ndarray) -> float:
    """Return the mean over values of the variance of the estimated counts (the estimates are unbiased)."""
    return float(np.mean(mechanism.variance_of_counts(counts, int(counts.sum()))))
