"""Percentiles of the averaged relative error over runs (Figure 2 of the JRR paper)."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Annotated

import numpy as np
from annotated_types import Gt, Lt
from scipy import special

from corrldp.experiments.engine import Cell
from corrldp.experiments.jrr import axes, population
from corrldp.experiments.jrr.accuracy import law_of_are, simulate
from corrldp.experiments.jrr.choice import protocols
from corrldp.experiments.measures import Measure
from corrldp.metrics import are
from corrldp.protocols.jrr.binary import JointRandomizedResponse

AXES = axes.ERRORS


class Setting(population.Setting):
    """Users, and the percentiles to take of their errors, in percent."""

    percentile: tuple[Annotated[int | float, Gt(0), Lt(100)], ...]


def measure(cell: Cell) -> Iterator[Measure]:
    """Yield every percentile of the ARE of RR and JRR."""
    for mechanism, protocol in protocols(cell):
        yield from cell.once(percentiles, mechanism, protocol)


def percentiles(cell: Cell, mechanism: str, protocol: JointRandomizedResponse) -> list[Measure]:
    """Return the percentiles of the ARE, with their error and theory by the exact law of the collector's count."""
    n, n1, at, zero = cell["n"], cell["n1"], cell.setting.percentile, cell["zero_frequency"]
    errors = are(simulate(cell, mechanism, protocol), [n - n1, n1], zero=zero)
    numbers = zip(at, np.percentile(errors, at), *exact(*law_of_are(protocol, n1, n, zero), at, cell.runs), strict=True)
    return [
        Measure(mechanism, "are", value, se, cell.runs, theory, {"percentile": percentile})
        for percentile, value, theory, se in numbers
    ]


def exact(values: np.ndarray, law: np.ndarray, at: Sequence[float], runs: int) -> tuple[np.ndarray, np.ndarray]:
    """Return the percentiles of a discrete law, and the standard deviations of those of samples of so many `runs`.

    The percentile of a sample is the value of a rank. It is at most x if at least as many runs are, and their number
    is binomial.

    Parameters
    ----------
    values, law
        Values (m,) and their probabilities.
    at
        Percentiles, in percent, shape (q,).
    runs
        Size of the samples.
    """
    order = np.argsort(values)
    ordered, below = values[order], np.minimum(np.cumsum(law[order]), 1.0)
    ranks = np.clip(np.ceil(np.divide(at, 100) * runs), 1, runs)[:, None]
    of_rank = np.diff(special.betainc(ranks, runs - ranks + 1, below), prepend=0.0)
    means = of_rank @ ordered
    deviations = np.array([row @ (ordered - mean) ** 2 for row, mean in zip(of_rank, means, strict=True)]) ** 0.5
    return ordered[np.searchsorted(below, np.divide(at, 100))], deviations
