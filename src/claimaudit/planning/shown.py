"""Check that the result tables of figures and tables have what these show: columns, metrics, mechanisms and rows."""

from __future__ import annotations

import ast
import string
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping
from pathlib import Path
from typing import Any

import pandas as pd

from claimaudit.configuration import Fault, refuse
from claimaudit.expressions import names_in, parse
from claimaudit.names import known_names
from claimaudit.papers.paper import Paper
from claimaudit.planning.claims import unknown_values
from claimaudit.planning.tables import TableNames
from claimaudit.styles import Style, TableStyle


def check(path: Path, paper: Paper, table_of: Callable[[str], TableNames | None]) -> None:
    """Check the figures and tables of a paper's file; `table_of` returns None where no table is known.

    Raises
    ------
    ConfigurationError
        One line for each fault, with file, line, figure or table, and the nearest name that there is.
    """
    refuse(path, _faults(paper, table_of))


def _faults(paper: Paper, table_of: Callable[[str], TableNames | None]) -> Iterator[Fault]:
    for name, shown in paper.entry.drawn.items():
        table = table_of(paper.entry.experiment_of(name))
        if table is None:
            continue
        found = (
            _of_figure(Style.from_dict(shown.style), table)
            if shown.plot
            else _of_table(TableStyle.from_dict(shown.style), table)
        )
        for key, words in found:
            yield ("exhibits", name, "style", key), words


def _of_figure(style: Style, table: TableNames) -> Iterator[tuple[str, str]]:
    metrics, columns = table.values["metric"], table.columns | {style.x} & table.values["metric"]
    yield from _unknown("metric", {"y": style.y}, metrics)
    mechanisms = {"mechanisms": style.mechanisms, "ratio_to": filter(None, [style.ratio_to])}
    yield from _unknown("mechanism", mechanisms, table.values["mechanism"])
    named = {"panels": style.panels.values(), "lines": filter(None, [style.lines]), "order": style.order}
    named |= {"x": [style.x], "points": style.points, "panel_titles": _fields(style.panel_titles or "")}
    yield from _unknown("column", named, columns)
    yield from _of_condition(style.where, columns, table)
    if style.panel_titles and table.points and _fields(style.panel_titles) <= table.stated:
        try:
            style.panel_titles.format(**{"metric": "", **table.points[0]})
        except (AttributeError, IndexError, TypeError, ValueError) as error:
            yield "panel_titles", f"{style.panel_titles!r} is no format of its columns: {error}"


def _of_table(style: TableStyle, table: TableNames) -> Iterator[tuple[str, str]]:
    named = {"index": style.index, "columns": style.columns, "values": style.values, "order": style.order}
    yield from _unknown("column", named, table.columns)
    yield from _of_condition(style.where, table.columns, table)


def _unknown(what: str, named: Mapping[str, Iterable[str]], known: Collection[str]) -> Iterator[tuple[str, str]]:
    """Yield the names that the result table lacks, each with its key of the style."""
    for key, names in named.items():
        for name in names:
            if name not in known:
                yield key, f"no {what} {name!r} in the result table{known_names(name, sorted(known))}"


def _fields(title: str) -> set[str]:
    """Return the names in a format string, if it is one."""
    try:
        return {name for _, name, _, _ in string.Formatter().parse(title) if name} - {"metric"}
    except ValueError:
        return set()


def _of_condition(condition: str | None, columns: Collection[str], table: TableNames) -> Iterator[tuple[str, str]]:
    """Yield what is wrong with a condition on rows."""
    if condition is None:
        return
    found = [*_unknown("column", {"where": sorted(names_in(condition))}, columns)]
    found += [("where", words) for words in unknown_values(condition, table)]
    if not found and _selects_nothing(condition, table):
        found.append(("where", f"{condition!r} selects no row: the experiment has no such setting"))
    yield from found


def _selects_nothing(condition: str, table: TableNames) -> bool:
    """Return whether the parts of a condition that concern the stated settings alone hold for none of them."""
    tree = parse(condition)
    parts = tree.values if isinstance(tree, ast.BoolOp) and isinstance(tree.op, ast.And) else [tree]
    stated = [part for part in map(ast.unparse, parts) if names_in(part) and names_in(part) <= table.stated]
    if not stated:
        return False
    points: list[dict[str, Any]] = [{name: point[name] for name in table.stated} for point in table.points]
    return bool(pd.DataFrame(points).query(" and ".join(f"({part})" for part in stated)).empty)
