"""The registry of data sets, config/datasets.yaml, as typed entries."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from claimaudit.names import known_names


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
        known = known_names(name, [column.name for column in self.columns])
        raise RegistryError(f"data set {self.name!r} has no column {name!r}{known}")


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
