"""The kinds of check that test a fit: `cells`, `agreement` of simulation and closed form, and `flat` quantities."""

from collections.abc import Iterable, Iterator, Mapping
from typing import ClassVar, Self

import numpy as np
import pandas as pd
from scipy import special

from claimaudit.audit.arrays import Arrays, require_readings
from claimaudit.audit.checks.base import (
    NUMBER,
    Along,
    Fields,
    OfRows,
    Resolving,
    Runs,
    disturbances,
    evidence,
    matched,
    number,
    threshold,
)
from claimaudit.audit.checks.ordering import OUTCOMES
from claimaudit.audit.fitting.exhibits import compared, scored
from claimaudit.audit.statistics import EXACT, INSIDE, chi_square, extreme, fitted, notices, z_scores
from claimaudit.configuration import Text
from claimaudit.papers.claims import Metric, Positive, Tolerance, fixed
from claimaudit.papers.jobs import PaperExhibit
from claimaudit.verdicts import RESOLVING, Cells, Deviation, Evidence, Levels, Range, Threshold

ROUNDING = 1e-12  # absolute difference between exact numbers of order 1 that rounding explains

ENOUGH_RUNS = 1000  # number of runs from which the level of the check is valid for squared errors


class PublishedCells(OfRows):
    """A published table or figure agrees with our results, cell by cell.

    Our number is the closed form where there is one, else the Monte-Carlo mean with its error. The error of a
    published number combines the standard deviation of one run of our simulation, scaled by the published ``runs`` (or
    the claim's), the relative ``reading_error`` of digitising, and its last digit. Scores are those of
    `claimaudit.audit.fitting.likelihood`.
    """

    name = "cells"
    family = "tables and curves"
    says = ("METRIC is as printed in FILE",)
    counts_runs = True
    sides: ClassVar[Mapping[str, str]] = {"left": "ours", "right": "printed"}

    resolving: Resolving = RESOLVING
    published: Text
    metric: Metric
    reading_error: Positive = 0.0
    runs: Runs = None

    @classmethod
    def read(cls, statement: str) -> Fields | None:
        """Read ``METRIC is as printed``, which may name the file and an error of digitising."""
        file, error = r"(?: in (?P<published>\w+))?", rf"(?: within (?P<reading_error>{NUMBER}))?"
        return matched(rf"(?P<metric>\w+) is as printed{file}{error}", statement, reading_error=number)

    def compare(self, rows: Arrays, published: pd.DataFrame | None = None) -> Arrays:
        """Compare cells: a row each with ``ours``, the printed ``value``, their combined ``se`` and the score ``z``.

        Raises ValueError if a published cell matches no row or several rows of the result table; the message names the
        cell.
        """
        assert published is not None
        exhibit = PaperExhibit("", "", self.published, reading_error=self.reading_error, runs=self.runs)
        cells = compared(exhibit, rows, published, self.metric, self.where)
        return scored(cells, self.runs_factor).located("mechanism")

    def judge(self, compared: Arrays, levels: Levels) -> Evidence:
        """Test the goodness of fit; the estimate is the share of cells inside their 95 % prediction interval."""
        ours, printed, se, z = (compared[name] for name in ("ours", "value", "se", "z"))
        dof = int((se != 0).sum())
        statistic, p_value = chi_square(z, dof)
        shift = float(np.sum((self.resolving * ours[se != 0] / se[se != 0]) ** 2))
        fit = fitted(statistic, p_value, dof, notices(shift, dof, levels.passing), levels)
        at = extreme(z, printed - ours, ours)
        misfits = ~(np.abs(z) <= INSIDE)
        inside = len(misfits) - int(misfits.sum())
        return evidence(
            compared,
            at,
            ours,
            printed,
            se,
            found=Cells(inside, float(ours[at]), float(printed[at]), float(z[at]), dof),
            simulated=int((compared["run_sd"] > 0).sum()),
            comparisons=compared.table(left=ours, right=printed, se=se, outcome=OUTCOMES[1 * misfits]),
            **{"estimate": inside / len(compared), "se": None, "low": None, "high": None, **fit},
        )

    def thresholds(self, levels: Levels) -> tuple[Threshold, ...]:
        """Return the levels: numbers agree if they are not rejected at the one, and disagree if at the other."""
        return (Threshold("p_value", levels.passing, levels.failing),)

    def repeats(self, published: str | None, printed: Iterable[float]) -> bool:
        return self.published == published


