"""The kind of check `contradiction`: printed numbers against each other."""

import ast
from collections.abc import Callable, Iterator, Mapping
from itertools import product
from typing import Any, Self

import numpy as np
import pandas as pd
from pydantic import ValidationInfo, field_validator

from claimaudit.audit.arrays import Arrays, Places
from claimaudit.audit.checks.base import FACTORS, Check, Fields
from claimaudit.audit.statistics import EXACT
from claimaudit.digits import Printed
from claimaudit.expressions import evaluate, names_in, parse, require_known
from claimaudit.papers.claims import Condition, PrintedNumbers
from claimaudit.results import STRICT
from claimaudit.verdicts import Evidence, Levels, Relation, Sign

Prints = Mapping[str, str | float]  # printed numbers by name: texts with their digits, or plain numbers

COMPARISONS: dict[type[ast.cmpop], tuple[Sign, Callable[[np.ndarray, float], object]]] = {
    ast.Eq: ("==", lambda difference, scale: difference.min() <= scale and difference.max() >= -scale),
    ast.Lt: ("<", lambda difference, scale: (difference < -scale).any()),
    ast.LtE: ("<=", lambda difference, scale: (difference <= scale).any()),
    ast.Gt: (">", lambda difference, scale: (difference > scale).any()),
    ast.GtE: (">=", lambda difference, scale: (difference >= -scale).any()),
}
"""How comparisons are written, and when one can be: at some corner or, if it is ==, between corners.

They take the differences of both sides at all corners, and what rounding explains of these.
"""


class Contradiction(Check):
    """A ``relation`` that is true if the numbers in ``printed`` are consistent; plain arithmetic, no result table.

    A text in ``printed`` stands for all numbers that print like it, and a number for itself. Each comparison in the
    relation holds if it does for some of them; `not` of one, if it does for all.
    """

    name = "contradiction"
    family = "arithmetic of the text"
    says = ("a / b == c",)
    by_the_paper = True

    printed: PrintedNumbers
    relation: Condition

    @field_validator("relation")
    @classmethod
    def _is_decided(cls, relation: str, info: ValidationInfo) -> str:
        if "printed" in info.data:
            decided(relation, info.data["printed"])
        return relation

    @classmethod
    def read(cls, statement: str) -> Fields | None:
        """Read any statement: a claim with printed numbers has a condition on them."""
        return {"relation": statement}

    def compare(self, rows: Arrays, published: pd.DataFrame | None = None) -> Arrays:
        """Evaluate the relation: one row under the strict reading that states whether it ``holds``."""
        strict = Places([], {"reading": np.array([STRICT])}, {"reading": np.zeros(1, dtype=int)})
        return Arrays(strict, {"holds": np.array([decided(self.relation, self.printed)])})

    def judge(self, compared: Arrays, levels: Levels) -> Evidence:
        """Return whether the relation holds, with its two sides if it is one comparison."""
        tree, found = parse(self.relation), Relation()
        values = _plain(self.printed)
        if isinstance(tree, ast.Compare) and len(tree.ops) == 1:
            one, other = (float(_arithmetic(side, values)[0]) for side in (tree.left, tree.comparators[0]))
            found = Relation(ast.unparse(tree.left), one, other, COMPARISONS[type(tree.ops[0])][0])
        return Evidence(
            reading=STRICT,
            holds=bool(compared["holds"][0]),
            rows=1,
            found=found,
            comparisons={"printed": list(values), "left": list(values.values())},
        )

    def disturbed(self, rows: Arrays) -> Iterator[tuple[Self, Arrays]]:
        """Yield the check with each of its printed numbers moved."""
        for name, number in _plain(self.printed).items():
            for factor in FACTORS:
                moved = number * factor + (number == 0)
                yield self.model_copy(update={"printed": {**self.printed, name: moved}}), rows


def _plain(printed: Prints) -> dict[str, float]:
    return {name: Printed.read(each).value if isinstance(each, str) else float(each) for name, each in printed.items()}


def decided(relation: str, printed: Prints) -> bool:
    """Return whether a relation can be true of numbers that print like those `printed`, else raise ValueError."""
    require_known(relation, list(printed))
    return _consistent(parse(relation), printed)


def _consistent(relation: ast.expr, printed: Prints) -> bool:
    match relation:
        case ast.BoolOp(ast.And(), parts):
            return all(_consistent(part, printed) for part in parts)
        case ast.BoolOp(ast.Or(), parts):
            return any(_consistent(part, printed) for part in parts)
        case ast.UnaryOp(ast.Not(), refused):
            return not _consistent(refused, printed)
        case ast.Compare(left, operators, rights):
            sides = [left, *rights]
            return all(map(_can_be, operators, sides, sides[1:], [printed] * len(operators)))
    raise ValueError(f"{ast.unparse(relation)!r} is not a comparison; join comparisons by `and`, `or` and `not`")


def _can_be(operator: ast.cmpop, left: ast.expr, right: ast.expr, printed: Prints) -> bool:
    """Return whether a comparison can be true of numbers in the printed intervals.

    Expressions in claims change with each of their numbers in one direction, so that corners are their extremes.
    """
    names = sorted(names_in(left) | names_in(right))
    ends = [Printed.read(each).interval if isinstance(each := printed[name], str) else (each,) for name in names]
    corners = np.array([*product(*ends)], dtype=float).T
    values = dict(zip(names, corners, strict=True))
    first, second = (_arithmetic(side, values) for side in (left, right))
    difference = first - second
    scale = EXACT * (np.abs(first) + np.abs(second)).max()
    if type(operator) not in COMPARISONS:
        raise ValueError("a relation between printed numbers has one of ==, <, <=, > and >=")
    return bool(COMPARISONS[type(operator)][1](difference, scale))


def _arithmetic(expression: ast.expr, values: Mapping[str, Any]) -> np.ndarray:
    try:
        with np.errstate(divide="raise", over="raise", invalid="raise"):
            return np.atleast_1d(evaluate(expression, values)).astype(float)
    except FloatingPointError as error:
        raise ValueError(f"cannot evaluate {ast.unparse(expression)!r}: {error}") from error
