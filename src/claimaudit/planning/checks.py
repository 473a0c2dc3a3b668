"""Check the folder of a paper as a whole, before anything runs."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Mapping
from contextlib import contextmanager
from functools import cache

from claimaudit.audit.claim import Claim
from claimaudit.names import ConfigurationError
from claimaudit.papers import checks
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
            self.lines += [f"{directory}/{line}" for line in str(error).splitlines()]

    def raise_if_any(self) -> None:
        """Raise all faults so far as one ConfigurationError."""
        if self.lines:
            raise ConfigurationError("\n".join(self.lines))


def load(
    folder: Folder, views: Collection[str] | None, found: Faults
) -> tuple[Paper | None, Mapping[str, Claim] | None]:
    """Read a paper and its claims by id, each None if it cannot be read, and collect the faults of the folder."""
    paper: Paper | None = None
    stated: Mapping[str, Claim] | None = None
    with found.of(folder.shown):
        paper = checks.load(folder, views)
    table_of = _tables(paper)
    if paper is not None:
        with found.of(folder.shown):
            shown.check(folder.paper, paper, table_of)
    # Figures and tables need no claims; only the targets that do then lack the file.
    if folder.claims.exists():
        with found.of(folder.shown):
            stated = claims.load(folder, paper, table_of)
    with found.of(folder.shown):
        printed.check(folder.published, paper, (stated or {}).values(), table_of)
    with found.of(folder.shown):
        claims.check_coverage(folder.coverage, stated)
    return paper, stated


def _tables(paper: Paper | None) -> Callable[[str], TableNames]:
    """Return what tells, once for each experiment of a paper that could be read, what its result table can contain."""

    @cache
    def table_of(experiment: str) -> TableNames:
        assert paper is not None
        return TableNames.of(paper, experiment)

    return table_of
