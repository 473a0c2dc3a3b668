"""The registry of data sets, config/datasets.yaml, as typed entries."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass
from importlib.resources import files
from pathlib import Path
from typing import Any

import yaml


class RegistryError(ValueError):
    """A registry entry that contradicts another part of the registry."""


@dataclass(frozen=True)
class Column:
    """Public description of one column.

    A categorical column has `values`, of which those in `absent` occur in no record; a numeric one has the `bounds`
    that its definition implies; `typical` and, for an identifier, `template` determine the values of a stand-in.
    """

    name: str
    kind: str
    values: tuple[str, ...] = ()
    absent: tuple[str, ...] = ()
    bounds: tuple[float, float] = (-math.inf, math.inf)
    typical: tuple[float, float] | None = None
    template: str | None = None


@dataclass(frozen=True)
class Source:
    """A canonical address; `member` is the file to take from a zip archive, `extract` the one column to keep."""

    url: str
    member: str | None = None
    extract: str | None = None


@dataclass(frozen=True)
class Format:
    """Layout of a raw file around and between its records."""

    separator: str
    preamble: tuple[str, ...] = ()
    suffix: str = ""
    line_end: str = "\n"
    ending: str = ""
    remark_fields: int = 0


@dataclass(frozen=True)
class Dataset:
    """A data set of kind `file`; `sha256` and `size` (bytes) describe the file as it is read."""

    name: str
    title: str
    citation: str
    licence: str
    doi: str | None
    status: str
    file: str
    sha256: str
    size: int
    rows: int
    sources: tuple[Source, ...]
    format: Format
    columns: tuple[Column, ...]

    @classmethod
    def from_entry(cls, name: str, entry: Mapping[str, Any]) -> Dataset:
        """Build a data set from its entry in the registry.

        Raises
        ------
        RegistryError
            If the entry has no file to fetch (kinds `counts` and `user_file`).
        """
        if entry["kind"] != "file":
            raise RegistryError(
                f"data set {name!r} is of kind {entry['kind']!r} and has no file; {entry['unavailable']}"
            )
        form = dict(entry["format"])
        return cls(
            name=name,
            title=entry["title"],
            citation=entry["citation"],
            licence=entry["licence"],
            doi=entry["doi"],
            status=entry["status"],
            file=entry["file"],
            sha256=entry["sha256"],
            size=entry["bytes"],
            rows=entry["rows"],
            sources=tuple(Source(**source) for source in entry["sources"]),
            format=Format(**{**form, "preamble": tuple(form.get("preamble", ()))}),
            columns=tuple(column for group in entry["columns"] for column in _columns(group)),
        )

    @property
    def attributes(self) -> tuple[Column, ...]:
        """The columns that describe a record, without identifiers."""
        return tuple(column for column in self.columns if column.kind != "identifier")

    def column(self, name: str) -> Column:
        """Return one column by its name."""
        for column in self.columns:
            if column.name == name:
                return column
        raise RegistryError(
            f"data set {self.name!r} has no column {name!r}; choose one of {[c.name for c in self.columns]}"
        )


def _columns(group: Mapping[str, Any]) -> list[Column]:
    names = group.get("names") or [group["name"]]
    low, high = group.get("range", (None, None))
    return [
        Column(
            name=name,
            kind=group["kind"],
            values=tuple(group.get("values", ())),
            absent=tuple(group.get("absent", ())),
            bounds=(-math.inf if low is None else low, math.inf if high is None else high),
            typical=tuple(group["typical"]) if "typical" in group else None,
            template=group.get("template"),
        )
        for name in names
    ]


def load_registry(path: Path) -> dict[str, Any]:
    """Read the registry and validate it against the package's JSON schema and for consistency.

    Raises
    ------
    jsonschema.ValidationError
        If the file does not follow the schema.
    RegistryError
        If names are unsorted or repeated, or a view names an unknown data set or column.
    """
    import jsonschema  # the import takes a second, and fetching a data set does not need it

    registry = yaml.safe_load(Path(path).read_text(encoding="utf-8"))
    schema = files("corrldp").joinpath("schemas/datasets.schema.yaml").read_text(encoding="utf-8")
    jsonschema.validate(registry, yaml.safe_load(schema))
    check_registry(registry)
    return registry


def check_registry(registry: Mapping[str, Any]) -> None:
    """Check what a JSON schema cannot: order, unique column names, and the references of views.

    Raises
    ------
    RegistryError
        The one-line message names the entry and the fix.
    """
    for part in ("datasets", "views"):
        names = list(registry[part])
        if names != sorted(names):
            first = next(a for a, b in zip(names, sorted(names), strict=True) if a != b)
            raise RegistryError(f"{part} must be sorted by name: move {first!r}")
    datasets = {
        name: Dataset.from_entry(name, entry) for name, entry in registry["datasets"].items() if entry["kind"] == "file"
    }
    for dataset in datasets.values():
        name, times = Counter(column.name for column in dataset.columns).most_common(1)[0]
        if times > 1:
            raise RegistryError(f"data set {dataset.name!r} has {times} columns named {name!r}; rename them")
    for view, recipe in registry["views"].items():
        for name in recipe["datasets"]:
            if name not in datasets:
                raise RegistryError(f"view {view!r} reads {name!r}; it must be a data set of kind file")
