"""The ids of reports that a server has counted, so that none is counted twice."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Self


class ReplayError(ValueError):
    """A report, or a part of a state, is there already."""


class Seen:
    """The ids of reports that a server has counted, in a file, or for one run only; closed by its `with`.

    Parameters
    ----------
    path : Path, optional

    Raises
    ------
    ValueError
        The file is another one, or another process counts reports with it.
    """

    def __init__(self, path: Path | None = None) -> None:
        try:
            self.database = sqlite3.connect("" if path is None else path, isolation_level=None)
            self.database.execute("CREATE TABLE IF NOT EXISTS seen (id BLOB PRIMARY KEY) WITHOUT ROWID")
            self.database.execute("BEGIN IMMEDIATE")
        except sqlite3.Error as error:
            raise ValueError(f"{path} cannot keep what was seen: {error}") from error

    @contextmanager
    def adding(self, ids: Sequence[str | None]) -> Iterator[None]:
        """Add ids, unless one is there already or what is done meanwhile fails.

        Raises
        ------
        ReplayError
            An id is there already.
        """
        known = [bytes.fromhex(one) for one in ids if one is not None]
        self.database.execute("SAVEPOINT block")
        try:
            for one in known:
                if not self.database.execute("INSERT OR IGNORE INTO seen VALUES (?)", (one,)).rowcount:
                    raise ReplayError(f"report {one.hex()} has been counted already")
            yield
        except BaseException:
            self.database.execute("ROLLBACK TO block")
            raise
        finally:
            self.database.execute("RELEASE block")

    def commit(self) -> None:
        """Keep what was added."""
        self.database.execute("COMMIT")

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *error: object) -> None:
        self.database.close()
