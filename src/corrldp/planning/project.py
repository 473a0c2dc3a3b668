"""Read every configuration file of a project and check each against the others, before anything runs."""

from __future__ import annotations

import gc
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from functools import cache
from pathlib import Path
from typing import Any

from corrldp.data.checks import load_registry
from corrldp.papers import checks
from corrldp.papers.paper import Paper
from corrldp.planning import claims, printed, settings, texts
from corrldp.planning.content import Project
from corrldp.planning.faults import Faults
from corrldp.planning.tables import TableNames


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


def _tables(paper: Paper | None) -> Callable[[str], TableNames]:
    """Return what tells, once for each experiment of a paper that could be read, what its result table can contain."""

    @cache
    def table_of(experiment: str) -> TableNames:
        assert paper is not None
        return TableNames.of(paper, experiment)

    return table_of


@_without_garbage_collection()
def load(root: Path, config: Mapping[str, Any], sources: Sequence[Path]) -> Project:
    """Read and check all configuration of the project at `root`.

    Parameters
    ----------
    config
        The settings that Snakemake has merged from `sources` and the command line.
    sources
        The files from which it has them, the one that counts first.

    Raises
    ------
    ConfigurationError
        One line for each fault: the file below config/, its line, the key, and what is wrong.
    """
    settings.check(config, sources)
    found = Faults()
    registry: Mapping[str, Any] = {}
    with found.of("config"):
        registry = load_registry(root / "config/datasets.yaml")
    found.raise_if_any()
    settings.check_names(config, sources, registry, root)
    papers: dict[str, Paper] = {}
    stated: dict[str, dict[str, claims.Claim]] = {}
    for name in config["papers"]:
        published = root / f"config/published/{name}"
        with found.of("config/papers"):
            papers[name] = checks.load(root / f"config/papers/{name}.yaml", registry["views"], published)
        paper = papers.get(name)
        table_of = _tables(paper)
        # Figures and tables need no claims; only the targets that do then lack the file.
        if (stating := root / f"config/claims/{name}.yaml").exists():
            with found.of("config/claims"):
                stated[name] = claims.load(stating, paper, published, table_of)
        with found.of("config/published"):
            printed.check(published, paper, stated.get(name, {}).values(), table_of)
        with found.of("config/coverage"):
            texts.check_coverage(root / f"config/coverage/{name}.yaml", stated.get(name))
    with found.of("config"):
        texts.check_conclusions(root / "config/conclusions.yaml", stated, root / "config/papers")
    found.raise_if_any()
    return Project(registry, papers)
