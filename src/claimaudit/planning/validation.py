"""Check the folder of a paper as a whole, before anything runs, and that result tables have what exhibits show."""

from __future__ import annotations

import ast
import string
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping
from functools import cache, reduce
from pathlib import Path

import pandas as pd

from claimaudit.audit.claim import Claim
from claimaudit.configuration import Fault, refuse
from claimaudit.expressions import names_in, parse, select
from claimaudit.names import ConfigurationError, Faults, known_names
from claimaudit.papers import replies, validation
from claimaudit.papers.folder import Folder
from claimaudit.papers.paper import Paper
from claimaudit.planning import claims, printed
from claimaudit.planning.claims import unknown_values
from claimaudit.planning.tables import TableNames
from claimaudit.styles import FigureStyle, TableStyle


def load(
    folder: Folder, views: Collection[str] | None, found: Faults, made: Mapping[str, Path] | None = None
) -> tuple[Paper | None, Mapping[str, Claim] | None]:
    """Read a paper and its claims by id, each None if it cannot be read, and collect the faults of the folder.

    `made` are the files that commands have written, by experiment; without one, names in claims are not checked.
    """
    paper: Paper | None = None
    stated: Mapping[str, Claim] | None = None
    try:
        paper = validation.load(folder, views)
    except ConfigurationError as error:
        found.add(folder.shown, error)
    table_of = _tables(paper, found, made or {})
    if paper is not None:
        with found.of(folder.shown):
            refuse(folder.paper, _not_shown(paper, table_of))
    # Figures and tables need no claims; only the targets that do then lack the file.
    if folder.claims.exists():
        with found.of(folder.shown):
            stated = claims.load(folder, paper, table_of)
    if stated is not None:
        with found.of(folder.shown):
            replies.load(folder.replies, stated)
    if paper is None:
        printed.read_all(folder, found)
    else:
        printed.check(paper, (stated or {}).values(), table_of, found)
    return paper, stated


def _tables(paper: Paper | None, found: Faults, made: Mapping[str, Path]) -> Callable[[str], TableNames | None]:
    """Return a function from an experiment to what its result table can contain.

    It returns None if the paper could not be read, if a command has not made the file yet, or if the file is faulty,
    which is reported once.
    """
    if paper is None:
        return lambda experiment: None
    folder = paper.folder

    @cache
    def table_of(experiment: str) -> TableNames | None:
        entry = paper.entry.experiments[experiment]
        if entry.runner is not None:
            return TableNames.of(paper, experiment)
        path = folder.path / entry.results if entry.results else made.get(experiment)
        if path is None:
            return None
        try:
            return TableNames.given(paper, experiment, path)
        except ConfigurationError as error:
            found.add(str(Path(folder.shown, entry.results or "results.csv").parent), error)
            return None

    for experiment in paper.entry.experiments:
        if paper.entry.experiments[experiment].runner is None:
            table_of(experiment)
    return table_of


def _not_shown(paper: Paper, table_of: Callable[[str], TableNames | None]) -> Iterator[Fault]:
    """Yield the columns, metrics, mechanisms and rows that figures and tables show and their result tables lack."""
    for name in paper.entry.drawn:
        table = table_of(paper.entry.experiment_of(name))
        if table is None:
            continue
        style = paper.style(name)
        for key, words in _of_figure(style, table) if isinstance(style, FigureStyle) else _of_table(style, table):
            yield ("exhibits", name, "style", key), words


def _of_figure(style: FigureStyle, table: TableNames) -> Iterator[tuple[str, str]]:
    metrics, columns = table.values["metric"], table.columns | {style.x} & table.values["metric"]
    yield from _unknown("metric", {"y": style.y}, metrics)
    mechanisms = {"show": style.mechanisms, "ratio_to": style.bases}
    yield from _unknown("mechanism", mechanisms, table.values["mechanism"])
    named = {"panels": style.panels.values(), "lines": filter(None, [style.lines]), "show": style.show}
    title = style.labels.get("panel", "")
    named |= {"x": [style.x], "labels": _fields(title)}
    yield from _unknown("column", named, columns)
    yield from _of_condition(style.where, columns, table)
    if table.points and _fields(title) <= table.stated:
        try:
            title.format(**{"metric": "", **table.points[0]})
        except (AttributeError, IndexError, TypeError, ValueError) as error:
            yield "labels", f"{title!r} is no format of its columns: {error}"


def _of_table(style: TableStyle, table: TableNames) -> Iterator[tuple[str, str]]:
    named = {"index": style.index, "columns": style.columns, "values": style.values, "show": style.show}
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
    stated = [part for part in parts if names_in(part) and names_in(part) <= table.stated]
    points = pd.DataFrame([{name: point[name] for name in table.stated} for point in table.points])
    return bool(stated) and reduce(select, stated, points).empty
