"""The kind of check `flat`: a test of homogeneity."""

from typing import Annotated

import numpy as np
import pandas as pd
from pydantic import Field

from claimaudit.audit.arrays import Arrays
from claimaudit.audit.checks.base import Along, Resolving, evidence, fitted
from claimaudit.audit.checks.sentences import Fields, matched, threshold
from claimaudit.audit.quantities import Rows, by_reading
from claimaudit.audit.statistics import EXACT, chi_square, extreme, notices, z_scores
from claimaudit.papers.claims import Tolerance, fixed
from claimaudit.verdicts import RESOLVING, Evidence, Levels, Range


class Flat(Along):
    """A quantity that does not change along a setting column, within each group of the other settings.

    It holds if p is at least the passing level and fails if it is below the failing level. It cannot tell in between,
    or if it would miss numbers that are wrong by 50 % (or the claim's ``resolving``) with probability above 5 %.
    """

    name = "flat"
    family = "what does not matter"
    says = ("A is flat along COLUMN within 0.1",)

    tolerance: Annotated[Tolerance | None, Field(description="largest relative deviation that counts as flat")] = None
    resolving: Resolving = RESOLVING

    @classmethod
    def read(cls, statement: str) -> Fields | None:
        """Read ``A is flat along COLUMN``, which may have a tolerance."""
        pattern = r"(?P<quantity>.+?) is flat along (?P<along>\w+)(?: within (?P<tolerance>.+))?"
        return matched(pattern, statement, tolerance=threshold)

    def compare(self, rows: Arrays, published: pd.DataFrame | None = None) -> list[Rows]:
        """Group the quantity by all settings but one: ``estimate``, ``se`` and ``group_number`` of each setting."""
        return by_reading(self.grouped(rows))

    def judge(self, compared: Rows, levels: Levels) -> Evidence:
        """Sum the squared z-scores of deviations from the group's precision-weighted mean, beyond a ``tolerance``."""
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
