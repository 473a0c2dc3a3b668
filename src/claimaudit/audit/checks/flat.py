"""The kind of check `flat`: a test of homogeneity."""

from __future__ import annotations

from typing import Annotated

import numpy as np
import pandas as pd
from pydantic import Field

from claimaudit.audit.checks.base import Check
from claimaudit.audit.checks.inequalities import groups
from claimaudit.audit.claim import Claim
from claimaudit.audit.quantities import Rows, by_reading, evaluate
from claimaudit.audit.statistics import (
    EXACT,
    chance_of_fit,
    chi_square,
    extreme,
    grounds_of_fit,
    interval,
    notices,
    passes,
    z_scores,
)
from claimaudit.papers.claims import AlongEntry, Resolving, Tolerance
from claimaudit.results import axes_of
from claimaudit.verdicts import RESOLVING, Evidence, Levels, Range


class FlatEntry(AlongEntry):
    """A quantity that does not change along a setting."""

    tolerance: Annotated[Tolerance, Field(description="largest relative deviation that counts as flat")] = 0.0
    resolving: Resolving = RESOLVING


class Flat(Check):
    """A quantity that does not change along a setting column, within each group of the other settings.

    It holds if p is at least the passing level and fails if it is below the failing level. It cannot tell in between,
    or if it would miss numbers that are wrong by 50 % (or the claim's ``resolving``) with probability above 5 %.
    """

    name = "flat"
    family = "what does not matter"
    entry = FlatEntry

    def compare(self, claim: Claim, rows: pd.DataFrame, published: pd.DataFrame | None = None) -> list[Rows]:
        """Group the quantity by all settings but one: ``estimate``, ``se`` and ``group_number`` of each setting.

        Raises
        ------
        ValueError
            See `claimaudit.audit.checks.inequalities.groups`.
        """
        settings, _ = axes_of(rows)
        frame = evaluate(rows, claim.quantity, claim.basis)
        return by_reading(groups(frame, settings, claim.along, claim.by), settings)

    def judge(self, claim: Claim, compared: Rows, levels: Levels) -> Evidence:
        """Sum the squared z-scores of deviations from the group's mean beyond a relative ``tolerance`` (default 1e-9).

        The mean is weighted by precision. Exact numbers must stay within the tolerance.
        """
        tolerance = EXACT if claim.tolerance is None else claim.tolerance
        assert isinstance(tolerance, float | int)
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
            wrong = (claim.resolving - tolerance) * centre
            shift = min([shift, *((wrong / se[group][uncertain]) ** 2 * (1 - weight[uncertain]))])
        statistic, p_value = chi_square(z, dof)
        holds = passes(p_value, levels, notices(shift, dof, levels.passing))
        at = extreme(z, estimate - mean, mean)
        widest = estimate[compared["group_number"] == compared["group_number"][at]]
        within = holds and tolerance > EXACT and not z.any()
        return Evidence(
            reading=compared.name,
            holds=holds,
            rows=len(compared),
            found=Range(float(widest.min()), float(widest.max()), float(tolerance), dof),
            grounds="tolerance" if within else grounds_of_fit(holds, dof, p_value, levels),
            statistic=statistic,
            p_value=p_value,
            simulated=int((se != 0).sum()),
            worst=compared.record(at),
            varying=compared.varying,
            comparisons=compared.table(left=estimate, right=mean, se=se),
            chance=chance_of_fit(holds, statistic, dof, p_value, levels),
            **interval(estimate[at], se[at]),
        )
