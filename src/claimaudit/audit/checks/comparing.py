"""Many comparisons of two numbers, judged together with three-valued logic.

Each comparison is *satisfied*, *violated* or *undecided*. Between exact numbers the sign decides. Otherwise a
comparison is satisfied if significant at the passing level, violated if significant at the failing level (both with
Bonferroni over all comparisons of the check), and undecided if neither.
"""

from collections.abc import Callable
from typing import Literal

import numpy as np
from scipy import special

from claimaudit.audit.arrays import Arrays
from claimaudit.audit.checks.base import evidence
from claimaudit.audit.statistics import EXACT, chance_of_score, critical, interval, z_scores
from claimaudit.configuration import Entry, OneOrMapping
from claimaudit.papers.claims import LargestShare, SmallestShare, fixed
from claimaudit.verdicts import Chance, Comparisons, Evidence, Found, Levels


class Bound(Entry):
    """The smallest share of the comparisons that must hold, or the largest one that may."""

    at_least: SmallestShare | None = None
    at_most: LargestShare | None = None


OUTCOMES = np.array(["satisfied", "violated", "undecided"], dtype=object)

Share = OneOrMapping[Literal["every", "some", "none"], Bound]  # how many comparisons must hold


def pairs(before: Arrays, after: Arrays) -> Arrays:
    """Compare rows that `claimaudit.audit.quantities.evaluate` returns, pair by pair, as `decide` reads them.

    Returned are the rows `before` with the number of `after` as ``left`` and their own as ``right``, their
    ``difference``, its ``se``, whether they are ``equal``, and ``strict``: whether equal numbers are too little.
    """
    start, end = before["estimate"], after["estimate"]
    return before.assign(
        left=end,
        right=start,
        difference=end - start,
        se=np.hypot(before["se"], after["se"]),
        equal=np.isclose(end, start, rtol=EXACT, atol=0),
        strict=np.ones(len(start), dtype=bool),
    )


def decide(
    compared: Arrays, sign: int, levels: Levels, shown: Callable[[int, Comparisons], Found], share: Share = "every"
) -> Evidence:
    """Judge comparisons whose ``sign * difference`` should be positive, with a three-valued outcome.

    The comparisons of one reading have the columns of `pairs`; `share` says how many must hold. `shown` makes the
    record of what is found from the position of the comparison that decides, and the counts.
    """
    left, right, difference, se = (compared[name] for name in ("left", "right", "difference", "se"))
    z = sign * z_scores(difference, se, compared["equal"])
    level_is_enough = np.where(compared["strict"], -np.inf, np.inf)
    z = np.where((se == 0) & compared["equal"], level_is_enough, z)
    tests, count = max(int(np.count_nonzero(se)), 1), len(compared)
    satisfied, violated = z > critical(levels.passing, tests), z < -critical(levels.failing, tests)
    undecided = ~(satisfied | violated)
    outcome = 1 * violated + 2 * undecided
    hold, fail, open_ = np.bincount(outcome, minlength=len(OUTCOMES)).tolist()
    holds = _enough(hold / count, (hold + open_) / count, share, count)
    with np.errstate(invalid="ignore"):
        margin = sign * difference / np.where(right == 0, 1.0, np.abs(right))
    order = np.lexsort((margin, z))
    everywhere = share == "every"
    worst = everywhere or (isinstance(share, Bound) and share.at_least is not None)
    at = int(order[0] if worst else order[-1])
    return evidence(
        compared,
        at,
        left,
        right,
        se,
        holds=holds,
        found=shown(at, Comparisons(hold, fail, open_, worst)),
        statistic=z[at],
        p_value=float(min(1.0, tests * special.ndtr(z[at]))) if everywhere else None,
        comparisons=compared.table(left=left, right=right, se=se, outcome=OUTCOMES[outcome]),
        chance=_chance(z, at, undecided, levels, tests) if holds is None else None,
        **interval(difference[at], se[at]),
    )


def _chance(z: np.ndarray, at: int, undecided: np.ndarray, levels: Levels, tests: int) -> Chance:
    """Return how far the comparison that decides, or else the undecided one that is the nearest, is from an answer."""
    if undecided[at]:
        return chance_of_score(z[at], levels, tests)
    open_ = [chance_of_score(one, levels, tests) for one in z[undecided]]
    return min(open_, key=lambda chance: chance.runs or np.inf)


def _enough(least: float, most: float, share: Share, count: int) -> bool | None:
    """Return whether the share of satisfied comparisons, known to lie in [least, most], matches the claim."""
    named = {"every": Bound(at_least=1), "some": Bound(at_least=1 / count), "none": Bound(at_most=0)}
    bound = share if isinstance(share, Bound) else named[share]
    if bound.at_most is not None:
        certain, excluded = most <= fixed(bound.at_most), least > fixed(bound.at_most)
    else:
        certain, excluded = least >= fixed(bound.at_least or 0), most < fixed(bound.at_least or 0)
    return True if certain else False if excluded else None
