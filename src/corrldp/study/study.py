"""A study as a Python object: tables of numbers, each computed when it is first used, and a page."""

from __future__ import annotations

from functools import cached_property
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd

from claimaudit.fingerprint import numeric_versions
from claimaudit.names import ConfigurationError, nearest
from corrldp.data.table import Table
from corrldp.protocols import names
from corrldp.study import dependence, errors, joint, leakage, output, page, privacy, recommendation, words
from corrldp.study.contenders import Contender, LeftOut, Users, contenders
from corrldp.study.progress import SILENT, Silent
from corrldp.study.reading import ColumnFacts, Facts, SourcedTable, read
from corrldp.study.settings import COLUMN, PUBLIC_DOMAIN, TABLES, StudySettings, parse

MOST_COLUMNS = 150
"""Of a table: the leakage through every column about every other takes minutes then, and four times as long for twice
as many columns."""


class Study:
    """Which protocol suits a table, how large its error is, what leaks, and which budget keeps that within a limit.

    Parameters
    ----------
    table : Table, SourcedTable, Path or str
        Records, what was read of a file, or a CSV, Excel or Parquet file.
    settings : StudySettings, optional
        All settings; or give some of them as keywords, such as ``epsilons=(1, 2)`` or ``sensitive=["income"]``. Domains
        (``columns=...``) apply to a file only: a `Table` has its own.
    progress : Progress, optional
        Tells how far the study is; by default nothing does.

    Raises
    ------
    ConfigurationError
        A setting or the file is wrong; one line each.

    Notes
    -----
    Simulations and the choice from the table look at the records, so their results are not private.
    """

    def __init__(
        self,
        table: Table | SourcedTable | Path | str,
        settings: StudySettings | None = None,
        progress: Silent = SILENT,
        **changes: Any,  # noqa: ANN401
    ) -> None:
        self.progress = progress
        self.settings = parse({**(settings.model_dump() if settings else {}), **changes})
        _import_own(self.settings)
        self.reading = _reading(table, self.settings)
        if self.table.d > MOST_COLUMNS:
            raise ConfigurationError(
                f"{self.table.d:,} columns are too many: a study compares every two, and takes at most {MOST_COLUMNS}; "
                "leave_out those that matter least, or study a file of those that matter"
            )
        for name in self.settings.sensitive:
            if name not in self.table.names:
                names = ", ".join(self.table.names)
                raise ConfigurationError(
                    f"sensitive: no column {name!r}; there are {names}{nearest(name, self.table.names)}"
                )
        if not self.collected.names:
            raise ConfigurationError(f"sensitive={list(self.settings.sensitive)} leaves no column to collect")
        built, left_out = self._built
        if not built:
            raise ConfigurationError("no protocol can be compared: " + " ".join(self._of_left_out(left_out)))

    @property
    def table(self) -> Table:
        """All columns that were read."""
        return self.reading.table

    @cached_property
    def collected(self) -> Table:
        """The columns that users report: all but the sensitive ones."""
        return self.table.subset([name for name in self.table.names if name not in self.settings.sensitive])

    @cached_property
    def _users(self) -> Users:
        return Users(self.collected)

    @cached_property
    def _built(self) -> tuple[list[Contender], LeftOut]:
        return contenders(self.settings, self.collected.sizes)

    @cached_property
    def _competing(self) -> tuple[list[Contender], LeftOut]:
        return privacy.split(self._built[0], self.privacy)

    @cached_property
    def _errors(self) -> tuple[list[errors.Error], LeftOut]:
        return errors.measure(self._competing[0], self._users, self.settings, self.progress)

    @property
    def _measured(self) -> list[Contender]:
        """The competing protocols whose error could be measured."""
        measured = {(one.contender.name, one.contender.epsilon) for one in self._errors[0]}
        return [one for one in self._competing[0] if (one.name, one.epsilon) in measured]

    @cached_property
    def error(self) -> pd.DataFrame:
        """Expected squared errors: see `corrldp.study.errors.table_of`."""
        return errors.table_of(self._errors[0], self._users)

    @cached_property
    def candidates(self) -> pd.DataFrame:
        """All that can be chosen at each budget: see `corrldp.study.recommendation.compare`."""
        return recommendation.compare(self._errors[0], self._measured, self._users, self.settings)

    @cached_property
    def recommendation(self) -> pd.DataFrame:
        """The protocol to choose at each budget: see `corrldp.study.recommendation.recommend`."""
        return recommendation.recommend(self.candidates)

    @cached_property
    def accuracy(self) -> pd.DataFrame:
        """How exactly shares are read, by column: see `corrldp.study.errors.accuracy`."""
        return errors.accuracy(self.recommendation, self._errors[0], self._competing[0], self._users)

    @cached_property
    def dependence(self) -> pd.DataFrame:
        """Dependence of every two columns: see `corrldp.study.dependence.measure`."""
        return dependence.measure(self.table, self.settings, self.progress)

    @cached_property
    def _joint(self) -> tuple[pd.DataFrame, LeftOut]:
        return joint.measure(self.collected, self.dependence, self.settings, self.progress)

    @property
    def joint(self) -> pd.DataFrame:
        """Errors of joint tables: see `corrldp.study.joint.measure`."""
        return self._joint[0]

    @cached_property
    def leakage(self) -> pd.DataFrame:
        """What leaks about each attacked column: see `corrldp.study.leakage.measure`."""
        return leakage.measure(self.table, self.settings, self.progress)

    @cached_property
    def curve(self) -> pd.DataFrame:
        """Leakage along the budget: see `corrldp.study.leakage.curve`."""
        return leakage.curve(self.table, self.settings, self.progress)

    @cached_property
    def budget(self) -> pd.DataFrame:
        """The largest budget within the limit of leakage: see `corrldp.study.leakage.budgets`."""
        return leakage.budgets(self.table, self.settings, self.progress)

    @cached_property
    def privacy(self) -> pd.DataFrame:
        """Exact privacy of every protocol: see `corrldp.study.privacy.measure`."""
        return privacy.measure(self._built[0], self.collected.sizes, self.progress)

    @cached_property
    def left_out(self) -> pd.DataFrame:
        """What the study leaves out, and why: columns `kind, what, epsilon, reason`."""
        columns = [{"kind": COLUMN, "what": one.name, "reason": one.reason} for one in self.reading.facts.left_out]
        rows = [*columns, *self._built[1], *self._competing[1], *self._errors[1], *self._joint[1]]
        return output.frame("left_out", rows)

    def warnings(self) -> list[str]:
        """Return what is wrong with the file, the domains or a protocol; it is known before anything is simulated."""
        of_protocols = [
            *privacy.of_broken(self.privacy),
            *privacy.of_unknown(self.privacy),
            *self._of_left_out(self._built[1]),
        ]
        return [*words.of_reading(self.reading.facts), *of_protocols]

    def answers(self) -> list[words.Answer]:
        """Return the answers, as they stand on the page."""
        return words.answers(self.tables(), self.about())

    def gaps(self) -> list[str]:
        """Return what turned out to be beyond computing, and why."""
        return self._of_left_out([*self._errors[1], *self._joint[1]])

    def _of_left_out(self, rows: LeftOut) -> list[str]:
        return words.of_left_out(rows, self.settings.epsilons)

    def tables(self) -> dict[str, pd.DataFrame]:
        """Return all tables by name."""
        return {name: getattr(self, name) for name in TABLES}

    def about(self) -> output.StudyFacts:
        """Return what a reader of the tables must know: the source, the domains, the settings, versions."""
        table, users = self.collected, self._users
        return output.StudyFacts(
            facts=self.reading.facts,
            n=table.n,
            distinct=len(users.records.rows),
            collected=dict(zip(table.names, table.sizes, strict=True)),
            largest=dict(zip(table.names, np.nanmax(users.marginals.frequencies(), axis=1).tolist(), strict=True)),
            through=leakage.joined(self.table, self.settings),
            settings=self.settings,
            versions=numeric_versions(),
        )

    def write(self, directory: Path | str) -> Path:
        """Write the tables, the figures and the page into a directory; return the page."""
        tables, about = self.tables(), self.about()
        output.write_tables(tables, about, Path(directory))
        return page.write(tables, about, Path(directory))


def _import_own(settings: StudySettings) -> None:
    """Import the user's own protocols before anything else is done."""
    for name in settings.protocols:
        base = names.parse(name).base
        if names.source_of(base) is not None:
            try:
                names.load_class(base)
            except ValueError as error:
                raise ConfigurationError(f"protocols: {name}: {error}") from None


def _reading(table: Table | SourcedTable | Path | str, settings: StudySettings) -> SourcedTable:
    if isinstance(table, SourcedTable):
        return table
    if not isinstance(table, Table):
        return read(Path(table), settings)
    columns = [
        ColumnFacts(name, PUBLIC_DOMAIN, {"values": list(values)}, list(values))
        for name, values in zip(table.names, table.values, strict=True)
    ]
    return SourcedTable(table, Facts("", "", "a table in memory", {}, table.n, 0, columns, []))
