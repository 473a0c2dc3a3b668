"""How likely printed Monte-Carlo numbers are under one reading, and how many runs stand behind them.

A mean of squared errors over few runs is skewed. A gamma distribution with the mean and the variance of our simulation
has that skewness too: it is exact for the squared error of normal estimates.
"""

from dataclasses import dataclass

import numpy as np
import pandas as pd
from scipy import special

from claimaudit import digits
from claimaudit.audit.statistics import EXACT, z_scores
from claimaudit.verdicts import FARTHEST, Runs

SKEWED = 1e6
"""Largest shape parameter at which the gamma distribution differs visibly from the normal one."""

MOST_FREEDOM = 1e8
"""Largest shape parameter; an error of 0 has it."""

RUNS_LEVEL = 0.001
"""Level at which printed numbers reject the stated number of runs."""

_GRID = np.geomspace(1 / 50, 50, 400)


@dataclass(frozen=True)
class RunsRatio:
    """How many runs stand behind printed numbers, relative to the number that the paper states.

    The `estimate` is that of maximum likelihood, `low` and `high` are the ends of its 95 % interval (NaN if no printed
    number has a closed form), and `least` is the lower end of that of one standard deviation. `rejected` says whether
    the printed numbers reject the stated number at `RUNS_LEVEL`; with `expected` the variance of a number not seen is
    the expected one, see `_expected`.
    """

    estimate: float = float("nan")
    low: float = float("nan")
    high: float = float("nan")
    rejected: bool = False
    least: float = float("nan")
    expected: float = 1.0

    @property
    def factor(self) -> float:
        """The ratio with which printed numbers are compared: the estimate where the stated number is rejected."""
        return self.estimate if self.rejected else 1.0

    @property
    def fewest(self) -> float:
        """The ratio with which readings are rejected: what is estimated, less one standard deviation, if it is lower.

        A stated number that is wrong by half is seldom rejected, but would reject the truth.
        """
        return self.factor if np.isnan(self.least) else min(self.least, self.factor)

    def of(self, stated: float) -> Runs:
        """Return the numbers of runs, given the stated one."""
        return Runs(stated, stated * self.estimate, stated * self.low, stated * self.high, self.rejected)


def scores(printed: np.ndarray, mean: np.ndarray, se: np.ndarray, se_mean: np.ndarray) -> np.ndarray:
    """Return the normal scores of printed numbers, given our mean and the standard errors of both.

    The ratio of two means of squares has an F distribution, and that to a closed form (`se_mean` is 0) a gamma
    distribution; the errors tell their degrees of freedom. Numbers that are not positive, or hardly skewed, are scored
    by the normal distribution. Where there is no error, the score is 0 if the numbers are equal and infinite otherwise.
    """
    both = np.hypot(se, se_mean)
    z = z_scores(printed - mean, both, np.isclose(printed, mean, rtol=EXACT, atol=0))
    with np.errstate(divide="ignore", invalid="ignore"):
        skewed = (both > 0) & (mean > 0) & (printed > 0) & ((mean / both) ** 2 < SKEWED)
        ratio, relative, relative_mean = (np.where(skewed, each / mean, 1.0) for each in (printed, se, se_mean))
        freedom, freedom_mean = (np.minimum(2 / error**2, 2 * MOST_FREEDOM) for error in (relative, relative_mean))
    below, above = (
        np.where(relative_mean == 0, gamma(freedom / 2, freedom / 2 * ratio), f(freedom, freedom_mean, ratio))
        for gamma, f in ((special.gammainc, special.fdtr), (special.gammaincc, special.fdtrc))
    )
    score = np.where(below < above, special.ndtri(below), -special.ndtri(above))
    return np.where(skewed, np.clip(score, -FARTHEST, FARTHEST), z)


def log_density(printed: np.ndarray, mean: np.ndarray, se: np.ndarray) -> np.ndarray:
    """Return the logarithms of the densities of printed numbers, given their expectations and standard errors.

    A skewed mean of squares, see `scores`, has a gamma density, all other numbers a normal one.
    """
    with np.errstate(divide="ignore", invalid="ignore"):
        skewed = (mean > 0) & (printed > 0) & ((mean / se) ** 2 < SKEWED)
        shape = np.where(skewed, (mean / se) ** 2, 1.0)
        ratio = np.where(skewed, printed / mean, 1.0)
        gamma = (
            shape * np.log(shape) + (shape - 1) * np.log(ratio) - shape * ratio - special.gammaln(shape) - np.log(mean)
        )
        normal = -(((printed - mean) / se) ** 2) / 2 - np.log(se) - np.log(2 * np.pi) / 2
    return np.where(skewed, gamma, normal)


def p_values(square_sum: np.ndarray, largest: np.ndarray, cells: np.ndarray | int) -> np.ndarray:
    """Return the p-values of many sets of normal scores, from the sums of squares and the largest sizes.

    The two are tests of a set, combined with Bonferroni.
    """
    count = np.maximum(cells, 1)
    together = special.chdtrc(count, square_sum)
    return np.minimum(1.0, 2 * np.minimum(together, 2 * count * special.ndtr(-largest)))


def estimate_runs(cells: pd.DataFrame) -> RunsRatio:
    """Estimate the number of runs behind printed numbers by maximum likelihood, relative to the stated one.

    The expectation of `cells` is known; see `claimaudit.audit.fitting.exhibits.compare` for their columns.
    """
    cells = cells[(cells["run_sd"] > 0) & (cells["ours"] > 0) & (cells["value"] > 0)]
    if len(cells) < 2:
        return RunsRatio()
    names = ("value", "ours", "se_ours", "run_sd", "stated", "digitised", "digit")
    value, mean, se, run_sd, stated, digitised, digit = (cells[name].to_numpy(float) for name in names)
    variance = run_sd**2 / (stated * _GRID[:, None]) + digitised**2 + (digits.ERROR * digit) ** 2 + se**2
    shape = mean**2 / variance
    log_likelihood = shape * np.log(shape * value / mean) - shape * value / mean - special.gammaln(shape)
    profile = 2 * (log_likelihood.sum(axis=1) - log_likelihood.sum(axis=1).max())
    inside = _GRID[profile >= -special.chdtri(1, 0.05)]
    at_stated = float(np.interp(0.0, np.log(_GRID), profile))
    rejected = bool(special.chdtrc(1, -at_stated) < RUNS_LEVEL)
    least = float(_GRID[profile >= -1.0][0])
    expected = _expected(profile, at_stated, rejected)
    return RunsRatio(float(_GRID[profile.argmax()]), float(inside[0]), float(inside[-1]), rejected, least, expected)


def _expected(profile: np.ndarray, at_stated: float, rejected: bool) -> float:
    """Return the number of runs whose variance is the expected one, over what is not known of that number.

    Rejecting a stated number takes strong evidence; predicting does not. Before the printed numbers are seen, the
    stated number is as likely as all fewer ones together, uniform on a logarithmic scale down to a fiftieth of it. If
    it is rejected, any number may be right. `profile` is twice the logarithm of the likelihood on `_GRID`, less its
    maximum, and `at_stated` that of the stated number.
    """
    likelihood = np.exp(profile / 2)
    if rejected:
        return float(likelihood.sum() / (likelihood / _GRID).sum())
    fewer = _GRID < 1
    ratios = np.append(_GRID[fewer], 1.0)
    weights = np.append(likelihood[fewer] / fewer.sum(), np.exp(at_stated / 2))
    return float(weights.sum() / (weights / ratios).sum())
