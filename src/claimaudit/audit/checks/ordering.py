"""The kinds of check `ordering` and `monotone`: comparisons of two numbers each, which are judged together.

Each comparison is *satisfied*, *violated* or *undecided*. Between exact numbers the sign decides. Otherwise a
comparison is satisfied if significant at the passing level, violated if significant at the failing level (both with
Bonferroni over all comparisons of the check), and undecided if neither.
"""

import ast
from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import Annotated, Literal

import numpy as np
import pandas as pd
from pydantic import ValidationInfo, field_validator
from scipy import special

from claimaudit.audit.arrays import Arrays, Spread, evaluate
from claimaudit.audit.checks.base import Along, Fields, OfQuantity, Qualifier, cut, evidence, matched, threshold
from claimaudit.audit.statistics import EXACT, chance_of_score, critical, interval, z_scores
from claimaudit.configuration import Entry, OneOrMapping
from claimaudit.expressions import parse
from claimaudit.papers.claims import LargestShare, Side, SmallestShare, fixed, in_order
from claimaudit.verdicts import Comparisons, Evidence, Found, Inequalities, Levels, Steps


class Bound(Entry):
    """The smallest share of the comparisons that must hold, or the largest one that may."""

    at_least: SmallestShare | None = None
    at_most: LargestShare | None = None


DIRECTIONS = {"grows": "increasing", "falls": "decreasing"}
OUTCOMES = np.array(["satisfied", "violated", "undecided"], dtype=object)

Share = OneOrMapping[Literal["every", "some", "none"], Bound]  # how many comparisons must hold


def pairs(before: Arrays, after: Arrays) -> Arrays:
    """Compare rows that `claimaudit.audit.arrays.evaluate` returns, pair by pair, as `decide` reads them.

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
    # How far the comparison that decides is from an answer, or else the undecided one that is the nearest.
    near = z[[at]] if undecided[at] else z[undecided]
    chances = [chance_of_score(one, levels, tests) for one in near] if holds is None else []
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
        chance=min(chances, key=lambda chance: chance.runs or np.inf, default=None),
        **interval(difference[at], se[at]),
    )


def _enough(least: float, most: float, share: Share, count: int) -> bool | None:
    """Return whether the share of satisfied comparisons, known to lie in [least, most], matches the claim."""
    named = {"every": Bound(at_least=1), "some": Bound(at_least=1 / count), "none": Bound(at_most=0)}
    bound = share if isinstance(share, Bound) else named[share]
    if bound.at_most is not None:
        certain, excluded = most <= fixed(bound.at_most), least > fixed(bound.at_most)
    else:
        certain, excluded = least >= fixed(bound.at_least or 0), most < fixed(bound.at_least or 0)
    return True if certain else False if excluded else None


class Ordering(OfQuantity):
    """A quantity compared with another one, ``quantity relation against``, at every selected setting.

    ``share`` states at how many settings the relation must hold: ``every`` (default), ``some``, ``none``, ``{at_least:
    share}`` or ``{at_most: share}``. The check cannot tell if the undecided settings could change the answer. Exact
    numbers within 1e-9 of each other are equal: enough for ``<=``, not for ``<``.
    """

    name = "ordering"
    family = "who is better, by how much"
    says = ("A < B",)

    relation: Literal["<", "<=", ">", ">="]
    against: Side
    share: Annotated[
        Share,
        Qualifier.fixed("in some settings", "some"),
        Qualifier.fixed("in no setting", "none"),
        Qualifier(
            "in at least 0.9 of the settings",
            "in at (least|most) (.+) of the settings",
            lambda end, share: {f"at_{end}": threshold(share)},
        ),
    ] = "every"

    @field_validator("against")
    @classmethod
    def _in_order(cls, against: Side, info: ValidationInfo) -> Side:
        return in_order(against, 1 if info.data.get("relation") in ("<", "<=") else -1)

    @classmethod
    def read(cls, statement: str) -> Fields | None:
        """Read ``A < B``, with any of the four signs."""
        left, *rest = cut(statement, "(?:<=|>=|<|>)", 1)
        if not rest or not left.strip() or not rest[0].strip():
            return None
        relation = statement[len(left) : len(statement) - len(rest[0])]
        return {"quantity": left.strip(), "relation": relation, "against": threshold(rest[0])}

    @property
    def universal(self) -> bool:
        return self.share == "every"

    def compare(self, rows: Arrays, published: pd.DataFrame | None = None) -> Arrays:
        """Compare both sides at each setting; see `claimaudit.audit.checks.ordering.pairs` for the columns."""
        against = str(self.against)
        difference = evaluate(rows, f"({self.quantity}) - ({against})", self.basis)
        sides = (evaluate(rows, text, self.basis) for text in (self.quantity, against))
        left, right = (side["estimate"][np.searchsorted(side["line"], difference["line"])] for side in sides)
        labels = self._labels(rows.spread)
        comparisons = {
            **{f"{side}_name": np.full(len(left), labels.get(side, ""), dtype=object) for side in ("left", "right")},
            "left": left,
            "right": right,
            "difference": difference["estimate"],
            "se": difference["se"],
            "equal": np.isclose(left, right, rtol=EXACT, atol=0),
            "strict": np.full(len(left), self.relation in ("<", ">")),
        }
        return Arrays(difference.places, comparisons)

    def judge(self, compared: Arrays, levels: Levels) -> Evidence:
        def shown(at: int, counts: Comparisons) -> Inequalities:
            return Inequalities(
                **vars(counts),
                left=float(compared["left"][at]),
                right=float(compared["right"][at]),
                error=float(compared["se"][at]) if isinstance(self.against, int | float) else 0.0,
                left_name=compared["left_name"][at],
                right_name=compared["right_name"][at],
                relation=self.relation,
            )

        return decide(compared, 1 if self.relation in (">", ">=") else -1, levels, shown, self.share)

    def _labels(self, spread: Spread) -> dict[str, str]:
        """Name both sides: as the claim does, or by mechanisms: of one variable, or the extreme of several."""
        sides = {"left": str(self.quantity), "right": str(self.against)}
        named = {name: str(mechanism) for name, mechanism in zip(spread.names, spread.mechanisms, strict=True)}
        found = {side: _in_mechanisms(parse(expression), named) for side, expression in sides.items()}
        labels = {side: label for side, label in found.items() if label}
        if len(set(labels.values())) < len(labels):
            labels = {} if self.measure else sides  # one mechanism on both sides: the metrics tell them apart
        return labels | ({"left": self.measure} if self.measure else {})


def _in_mechanisms(expression: ast.expr, named: Mapping[str, str]) -> str:
    """Return a variable, or the extreme of several, with mechanisms in their place; empty if it is anything else."""
    match expression:
        case ast.Name(name):
            return named.get(name, "")
        case ast.Call(ast.Name("minimum" | "maximum" as extreme), operands):
            of = [_in_mechanisms(each, named) for each in operands]
            return f"{extreme}({', '.join(of)})" if all(of) else ""
    return ""


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

        The columns are those of `pairs`; ``left`` is the value at the end of a step.
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
