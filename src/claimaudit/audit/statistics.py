"""Statistics that all kinds of check share.

A check answers True, False or None. None means "cannot tell": a check that could hardly have failed proves
nothing, and a result too unlikely to pass may still be too likely, among hundreds of checks, to fail.
"""

from functools import cache
from typing import Any

import numpy as np
from scipy import special

from claimaudit.verdicts import Chance, Grounds, Levels

EXACT = 1e-9  # relative difference up to which two numbers without Monte-Carlo error are the same number

POWER = 0.95  # a check must detect a number wrong by ``resolving`` with this probability; otherwise it cannot tell

INSIDE = special.ndtri(0.975)  # score up to which a number lies inside its 95 % interval


def chance_of_score(z: float, levels: Levels, tests: int = 1) -> Chance:
    """Return the distance of a score from the side that it is on: a positive one must pass, a negative one fail."""
    needed = critical(levels.passing if z > 0 else levels.failing, tests)
    return Chance(abs(float(z)), needed, (needed / float(z)) ** 2 if z and np.isfinite(z) else None)


def interval(estimate: float, se: float) -> dict[str, Any]:
    """Return the fields of `claimaudit.verdicts.Evidence` that describe one estimate."""
    return {"estimate": estimate, "se": se, "low": estimate - INSIDE * se, "high": estimate + INSIDE * se}


@cache
def critical(level: float, tests: int = 1) -> float:
    """Return the one-sided normal critical value for a family of tests (Bonferroni)."""
    return float(-special.ndtri(level / tests))


def z_scores(difference: np.ndarray, se: np.ndarray, equal: np.ndarray) -> np.ndarray:
    """Return differences in standard errors; where the error is 0, 0 if equal and infinite otherwise."""
    with np.errstate(divide="ignore", invalid="ignore"):
        decided = np.where(equal, 0.0, np.sign(difference) * np.inf)
        return np.where(se == 0, decided, difference / se)


def chi_square(z: np.ndarray, dof: int) -> tuple[float, float]:
    """Return the sum of squared z-scores and its p-value."""
    statistic = float(np.sum(z**2))
    return statistic, float(special.chdtrc(dof, statistic)) if dof else float(statistic == 0)


def notices(shift: float, dof: int, level: float) -> bool:
    """Return whether a chi-square test has `POWER` against an error that adds `shift` to its expectation."""
    return dof == 0 or bool(1 - special.chndtr(special.chdtri(dof, level), dof, shift) >= POWER)


def passes(p_value: float, levels: Levels, noticing: bool) -> bool | None:
    """Return whether a test failed, passed, or neither (also if it passes without the power to fail)."""
    if p_value < levels.failing:
        return False
    return True if noticing and p_value >= levels.passing else None


def fitted(statistic: float, p_value: float, dof: int, noticing: bool, levels: Levels) -> dict[str, Any]:
    """Return the fields of a chi-square test: its answer, what this rests on, and how far the test is from failing.

    One that is blind is not near any answer. The excess of a chi-square over its expectation grows with the runs.
    """
    holds, chance = passes(p_value, levels, noticing), None
    grounds: Grounds = "blind" if holds is None and not p_value < levels.passing else "test" if dof else "exact"
    if holds is None and dof and levels.failing <= p_value < levels.passing:
        needed = float(special.chdtri(dof, levels.failing))
        chance = Chance(statistic, needed, (needed - dof) / (statistic - dof) if statistic > dof else None)
    return {"holds": holds, "grounds": grounds, "statistic": statistic, "p_value": p_value, "chance": chance}


def extreme(z: np.ndarray, difference: np.ndarray, reference: np.ndarray) -> int:
    """Find the row with the largest z-score in absolute value, ties broken by the relative difference."""
    with np.errstate(invalid="ignore"):
        size = np.abs(difference) / np.where((reference == 0) | ~np.isfinite(reference), 1.0, np.abs(reference))
    return int(np.lexsort((-size, -np.abs(z)))[0])