class Agreement(OfRows):
    """Simulated means agree with their closed forms, over all selected rows that have one.

    Two tests for each metric, combined by Bonferroni: the sum of squared z-scores, which detects a small error in many
    rows, and the largest z-score, which detects a large error in one row. Metrics are tested separately because they
    come from the same runs. Exact rows must agree within 1e-9, or 1e-12 in absolute terms where the closed form may be
    0. With fewer than 1,000 runs a mean of squares is too skewed for the stated level, so the check cannot fail.

    Z-scores are taken as normal, which means of skewed errors are not quite. In simulations with the squared error of
    one count over 1,000 runs, the false-alarm rate at level 0.001 is 0.001 to 0.006 (6 to 200 rows); over 200 runs it
    is up to 0.06.
    """

    name = "agreement"
    family = "formulas"
    says = ("simulation agrees with theory",)

    resolving: Resolving = RESOLVING

    @classmethod
    def read(cls, statement: str) -> Fields | None:
        return {} if statement in cls.says else None

    def compare(self, rows: Arrays, published: pd.DataFrame | None = None) -> Arrays:
        """Select the rows that have a closed form; a reading without one is a ValueError."""
        closed = rows.take(~np.isnan(rows["theory"]))
        require_readings(closed.places, rows.places, "no selected row has a closed form in `theory`")
        return closed.located("mechanism", "metric")

    def judge(self, compared: Arrays, levels: Levels) -> Evidence:
        mean, theory, se = (compared[name] for name in ("mean", "theory", "se"))
        z = z_scores(mean - theory, se, np.isclose(mean, theory, rtol=EXACT, atol=ROUNDING))
        tests, noticing = [], True
        for metric in pd.unique(compared["metric"]):
            chosen = compared["metric"] == metric
            uncertain = chosen & (se != 0)
            dof = int(uncertain.sum())
            statistic, p_sum = chi_square(z[chosen], dof)
            p_largest = float(min(1.0, 2 * chosen.sum() * special.ndtr(-np.abs(z[chosen]).max())))  # Bonferroni
            tests += [(p_sum, statistic, dof), (p_largest, statistic, dof)]
            shift = float(np.sum((self.resolving * theory[uncertain] / se[uncertain]) ** 2))
            # An expectation of 0 (a bias) has no relative error to detect.
            noticing &= notices(shift, dof, levels.passing) or not theory[chosen].any()
        smallest, statistic, dof = min(tests)
        p_value = min(1.0, len(tests) * smallest)
        fit = fitted(statistic, p_value, dof, noticing, levels)
        if fit["holds"] is False and (compared["runs"][se != 0] < ENOUGH_RUNS).any():
            fit |= {"holds": None, "grounds": "few runs"}
        at = extreme(z, mean - theory, theory)
        score = float(z[at]) if se[at] else None
        found = Deviation(bool((se != 0).any()), float(mean[at]), float(theory[at]), score, len(tests), dof)
        return evidence(compared, at, mean, theory, se, found=found, **fit)

    def disturbed(self, rows: Arrays) -> Iterator[tuple[Self, Arrays]]:
        """Yield the check with disturbed means, which move apart from their closed forms."""
        yield from ((self, changed) for changed in disturbances((), rows, theory=False))


class Flat(Along):
    """A quantity that does not change along a setting column, within each group of the other settings.

    It holds if p is at least the passing level and fails if it is below the failing level. It cannot tell in between,
    or if it would miss numbers that are wrong by 50 % (or the claim's ``resolving``) with probability above 5 %.
    """

    name = "flat"
    family = "what does not matter"
    says = ("A is flat along COLUMN within 0.1",)

    tolerance: Tolerance | None = None
    resolving: Resolving = RESOLVING

    @classmethod
    def read(cls, statement: str) -> Fields | None:
        """Read ``A is flat along COLUMN``, which may have a tolerance."""
        pattern = r"(?P<quantity>.+?) is flat along (?P<along>\w+)(?: within (?P<tolerance>.+))?"
        return matched(pattern, statement, tolerance=threshold)

    def judge(self, compared: Arrays, levels: Levels) -> Evidence:
        """Sum the squared z-scores of deviations from the group's mean beyond a relative ``tolerance`` (default 1e-9).

        The mean is weighted by precision. Exact numbers must stay within the tolerance.
        """
        tolerance = EXACT if self.tolerance is None else fixed(self.tolerance)
        estimate, se = compared["estimate"], compared["se"]
        z, mean = np.empty_like(estimate), np.empty_like(estimate)
        dof, shift = 0, np.inf
        for place in np.unique(compared["group_number"]):
            group = compared["group_number"] == place
            uncertain = se[group] != 0
            weight = se[group] ** -2.0 if uncertain.all() else (~uncertain).astype(float)
            weight = weight / weight.sum()
            mean[group] = centre = float(weight @ estimate[group])
            deviation = estimate[group] - centre
            excess = np.sign(deviation) * np.maximum(np.abs(deviation) - tolerance * abs(centre), 0.0)
            z[group] = z_scores(excess, se[group], excess == 0)
            dof += int(uncertain.sum()) - int(uncertain.all())
            wrong = (self.resolving - tolerance) * centre
            shift = min([shift, *((wrong / se[group][uncertain]) ** 2 * (1 - weight[uncertain]))])
        statistic, p_value = chi_square(z, dof)
        fit = fitted(statistic, p_value, dof, notices(shift, dof, levels.passing), levels)
        at = extreme(z, estimate - mean, mean)
        widest = estimate[compared["group_number"] == compared["group_number"][at]]
        if fit["holds"] and tolerance > EXACT and not z.any():
            fit["grounds"] = "tolerance"
        found = Range(float(widest.min()), float(widest.max()), float(tolerance), dof)
        return evidence(compared, at, estimate, mean, se, found=found, **fit)
