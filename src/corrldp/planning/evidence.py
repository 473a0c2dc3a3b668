"""Check the names in a claim against the result table that is its evidence, before there is one."""

from __future__ import annotations

import ast
from collections.abc import Collection, Iterator, Mapping
from itertools import product

from corrldp.audit.claim import Claim
from corrldp.configuration import Place
from corrldp.expressions import names_in, parse
from corrldp.names import known_names, nearest, shown
from corrldp.planning.tables import TableNames

Fault = tuple[Place, str]


def unknown_names(claim: Claim, table: TableNames) -> Iterator[Fault]:
    """Yield the names in a complete claim that its result table cannot contain, each with the field concerned."""
    if claim.rows:
        yield from ((("rows",), words) for words in _unknown_columns(claim.rows, table))
        if not claim.lacking:  # it is about data that the setting may not have
            yield from ((("rows",), words) for words in _unknown_values(claim.rows, table))
    for key in ("along", "by"):
        given = getattr(claim, key) or ()
        for name in [given] if isinstance(given, str) else given:
            if name not in table.settings:
                yield (key,), _words("setting column", name, table.settings)
    if claim.metric and claim.metric not in table.values["metric"]:
        yield ("metric",), _words("metric", claim.metric, table.values["metric"])
    for place, text in _quantities(claim):
        for name in sorted(names_in(text)):
            if not table.has_variable(name):
                near = nearest(name, table.variables_like(name))
                yield place, f"no variable {name!r}, a setting or {{metric}}_{{mechanism}}, in {shown(text)}{near}"


def _quantities(claim: Claim) -> Iterator[tuple[Place, str]]:
    """Yield the expressions over numbers of the table, with their fields."""
    against = claim.against
    ends = against if isinstance(against, Mapping) else {}
    sides: dict[Place, object] = {("quantity",): claim.quantity, ("against",): against}
    sides |= {("against", end): side for end, side in ends.items()}
    return ((place, side) for place, side in sides.items() if isinstance(side, str) and side)


def _unknown_columns(condition: str, table: TableNames) -> Iterator[str]:
    """Yield what is wrong with the columns that a condition on rows names."""
    for name in sorted(names_in(condition)):
        if name not in table.columns:
            yield _words("column", name, table.columns)


def _unknown_values(condition: str, table: TableNames) -> Iterator[str]:
    """Yield what is wrong with the texts with which a condition compares columns."""
    for node in ast.walk(parse(condition)):
        sides = [node.left, *node.comparators] if isinstance(node, ast.Compare) else []
        columns = [side.id for side in sides if isinstance(side, ast.Name) and side.id in table.values]
        items = [item for side in sides for item in (side.elts if isinstance(side, ast.List | ast.Tuple) else [side])]
        texts = [item.value for item in items if isinstance(item, ast.Constant) and isinstance(item.value, str)]
        for column, text in product(columns, texts):
            if text not in table.values[column]:
                yield _words(column, text, table.values[column])


def _words(what: str, name: str, known: Collection[str]) -> str:
    """Say that there is no such name; list what there is."""
    return f"no {what} {name!r}{known_names(name, known)}"
