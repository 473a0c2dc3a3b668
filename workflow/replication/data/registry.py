"""The registry of data sets and views, config/datasets.yaml, whose head explains its keys."""

from __future__ import annotations

import math
from typing import Annotated, Literal

from annotated_types import Ge, MinLen
from pydantic import (
    AfterValidator,
    BeforeValidator,
    Discriminator,
    PlainSerializer,
    StringConstraints,
    Tag,
    model_validator,
)

from claimaudit.configuration import Entry, Identifier, OneOrList, OneOrMapping, Text, unique
from claimaudit.names import ConfigurationError, known_names, shown

Names = Annotated[tuple[Text, ...], MinLen(1), AfterValidator(unique)]
Identifiers = Annotated[tuple[Identifier, ...], MinLen(1), AfterValidator(unique)]
Doi = Annotated[str, StringConstraints(pattern=r"^10\.")]
Sha256 = Annotated[str, StringConstraints(pattern="^[0-9a-f]{64}$")]
Address = Annotated[str, StringConstraints(pattern="^https?://")]
Count = Annotated[int, Ge(1)]
Number = Annotated[float | int, PlainSerializer(lambda number: number)]  # as it is written, because it names bins


class FileColumn(Entry):
    """Public description of one column, or, in the file, of several alike by their `names`.

    A categorical column has `values`, of which those in `absent` occur in no record; a numeric one has the `range` that
    its definition implies; `typical` and, for an identifier, `template` determine the values of a stand-in.
    """

    name: Text = ""
    names: Annotated[Names, MinLen(2)] | None = None
    kind: Literal["identifier", "categorical", "integer", "continuous"]
    template: Text | None = None
    values: Names = ()
    absent: Names = ()
    range: tuple[Number | None, Number | None] | None = None
    typical: tuple[Number, Number] | None = None

    @model_validator(mode="after")
    def _complete(self) -> FileColumn:
        needed = {"identifier": ("template",), "categorical": ("values",)}.get(self.kind, ("range", "typical"))
        if missing := [name for name in needed if not getattr(self, name)]:
            raise ValueError(f"a column of kind {self.kind} needs {missing[0]}")
        if bool(self.name) == bool(self.names):
            raise ValueError("a column has either a name or, with others alike, names")
        (low, high), (first, last) = self.bounds, self.typical or self.bounds
        if not low <= first <= last <= high:
            raise ValueError("range and typical must increase, typical within the range")
        if unknown := sorted({*self.absent} - {*self.values}):
            raise ValueError(f"absent: {unknown[0]} is none of its values")
        if self.values and len(self.absent) == len(self.values):
            raise ValueError("absent: it names all values; leave some")
        return self

    @property
    def bounds(self) -> tuple[Number, Number]:
        low, high = self.range or (None, None)
        return -math.inf if low is None else low, math.inf if high is None else high


def _each(groups: tuple[FileColumn, ...]) -> tuple[FileColumn, ...]:
    names = [(group, name) for group in groups for name in group.names or [group.name]]
    unique(tuple(name for _, name in names))
    return tuple(group.model_copy(update={"name": name, "names": None}) for group, name in names)


class CanonicalSource(Entry):
    """A canonical address; `member` is the file to take from a zip archive, `extract` the one column to keep."""

    url: Address
    member: Text | None = None
    extract: Text | None = None


class Format(Entry):
    """Layout of a raw file around and between its records."""

    separator: Literal[",", ", ", ";", " "]
    preamble: tuple[str, ...] = ()
    suffix: str = ""
    line_end: Literal["\n", "\r\n"] = "\n"
    ending: str = ""
    remark_fields: Annotated[int, Ge(0)] = 0


class Dataset(Entry):
    """A data set of any kind; `name` is its key."""

    name: str = ""
    title: Text
    citation: Text
    licence: Text
    homepage: Text | None = None


class DataFile(Dataset):
    """A data set with a file; `sha256`, `bytes` and `rows` describe it as it is read."""

    kind: Literal["file"]
    optional: bool = False
    doi: Doi | None
    status: Literal["original", "derived"]
    transformation: Text | None = None
    file: Text
    sha256: Sha256
    bytes: Count
    rows: Count
    sources: tuple[CanonicalSource, ...]
    format: Format
    columns: Annotated[tuple[FileColumn, ...], MinLen(1), AfterValidator(_each)]

    @model_validator(mode="after")
    def _complete(self) -> DataFile:
        if self.status == "derived" and self.transformation is None:
            raise ValueError("a derived data set needs its transformation")
        return self

    @property
    def attributes(self) -> tuple[FileColumn, ...]:
        """The columns that describe a record, without identifiers."""
        return tuple(column for column in self.columns if column.kind != "identifier")

    def column(self, name: str) -> FileColumn:
        """Return one column by its name."""
        columns = {column.name: column for column in self.columns}
        if name not in columns:
            raise ValueError(f"data set {self.name!r} has no column {name!r}{known_names(name, columns)}")
        return columns[name]


