"""Read every configuration file of a project and check each against the others, before anything runs."""

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

import pandas as pd

from claimaudit import yaml_files
from claimaudit.audit.claims import Claim
from claimaudit.configuration import Fault
from claimaudit.names import Faults, known_names
from claimaudit.papers.entries import PaperEntry
from claimaudit.papers.folder import Folder
from claimaudit.papers.paper import Paper
from claimaudit.planning import claims, validation
from claimaudit.yaml_files import refuse
from replication import settings
from replication.data.align import RawRecords, align, standin_bytes
from replication.data.registry import AlignedView, AnyDataset, Counts, DataFile, Registry, UserFile, load_registry
from replication.report import CasesFile, VersionsFile

Project = tuple[Registry, dict[str, Paper]]  # the registry of data sets, and the papers to replicate by their ids


def load(root: Path, config: Mapping[str, Any], sources: Sequence[Path]) -> Project:
    """Read and check all configuration of the project at `root`.

    Snakemake has merged `config` from `sources`, the one that counts first, and the command line.

    Raises ConfigurationError with one line for each fault: the file below config/, its line, the key, and what is
    wrong.
    """
    settings.check(config, sources)
    found = Faults()
    path = root / "config/datasets.yaml"
    with found.of("config"):
        registry = load_registry(path)
        refuse(path, faults(registry))
    found.raise_if_any()
    settings.check_names(config, sources, registry, root)
    papers: dict[str, Paper] = {}
    stated: dict[str, Mapping[str, Claim]] = {}
    for name in config["papers"]:
        folder = Folder.of(root, name)
        paper, claims_of_paper = validation.load(folder, registry.views, found)
        if paper is not None:
            papers[folder.id] = paper
            with found.of(folder.shown):
                refuse(folder.paper, _data(paper.entry, registry.datasets))
        if claims_of_paper is not None:
            stated[folder.id] = claims_of_paper
    with found.of("config"):
        known = sorted({*settings.papers_of(root), *papers})
        claims.check_conclusions(root / "config/conclusions.yaml", stated, known)
        cases = root / "config/cases.yaml"
        refuse(cases, claims.missing(yaml_files.load(cases, CasesFile).named(), stated, known))
    for paper in papers.values():
        if (versions := paper.folder.path / "versions.yaml").exists():
            with found.of(paper.folder.shown):
                named = yaml_files.load(versions, VersionsFile).named(paper.folder.id)
                refuse(versions, claims.missing(named, stated, known))
    found.raise_if_any()
    return registry, papers


def read(root: Path, config: Mapping[str, Any]) -> Project:
    """Read a project that was checked."""
    folders = [Folder.of(root, name) for name in config["papers"]]
    papers = {folder.id: Paper(yaml_files.load(folder.paper, PaperEntry), folder) for folder in folders}
    return load_registry(root / "config/datasets.yaml"), papers


def faults(registry: Registry) -> Iterator[Fault]:
    """Yield what the form does not show: order, names of columns and views, what stand-ins and alignment reject."""
    for part, content in (("datasets", registry.datasets), ("views", registry.views)):
        names = list(content)
        if names != sorted(names):
            first = next(a for a, b in zip(names, sorted(names), strict=True) if a != b)
            yield (part, first), f"{part} must be sorted by name: move {first!r}"
    for name, dataset in registry.datasets.items():
        if isinstance(dataset, DataFile):
            yield from ((("datasets", name, "columns"), words) for words in _of_columns(dataset))
        elif isinstance(dataset, Counts) and dataset.n1 > dataset.n:
            yield ("datasets", name, "n1"), f"{dataset.n1} is more than n, {dataset.n}"
    for name, view in registry.views.items():
        yield from ((("views", name, *place), words) for place, words in _of_view(name, view, registry.files))


def _of_columns(dataset: DataFile) -> Iterator[str]:
    name, times = Counter(column.name for column in dataset.columns).most_common(1)[0]
    if times > 1:
        yield f"data set {dataset.name!r} has {times} columns named {name!r}; rename them"
    for column in dataset.columns:
        (low, high), typical = column.bounds, column.typical or (0, 0)
        if low > high or (column.typical and not low <= typical[0] <= typical[1] <= high):
            yield f"column {column.name!r}: range and typical must increase, typical within the range"
        if unknown := sorted(set(column.absent) - set(column.values)):
            yield f"column {column.name!r}: absent: {unknown[0]} is none of its values"
        elif column.values and len(column.absent) == len(column.values):
            yield f"column {column.name!r}: absent: it names all values; leave some"
    try:
        standin_bytes(dataset.model_copy(update={"rows": 1}))
    except (ValueError, KeyError, IndexError, AttributeError) as error:
        yield f"no stand-in can be made: {type(error).__name__} {error}; correct the format or a template"


def _of_view(name: str, view: AlignedView, files: Mapping[str, DataFile]) -> Iterator[Fault]:
    for position, read in enumerate(view.datasets):
        if read not in files:
            words = f"view {name!r} reads {read!r}; it must be a data set of kind file{known_names(read, files)}"
            yield ("datasets", position), words
            return
    used = [files[read] for read in view.datasets]
    tables = [
        RawRecords(dataset, pd.DataFrame({column.name: pd.Series(dtype=str) for column in dataset.columns}))
        for dataset in used
    ]
    try:
        align(tables, view)  # without records, to check the recipe alone
    except ValueError as error:
        yield ("attributes",), str(error)
    if (view.rows or 0) > sum(dataset.rows for dataset in used):
        yield ("rows",), f"{view.rows} is more than the records of its data sets"


def _data(entry: PaperEntry, datasets: Mapping[str, AnyDataset]) -> Iterator[Fault]:
    """Yield what does not fit in what a text says of its data: unknown data sets, and another reason for a lack."""
    for name, stated in entry.data.items():
        for place, dataset in enumerate(stated.datasets):
            if dataset not in datasets:
                yield ("data", name, "datasets", place), f"no data set {dataset!r}{known_names(dataset, datasets)}"
    for text, lack in entry.lacking.items():
        own = [datasets[name] for name in entry.data[lack.data].datasets if name in datasets]
        if not any(
            isinstance(one, UserFile) if lack.because == "user" else isinstance(one, DataFile) and one.optional
            for one in own
        ):
            words = f"no data set of {lack.data} is {'of kind user_file' if lack.because == 'user' else 'optional'}"
            yield ("lacking", text, "because"), f"{words} in datasets.yaml; correct one of them"
