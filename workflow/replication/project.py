"""The configuration of a project as Snakemake plans with it: checked as a whole, but not twice."""

from __future__ import annotations

import hashlib
import json
import platform
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from importlib.metadata import version
from pathlib import Path
from typing import Any

from claimaudit import configuration
from claimaudit.fingerprint import SOURCE
from claimaudit.names import ConfigurationError
from claimaudit.papers.entries import PaperEntry
from claimaudit.papers.folder import HOME, SHARED, Folder
from claimaudit.papers.paper import Paper
from replication.data.registry import Registry, load_registry

KEPT = 20
"""States of the configuration that are remembered."""


@dataclass(frozen=True)
class Project:
    """The registry of data sets, and the papers to replicate by their ids."""

    registry: Registry
    papers: Mapping[str, Paper]


def plan(root: Path, config: Mapping[str, Any], sources: Sequence[Path], memory: Path) -> Project:
    """Read the project at `root`, and check it unless its present state was checked before.

    Snakemake has merged `config` from `sources`, the one that counts first, and the command line. `memory` is a
    directory with an empty file for each state that was found without faults.

    Raises
    ------
    ConfigurationError
        One line for each fault: the file below config/, its line, the key, and what is wrong.
    """
    known = memory / _state(root, config)
    if known.exists():
        project = read(root, config)
        if not any(own for paper in project.papers.values() for own in paper.own_modules()):  # these are no part of it
            return project
    from replication import validation

    project = Project(*validation.load(root, config, sources))
    memory.mkdir(parents=True, exist_ok=True)
    known.touch()
    for old in sorted(memory.iterdir(), key=lambda path: path.stat().st_mtime)[:-KEPT]:
        old.unlink(missing_ok=True)
    return project


def read(root: Path, config: Mapping[str, Any]) -> Project:
    """Read a project that was checked."""
    folders = [Folder.of(root, name) for name in config["papers"]]
    papers = {folder.id: Paper(configuration.load(folder.paper, PaperEntry), folder) for folder in folders}
    return Project(load_registry(root / "config/datasets.yaml"), papers)


def _state(root: Path, config: Mapping[str, Any]) -> str:
    """Return a digest of all that decides whether the configuration is sound: its files, the settings, the code."""
    digest = hashlib.sha256(json.dumps([config, platform.python_version(), version("pydantic")], default=str).encode())
    places = [root / "config", root / HOME, SOURCE, Path(__file__).parent, *_folders(root, config)]
    for path, name in _files(places):
        digest.update(f"{name} {hashlib.sha256(path.read_bytes()).hexdigest()}\n".encode())
    return digest.hexdigest()


def _folders(root: Path, config: Mapping[str, Any]) -> Iterator[Path]:
    """Yield the folders of papers, and those of what they share."""
    for name in config["papers"]:
        with suppress(ConfigurationError):  # the check says so
            path = Folder.of(root, name).path
            yield from (path, path.with_name(SHARED))


def _files(places: Iterable[Path]) -> Iterator[tuple[Path, str]]:
    """Yield the files below some places that decide, each with its name from there."""
    for number, place in enumerate(places):
        for path in sorted(place.rglob("*")):
            if path.suffix in (".yaml", ".csv", ".py") and path.is_file():
                yield path, f"{number} {path.relative_to(place)}"
