"""Read a user's file into a table of codes; whatever is left out is named, and dropped records are counted."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np

from claimaudit.names import ConfigurationError, nearest
from corrldp.data.table import Table
from corrldp.study.columns import MISSING, MISSING_NAME, Coded, ColumnReader, numbers_records, propose_bins
from corrldp.study.settings import PROPOSED, ColumnDomain, StudySettings
from corrldp.study.sources import TableFile, open_source


@dataclass(frozen=True)
class ColumnFacts:
    """A column that was read: the `origin` of its domain, the domain as settings have it, and what stood for no value.

    `treatment` says what becomes of records without a value, and `marks` are the texts that stood for none.
    """

    name: str
    origin: str
    domain: dict[str, Any]
    values: list[str]
    missing: int = 0
    treatment: str = "drop"
    marks: list[str] = field(default_factory=list)


@dataclass(frozen=True)
class Omission:
    """A column that was not read, and why."""

    name: str
    reason: str


@dataclass(frozen=True)
class Facts:
    """What to say of a table: where it comes from, by which settings (`options`) it was read, and what is left out."""

    file: str
    sha256: str
    format: str
    options: dict[str, object]
    rows: int
    dropped: int
    columns: list[ColumnFacts]
    left_out: list[Omission]


@dataclass(frozen=True)
class SourcedTable:
    """A table, with codes in the smallest integers that hold them, and where it comes from."""

    table: Table
    facts: Facts


def read(path: Path, settings: StudySettings) -> SourcedTable:
    """Read a CSV, Excel or Parquet file; a column of many numbers without a domain gets bins in a second pass.

    Raises
    ------
    ConfigurationError
        The file or the settings do not fit; the one line names file, row, column, value and fix.
    """
    source = open_source(path, settings)
    _check_names(source.names, settings, path)
    before = path.stat()
    with path.open("rb") as file:
        digest = hashlib.file_digest(file, "sha256").hexdigest()
    wanted = [name for name in source.names if name not in settings.leave_out]
    columns = _columns(source, wanted, settings, {})
    proposed, left_out = _bins(columns)
    columns |= _columns(source, list(proposed), settings, proposed)
    after = path.stat()
    if (before.st_mtime_ns, before.st_size) != (after.st_mtime_ns, after.st_size):
        raise ConfigurationError(f"{path.name}: changed while it was read: run again once it is complete")
    rows = max((column.rows for column in columns.values()), default=0)
    finished = ((name, column.finish()) for name, column in columns.items() if name not in left_out)
    coded = {name: found for name, found in finished if found is not None}
    left_out |= {name: column.left_out for name, column in columns.items() if column.left_out}
    named = dict.fromkeys((name for name in source.names if name in settings.leave_out), "named in leave_out")
    left_out = named | {name: left_out[name] for name in wanted if name in left_out}
    _check_left_out(settings, left_out, path)
    table = _joined(coded, left_out, path)
    facts = Facts(
        path.name,
        digest,
        source.described,
        _options(source, settings),
        rows,
        rows - table.n,
        [_facts(name, one, columns[name], name in proposed) for name, one in coded.items()],
        [Omission(name, reason) for name, reason in left_out.items()],
    )
    return SourcedTable(table, facts)


def _columns(
    source: TableFile, wanted: Sequence[str], settings: StudySettings, domains: dict[str, ColumnDomain]
) -> dict[str, ColumnReader]:
    """Read some columns of a file."""
    columns = {
        name: ColumnReader(name, source.path.name, settings, source.decimal, domains.get(name)) for name in wanted
    }
    for chunk in source.chunks(wanted) if columns else ():
        for name, (places, texts) in chunk.items():
            columns[name].add(places, texts)
    return columns


def _bins(columns: dict[str, ColumnReader]) -> tuple[dict[str, ColumnDomain], dict[str, str]]:
    """Propose bins for columns of numbers without a domain; return them, and which columns none suit and why."""
    proposed: dict[str, ColumnDomain] = {}
    left_out: dict[str, str] = {}
    for name, column in columns.items():
        sample = column.sample
        if sample is None:
            continue
        bounds = propose_bins(sample)
        if numbers_records(sample):
            left_out[name] = "it numbers the records: give bins if it means something"
        elif bounds is None and column.full:
            left_out[name] = "numbers for which there are no round bins: give public bins"
        elif bounds is not None:
            proposed[name] = ColumnDomain(bins=bounds, outside="clip")
    return proposed, left_out


def _facts(name: str, coded: Coded, column: ColumnReader, proposed: bool) -> ColumnFacts:
    if column.domain is None:
        domain: dict[str, Any] = {"values": [value for value in coded.values if value != MISSING_NAME]}
    else:
        domain = column.domain.model_dump(mode="json", exclude_defaults=True)
    origin = PROPOSED if proposed else coded.origin
    return ColumnFacts(name, origin, domain, list(coded.values), coded.missing, coded.treatment, list(coded.marks))


def _options(source: TableFile, settings: StudySettings) -> dict[str, object]:
    """Return the settings, beside the domains, by which a file is read alike again."""
    found = {"encoding": source.options.get("encoding"), "delimiter": source.options.get("sep")}
    missing = settings.model_dump(mode="json", include={"missing_texts", "missing"}, exclude_defaults=True)
    return {name: value for name, value in {**found, "decimal": source.decimal, **missing}.items() if value is not None}


def _check_names(names: Iterable[str], settings: StudySettings, path: Path) -> None:
    names = list(names)
    for key in ("columns", "leave_out", "sensitive"):
        for name in getattr(settings, key):
            if name not in names:
                hint = nearest(name, names)
                raise ConfigurationError(f"{key}: {path.name} has no column {name!r}; it has {', '.join(names)}{hint}")


def _check_left_out(settings: StudySettings, left_out: dict[str, str], path: Path) -> None:
    for name in settings.sensitive:
        if name in left_out:
            raise ConfigurationError(f"sensitive: {path.name}, column {name} cannot be studied: {left_out[name]}")


def _joined(coded: dict[str, Coded], left_out: dict[str, str], path: Path) -> Table:
    """Drop the records that lack a value, and let codes start at 0."""
    if not coded:
        reasons = "; ".join(f"{name} is left out: {reason}" for name, reason in left_out.items())
        raise ConfigurationError(f"{path.name}: no column to study{reasons and f': {reasons}'}")
    complete = np.logical_and.reduce([one.codes != MISSING for one in coded.values()])
    if not len(complete):
        raise ConfigurationError(f"{path.name}: there is no row below the names of the columns")
    if not complete.any():
        most = max(coded, key=lambda name: coded[name].missing)
        raise ConfigurationError(
            f"{path.name}: no record is complete; {most} is missing most often: set missing: keep, or leave it out"
        )
    kind = np.result_type(*(np.min_scalar_type(len(one.values) - 1) for one in coded.values()))
    codes = np.empty((int(complete.sum()), len(coded)), kind)
    for place, one in enumerate(coded.values()):
        codes[:, place] = one.codes[complete] - 1
    return Table(codes, tuple(coded), tuple(one.values for one in coded.values()))
