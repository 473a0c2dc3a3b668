"""Check a paper's files of printed numbers, and that each number has a row in the result table that repeats it."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from contextlib import suppress
from pathlib import Path
from typing import Any

import pandas as pd

from claimaudit.audit.checks.cells import PublishedCells
from claimaudit.audit.claim import Claim
from claimaudit.audit.fitting.exhibits import printed_rows
from claimaudit.names import Faults, known_names, nearest
from claimaudit.papers.folder import Folder
from claimaudit.papers.paper import Paper
from claimaudit.planning.tables import TableNames
from claimaudit.published import NAMES, NUMBERS, UNIT, Fault, lines_of, read_published, refuse

WITHOUT_RUNS = "our numbers have errors, so write the paper's number of runs here or in the paper's file"


def check(paper: Paper, claims: Iterable[Claim], table_of: Callable[[str], TableNames | None], found: Faults) -> None:
    """Add the faults of all files that a paper's exhibits and claims compare with its experiments."""
    directory, files = paper.folder.published, read_all(paper.folder, found)
    wrong: dict[tuple[str, str], set[Fault]] = {}
    for name, experiment, condition, needs_runs in [*_of_exhibits(paper), *_of_cells(claims)]:
        table = table_of(experiment) if name in files and experiment in paper.entry.experiments else None
        with suppress(ValueError):  # a fault in the condition is reported where it is stated
            if table is not None:
                rows, path = printed_rows(files[name], condition), directory / f"{name}.csv"
                faults = wrong.setdefault((name, experiment), set())
                faults.update(_unmatched(rows, experiment, table, path))
                if needs_runs and table.simulated:
                    lines = lines_of(path)
                    faults.update((lines[row], "runs", WITHOUT_RUNS) for row in rows.index[rows["runs"].isna()])
    for (name, _), faults in wrong.items():
        with found.of(paper.folder.shown):
            refuse(directory / f"{name}.csv", _once(sorted(faults)))


def read_all(folder: Folder, found: Faults) -> dict[str, pd.DataFrame]:
    """Return the files of printed numbers of a paper, by name, and add the faults of those that cannot be read."""
    files = {}
    for path in sorted(folder.published.glob("*.csv")):
        with found.of(folder.shown):
            files[path.stem] = read_published(path)
    return files


def _once(faults: Iterable[Fault]) -> list[Fault]:
    """Return the first of the faults that only differ in their lines, with the number of the others."""
    lines: dict[tuple[str, str], list[int]] = {}
    for line, column, words in faults:
        lines.setdefault((column, words), []).append(line)
    more = {key: f" (and {len(found) - 1} more lines)" if len(found) > 1 else "" for key, found in lines.items()}
    return [(found[0], column, words + more[column, words]) for (column, words), found in lines.items()]


def _of_exhibits(paper: Paper) -> Iterator[tuple[str, str, str | None, bool]]:
    """Yield how exhibits use files: name, experiment that repeats them, condition, whether the file states the runs."""
    for exhibit in paper.entry.judged.values():
        if exhibit.evidence is not None:
            yield exhibit.evidence, str(exhibit.experiment), exhibit.where or None, exhibit.runs is None


def _of_cells(claims: Iterable[Claim]) -> Iterator[tuple[str, str, str, bool]]:
    for _, meaning in (meaning for claim in claims for meaning in claim.meanings):
        check = meaning.check
        if isinstance(check, PublishedCells) and not meaning.lacking:
            where = f"({check.where}) and " if check.where else ""
            yield check.published, check.table, f"{where}metric == '{check.metric}'", False


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
