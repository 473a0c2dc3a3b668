"""Read every configuration file of a project and check each against the others, before anything runs."""

from __future__ import annotations

import gc
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from functools import cache
from pathlib import Path
from typing import Any

from corrldp.audit.claim import Claim
from corrldp.data.checks import load_registry
from corrldp.names import ConfigurationError
from corrldp.papers import checks as paper_checks
from corrldp.papers.paper import Paper
from corrldp.planning import claims, printed, settings
from corrldp.planning.tables import TableNames


class _Faults:
    """Faults of many files, so that one plan reports them all."""

    def __init__(self) -> None:
        self.lines: list[str] = []

    @contextmanager
    def of(self, directory: str) -> Iterator[None]:
        """Collect the faults that the block raises, of files in a directory."""
        try:
            yield
        except ConfigurationError as error:
            self.lines += [f"{directory}/{line}" for line in str(error).splitlines()]

    def raise_if_any(self) -> None:
        """Raise all faults so far as one ConfigurationError."""
        if self.lines:
            raise ConfigurationError("\n".join(self.lines))


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
def load(root: Path, config: Mapping[str, Any], sources: Sequence[Path]) -> tuple[Mapping[str, Any], dict[str, Paper]]:
    """Read and check all configuration of the project at `root`; return the registry of data sets and the papers.

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
    found = _Faults()
    registry: Mapping[str, Any] = {}
    with found.of("config"):
        registry = load_registry(root / "config/datasets.yaml")
    found.raise_if_any()
    settings.check_names(config, sources, registry, root)
    papers: dict[str, Paper] = {}
    stated: dict[str, dict[str, Claim]] = {}
    for name in config["papers"]:
        published = root / f"config/published/{name}"
        with found.of("config/papers"):
            papers[name] = paper_checks.load(root / f"config/papers/{name}.yaml", registry["views"], published)
        paper = papers.get(name)
        table_of = _tables(paper)
        # Figures and tables need no claims; only the targets that do then lack the file.
        if (stating := root / f"config/claims/{name}.yaml").exists():
            with found.of("config/claims"):
                stated[name] = claims.load(stating, paper, published, table_of)
        with found.of("config/published"):
            printed.check(published, paper, stated.get(name, {}).values(), table_of)
        with found.of("config/coverage"):
            claims.check_coverage(root / f"config/coverage/{name}.yaml", stated.get(name))
    with found.of("config"):
        claims.check_conclusions(root / "config/conclusions.yaml", stated, root / "config/papers")
    found.raise_if_any()
    return registry, papers
