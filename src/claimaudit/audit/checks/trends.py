"""The kinds of check `monotone` and `flat`: what a quantity does along a setting."""

from dataclasses import replace
from typing import Literal

import numpy as np
import pandas as pd

from claimaudit.audit.arrays import Arrays
from claimaudit.audit.checks.base import Along, Fields, Resolving, evidence, matched, threshold
from claimaudit.audit.checks.ordering import decide, pairs
from claimaudit.audit.statistics import EXACT, chi_square, extreme, fitted, notices, z_scores
from claimaudit.papers.claims import Tolerance, fixed
from claimaudit.verdicts import RESOLVING, Comparisons, Evidence, Levels, Range, Steps

DIRECTIONS = {"grows": "increasing", "falls": "decreasing"}


class Monotone(Along):
    """A quantity that increases (or decreases) along a setting column, in each group of the other settings.

    Every step between neighbours must go the right way or, for exact numbers, stay level, and the last value of each
    group must lie strictly on the right side of the first.
    """

    name = "monotone"
    family = "trends"
    says = ("A grows along COLUMN", "A falls along COLUMN")

    direction: Literal["increasing", "decreasing"]

    @classmethod
    def read(cls, statement: str) -> Fields | None:
        """Read ``A grows along COLUMN`` or ``A falls along COLUMN``."""
        pattern = r"(?P<quantity>.+?) (?P<direction>grows|falls) along (?P<along>\w+)"
        return matched(pattern, statement, direction=DIRECTIONS.__getitem__)

    def compare(self, rows: Arrays, published: pd.DataFrame | None = None) -> Arrays:
        """Compare neighbours and, strictly, the first and the last row of each group: a row per step.

        The columns are those of `claimaudit.audit.checks.ordering.pairs`; ``left`` is the value at the end of a step.
        """
        ordered = super().compare(rows)
        _, first, size = np.unique(ordered["group_number"], return_index=True, return_counts=True)
        last = first + size - 1
        in_longer = np.repeat(size > 2, size)  # in a group of two, the only step is already the one from first to last
        neighbours = np.setdiff1d(np.flatnonzero(in_longer), last)
        before = ordered.take(np.concatenate([neighbours, first]))
        after = ordered.take(np.concatenate([neighbours + 1, last]))
        steps = np.empty(len(before), dtype=object)
        steps[:] = [*zip(before[self.along].tolist(), after[self.along].tolist(), strict=True)]
        start, end = (each.places.codes[self.along] for each in (before, after))
        places = before.places.replaced(self.along, steps, start * (end.max() + 1) + end)
        strict = np.arange(len(before)) >= len(neighbours)
        return replace(pairs(before, after).assign(strict=strict), places=places)

    def judge(self, compared: Arrays, levels: Levels) -> Evidence:
        def shown(at: int, counts: Comparisons) -> Steps:
            return Steps(**vars(counts), start=float(compared["right"][at]), end=float(compared["left"][at]))

        return decide(compared, 1 if self.direction == "increasing" else -1, levels, shown)


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
