"""Error of the frequency estimate under RR and JRR: means and percentiles."""

from collections.abc import Callable, Iterator, Sequence
from functools import partial
from typing import Annotated, Literal

import numpy as np
from annotated_types import Gt, Lt
from jrr.runners import axes, population
from jrr.runners.exact import law_of_ones
from jrr.runners.population import protocols
from numpy.typing import ArrayLike
from scipy import special

from claimaudit.experiments.engine import Cell
from claimaudit.experiments.runner import Measure
from corrldp.protocols.jrr.mechanism import JointRandomizedResponse
from corrldp.runners import runner

of_both = partial(runner, mechanisms=("RR", "JRR"), simulates=True)


@of_both(population.PopulationSetting, metrics=("mse_counts", "are"), axes=axes.MEANS)
def means(cell: Cell) -> Iterator[Measure]:
    """Yield the mean squared error of counts (Eq. 28) and the averaged relative error (Eq. 29) of RR and JRR."""
    n, n1, zero = cell["n"], cell["n1"], cell["zero_frequency"]
    drawn, clipped = cell["ones"] == "drawn", cell["counts"] == "clipped"
    for mechanism, protocol in protocols(cell):
        reported = coin(protocol) if cell["lies"] == "half" else protocol
        variance = float(protocol.variance_of_counts(n1, n))
        if clipped or reported != protocol:
            variance = float(np.dot(*law_of_errors(protocol, n1, n, mse_counts, clipped, reported)))
        expected = cell.once(expected_are, protocol, clipped, reported)
        if cell["expected"] in (mechanism.lower(), "both"):
            yield Measure(mechanism, "mse_counts", variance)
            yield Measure(mechanism, "are", expected)
            continue
        estimates = cell.once(simulate, mechanism, protocol, reported, drawn)
        if clipped:
            estimates = np.clip(estimates, 0, n)
        if drawn:
            variance = expected = float("nan")
        yield Measure.of_runs(mechanism, "mse_counts", mse_counts(estimates, [n - n1, n1]), variance)
        yield Measure.of_runs(mechanism, "are", are(estimates, [n - n1, n1], zero=zero), expected)


def coin(protocol: JointRandomizedResponse) -> JointRandomizedResponse:
    """Return the law of reports by which half of the lies are the truth, whatever the peer reports."""
    p, covariance = (1 + protocol.p) / 2, protocol.rho * protocol.p * protocol.lie / 4
    return JointRandomizedResponse(p, covariance / (p * (1 - p)) if p < 1 else 0.0)


def mse_counts(estimates: ArrayLike, counts: ArrayLike) -> np.ndarray:
    """Squared error (...) of estimated counts (..., k), averaged over values, in users squared (Eq. 28)."""
    errors = np.asarray(estimates, dtype=float) - np.asarray(counts, dtype=float)
    return np.mean(errors**2, axis=-1)


def are(estimates: ArrayLike, counts: ArrayLike, zero: Literal["skip", "domain"] = "skip") -> np.ndarray:
    """Averaged relative error (...) of estimated counts (..., k) over the values of the domain (Eq. 29).

    The definition divides by the true count, so it is undefined when a value does not occur. Two readings: ``"skip"``
    averages over the values that occur; ``"domain"`` sums over them and divides by the size of the whole domain. They
    agree when every value occurs.
    """
    counts = np.asarray(counts, dtype=float)
    occurs = counts > 0
    relative = np.abs(np.asarray(estimates, dtype=float)[..., occurs] / counts[occurs] - 1)
    divisor = occurs.sum() if zero == "skip" else counts.size
    return relative.sum(axis=-1) / divisor


def simulate(
    cell: Cell,
    mechanism: str,
    protocol: JointRandomizedResponse,
    reported: JointRandomizedResponse,
    drawn: bool = False,
) -> np.ndarray:
    """Return the counts (runs, 2) that a protocol estimates from reports; readings with the same ones share them.

    The users hold the stated number of ones or, if `drawn`, draw their values anew in each run.
    """
    n, n1 = cell["n"], cell["n1"]
    rng = cell.rng(mechanism=mechanism, point=dict(cell.point))
    held = np.unique(rng.binomial(n, n1 / n, size=cell.runs), return_counts=True) if drawn else ([n1], [cell.runs])
    supports = [reported.simulate([n - ones, ones], runs, rng) for ones, runs in zip(*held, strict=True)]
    return protocol.estimate_counts(np.concatenate(supports), n)


