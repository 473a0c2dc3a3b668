"""The kind of check `value`: a single printed number."""

from collections.abc import Iterable
from dataclasses import replace
from typing import Literal

import numpy as np
import pandas as pd
from scipy import special

from claimaudit.audit.arrays import Arrays, evaluate
from claimaudit.audit.checks.base import (
    NUMBER,
    Fields,
    OfQuantity,
    Resolving,
    Runs,
    evidence,
    matched,
    number,
    threshold,
)
from claimaudit.audit.statistics import EXACT, POWER, chance_of_score, critical, extreme, interval, passes, z_scores
from claimaudit.configuration import Entry
from claimaudit.digits import Printed
from claimaudit.papers.claims import Interval, PrintedOrPlain, Tolerance, fixed
from claimaudit.verdicts import RESOLVING, Chance, Evidence, Levels, PrintedNumber, Threshold


class PrintedForm(Entry):
    """A number as printed, and how far ours may be from it in relation to it; or the interval in which ours must lie.

    A number with its digits stands for all numbers that print like it.
    """

    value: PrintedOrPlain | None = None
    tolerance: Tolerance | None = None
    interval: Interval | None = None

    @property
    def bounds(self) -> tuple[float, float]:
        """The ends of the interval for which it stands."""
        if isinstance(self.value, str):
            return Printed.read(self.value).interval
        low, high = (self.value, self.value) if self.value is not None else self.interval or (-np.inf, np.inf)
        within = fixed(self.tolerance or 0.0) * abs(low) + EXACT * max(abs(low), abs(high))
        return low - within, high + within


class Value(OfQuantity):
    """A printed number against ours at every selected setting.

    A printed number stands for an interval: the numbers that print like it (see `claimaudit.digits`), those within a
    relative ``tolerance``, or an explicit ``interval``. The z-score is the distance of our estimate from
    that interval in combined standard errors, the paper's (from its ``runs``) and ours; p is two-sided, with Bonferroni
    over rows. The check cannot tell if at some row it would miss a printed number wrong by 50 % (or ``resolving``) with
    probability above 5 %.

    With ``extreme``, the printed number is the ``largest`` or ``smallest`` over the settings: none may lie beyond the
    interval, and one must reach it.
    """

    name = "value"
    family = "single numbers"
    says = ('A is "0.50"', "A is 0.5 within 0.1", "A is from 0.3 to 0.5")
    counts_runs = True

    resolving: Resolving = RESOLVING
    printed: PrintedForm
    extreme: Literal["largest", "smallest"] | None = None
    runs: Runs = None

    @classmethod
    def read(cls, statement: str) -> Fields | None:
        """Read ``A is`` an interval or a number, as printed or within a tolerance; A may be an extreme."""
        printed = rf'"(?P<digits>[^"]*)"|from (?P<low>{NUMBER}) to (?P<high>{NUMBER})'
        pattern = (
            r"(?:(?P<extreme>largest|smallest) )?(?P<quantity>.+?) is "
            rf"(?:{printed}|(?P<value>{NUMBER})(?: within (?P<tolerance>.+))?)"
        )
        found = matched(pattern, statement, low=number, high=number, value=number, tolerance=threshold)
        if found is None:
            return None
        rest: Fields = {name: found[name] for name in ("quantity", "extreme") if name in found}
        match found:
            case {"digits": digits}:
                return {**rest, "printed": {"value": digits}}
            case {"low": low, "high": high}:
                return {**rest, "printed": {"interval": [low, high]}}
            case {"value": value, "tolerance": tolerance}:
                return {**rest, "printed": {"value": value, "tolerance": tolerance}}
        alone = found["value"]
        raise ValueError(f'say how near: is {alone} within 0.05; or, as printed with its digits, is "{alone}"')

    @property
    def universal(self) -> bool:
        return self.extreme is None

    @property
    def paper_runs(self) -> float | None:
        """The runs behind the printed number, if it has a number of runs."""
        return self.runs and self.runs * self.runs_factor

    def thresholds(self, levels: Levels) -> tuple[Threshold, ...]:
        """Return the thresholds between which the claim is undecided: the tolerance is that of the printed number."""
        return tuple(replace(each, of="printed") for each in super().thresholds(levels))

    def compare(self, rows: Arrays, published: pd.DataFrame | None = None) -> Arrays:
        """Evaluate the quantity: ``estimate``, ``se`` (ours) and ``se_paper`` at each setting."""
        return evaluate(rows, self.quantity, self.basis, self.paper_runs)

    def judge(self, compared: Arrays, levels: Levels) -> Evidence:
        low, high = self.printed.bounds
        scale = max(abs(low), abs(high))
        ours = compared["estimate"]
        distance = ours - np.clip(ours, low, high)
        inside = (ours >= low) & (ours <= high)
        se = np.hypot(compared["se"], compared["se_paper"])
        z = z_scores(distance, se, inside)
        outward = {"largest": 1, "smallest": -1}.get(self.extreme or "", 0)
        if outward:
            z = _of_extreme(outward * z, outward * distance) * outward
        count = len(compared)
        p_value = float(np.minimum(1.0, 2 * count * special.ndtr(-np.abs(z)).min()))
        reach = (critical(levels.passing, 2 * count) + special.ndtri(POWER)) * se
        resolving = scale * self.resolving
        blind = int((reach > resolving).sum())
        holds = passes(p_value, levels, blind == 0)
        at = extreme(z, distance, np.full_like(distance, scale))
        if outward:
            at = int(np.lexsort((outward * ours, np.abs(z)))[-1])
        tolerance = None if self.printed.tolerance is None else fixed(self.printed.tolerance)
        chance = None
        if holds is None and blind:
            most = float(np.max(reach))
            chance = Chance(resolving, most, (most / resolving) ** 2)
        elif holds is None:
            chance = chance_of_score(-abs(z[at]), levels, 2 * count)
        return evidence(
            compared,
            at,
            ours,
            np.clip(ours, low, high),
            se,
            holds=holds,
            found=PrintedNumber(float(compared["se_paper"][at]), self.paper_runs, tolerance, blind),
            grounds="blind" if holds is None and blind else "test" if se[at] else "exact",
            statistic=z[at],
            p_value=p_value,
            chance=chance,
            **interval(ours[at], compared["se"][at]),
        )

    def repeats(self, published: str | None, printed: Iterable[float]) -> bool:
        value = self.printed.value
        return value is not None and (Printed.read(value).value if isinstance(value, str) else value) in set(printed)


def _of_extreme(z: np.ndarray, distance: np.ndarray) -> np.ndarray:
    """Return the z-scores of a largest number: of the rows that fall short, only the nearest counts, if all do."""
    short = z < 0
    nearest = np.lexsort((distance, z))[-1]
    if short.all():
        short[nearest] = False
    return np.where(short, 0.0, z)
