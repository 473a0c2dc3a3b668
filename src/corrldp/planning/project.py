"""The configuration of a project as Snakemake plans with it: checked as a whole, but not twice."""

from __future__ import annotations

import hashlib
import json
import platform
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from importlib.metadata import version
from pathlib import Path
from typing import Any

from corrldp import configuration
from corrldp.fingerprint import SOURCE
from corrldp.papers.entries import PaperEntry
from corrldp.papers.paper import Paper

KEPT = 20
"""States of the configuration that are remembered."""


@dataclass(frozen=True)
class Project:
    """The registry of data sets, and the papers to replicate by their ids."""

    registry: Mapping[str, Any]
    papers: Mapping[str, Paper]


def plan(root: Path, config: Mapping[str, Any], sources: Sequence[Path], memory: Path) -> Project:
    """Read the project at `root`, and check it unless it was checked as it is.

    Parameters
    ----------
    config
        The settings that Snakemake has merged from `sources` and the command line.
    sources
        The files from which it has them, the one that counts first.
    memory
        A directory with an empty file for each state that was found without faults.

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
    from corrldp.planning import checks

    project = Project(*checks.load(root, config, sources))
    memory.mkdir(parents=True, exist_ok=True)
    known.touch()
    for old in sorted(memory.iterdir(), key=lambda path: path.stat().st_mtime)[:-KEPT]:
        old.unlink(missing_ok=True)
    return project


def read(root: Path, config: Mapping[str, Any]) -> Project:
    """Read a project that was checked."""
    files = {name: root / f"config/papers/{name}.yaml" for name in config["papers"]}
    papers = {name: Paper(configuration.load(path, PaperEntry)) for name, path in files.items()}
    return Project(configuration.read(root / "config/datasets.yaml"), papers)


def _state(root: Path, config: Mapping[str, Any]) -> str:
    """Return a digest of all that decides whether the configuration is sound: its files, the settings, the code."""
    digest = hashlib.sha256(json.dumps([config, platform.python_version(), version("pydantic")], default=str).encode())
    for place, path in _files(root):
        digest.update(f"{place} {hashlib.sha256(path.read_bytes()).hexdigest()}\n".encode())
    return digest.hexdigest()


def _files(root: Path) -> Iterator[tuple[str, Path]]:
    """Yield all files that are checked or that check, each with its place below the project or the code."""
    for above, found in ((root, (root / "config").rglob("*")), (SOURCE, (SOURCE / "corrldp").rglob("*.py"))):
        yield from sorted((path.relative_to(above).as_posix(), path) for path in found if path.is_file())
