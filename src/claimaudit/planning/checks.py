"""Check the folder of a paper as a whole, before anything runs."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Mapping
from contextlib import contextmanager
from functools import cache
from pathlib import Path

from claimaudit.audit.claim import Claim
from claimaudit.names import ConfigurationError
from claimaudit.papers import checks, replies
from claimaudit.papers.folder import Folder
from claimaudit.papers.paper import Paper
from claimaudit.planning import claims, printed, shown
from claimaudit.planning.tables import TableNames


class Faults:
    """Faults of many files, so that one plan reports them all."""

    def __init__(self) -> None:
        self.lines: list[str] = []

    @contextmanager
    def of(self, directory: str) -> Iterator[None]:
        """Collect the faults that the block raises, of files in a directory."""
        try:
            yield
        except ConfigurationError as error:
            self.add(directory, error)

    def add(self, directory: str, error: ConfigurationError) -> None:
        """Add the faults in an error, of files in a directory."""
        self.lines += [f"{directory}/{line}" for line in str(error).splitlines()]

    def raise_if_any(self) -> None:
        """Raise all faults so far as one ConfigurationError."""
        if self.lines:
            raise ConfigurationError("\n".join(self.lines))


def load(
    folder: Folder, views: Collection[str] | None, found: Faults, made: Mapping[str, Path] | None = None
) -> tuple[Paper | None, Mapping[str, Claim] | None]:
    """Read a paper and its claims by id, each None if it cannot be read, and collect the faults of the folder.

    `made` are the files that commands have written, by experiment; without one, names in claims are not checked.
    """
    paper: Paper | None = None
    stated: Mapping[str, Claim] | None = None
    with found.of(folder.shown):
        paper = checks.load(folder, views)
    table_of = _tables(paper, found, made or {})
    if paper is not None:
        with found.of(folder.shown):
            shown.check(folder.paper, paper, table_of)
    # Figures and tables need no claims; only the targets that do then lack the file.
    if folder.claims.exists():
        with found.of(folder.shown):
            stated = claims.load(folder, paper, table_of)
    if stated is not None:
        with found.of(folder.shown):
            replies.load(folder.replies, stated)
    with found.of(folder.shown):
        printed.check(folder.published, paper, (stated or {}).values(), table_of)
    return paper, stated


def _tables(paper: Paper | None, found: Faults, made: Mapping[str, Path]) -> Callable[[str], TableNames | None]:
    """Return what tells, once for each experiment of a paper that could be read, what its result table can contain.

    It is None if nobody knows: a command has not made it, or the file is faulty, which is told once.
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
