"""Data set by text: what the text says it used, what is used here, what differs, and what a user can supply."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace

from claimaudit.papers.entries import DataEntry
from claimaudit.papers.jobs import Description
from claimaudit.words.numbers import listed
from claimaudit.words.origins import STANDIN, state_of_data


@dataclass(frozen=True)
class FileRecord:
    """The record of a data set's file: what it is, and whether it is the original one, from where."""

    dataset: str
    title: str
    licence: str
    citation: str
    source: str
    sha256: str
    bytes: int
    status: str
    doi: str | None = None

    @property
    def made_up(self) -> bool:
        return self.status == STANDIN


@dataclass(frozen=True)
class ShownDataSet:
    """A data set of the project, as whoever has it tells the report.

    Its `kind` is ``file``; ``counts`` if only printed counts are used, of `rows` records of which so many are `ones`;
    or ``user_file`` if only a user can supply it. `derivation` says how the text counts, `transformation` how the file
    was made from the published one, `supply` what a user can do, and `state` whether this run has it.
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

    @property
    def extent(self) -> str:
        """What this run has of it, in a word or two."""
        counts = "only counts known" if self.kind == "counts" else self.state.partition(" ")[0]
        return "missing" if self.missing else counts

    @property
    def by_hand(self) -> bool:
        """Whether no address has its file."""
        return self.kind != "counts" and not self.addresses


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
    """A data set of a text: what `stated` says of it (None if only we use it), our data sets, and their views."""

    name: str
    stated: DataEntry | None
    datasets: tuple[ShownDataSet, ...]
    views: tuple[ReadView, ...]

    @property
    def missing(self) -> bool:
        return any(one.missing for one in self.datasets)

    @property
    def states(self) -> str:
        return ", ".join(f"{one.name} ({one.state})" for one in self.datasets) or "made here"

    @property
    def sums(self) -> str:
        """The beginnings of the checksums of its files that this run has."""
        return ", ".join(one.sha256[:12] for one in self.datasets if one.sha256 and not one.missing)


def used(
    paper: Description,
    datasets: Mapping[str, ShownDataSet],
    views: Mapping[str, ReadView],
    records: Mapping[str, FileRecord],
) -> list[Used]:
    """Return the data sets of a paper, those that its text names first.

    `datasets` and `views` are those of the project, and `records` those of the data sets of this run, by name.
    """
    known = {name: _in_this_run(one, records.get(name)) for name, one in datasets.items()}
    read = {name: views[name] for one in paper.experiments.values() for name in one.views}

    def used_as(name: str, stated: DataEntry | None, own: tuple[str, ...]) -> Used:
        within = tuple(view for view in read.values() if {*view.datasets} <= {*own})
        return Used(name, stated, tuple(known[one] for one in own), within)

    rows = [
        used_as(name, stated, tuple(one for one in stated.datasets if one in known))
        for name, stated in paper.data.items()
    ]
    named = {one.name for row in rows for one in row.datasets}
    others = dict.fromkeys(view.datasets for view in read.values() if named.isdisjoint(view.datasets))
    return [*rows, *(used_as(listed([known[one].title for one in names]), None, names) for names in others)]


def _in_this_run(one: ShownDataSet, record: FileRecord | None) -> ShownDataSet:
    status, source = (record.status, record.source) if record else ("", "")
    state, missing = state_of_data(one.kind, one.optional, status, source)
    return replace(one, state=state, missing=missing)
