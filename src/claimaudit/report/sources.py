"""Data set by text: what the text says it used, what is used here, what differs, and what a user can supply."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any

from claimaudit.words.origins import state_of_data

Facts = Mapping[str, Any]


@dataclass(frozen=True)
class ShownDataSet:
    """A data set of the project, as whoever has it tells the report.

    Attributes
    ----------
    kind
        ``file``; ``counts`` if only printed counts are used; ``user_file`` if only a user can supply it.
    rows, ones
        Records of the file, or those of which the text gives the number, and how many of these hold 1.
    layout
        How the file is written.
    unavailable, derivation, transformation
        Why there is no file, how the text counts, and how the file was made from the published one.
    supply
        What a user can do.
    state
        Whether this run has it, in words.
    missing
        Whether it has no data in this run.
    """

    name: str
    title: str
    kind: str
    licence: str
    citation: str
    doi: str = ""
    homepage: str = ""
    file: str = ""
    bytes: int = 0
    rows: int = 0
    sha256: str = ""
    ones: int = 0
    layout: str = ""
    unavailable: str = ""
    derivation: str = ""
    transformation: str = ""
    supply: str = ""
    addresses: tuple[str, ...] = ()
    optional: bool = False
    state: str = ""
    missing: bool = False


@dataclass(frozen=True)
class ReadView:
    """A table that experiments read: `n` records without those that hold a value of `without`, and `d` attributes."""

    title: str
    why: str
    datasets: tuple[str, ...]
    n: int
    d: int
    without: tuple[str, ...] = ()


@dataclass(frozen=True)
class Used:
    """A data set of a text: what `stated` says of it (empty if only we use it), our data sets, and their views."""

    name: str
    stated: Facts
    datasets: tuple[ShownDataSet, ...]
    views: tuple[ReadView, ...]

    @property
    def missing(self) -> bool:
        """Whether this run has no data for it."""
        return any(one.missing for one in self.datasets)


def used(entry: Facts, datasets: Facts, views: Facts, records: Facts) -> list[Used]:
    """Return the data sets of a paper, those that its text names first.

    Parameters
    ----------
    entry
        The paper as described for reports.
    datasets, views
        `ShownDataSet` and `ReadView` as plain data, by name.
    records
        The records of the data sets of this run, by name.
    """
    read = {name: ReadView(**views[name]) for one in entry["experiments"].values() for name in one["views"]}
    rows, named = [], set()
    for name, stated in entry["data"].items():
        own = [one for one in stated["datasets"] if one in datasets]
        named |= {*own}
        rows.append(Used(name, stated, _sets(own, datasets, records), _of(own, read)))
    for names in dict.fromkeys(tuple(view.datasets) for view in read.values() if named.isdisjoint(view.datasets)):
        known = _sets([*names], datasets, records)
        rows.append(Used(known[0].title, {}, known, _of([*names], read)))
    return rows


def _sets(names: list[str], datasets: Facts, records: Facts) -> tuple[ShownDataSet, ...]:
    found = []
    for name in names:
        told = ShownDataSet(**{"name": name, **datasets[name]})
        state, missing = state_of_data(told.kind, told.optional, records.get(name))
        found.append(replace(told, state=state, missing=missing))
    return tuple(found)


def _of(datasets: list[str], read: Mapping[str, ReadView]) -> tuple[ReadView, ...]:
    return tuple(view for view in read.values() if {*view.datasets} <= {*datasets})
