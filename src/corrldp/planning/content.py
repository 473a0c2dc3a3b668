"""What the configuration of a project says, read without checks."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from corrldp import configuration
from corrldp.papers.entries import PaperEntry
from corrldp.papers.paper import Paper


@dataclass(frozen=True)
class Project:
    """The registry of data sets, and the papers to replicate by their ids."""

    registry: Mapping[str, Any]
    papers: Mapping[str, Paper]


def read(root: Path, config: Mapping[str, Any]) -> Project:
    """Read the project at `root`, which `corrldp.planning.project` has checked before the jobs were submitted."""
    files = {name: root / f"config/papers/{name}.yaml" for name in config["papers"]}
    papers = {name: Paper(configuration.load(path, PaperEntry)) for name, path in files.items()}
    return Project(configuration.read(root / "config/datasets.yaml"), papers)
