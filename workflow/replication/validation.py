"""Read every configuration file of a project and check each against the others, before anything runs."""

from __future__ import annotations

import gc
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from claimaudit.audit.claim import Claim
from claimaudit.configuration import Fault, refuse
from claimaudit.names import known_names
from claimaudit.papers.entries import PaperEntry
from claimaudit.papers.folder import Folder
from claimaudit.papers.paper import Paper
from claimaudit.planning import claims, validation
from replication import settings
from replication.data.entries import load_registry


@contextmanager
def _without_garbage_collection() -> Iterator[None]:
    """Suspend the collector, which would search all of the configuration again and again: none of it is garbage."""
    was_enabled = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if was_enabled:
            gc.enable()


@_without_garbage_collection()
def load(root: Path, config: Mapping[str, Any], sources: Sequence[Path]) -> tuple[Mapping[str, Any], dict[str, Paper]]:
    """Read and check all configuration of the project at `root`; return the registry of data sets and the papers.

    For parameters and errors see `replication.project.plan`, which remembers what was found without faults.
    """
    settings.check(config, sources)
    found = validation.Faults()
    registry: Mapping[str, Any] = {}
    with found.of("config"):
        registry = load_registry(root / "config/datasets.yaml")
    found.raise_if_any()
    settings.check_names(config, sources, registry, root)
    papers: dict[str, Paper] = {}
    stated: dict[str, Mapping[str, Claim]] = {}
    for name in config["papers"]:
        folder = Folder.of(root, name)
        paper, claims_of_paper = validation.load(folder, registry["views"], found)
        if paper is not None:
            papers[folder.id] = paper
            with found.of(folder.shown):
                refuse(folder.paper, _data(paper.entry, registry["datasets"]))
        if claims_of_paper is not None:
            stated[folder.id] = claims_of_paper
    with found.of("config"):
        known = sorted({*settings.papers_of(root), *papers})
        claims.check_conclusions(root / "config/conclusions.yaml", stated, known)
    found.raise_if_any()
    return registry, papers


def _data(entry: PaperEntry, datasets: Mapping[str, Any]) -> Iterator[Fault]:
    """Yield what does not fit in what a text says of its data: unknown data sets, and another reason for a lack."""
    for name, stated in entry.data.items():
        for place, dataset in enumerate(stated.datasets):
            if dataset not in datasets:
                yield ("data", name, "datasets", place), f"no data set {dataset!r}{known_names(dataset, datasets)}"
    for text, lack in entry.lacking.items():
        own = [datasets[name] for name in entry.data[lack.data].datasets if name in datasets]
        if not any(one["kind"] == "user_file" if lack.because == "user" else one.get("optional") for one in own):
            words = f"no data set of {lack.data} is {'of kind user_file' if lack.because == 'user' else 'optional'}"
            yield ("lacking", text, "because"), f"{words} in datasets.yaml; correct one of them"