class Counts(Dataset):
    """A data set of which the paper gives the number of records, and of ones."""

    kind: Literal["counts"]
    n: Count
    n1: Annotated[int, Ge(0)]
    derivation: Text
    unavailable: Text

    @model_validator(mode="after")
    def _possible(self) -> Counts:
        if self.n1 > self.n:
            raise ValueError(f"n1, {self.n1}, is more than n, {self.n}")
        return self


class UserFile(Dataset):
    """A data set that only a user can supply."""

    kind: Literal["user_file"]
    unavailable: Text
    supply: Text


class Merge(Entry):
    """The documented values that one value replaces."""

    of: Names
    value: Text


class Attribute(Entry):
    """A column that becomes an attribute, and what is changed."""

    column: Text
    exclude: Names = ()
    cuts: Annotated[tuple[Number, ...], MinLen(1), AfterValidator(unique)] = ()
    merge: Annotated[tuple[Merge, ...], MinLen(2)] = ()


class ChangedAttribute(Attribute):
    """An attribute with one change, and why."""

    why: Text

    @model_validator(mode="after")
    def _changes(self) -> ChangedAttribute:
        if sum(map(bool, (self.exclude, self.cuts, self.merge))) != 1:
            raise ValueError("give one of exclude, cuts and merge, or only the name of the column")
        return self


def _unchanged(column: object) -> Attribute:
    if not isinstance(column, str) or not column:
        raise ValueError(f"{shown(column)} must be the name of a column, or a mapping with column, why and a change")
    return Attribute(column=column)


class Recipe(Entry):
    """All that determines a table of integer codes made of one or more data sets."""

    title: Text
    datasets: Identifiers
    rows: Count | None = None
    drop: Names = ()
    data_dependent: bool = False
    attributes: Literal["all"] | tuple[Attribute, ...]


class AlignedView(Recipe):
    """A recipe with its reasons."""

    papers: Identifiers
    why: Text
    attributes: OneOrList[
        Literal["all"],
        Annotated[
            tuple[OneOrMapping[Annotated[Attribute, BeforeValidator(_unchanged)], ChangedAttribute], ...], MinLen(1)
        ],
    ]


def _kind(content: object) -> str:
    kind = content.get("kind") if isinstance(content, dict) else getattr(content, "kind", None)
    return f"({kind})" if kind in ("counts", "user_file") else "(file)"


AnyDataset = Annotated[
    Annotated[DataFile, Tag("(file)")] | Annotated[Counts, Tag("(counts)")] | Annotated[UserFile, Tag("(user_file)")],
    Discriminator(_kind),
]


def _named(datasets: dict[str, AnyDataset]) -> dict[str, AnyDataset]:
    for name, one in datasets.items():
        if one.name:
            raise ValueError(f"{name} has a name besides its key; leave it out")
    return {name: one.model_copy(update={"name": name}) for name, one in datasets.items()}


class FetchJob(Entry):
    """A data set to fetch, and how often a stand-in for it was to be replaced."""

    dataset: DataFile
    attempt: int


class Registry(Entry):
    """A whole file."""

    datasets: Annotated[dict[Identifier, AnyDataset], AfterValidator(_named)]
    views: dict[Identifier, AlignedView]

    @property
    def files(self) -> dict[str, DataFile]:
        return {name: one for name, one in self.datasets.items() if isinstance(one, DataFile)}

    def file(self, name: str) -> DataFile:
        """Return a data set that has a file to fetch; without one it is a ConfigurationError."""
        match self.datasets.get(name):
            case DataFile() as found:
                return found
            case None:
                raise ConfigurationError(f"no data set {name!r}{known_names(name, self.datasets)}")
            case other:
                raise ConfigurationError(
                    f"data set {name!r} is of kind {other.kind!r} and has no file; {other.unavailable}"
                )

    def read_by(self, view: str) -> list[DataFile]:
        """Return the data sets of a view."""
        return [self.files[name] for name in self.views[view].datasets]
