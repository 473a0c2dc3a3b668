"""Percentiles of the averaged relative error over runs (Figure 2 of the JRR paper)."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import cache
from typing import Annotated, Literal

import numpy as np
import scipy
from annotated_types import Gt, Lt

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
    """Return the percentiles of the ARE with those by the exact law of the collector's count as theory."""
    n, n1, at, zero = cell["n"], cell["n1"], cell.setting.percentile, cell["zero_frequency"]
    errors = are(simulate(cell, mechanism, protocol), [n - n1, n1], zero=zero)
    numbers = zip(at, *of_sample(errors, at), exact(protocol, n1, n, at, zero), strict=True)
    return [
        Measure(mechanism, "are", value, se, cell.runs, theory, {"percentile": percentile})
        for percentile, value, se, theory in numbers
    ]


def of_sample(errors: np.ndarray, at: Sequence[float]) -> tuple[np.ndarray, np.ndarray]:
    """Return percentiles of a sample (runs,) and their standard errors (Maritz and Jarrett, 1978)."""
    ordered = np.sort(errors)
    weights = np.array([_weights(len(errors), percentile) for percentile in at])
    return np.percentile(errors, at), np.sqrt(weights @ ordered**2 - (weights @ ordered) ** 2)


@cache
def _weights(size: int, percentile: float) -> np.ndarray:
    """Return how likely each value of a sample, in order, is the percentile of a sample drawn from it, (size,)."""
    place = int(size * percentile / 100 + 0.5)
    return np.diff(scipy.stats.beta.cdf(np.arange(size + 1) / size, place - 1, size - place))


def exact(
    protocol: JointRandomizedResponse, n1: int, n: int, at: Sequence[float], zero: Literal["skip", "domain"] = "skip"
) -> np.ndarray:
    """Return the percentiles of the ARE by the exact law of the collector's count."""
    relative, law = law_of_are(protocol, n1, n, zero)
    order = np.argsort(relative)
    return relative[order][np.searchsorted(np.cumsum(law[order]), np.divide(at, 100))]