def expected_are(
    cell: Cell, protocol: JointRandomizedResponse, clipped: bool, reported: JointRandomizedResponse
) -> float:
    """Return the exact mean of the averaged relative error; readings that choose the same parameters share it."""
    measure = partial(are, zero=cell["zero_frequency"])
    return float(np.dot(*law_of_errors(protocol, cell["n1"], cell["n"], measure, clipped, reported)))


def law_of_are(
    protocol: JointRandomizedResponse, n1: int, n: int, zero: Literal["skip", "domain"] = "skip"
) -> tuple[np.ndarray, np.ndarray]:
    """Return the averaged relative errors of all numbers of reports of 1, and their probabilities."""
    return law_of_errors(protocol, n1, n, partial(are, zero=zero), False, protocol)


def law_of_errors(
    protocol: JointRandomizedResponse,
    n1: int,
    n: int,
    measure: Callable[..., np.ndarray],
    clipped: bool,
    reported: JointRandomizedResponse,
) -> tuple[np.ndarray, np.ndarray]:
    """Return a measure of the errors, raw or clipped, of all numbers of reports of 1, and their probabilities.

    The estimate is that of the protocol, the law of the reports another one's if it is not `reported` itself.
    """
    ones, law = law_of_ones(reported, n1, n)
    estimates = protocol.estimate_counts(np.column_stack([n - ones, ones]), n)
    return measure(np.clip(estimates, 0, n) if clipped else estimates, [n - n1, n1]), law


class Percentiles(population.PopulationSetting):
    """Users, and the percentiles to take of their errors, in percent."""

    percentile: tuple[Annotated[int | float, Gt(0), Lt(100)], ...]


@of_both(Percentiles, metrics=("are",), columns=("percentile",), axes=axes.ERRORS)
def percentiles(cell: Cell) -> Iterator[Measure]:
    """Yield every percentile of the ARE of RR and JRR."""
    for mechanism, protocol in protocols(cell):
        yield from cell.once(percentiles_of, mechanism, protocol)


def percentiles_of(cell: Cell, mechanism: str, protocol: JointRandomizedResponse) -> list[Measure]:
    """Return the percentiles of the ARE, with their error and theory by the exact law of the collector's count."""
    n, n1, at, zero = cell["n"], cell["n1"], cell.setting.percentile, cell["zero_frequency"]
    errors = are(simulate(cell, mechanism, protocol, protocol), [n - n1, n1], zero=zero)
    numbers = zip(
        at,
        np.percentile(errors, at),
        *percentiles_of_law(*law_of_are(protocol, n1, n, zero), at, cell.runs),
        strict=True,
    )
    return [
        Measure(mechanism, "are", value, se, cell.runs, theory, {"percentile": percentile})
        for percentile, value, theory, se in numbers
    ]


def percentiles_of_law(
    values: np.ndarray, law: np.ndarray, at: Sequence[float], runs: int
) -> tuple[np.ndarray, np.ndarray]:
    """Return the percentiles `at` (q,), in percent, of a law of `values` (m,), and their standard deviations.

    These are those of samples of so many `runs`. The percentile of a sample is the value of a rank. It is at most x if
    at least as many runs are, and their number is binomial.
    """
    order = np.argsort(values)
    ordered, below = values[order], np.minimum(np.cumsum(law[order]), 1.0)
    ranks = np.clip(np.ceil(np.divide(at, 100) * runs), 1, runs)[:, None]
    of_rank = np.diff(special.betainc(ranks, runs - ranks + 1, below), prepend=0.0)
    means = of_rank @ ordered
    deviations = np.array([row @ (ordered - mean) ** 2 for row, mean in zip(of_rank, means, strict=True)]) ** 0.5
    return ordered[np.searchsorted(below, np.divide(at, 100))], deviations
