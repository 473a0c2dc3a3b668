"""The kind of check `ordering`: an inequality between two quantities."""

import ast
from collections.abc import Mapping
from typing import Annotated, Literal

import numpy as np
import pandas as pd
from pydantic import ValidationInfo, field_validator

from claimaudit.audit.arrays import Arrays, Index
from claimaudit.audit.checks.base import Fields, OfQuantity, Qualifier, cut, threshold
from claimaudit.audit.checks.comparing import Share, decide
from claimaudit.audit.quantities import evaluate
from claimaudit.audit.statistics import EXACT
from claimaudit.expressions import parse
from claimaudit.papers.claims import Side, in_order
from claimaudit.verdicts import Comparisons, Evidence, Inequalities, Levels


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
        """Compare both sides at each setting; see `claimaudit.audit.checks.comparing.pairs` for the columns."""
        against = str(self.against)
        difference = evaluate(rows, f"({self.quantity}) - ({against})", self.basis)
        sides = (evaluate(rows, text, self.basis) for text in (self.quantity, against))
        left, right = (side["estimate"][np.searchsorted(side["line"], difference["line"])] for side in sides)
        labels = self._labels(rows.places.index)
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

    def _labels(self, index: Index) -> dict[str, str]:
        """Name both sides: as the claim does, or by mechanisms: of one variable, or the extreme of several."""
        sides = {"left": str(self.quantity), "right": str(self.against)}
        named = {name: str(mechanism) for name, mechanism in zip(index.names, index.mechanisms, strict=True)}
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
