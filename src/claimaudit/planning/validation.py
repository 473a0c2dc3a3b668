"""Check the folder of a paper as a whole, before anything runs, and that result tables have what exhibits show."""

import string
from collections.abc import Collection, Iterable, Iterator, Mapping
from contextlib import suppress
from pathlib import Path
from typing import Any

import pandas as pd

from claimaudit.audit.checks.fits import PublishedCells
from claimaudit.audit.claims import Claim, load_replies
from claimaudit.audit.fitting.exhibits import select_where_known
from claimaudit.configuration import Fault
from claimaudit.expressions import names_in
from claimaudit.names import Faults, known_names, nearest
from claimaudit.papers import validation
from claimaudit.papers.folder import Folder
from claimaudit.papers.paper import Paper
from claimaudit.planning import claims
from claimaudit.planning.claims import TableNames, unknown_values
from claimaudit.published import NAMES, NUMBERS, UNIT, LineFault, cells_of, read_published, refuse_lines
from claimaudit.styles import FigureStyle, TableStyle
from claimaudit.yaml_files import refuse

WITHOUT_RUNS = "our numbers have errors, so write the paper's number of runs here or in the paper's file"


def check(paper: Paper, claims: Iterable[Claim], tables: Mapping[str, TableNames], found: Faults) -> None:
    """Add the faults of all files that a paper's exhibits and claims compare with its experiments."""
    directory, files = paper.folder.published, read_all(paper.folder, found)
    wrong: dict[tuple[str, str], set[LineFault]] = {}
    uses = [(one.published, one.experiment, one.rows, one.runs is None) for one in paper.judged.values()]
    for _, meaning in (meaning for claim in claims for meaning in claim.meanings):
        cells = meaning.check
        if isinstance(cells, PublishedCells) and not meaning.lacking:
            where = f"({cells.where}) and " if cells.where else ""
            uses.append((cells.published, cells.table, f"{where}metric == '{cells.metric}'", False))
    for name, experiment, condition, needs_runs in uses:
        table = tables.get(experiment)
        with suppress(ValueError):  # a fault in the condition is reported where it is stated
            if name in files and table is not None:
                rows, path = select_where_known(files[name], condition), directory / f"{name}.csv"
                faults = wrong.setdefault((name, experiment), set())
                faults.update(_unmatched(rows, experiment, table, path))
                if needs_runs and table.simulated:
                    lines = cells_of(path).index
                    faults.update((lines[row], "runs", WITHOUT_RUNS) for row in rows.index[rows["runs"].isna()])
    for (name, _), faults in wrong.items():
        with found.of(paper.folder.shown):
            refuse_lines(directory / f"{name}.csv", _once(sorted(faults)))


def read_all(folder: Folder, found: Faults) -> dict[str, pd.DataFrame]:
    """Return the files of printed numbers of a paper, by name, and add the faults of those that cannot be read."""
    files = {}
    for path in sorted(folder.published.glob("*.csv")):
        with found.of(folder.shown):
            files[path.stem] = read_published(path)
    return files


def _once(faults: Iterable[LineFault]) -> list[LineFault]:
    """Return the first of the faults that only differ in their lines, with the number of the others."""
    lines: dict[tuple[str, str], list[int]] = {}
    for line, column, words in faults:
        lines.setdefault((column, words), []).append(line)
    more = {key: f" (and {len(found) - 1} more lines)" if len(found) > 1 else "" for key, found in lines.items()}
    return [(found[0], column, words + more[column, words]) for (column, words), found in lines.items()]


def _unmatched(printed: pd.DataFrame, experiment: str, table: TableNames, path: Path) -> Iterator[LineFault]:
    """Yield what keeps printed numbers from having a row in the result table of an experiment."""
    settings = [str(name) for name in printed if name not in (*NAMES, *NUMBERS, UNIT)]
    unknown = [name for name in settings if name not in table.settings]
    for name in unknown:
        known = known_names(name, table.settings)
        yield 1, name, f"no setting of the experiment {experiment}{known}; rename or remove the column"
    if unknown:
        return
    lines = cells_of(path).index
    grid = [name for name in settings if all(name in point for point in table.points)]
    places = {tuple(point[name] for name in grid) for point in table.points}
    for row, cells in zip(printed.index, printed.to_dict("records"), strict=True):
        for name in NAMES:
            if cells[name] not in table.values[name]:
                hint = nearest(cells[name], table.values[name])
                yield lines[row], name, f"no {name} {cells[name]!r} in the experiment {experiment}{hint}"
        if tuple(cells[name] for name in grid) not in places:
            yield lines[row], *_off_grid(cells, grid, places, experiment)


