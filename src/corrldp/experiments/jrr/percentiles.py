"""Percentiles of the averaged relative error over runs (Figure 2 of the JRR paper)."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Annotated, Literal

import numpy as np
import scipy
from annotated_types import Gt, Lt

from corrldp.experiments.engine import Cell
from corrldp.experiments.jrr import axes, population
from corrldp.experiments.jrr.accuracy import simulate
from corrldp.experiments.jrr.choice import protocols
from corrldp.experiments.measures import Measure
from corrldp.metrics import are
from corrldp.protocols.jrr.binary import JointRandomizedResponse
from corrldp.protocols.jrr.exact import law_of_ones

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
    return np.percentile(errors, at), scipy.stats.mstats.mjci(errors, prob=np.divide(at, 100))


def exact(
    protocol: JointRandomizedResponse, n1: int, n: int, at: Sequence[float], zero: Literal["skip", "domain"] = "skip"
) -> np.ndarray:
    """Return the percentiles of the ARE by the exact law of the collector's count."""
    ones, law = law_of_ones(protocol, n1, n)
    relative = are(protocol.estimate_counts(np.column_stack([n - ones, ones]), n), [n - n1, n1], zero=zero)
    order = np.argsort(relative)
    return relative[order][np.searchsorted(np.cumsum(law[order]), np.divide(at, 100))]
