"""Statements of Appendix A about single mechanisms that other experiments do not cover."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
import scipy

from corrldp.experiments.engine import Cell
from corrldp.experiments.measures import Measure
from corrldp.experiments.setting import BaseSetting, Epsilon, Swept
from corrldp.mechanisms.histogram import SummationHistogram

ENTRIES = np.linspace(-2, 3, 41)
RANGES = np.arange(2, 1000)


class Setting(BaseSetting):
    """Budgets."""

    epsilon: Swept[Epsilon]


def measure(cell: Cell) -> Iterator[Measure]:
    """Yield the exact epsilon of SHE, and the variance of local hashing at the range e^epsilon + 1 over its least.

    Two reports of SHE differ in the density of two entries only; their log-ratio is constant outside [0, 1], so the
    grid contains its supremum. The variance is the one for rare values, which the range is meant to minimise.
    """
    epsilon = cell["epsilon"]
    scale = SummationHistogram(epsilon, 2).scale
    at_one, at_zero = (scipy.stats.laplace.logpdf(ENTRIES, loc=place, scale=scale) for place in (1, 0))
    gain = at_one - at_zero
    yield Measure("SHE", "epsilon_exact", float(gain.max() - gain.min()), theory=epsilon)
    at_optimum = _variance(np.exp(epsilon) + 1, epsilon)
    yield Measure("OLH", "variance_over_least", float(at_optimum / _variance(RANGES, epsilon).min()))
    best = RANGES[_variance(RANGES, epsilon).argmin()]
    yield Measure("OLH", "best_range", float(best), theory=float(np.exp(epsilon) + 1))


def _variance(size: np.ndarray | float, epsilon: float) -> np.ndarray:
    """Variance of an estimated frequency next to 0 for one user, where values are hashed into `size` values."""
    truth, chance = np.exp(epsilon) / (np.exp(epsilon) + size - 1), 1 / size
    return chance * (1 - chance) / (truth - chance) ** 2
