"""Read the input files of the report, each as what lies in its place."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pandas as pd

from claimaudit import yaml_files
from claimaudit.papers.claims import ConclusionEntry, ConclusionsFile
from claimaudit.plots import layers
from claimaudit.report.sheets import Sheet
from claimaudit.report.sources import FileRecord
from claimaudit.results import TableRecord, read_numbers, verified
from claimaudit.storage import adapter, read_sealed
from claimaudit.verdicts import Verdicts
from claimaudit.verdicts import read as read_verdicts


@dataclass(frozen=True)
class Contents:
    """The contents of the files: what they show by ``paper/id``, verdicts by paper, data records sorted by name.

    Printed numbers against ours have the id ``differences/{exhibit}``. For predictions see docs/predictions.md, for
    `conclusions` `claimaudit.report.findings.hold`.
    """

    verdicts: dict[str, Verdicts]
    predictions: dict[str, pd.DataFrame]
    figures: dict[str, str]
    figure_tables: dict[str, str]
    drawings: dict[str, layers.Drawing]
    tables: dict[str, Sheet]
    data: list[FileRecord]
    records: dict[str, TableRecord]
    conclusions: list[ConclusionEntry]


def _sealed(kind: type) -> Callable[[Path], Any]:
    """Return a function that reads a sealed file as a dataclass."""
    return lambda path: adapter(kind).validate_json(json.dumps(read_sealed(path)))


def _text(path: Path) -> str:
    return path.read_text(encoding="utf-8")


READERS: dict[tuple[str, str], tuple[str, Callable[[Path], Any]]] = {
    ("verdicts", ".json"): ("verdicts", read_verdicts),
    ("predictions", ".csv"): ("predictions", lambda path: read_numbers(verified(path))),
    ("figures", ".svg"): ("figures", _text),
    ("figures", ".csv"): ("figure_tables", _text),
    ("figures", ".json"): ("drawings", layers.read),
    ("tables", ".json"): ("tables", _sealed(Sheet)),
    ("raw", ".json"): ("data", _sealed(FileRecord)),
    ("results", ".json"): ("records", lambda path: TableRecord.of(read_sealed(path))),
    ("config", ".yaml"): ("conclusions", lambda path: yaml_files.load(path, ConclusionsFile).root),
}
"""What the files in a directory are, and how each is read, by the name of the directory and their suffix."""


def read(paths: Iterable[Path]) -> Contents:
    """Read all files of a report; the path below the directory in which they lie identifies what they show.

    Raises
    ------
    ValueError
        If a file is damaged, or another one than was made.
    """
    found: dict[str, dict[str, Any]] = {kind: {} for kind, _ in READERS.values()}
    for path in paths:
        place = next(directory for directory in path.parents if (directory.name, path.suffix) in READERS)
        kind, reader = READERS[place.name, path.suffix]
        found[kind][path.relative_to(place).with_suffix("").as_posix()] = reader(path)
    data = [record for _, record in sorted(found.pop("data").items())]
    conclusions = [entry for entries in found.pop("conclusions").values() for entry in entries]
    return Contents(**found, data=data, conclusions=conclusions)
