"""Error of the frequency estimate under RR and JRR: means and percentiles."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
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
    n, n1, zero, drawn = cell["n"], cell["n1"], cell["zero_frequency"], cell["ones"] == "drawn"
    for mechanism, protocol in protocols(cell):
        reported = coin(protocol) if cell["lies"] == "half" else protocol
        estimator = Estimator(protocol, reported, cell["counts"] == "clipped")
        variance, expected = cell.once(expected_errors, estimator)
        if cell["expected"] in (mechanism.lower(), "both"):
            yield Measure(mechanism, "mse_counts", variance)
            yield Measure(mechanism, "are", expected)
            continue
        if drawn:
            variance = expected = float("nan")
        estimates = estimator.counts(cell.once(simulate, mechanism, reported, drawn), n)
        yield Measure.of_runs(mechanism, "mse_counts", mse_counts(estimates, [n - n1, n1]), variance)
        yield Measure.of_runs(mechanism, "are", are(estimates, [n - n1, n1], zero=zero), expected)


@dataclass(frozen=True)
class Estimator:
    """What a protocol estimates if the reports have the law of `reported`, perhaps `clipped` to 0..n."""

    protocol: JointRandomizedResponse
    reported: JointRandomizedResponse
    clipped: bool = False

    def counts(self, supports: ArrayLike, n: int) -> np.ndarray:
        """Return the estimated counts (..., 2) from the numbers (..., 2) of reports of each value."""
        estimates = self.protocol.estimate_counts(supports, n)
        return np.clip(estimates, 0, n) if self.clipped else estimates

    def law(self, n1: int, n: int) -> tuple[np.ndarray, np.ndarray]:
        """Return the estimated counts (m, 2) for all numbers of reports of 1, and their probabilities (m,)."""
        ones, law = law_of_ones(self.reported, n1, n)
        return self.counts(np.column_stack([n - ones, ones]), n), law


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


def simulate(cell: Cell, mechanism: str, reported: JointRandomizedResponse, drawn: bool = False) -> np.ndarray:
    """Return the numbers (runs, 2) of reports of each value; readings with the same law of reports share them.

    The users hold the stated number of ones or, if `drawn`, draw their values anew in each run.
    """
    n, n1 = cell["n"], cell["n1"]
    rng = cell.rng(mechanism=mechanism, point=dict(cell.point))
    held = np.unique(rng.binomial(n, n1 / n, size=cell.runs), return_counts=True) if drawn else ([n1], [cell.runs])
    supports = [reported.simulate([n - ones, ones], runs, rng) for ones, runs in zip(*held, strict=True)]
    return np.concatenate(supports)


def expected_errors(cell: Cell, estimator: Estimator) -> tuple[float, float]:
    """Return the exact means of the squared error of counts and of the averaged relative error.

    Readings with the same estimator share them. The first has a closed form for the protocol's own raw estimates.
    """
    n, n1 = cell["n"], cell["n1"]
    estimates, law = estimator.law(n1, n)
    expected = float(are(estimates, [n - n1, n1], zero=cell["zero_frequency"]) @ law)
    if estimator == Estimator(estimator.protocol, estimator.protocol):
        return float(estimator.protocol.variance_of_counts(n1, n)), expected
    return float(mse_counts(estimates, [n - n1, n1]) @ law), expected


def law_of_are(
    protocol: JointRandomizedResponse, n1: int, n: int, zero: Literal["skip", "domain"] = "skip"
) -> tuple[np.ndarray, np.ndarray]:
    """Return the averaged relative errors of all numbers of reports of 1, and their probabilities."""
    estimates, law = Estimator(protocol, protocol).law(n1, n)
    return are(estimates, [n - n1, n1], zero=zero), law


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
    estimates = protocol.estimate_counts(simulate(cell, mechanism, protocol), n)
    errors = are(estimates, [n - n1, n1], zero=zero)
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
