"""A study as a Python object: tables of numbers, each computed when it is first used, and a page."""

import sys
import time
from collections.abc import Iterator, Sequence
from functools import cached_property
from itertools import combinations
from math import nan
from pathlib import Path
from typing import Any, NamedTuple, TypeVar

import numpy as np
import pandas as pd

from claimaudit.fingerprint import numeric_versions
from claimaudit.names import ConfigurationError, nearest
from corrldp.data.table import Table
from corrldp.formats import duration
from corrldp.protocols import names
from corrldp.study import contenders, dependence, errors, leakage, page, words
from corrldp.study.columns import PUBLIC_DOMAIN, ColumnFacts
from corrldp.study.contenders import Contender, Users
from corrldp.study.reading import Facts, read
from corrldp.study.settings import ColumnDomain, StudySettings, parse
from corrldp.study.tables import TABLES, Candidate, Gap, Recommendation, StudyFacts, rows_of, table, write_tables

Item = TypeVar("Item")

MOST_COLUMNS = 150
"""Of a table: the leakage through every column about every other takes minutes then, and four times as long for twice
as many columns."""

PAUSE = 0.5  # seconds between two lines of progress
LATE = 10.0  # seconds until it is said where nobody watches: a file or a pipe


class Progress:
    """Says how far each step is, on one line of the terminal that is written anew, with the time left.

    Each line begins with `who`, the command; without it, nothing is said.
    """

    def __init__(self, who: str = "") -> None:
        self.who = who
        self.said = time.monotonic()

    def track(self, step: str, items: Sequence[Item]) -> Iterator[Item]:
        """Yield the items of a step, and say how many are done and how long the others will take."""
        live, start = sys.stderr.isatty(), time.monotonic()
        for done, item in enumerate(items):
            now = time.monotonic()
            if self.who and now - self.said > (PAUSE if live else LATE):
                self.said = now
                left = f", {duration((now - start) / done * (len(items) - done))} left" if done else ""
                line = f"{self.who}: {step}: {done} of {len(items)}{left}"
                print(f"\r\x1b[K{line}" if live else line, end="" if live else "\n", file=sys.stderr, flush=True)
            yield item
        if self.who and live:
            print("\r\x1b[K", end="", file=sys.stderr, flush=True)


