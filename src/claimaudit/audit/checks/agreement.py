"""The kind of check `agreement`: simulation and closed form."""

from collections.abc import Iterator
from typing import Self

import numpy as np
import pandas as pd
from scipy import special

from claimaudit.audit.arrays import Arrays
from claimaudit.audit.checks.base import OfRows, Resolving, disturbances, evidence
from claimaudit.audit.checks.sentences import Fields
from claimaudit.audit.quantities import require_readings
from claimaudit.audit.statistics import EXACT, chi_square, extreme, fitted, notices, z_scores
from claimaudit.verdicts import RESOLVING, Deviation, Evidence, Levels

ROUNDING = 1e-12  # absolute difference between exact numbers of order 1 that rounding explains

ENOUGH_RUNS = 1000  # number of runs from which the level of the check is valid for squared errors


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
