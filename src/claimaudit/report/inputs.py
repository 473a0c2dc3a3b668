"""Find and read the input files of the report; an error names any that is missing."""

from __future__ import annotations

import json
from collections.abc import Callable, Hashable, Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import TypeVar

import pandas as pd

from claimaudit import yaml_files
from claimaudit.papers.claims import ConclusionEntry, ConclusionsFile
from claimaudit.papers.jobs import Description
from claimaudit.plots import layers
from claimaudit.report.sheets import Sheet
from claimaudit.report.sources import FileRecord
from claimaudit.results import TableRecord, read_numbers, verified
from claimaudit.storage import adapter, read_sealed
from claimaudit.verdicts import Verdicts
from claimaudit.verdicts import read as read_verdicts

Key = tuple[str, str]


PLACES = {
    ("verdicts", ".json"): "verdicts",
    ("predictions", ".csv"): "predictions",
    ("figures", ".svg"): "figures",
    ("figures", ".csv"): "figure_tables",
    ("figures", ".json"): "drawings",
    ("tables", ".json"): "tables",
    ("raw", ".json"): "data",
    ("results", ".json"): "records",
    ("config", ".yaml"): "conclusions",
}

K = TypeVar("K", bound=Hashable)
T = TypeVar("T")


@dataclass(frozen=True)
class Contents:
    """The contents of the files: what they show by (paper, id), verdicts by paper, data records sorted by name.

    For predictions see docs/predictions.md, for `conclusions` `claimaudit.report.findings.hold`.
    """

    verdicts: dict[str, Verdicts]
    predictions: dict[str, pd.DataFrame]
    figures: dict[Key, str]
    figure_tables: dict[Key, str]
    drawings: dict[Key, layers.Drawing]
    tables: dict[Key, Sheet]
    data: list[FileRecord]
    records: dict[Key, TableRecord]
    conclusions: list[ConclusionEntry]


def sort(paths: Iterable[Path]) -> dict[str, list[Path]]:
    """Sort files by suffix and by directory: their own, or the nearest that the report knows.

    Raises
    ------
    ValueError
        If a file lies where the report expects none.
    """
    sorted_files: dict[str, list[Path]] = {kind: [] for kind in PLACES.values()}
    for path in paths:
        directories = [directory.name for directory in path.parents[:3]]
        kind = next((PLACES[name, path.suffix] for name in directories if (name, path.suffix) in PLACES), None)
        if kind is None:
            known = ", ".join(f"{name}/*{suffix}" for name, suffix in PLACES)
            raise ValueError(f"{path} is not part of the report, which takes {known}")
        sorted_files[kind].append(path)
    return sorted_files


def read(inputs: Mapping[str, list[Path]], papers: Mapping[str, Description]) -> Contents:
    """Read all files of a report on `papers`, by kind; the last parts of a path, ``{paper}/{id}``, say what it shows.

    Raises
    ------
    ValueError
        If a figure, table or experiment of a described paper has no file, or if a file belongs to none of them.
    """
    figures = [(paper, name) for paper, text in papers.items() for name in text.drawings]
    tables = [(paper, name) for paper, text in papers.items() for name in text.tables]
    experiments = [(paper, name) for paper, text in papers.items() for name in text.experiments]
    records = _files(inputs["records"], experiments, "records", ".json")
    drawings = _files(inputs["drawings"], figures, "drawings", ".json")
    laid_out = _files(inputs["tables"], tables, "tables", ".json")
    verdicts = _match({path.stem: path for path in inputs["verdicts"]}, papers, "verdicts", "{}.json".format)
    predictions = _match({path.stem: path for path in inputs["predictions"]}, papers, "predictions", "{}.csv".format)
    return Contents(
        verdicts={paper: read_verdicts(path) for paper, path in verdicts.items()},
        predictions={paper: read_numbers(verified(path)) for paper, path in predictions.items()},
        figures=_texts(inputs["figures"], figures, "figures", ".svg"),
        figure_tables=_texts(inputs["figure_tables"], figures, "figure tables", ".csv"),
        drawings={name: layers.read(path) for name, path in drawings.items()},
        tables={name: _read(Sheet, path) for name, path in laid_out.items()},
        data=sorted((_read(FileRecord, path) for path in inputs["data"]), key=lambda record: record.dataset),
        records={key: TableRecord.of(read_sealed(path)) for key, path in records.items()},
        conclusions=[entry for path in inputs["conclusions"] for entry in yaml_files.load(path, ConclusionsFile).root],
    )


def _read(kind: type[T], path: Path) -> T:
    """Return the content of a sealed file as a dataclass."""
    return adapter(kind).validate_json(json.dumps(read_sealed(path)))  # type: ignore[arg-type]  # types are hashable


def _texts(paths: Iterable[Path], expected: Iterable[Key], kind: str, suffix: str) -> dict[Key, str]:
    return {key: path.read_text(encoding="utf-8") for key, path in _files(paths, expected, kind, suffix).items()}


def _files(paths: Iterable[Path], expected: Iterable[Key], kind: str, suffix: str) -> dict[Key, Path]:
    """Return each expected file, found by its directory and stem; a difference is ``differences/{exhibit}``."""
    found = {}
    for path in paths:
        inner = "differences/" if path.parent.name == "differences" else ""
        found[path.parents[bool(inner)].name, f"{inner}{path.stem}"] = path
    return _match(found, expected, kind, lambda key: f"{key[0]}/{key[1]}{suffix}")


def _match(found: dict[K, Path], expected: Iterable[K], kind: str, name: Callable[[K], str]) -> dict[K, Path]:
    expected = list(expected)
    for key in expected:
        if key not in found:
            raise ValueError(f"{kind} lack {name(key)}, which the setting names; pass it or remove the entry")
    for key, path in found.items():
        if key not in expected:
            raise ValueError(f"{kind} have {path}, which the setting does not name; add the entry or remove the file")
    return {key: found[key] for key in expected}