class Study:
    """Which protocol suits a table, how large its error is, what leaks, and which budget keeps that within a limit.

    The table is in memory, or a CSV, Excel or Parquet file. Give all `settings`, or some of them as keywords, such as
    ``epsilons=(1, 2)`` or ``sensitive=["income"]``; domains (``columns=...``) apply to a file only: a `Table` has its
    own. The `progress` tells how far the study is; by default nothing does. A wrong setting or file is a
    ConfigurationError, one line each.

    Each of the `tables` is a property; the class of its rows, in `corrldp.study.tables`, says what its columns are.
    Simulations and the choice from the table look at the records, so their results are not private.
    """

    def __init__(
        self,
        table: Table | Path | str,
        settings: StudySettings | None = None,
        progress: Progress | None = None,
        **changes: Any,  # noqa: ANN401
    ) -> None:
        self._track = (progress or Progress()).track
        self.settings = parse({**(settings.model_dump() if settings else {}), **changes})
        _import_own(self.settings)
        self.table, self.facts = _of_memory(table) if isinstance(table, Table) else read(Path(table), self.settings)
        if self.table.d > MOST_COLUMNS:
            raise ConfigurationError(
                f"{self.table.d:,} columns are too many: a study compares every two, and takes at most {MOST_COLUMNS}; "
                "leave_out those that matter least, or study a file of those that matter"
            )
        sensitive, known = self.settings.sensitive, self.table.names
        for name in sensitive:
            if name not in known:
                there_are = f"there are {', '.join(known)}{nearest(name, known)}"
                raise ConfigurationError(f"sensitive: no column {name!r}; {there_are}")
        if set(known) == set(sensitive):
            raise ConfigurationError(f"sensitive={list(sensitive)} leaves no column to collect")
        self.collected = self.table.subset([name for name in known if name not in sensitive])
        self._users = Users(self.collected)
        self._built, self._not_built = contenders.contenders(self.settings, self.collected.sizes)
        if not self._built:
            raise ConfigurationError("no protocol can be compared: " + " ".join(self._say(self._not_built)))

    @table
    def privacy(self) -> Iterator[NamedTuple]:
        for one in self._track("exact privacy", self._built):
            yield contenders.privacy(one, self.collected.sizes)

    @cached_property
    def _competing(self) -> tuple[list[Contender], list[Gap]]:
        return contenders.split(self._built, self.privacy)

    @cached_property
    def _errors(self) -> tuple[list[errors.Error], list[Gap]]:
        tracked = self._track("errors of protocols", self._competing[0])
        return errors.measure(tracked, self._users, self.settings)

    @table
    def error(self) -> Iterator[NamedTuple]:
        for one in self._errors[0]:
            yield from errors.of_values(one, self._users)

    @table
    def candidates(self) -> Iterator[NamedTuple]:
        return errors.compare(self._errors[0], self._users, self.settings)

    @table
    def recommendation(self) -> Iterator[NamedTuple]:
        for _, found in self.candidates.groupby(["epsilon", "basis"], sort=False):
            yield errors.recommended(*rows_of(Candidate, found))

    @table
    def accuracy(self) -> Iterator[NamedTuple]:
        for chosen in rows_of(Recommendation, self.recommendation):
            yield from errors.accuracy(chosen, self._errors[0], self._users)

    @cached_property
    def dependence(self) -> pd.DataFrame:
        pairs = list(combinations(self.table.names, 2))
        return dependence.measure(self.table, self._track("dependence", pairs), self.settings)

    @cached_property
    def _sets(self) -> dict[int, list[tuple[str, ...]]]:
        ways, most = self.settings.tables.ways, self.settings.tables.sets
        possible = [w for w in ways if w <= self.collected.d]
        return {w: dependence.strongest(self.collected, self.dependence, w, most) for w in possible}

    @table
    def joint(self) -> Iterator[NamedTuple]:
        for w, sets in self._sets.items():
            for columns in self._track(f"tables of {w} columns", sets):
                for epsilon in self.settings.epsilons:
                    yield from dependence.of_set(self.collected, columns, epsilon, self.settings)

    @property
    def _attacks(self) -> list[leakage.Attack]:
        return leakage.attacks(self.table, self.settings)

    @table
    def leakage(self) -> Iterator[NamedTuple]:
        for attack in self._track("leakage", self._attacks):
            yield from leakage.leaks(attack, self.settings)

    @table
    def curve(self) -> Iterator[NamedTuple]:
        for attack in self._track("leakage along the budget", self._attacks):
            yield from leakage.curve(attack, self.settings)

    @table
    def budget(self) -> Iterator[NamedTuple]:
        for attack in self._track("budgets within the limit", self._attacks):
            yield from leakage.budgets(attack, self.settings)

    @table
    def left_out(self) -> Iterator[NamedTuple]:
        for name, reason in self.facts.left_out.items():
            yield Gap("column", name, nan, reason)
        yield from (*self._not_built, *self._competing[1], *self._beyond())

    def _beyond(self) -> list[Gap]:
        reason = f"none has at most {dependence.MOST_CELLS:,} cells"
        without = (f"tables of {w} columns" for w, sets in self._sets.items() if not sets)
        return [*self._errors[1], *(Gap("joint tables", what, nan, reason) for what in without)]

    def warnings(self) -> list[str]:
        """Return what is wrong with the file, the domains or a protocol; it is known before anything is simulated."""
        broken, unknown = contenders.of_broken(self.privacy), contenders.of_unknown(self.privacy)
        return [*words.of_reading(self.facts), *broken, *unknown, *self._say(self._not_built)]

    def answers(self) -> list[words.StudyAnswer]:
        """Return the answers, as they stand on the page."""
        return words.answers(self.tables(), self.about())

    def gaps(self) -> list[str]:
        """Return what turned out to be beyond computing, and why."""
        return self._say(self._beyond())

    def _say(self, left_out: list[Gap]) -> list[str]:
        return words.of_left_out(left_out, self.settings.epsilons)

    def tables(self) -> dict[str, pd.DataFrame]:
        """Return all tables by name."""
        return {name: getattr(self, name) for name in TABLES}

    def about(self) -> StudyFacts:
        """Return what a reader of the tables must know: the source, the domains, the settings, versions."""
        table = self.collected
        largest = np.nanmax(self._users.marginals.frequencies(), axis=1).tolist()
        return StudyFacts(
            facts=self.facts,
            n=table.n,
            distinct=len(self._users.records.rows),
            collected=dict(zip(table.names, table.sizes, strict=True)),
            largest=dict(zip(table.names, largest, strict=True)),
            through={attack.column: attack.joined for attack in self._attacks},
            settings=self.settings,
            versions=numeric_versions(),
        )

    def write(self, directory: Path | str) -> Path:
        """Write the tables, the figures and the page into a directory; return the page."""
        tables, about = self.tables(), self.about()
        write_tables(tables, about, Path(directory))
        return page.write(tables, about, Path(directory))


def _import_own(settings: StudySettings) -> None:
    for name in settings.protocols:
        base = names.parse(name).base
        if names.source_of(base) is not None:
            try:
                names.load_class(base)
            except ValueError as error:
                raise ConfigurationError(f"protocols: {name}: {error}") from None


def _of_memory(table: Table) -> tuple[Table, Facts]:
    columns = [
        ColumnFacts(name, PUBLIC_DOMAIN, ColumnDomain.model_construct(values=values), values)
        for name, values in zip(table.names, table.values, strict=True)
    ]
    return table, Facts("", "", "a table in memory", {}, table.n, 0, columns, {})
