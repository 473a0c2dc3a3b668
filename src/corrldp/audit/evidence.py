"""Evidence: what one check found under one reading, with the statistics and wording that all checks share.

A check answers True, False or None. None means "cannot tell": a check that could hardly have failed proves
nothing, and a result too unlikely to pass may still be too likely, among hundreds of checks, to fail.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

import numpy as np
from scipy import special

Claim = dict[str, Any]
"""A claim as its file states it; `corrldp.audit.claims` reads and validates it."""

EXACT = 1e-9
"""Relative difference up to which two numbers without Monte-Carlo error are the same number."""

POWER = 0.95
"""A check must detect a number wrong by `RESOLVING` with this probability; otherwise it cannot tell."""

RESOLVING = 0.5
"""Relative error that a check must be able to detect, unless the claim sets ``resolving``."""

MANY = 1000
"""Times as many runs beyond which numbers count as equal within their error."""

INSIDE = special.ndtri(0.975)


@dataclass(frozen=True)
class Levels:
    """Significance levels of one check.

    Attributes
    ----------
    passing
        Smallest p-value that passes, and the level at which an inequality is satisfied.
    failing
        Rate of false alarms: the probability that a true claim fails. It is chosen for all claims of a paper together
        and is at most `passing`; between the two levels a check cannot tell.
    """

    passing: float
    failing: float


@dataclass(frozen=True)
class Chance:
    """How far a check is from an answer.

    Attributes
    ----------
    statistic
        What is found: a distance from the threshold in standard errors, or a chi-square.
    needed
        What would decide.
    runs
        About how many times as many runs, ours and the paper's, would reach it if the numbers stay as they are; None if
        nothing says that any number would.
    """

    statistic: float
    needed: float
    runs: float | None

    @classmethod
    def of_score(cls, z: float, levels: Levels, tests: int = 1) -> Chance:
        """Return the distance of a score from the side that it is on: a positive one must pass, a negative one fail."""
        needed = critical(levels.passing if z > 0 else levels.failing, tests)
        return cls(abs(float(z)), needed, (needed / float(z)) ** 2 if z and np.isfinite(z) else None)

    @classmethod
    def of_chi_square(cls, statistic: float, dof: int, level: float) -> Chance:
        """Return the distance of a chi-square from failing; its excess over the expectation grows with the runs."""
        needed = float(special.chdtri(dof, level))
        return cls(statistic, needed, (needed - dof) / (statistic - dof) if statistic > dof else None)

    @property
    def words(self) -> str:
        """How many more runs would decide."""
        if self.runs is None or self.runs > MANY:
            return "the numbers are equal within their error"
        times = f"about {max(self.runs, 1.1):.2g} times as many"
        return f"{times}; it is at {self.statistic:.3g}, and {self.needed:.3g} decides"


@dataclass(frozen=True)
class Evidence:
    """Result of one check under one reading.

    Attributes
    ----------
    reading
        Name of the reading.
    holds
        Whether the claim holds; None if the check cannot tell.
    estimate, se, low, high
        The checked number at the worst row, its Monte-Carlo error and 95 % interval (both ours).
    statistic, p_value
        Test statistic and p-value, corrected for the number of rows.
    rows, simulated
        Number of comparisons, and how many of them rest on Monte-Carlo numbers, ours or the paper's. A check with
        none of the latter cannot fail by chance.
    worst
        Setting of the row that decides: the most extreme one or, if a claim is about some settings or none, the best.
    effect, reason
        The numbers of that row and the reason for `holds`, in words.
    comparisons
        Every comparison: the setting, the two numbers compared (``left`` and ``right``, in the claim's own terms), the
        standard error of their difference, and for an inequality whether it is satisfied.
    why
        Why the check cannot tell, one of `corrldp.audit.words.WHY`.
    meaning
        The claim's alternative meaning, if it is one.
    chance
        How far the check is from an answer, where chance leaves it open.
    """

    reading: str
    holds: bool | None
    rows: int
    effect: str
    reason: str
    estimate: float | None = None
    se: float | None = None
    low: float | None = None
    high: float | None = None
    statistic: float | None = None
    p_value: float | None = None
    simulated: int = 0
    worst: dict[str, Any] = field(default_factory=dict)
    comparisons: dict[str, list[Any]] = field(default_factory=dict)
    why: str = field(default="", kw_only=True)
    meaning: str = field(default="", kw_only=True)
    chance: Chance | None = field(default=None, kw_only=True)


def interval(estimate: float, se: float) -> dict[str, Any]:
    """Return the fields of `Evidence` that describe one estimate."""
    return {"estimate": estimate, "se": se, "low": estimate - INSIDE * se, "high": estimate + INSIDE * se}


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


def p_words(statistic: str, p_value: float, of: str, levels: Levels) -> str:
    """Format a p-value, with an explanation if it lies between the levels."""
    between = levels.failing <= p_value < levels.passing
    remark = f"; below {levels.passing:.2g} (cannot hold) but not {levels.failing:.2g} (cannot fail)" if between else ""
    return f"{statistic}, p = {p_value:.2g}{of}{remark}"


def extreme(z: np.ndarray, difference: np.ndarray, reference: np.ndarray) -> int:
    """Find the row with the largest z-score in absolute value, ties broken by the relative difference."""
    with np.errstate(invalid="ignore"):
        size = np.abs(difference) / np.where((reference == 0) | ~np.isfinite(reference), 1.0, np.abs(reference))
    return int(np.lexsort((-size, -np.abs(z)))[0])


def relative(difference: float, reference: float) -> str:
    """Format a difference: in percent of the reference, or absolute if the reference is 0 or infinite."""
    if reference == 0 or not np.isfinite(reference):
        return number(difference)
    return f"{100 * difference / abs(reference):+.3g} %"


def number(value: float, unit: str = "") -> str:
    """Format a number in a unit; ``percent`` multiplies by 100."""
    if unit == "percent":
        return f"{100 * value:.3g} %"
    whole = value == round(value) if np.isfinite(value) else False
    plain = f"{value:,.0f}" if whole and 1e4 <= abs(value) < 1e9 else f"{value:.4g}"
    return f"{plain} {unit}".rstrip()


def measured(estimate: float, se: float, unit: str = "") -> str:
    """Format an estimate with its error, in a unit."""
    if not se:
        return number(estimate, unit)
    if unit == "percent":
        return f"({100 * estimate:.3g} ± {100 * se:.2g}) %"
    return f"{number(estimate)} ± {se:.2g} {unit}".rstrip()
