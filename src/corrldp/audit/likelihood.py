"""How likely printed Monte-Carlo numbers are under one reading, and how many runs stand behind them.

A mean of squared errors over few runs is skewed. A gamma distribution with the mean and the variance of our simulation
has that skewness too: it is exact for the squared error of normal estimates.
"""

from dataclasses import dataclass

import numpy as np
import pandas as pd
from scipy import special

from corrldp.audit.evidence import EXACT, z_scores

SKEWED = 1e6
"""Largest shape parameter at which the gamma distribution is told apart from the normal one."""

FARTHEST = 37.0
"""Largest z-score that a double-precision probability distinguishes from infinity."""

RUNS_LEVEL = 0.001
"""Level at which printed numbers reject the stated number of runs."""

_GRID = np.geomspace(1 / 50, 50, 400)


@dataclass(frozen=True)
class Runs:
    """How many runs stand behind printed numbers, relative to the number that the paper states.

    Attributes
    ----------
    estimate, low, high
        Maximum-likelihood estimate and 95 % interval; NaN if no printed number has a closed form.
    rejected
        Whether the printed numbers reject the stated number at `RUNS_LEVEL`.
    """

    estimate: float = float("nan")
    low: float = float("nan")
    high: float = float("nan")
    rejected: bool = False

    @property
    def factor(self) -> float:
        """The ratio with which printed numbers are compared: the estimate where the stated number is rejected."""
        return self.estimate if self.rejected else 1.0

    @property
    def fewest(self) -> float:
        """The smallest ratio that printed numbers allow: a reading is rejected only if it is with so few runs, too."""
        return self.factor if np.isnan(self.low) else min(self.low, self.factor)


def scores(printed: np.ndarray, mean: np.ndarray, se: np.ndarray) -> np.ndarray:
    """Return the normal scores of printed numbers, given the mean and standard error that our results predict.

    Positive numbers are scored by the gamma distribution of that mean and variance, others by the normal one. Where
    the error is 0, the score is 0 if the numbers are equal and infinite otherwise.
    """
    z = z_scores(printed - mean, se, np.isclose(printed, mean, rtol=EXACT, atol=0))
    with np.errstate(divide="ignore", invalid="ignore"):
        shape = (mean / se) ** 2
        skewed = (se > 0) & (mean > 0) & (printed > 0) & (shape < SKEWED)
        ratio = np.where(skewed, printed / mean, 1.0)
    shape = np.where(skewed, shape, 1.0)
    below, above = special.gammainc(shape, shape * ratio), special.gammaincc(shape, shape * ratio)
    score = np.where(below < above, special.ndtri(below), -special.ndtri(above))
    return np.where(skewed, np.clip(score, -FARTHEST, FARTHEST), z)


def p_value(z: np.ndarray, estimated: int = 0) -> float:
    """Return the p-value of normal scores jointly: the sum of their squares and the largest one, with Bonferroni.

    Parameters
    ----------
    z
        Scores, shape (cells,).
    estimated
        Number of parameters estimated from the same cells.
    """
    if not len(z):
        return 1.0
    together = float(special.chdtrc(max(len(z) - estimated, 1), float(np.sum(z**2))))
    largest = min(1.0, 2 * len(z) * float(special.ndtr(-np.abs(z).max())))
    return min(1.0, 2 * min(together, largest))


def joint_p_value(cells: pd.DataFrame, estimated: int = 0) -> float:
    """Return the p-value of all `cells` of an exhibit under one reading, from their columns ``metric`` and ``z``.

    Metrics are computed from the same runs and thus dependent, so each is tested alone, with Bonferroni.
    """
    tests = [p_value(group["z"].to_numpy(), estimated) for _, group in cells.groupby("metric")]
    return min(1.0, len(tests) * min(tests))


def estimate_runs(cells: pd.DataFrame) -> Runs:
    """Estimate the number of runs behind printed numbers by maximum likelihood, relative to the stated one.

    Parameters
    ----------
    cells
        Cells whose expectation is known: ``value`` (printed), ``ours``, ``run_sd`` (standard deviation of one run),
        ``stated`` (number of runs) and ``digitised`` (standard error of reading the number off a figure).
    """
    cells = cells[(cells["run_sd"] > 0) & (cells["ours"] > 0) & (cells["value"] > 0)]
    if len(cells) < 2:
        return Runs()
    value, mean, run_sd, stated, digitised = (
        cells[name].to_numpy(float) for name in ("value", "ours", "run_sd", "stated", "digitised")
    )
    variance = run_sd**2 / (stated * _GRID[:, None]) + digitised**2
    shape = mean**2 / variance
    log_likelihood = shape * np.log(shape * value / mean) - shape * value / mean - special.gammaln(shape)
    profile = 2 * (log_likelihood.sum(axis=1) - log_likelihood.sum(axis=1).max())
    inside = _GRID[profile >= -special.chdtri(1, 0.05)]
    at_stated = float(np.interp(0.0, np.log(_GRID), profile))
    rejected = bool(special.chdtrc(1, -at_stated) < RUNS_LEVEL)
    return Runs(float(_GRID[profile.argmax()]), float(inside[0]), float(inside[-1]), rejected)