def _off_grid(cells: dict[Any, Any], grid: list[str], places: set[tuple[Any, ...]], experiment: str) -> tuple[str, str]:
    """Return the column that takes a number off the grid of an experiment, and words."""
    for position, name in enumerate(grid):
        known = {place[position] for place in places}
        if cells[name] not in known:
            near = known_names(cells[name], known)
            return name, f"{cells[name]!r} is no {name} of the experiment {experiment}{near}; correct or add it there"
    named = ", ".join(f"{name} {cells[name]}" for name in grid)
    return grid[0], f"the experiment {experiment} has no point with {named}; correct the settings or add it there"


def load(
    folder: Folder, views: Collection[str] | None, found: Faults, made: Mapping[str, Path] | None = None
) -> tuple[Paper | None, Mapping[str, Claim] | None]:
    """Read a paper and its claims by id, each None if it cannot be read, and collect the faults of the folder.

    `made` are the files that commands have written, by experiment; without one, names in claims are not checked.
    """
    read: list[Paper] = []
    stated: Mapping[str, Claim] | None = None
    with found.of(folder.shown):
        read.append(validation.load(folder, views))
    paper = read[0] if read else None
    tables = _tables(paper, found, made or {}) if paper else {}
    if paper is not None:
        with found.of(folder.shown):
            refuse(folder.paper, _not_shown(paper, tables))
    # Figures and tables need no claims; only the targets that do then lack the file.
    if folder.claims.exists():
        with found.of(folder.shown):
            stated = claims.load(folder, paper, tables)
    if stated is not None:
        with found.of(folder.shown):
            load_replies(folder.replies, stated)
    if paper is None:
        read_all(folder, found)
    else:
        check(paper, (stated or {}).values(), tables, found)
    return paper, stated


def _tables(paper: Paper, found: Faults, made: Mapping[str, Path]) -> dict[str, TableNames]:
    """Return what the result tables of experiments can contain.

    Those are missing whose file no command has made yet, or whose file is faulty, which is reported.
    """
    tables = {}
    for name, entry in paper.entry.experiments.items():
        path = paper.folder.path / entry.results if entry.results else made.get(name)
        if entry.runner is not None:
            tables[name] = TableNames.of(paper, name)
        elif path is not None:
            with found.of(str(Path(paper.folder.shown, entry.results or "results.csv").parent)):
                tables[name] = TableNames.given(paper, name, path)
    return tables


def _not_shown(paper: Paper, tables: Mapping[str, TableNames]) -> Iterator[Fault]:
    """Yield the columns, metrics, mechanisms and rows that figures and tables show and their result tables lack."""
    for name in paper.entry.drawn:
        table = tables.get(paper.entry.experiment_of(name))
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
    named = {"panels": style.without_ratios().panels.values(), "lines": filter(None, [style.lines]), "show": style.show}
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
    for key, names in named.items():
        for name in names:
            if name not in known:
                yield key, f"no {what} {name!r} in the result table{known_names(name, sorted(known))}"


def _fields(title: str) -> set[str]:
    try:
        return {name for _, name, _, _ in string.Formatter().parse(title) if name} - {"metric"}
    except ValueError:
        return set()


def _of_condition(condition: str | None, columns: Collection[str], table: TableNames) -> Iterator[tuple[str, str]]:
    if condition is None:
        return
    found = [*_unknown("column", {"where": sorted(names_in(condition))}, columns)]
    found += [("where", words) for words in unknown_values(condition, table)]
    if not found and _selects_nothing(condition, table):
        found.append(("where", f"{condition!r} selects no row: the experiment has no such setting"))
    yield from found


def _selects_nothing(condition: str, table: TableNames) -> bool:
    """Return whether the parts of a condition that concern the stated settings alone hold for none of them."""
    points = pd.DataFrame([{name: point[name] for name in table.stated} for point in table.points])
    return len(points) > 0 and select_where_known(points, condition).index.empty
