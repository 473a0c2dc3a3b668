"""Check a paper's files of printed numbers, and that each number has a row in the result table that repeats it."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from pathlib import Path
from typing import Any

import pandas as pd

from claimaudit.audit.checks.cells import PublishedCells
from claimaudit.audit.claim import Claim
from claimaudit.audit.fitting.exhibits import printed_rows
from claimaudit.names import ConfigurationError, known_names, nearest
from claimaudit.papers.paper import Paper
from claimaudit.planning.tables import TableNames
from claimaudit.published import NAMES, NUMBERS, UNIT, Fault, lines_of, read_published, refuse

WITHOUT_RUNS = "our numbers have errors, so write the paper's number of runs here or in the paper's file"

Use = tuple[str, str, str | None]
"""How a file is used: its name, the experiment that repeats its numbers, and a condition that selects some of them."""


def check(
    directory: Path, paper: Paper | None, claims: Iterable[Claim], table_of: Callable[[str], TableNames | None]
) -> None:
    """Check all files of a paper; against its experiments only if it could be read.

    Raises
    ------
    ConfigurationError
        A line for each fault: file, line, column, what is wrong and how to mend it.
    """
    wrong, files = [], {}
    for path in sorted(directory.glob("*.csv")):
        try:
            files[path.stem] = read_published(path)
        except ConfigurationError as error:
            wrong.append(str(error))
    for (name, experiment), conditions in _uses(paper, claims).items():
        if name in files and (table := table_of(experiment)) is not None:
            try:
                _refuse_unmatched(files[name], conditions, experiment, table, directory / f"{name}.csv")
            except ConfigurationError as error:
                wrong.append(str(error))
    known = paper.entry.experiments if paper is not None else ()
    for exhibit in paper.entry.judged.values() if paper is not None else ():
        if exhibit.evidence in files and exhibit.experiment in known and exhibit.runs is None:
            table = table_of(str(exhibit.experiment))
            if table is not None and table.simulated:
                wrong += _without_runs(files[exhibit.evidence], directory / f"{exhibit.evidence}.csv")
    if wrong:
        raise ConfigurationError("\n".join(dict.fromkeys("\n".join(wrong).splitlines())))


def _without_runs(printed: pd.DataFrame, path: Path) -> list[str]:
    """Return a fault for each printed number that is compared with a simulated one and has no number of runs."""
    lines = lines_of(path)
    found = [(lines[row], "runs", WITHOUT_RUNS) for row in printed.index[printed["runs"].isna()]]
    try:
        refuse(path, _once(found))
    except ConfigurationError as error:
        return [str(error)]
    return []


def _uses(paper: Paper | None, claims: Iterable[Claim]) -> dict[tuple[str, str], list[str | None]]:
    """Return the conditions under which an experiment repeats numbers of a file, by their names."""
    found: dict[tuple[str, str], list[str | None]] = {}
    if paper is None:
        return found
    for name, experiment, condition in [*_of_exhibits(paper), *_of_cells(claims)]:
        if experiment in paper.entry.experiments:
            found.setdefault((name, experiment), []).append(condition)
    return found


def _refuse_unmatched(
    printed: pd.DataFrame, conditions: Iterable[str | None], experiment: str, table: TableNames, path: Path
) -> None:
    """Raise a ConfigurationError if numbers that an experiment repeats have no row in its table."""
    unmatched = list(_unmatched(printed, experiment, table, path))
    kept: set[Fault] = set()
    for condition in dict.fromkeys(conditions) if unmatched else ():  # selecting rows is slow, and seldom needed
        try:
            kept |= {*_unmatched(printed_rows(printed, condition), experiment, table, path)}
        except ValueError:  # the fault in the condition is reported where it is stated
            continue
    refuse(path, _once([fault for fault in unmatched if fault in kept]))


def _once(faults: Iterable[Fault]) -> list[Fault]:
    """Return the first of the faults that only differ in their lines, with the number of the others."""
    lines: dict[tuple[str, str], list[int]] = {}
    for line, column, words in faults:
        lines.setdefault((column, words), []).append(line)
    more = {key: f" (and {len(found) - 1} more lines)" if len(found) > 1 else "" for key, found in lines.items()}
    return [(found[0], column, words + more[column, words]) for (column, words), found in lines.items()]


def _of_exhibits(paper: Paper) -> Iterator[Use]:
    for exhibit in paper.entry.judged.values():
        if exhibit.evidence is not None:
            yield exhibit.evidence, str(exhibit.experiment), exhibit.where or None


def _of_cells(claims: Iterable[Claim]) -> Iterator[Use]:
    for claim in claims:
        for _, meaning in claim.meanings:
            check = meaning.check
            if isinstance(check, PublishedCells) and not meaning.lacking:
                where = f"({check.where}) and " if check.where else ""
                yield check.published, check.table, f"{where}metric == '{check.metric}'"


def _unmatched(printed: pd.DataFrame, experiment: str, table: TableNames, path: Path) -> Iterator[Fault]:
    """Yield what keeps printed numbers from having a row in the result table of an experiment."""
    settings = [str(name) for name in printed if name not in (*NAMES, *NUMBERS, UNIT)]
    unknown = [name for name in settings if name not in table.settings]
    for name in unknown:
        known = known_names(name, table.settings)
        yield 1, name, f"no setting of the experiment {experiment}{known}; rename or remove the column"
    if unknown:
        return
    lines = lines_of(path)
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
