"""The format of the registry of data sets, config/datasets.yaml, and its checks; jobs get checked entries."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import replace
from pathlib import Path
from typing import Annotated, Any, Literal

import pandas as pd
from annotated_types import Ge, MinLen
from pydantic import AfterValidator, Discriminator, StringConstraints, Tag, model_validator

from claimaudit import configuration
from claimaudit.configuration import Entry, Fault, Identifier, Text, faults_in, refuse, unique
from claimaudit.names import known_names
from replication.data.align import RawRecords, align
from replication.data.registry import Dataset
from replication.data.standin import standin_bytes


def _kind(content: object) -> str:
    kind = content.get("kind") if isinstance(content, dict) else None
    return f"({kind})" if kind in ("counts", "user_file") else "(file)"


Names = Annotated[tuple[Text, ...], MinLen(1), AfterValidator(unique)]
Identifiers = Annotated[tuple[Identifier, ...], MinLen(1), AfterValidator(unique)]
Doi = Annotated[str, StringConstraints(pattern=r"^10\.")]
Sha256 = Annotated[str, StringConstraints(pattern="^[0-9a-f]{64}$")]
Address = Annotated[str, StringConstraints(pattern="^https?://")]
Count = Annotated[int, Ge(1)]
Bound = float | None


class ColumnEntry(Entry):
    """One column with a name, or several alike with names."""

    name: Text | None = None
    names: Annotated[Names, MinLen(2)] | None = None
    kind: Literal["identifier", "categorical", "integer", "continuous"]
    template: Text | None = None
    values: Names | None = None
    absent: Names | None = None
    range: tuple[Bound, Bound] | None = None
    typical: tuple[float, float] | None = None

    @model_validator(mode="after")
    def _complete(self) -> ColumnEntry:
        needed = {"identifier": ("template",), "categorical": ("values",)}.get(self.kind, ("range", "typical"))
        if missing := [name for name in needed if getattr(self, name) is None]:
            raise ValueError(f"a column of kind {self.kind} needs {missing[0]}")
        if (self.name is None) == (self.names is None):
            raise ValueError("a column has either a name or, with others alike, names")
        return self


class SourceEntry(Entry):
    """A canonical address; `member` is the file to take from a zip archive, `extract` the one column to keep."""

    url: Address
    member: Text | None = None
    extract: Text | None = None


class FormatEntry(Entry):
    """Layout of a raw file around and between its records."""

    separator: Literal[",", ", ", ";", " "]
    preamble: tuple[str, ...] = ()
    suffix: str = ""
    line_end: Literal["\n", "\r\n"] = "\n"
    ending: str = ""
    remark_fields: Annotated[int, Ge(0)] = 0


class SetEntry(Entry):
    """What is said of a data set of any kind."""

    title: Text
    citation: Text
    licence: Text
    homepage: Text | None = None


class FileEntry(SetEntry):
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
    sources: tuple[SourceEntry, ...]
    format: FormatEntry
    columns: Annotated[tuple[ColumnEntry, ...], MinLen(1)]

    @model_validator(mode="after")
    def _complete(self) -> FileEntry:
        if self.status == "derived" and self.transformation is None:
            raise ValueError("a derived data set needs its transformation")
        return self


class CountsEntry(SetEntry):
    """A data set of which the paper gives the number of records, and of ones."""

    kind: Literal["counts"]
    n: Count
    n1: Annotated[int, Ge(0)]
    derivation: Text
    unavailable: Text


class UserFileEntry(SetEntry):
    """A data set that only a user can supply."""

    kind: Literal["user_file"]
    unavailable: Text
    supply: Text


class MergeEntry(Entry):
    """A value, and the documented values that it replaces."""

    value: Text
    of: Names


class AttributeEntry(Entry):
    """A column with what is changed, and why."""

    column: Text
    why: Text
    exclude: Names | None = None
    cuts: Annotated[tuple[float, ...], MinLen(1), AfterValidator(unique)] | None = None
    merge: Annotated[tuple[MergeEntry, ...], MinLen(2)] | None = None

    @model_validator(mode="after")
    def _changes(self) -> AttributeEntry:
        if sum(change is not None for change in (self.exclude, self.cuts, self.merge)) != 1:
            raise ValueError("give one of exclude, cuts and merge, or only the name of the column")
        return self


def _form(content: object) -> str:
    return "(mapping)" if isinstance(content, dict) else "(value)"


class ViewEntry(Entry):
    """A table of integer codes, made of one or more data sets."""

    title: Text
    papers: Identifiers
    datasets: Identifiers
    why: Text
    rows: Count | None = None
    drop: Names | None = None
    data_dependent: bool = False
    attributes: Annotated[
        Annotated[Literal["all"], Tag("(word)")]
        | Annotated[
            tuple[
                Annotated[
                    Annotated[Text, Tag("(value)")] | Annotated[AttributeEntry, Tag("(mapping)")], Discriminator(_form)
                ],
                ...,
            ],
            MinLen(1),
            Tag("(list)"),
        ],
        Discriminator(lambda content: "(list)" if isinstance(content, list | tuple) else "(word)"),
    ]


class RegistryFile(Entry):
    """A whole file."""

    datasets: dict[
        Identifier,
        Annotated[
            Annotated[FileEntry, Tag("(file)")]
            | Annotated[CountsEntry, Tag("(counts)")]
            | Annotated[UserFileEntry, Tag("(user_file)")],
            Discriminator(_kind),
        ],
    ]
    views: dict[Identifier, ViewEntry]


def load_registry(path: Path) -> dict[str, Any]:
    """Read the registry and check its form and its consistency.

    Raises
    ------
    ConfigurationError
        One line for each fault, with file, line and key.
    """
    registry: dict[str, Any] = configuration.read(path)
    refuse(path, faults_in(registry, RegistryFile) or faults(registry))
    return registry


def faults(registry: Mapping[str, Any]) -> Iterator[Fault]:
    """Yield what the form does not show: order, names of columns and views, what stand-ins and alignment reject."""
    for part in ("datasets", "views"):
        names = list(registry[part])
        if names != sorted(names):
            first = next(a for a, b in zip(names, sorted(names), strict=True) if a != b)
            yield (part, first), f"{part} must be sorted by name: move {first!r}"
    datasets = {
        name: Dataset.from_entry(name, entry) for name, entry in registry["datasets"].items() if entry["kind"] == "file"
    }
    for name, dataset in datasets.items():
        yield from ((("datasets", name, *place), words) for place, words in _of_data_set(dataset))
    for name, entry in registry["datasets"].items():
        if entry["kind"] == "counts" and entry["n1"] > entry["n"]:
            yield ("datasets", name, "n1"), f"{entry['n1']} is more than n, {entry['n']}"
    for view, recipe in registry["views"].items():
        yield from ((("views", view, *place), words) for place, words in _of_view(view, recipe, datasets))


def _of_data_set(dataset: Dataset) -> Iterator[Fault]:
    name, times = Counter(column.name for column in dataset.columns).most_common(1)[0]
    if times > 1:
        yield ("columns",), f"data set {dataset.name!r} has {times} columns named {name!r}; rename them"
    for column in dataset.columns:
        (low, high), typical = column.bounds, column.typical or (0, 0)
        if low > high or (column.typical and not low <= typical[0] <= typical[1] <= high):
            yield ("columns",), f"column {column.name!r}: range and typical must increase, typical within the range"
        if unknown := sorted(set(column.absent) - set(column.values)):
            yield ("columns",), f"column {column.name!r}: absent: {unknown[0]} is none of its values"
        elif column.values and len(column.absent) == len(column.values):
            yield ("columns",), f"column {column.name!r}: absent: it names all values; leave some"
    try:
        standin_bytes(replace(dataset, rows=1))
    except (ValueError, KeyError, IndexError, AttributeError) as error:
        yield ("columns",), f"no stand-in can be made: {type(error).__name__} {error}; correct the format or a template"


def _of_view(name: str, recipe: Mapping[str, Any], datasets: Mapping[str, Dataset]) -> Iterator[Fault]:
    for position, read in enumerate(recipe["datasets"]):
        if read not in datasets:
            words = f"view {name!r} reads {read!r}; it must be a data set of kind file{known_names(read, datasets)}"
            yield ("datasets", position), words
            return
    used = [datasets[read] for read in recipe["datasets"]]
    tables = [
        RawRecords(dataset, pd.DataFrame({column.name: pd.Series(dtype=str) for column in dataset.columns}))
        for dataset in used
    ]
    try:
        align(tables, recipe)  # without records, to check the recipe alone
    except ValueError as error:
        yield ("attributes",), str(error)
    if recipe.get("rows", 0) > sum(dataset.rows for dataset in used):
        yield ("rows",), f"{recipe['rows']} is more than the records of its data sets"
