"""Read every configuration file of a project and check each against the others, before anything runs."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Annotated, Any

import pandas as pd
from annotated_types import Ge, Gt, Le, Lt, MinLen
from pydantic import AfterValidator

from claimaudit import yaml_files
from claimaudit.audit.claims import Claim
from claimaudit.configuration import Fault, Place, faults_in, keys_of, unique
from claimaudit.names import ConfigurationError, Faults, known_names
from claimaudit.papers.entries import PaperEntry
from claimaudit.papers.folder import HOME, SHARED, Folder
from claimaudit.papers.paper import Paper
from claimaudit.planning import claims, validation
from claimaudit.published import typed
from claimaudit.yaml_files import line_of, refuse
from replication.data.align import RawRecords, align, standin_bytes
from replication.data.registry import AlignedView, AnyDataset, DataFile, Registry, UserFile
from replication.data.store import Policy
from replication.report import CasesFile, VersionsFile

Rate = Annotated[float, Gt(0), Lt(0.5)]


class Settings(Policy):
    """The settings of a user; config/config.yaml explains each."""

    seed: Annotated[int, Ge(0)]
    papers: Annotated[tuple[str, ...], MinLen(1), AfterValidator(unique)]
    runs_factor: Annotated[float, Gt(0), Le(100_000)]
    parts: Annotated[int, Ge(1), Le(1000)]
    level: Rate
    family_level: Rate
    optional_data: tuple[str, ...]


REGISTRY = "config/datasets.yaml"

Project = tuple[Registry, dict[str, Paper]]  # the registry of data sets, and the papers to replicate by their ids


def load(root: Path, config: Mapping[str, Any], sources: Sequence[Path]) -> Project:
    """Read and check all configuration of the project at `root`.

    Snakemake has merged `config` from `sources`, the one that counts first, and the command line.

    Raises ConfigurationError with one line for each fault: the file below config/, its line, the key, and what is
    wrong.
    """
    found = Faults()
    for path in sources:
        with found.of(path.parent.name):
            if not isinstance(yaml_files.read(path) or {}, dict):
                refuse(path, [((), "settings are a mapping, such as `seed: 1`")])
    found.raise_if_any()
    _refuse(config, sources, faults_in(dict(config), Settings))
    path = root / REGISTRY
    with found.of("config"):
        registry = yaml_files.load(path, Registry)
        refuse(path, faults(registry))
    found.raise_if_any()
    _refuse(config, sources, _names(config, registry, root))
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
        known = sorted({*_papers_of(root), *papers})
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
    return yaml_files.load(root / REGISTRY, Registry), papers


def faults(registry: Registry) -> Iterator[Fault]:
    """Yield what the form does not show: unknown names, and what stand-ins and alignment reject."""
    for name, dataset in registry.files.items():
        try:
            standin_bytes(dataset.model_copy(update={"rows": 1}))
        except (ValueError, KeyError, IndexError, AttributeError) as error:
            words = f"no stand-in can be made: {type(error).__name__} {error}; correct the format or a template"
            yield ("datasets", name, "columns"), words
    for name, view in registry.views.items():
        yield from ((("views", name, *place), words) for place, words in _of_view(name, view, registry.files))


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


def _names(config: Mapping[str, Any], registry: Registry, root: Path) -> Iterator[Fault]:
    """Yield what is wrong with the names of papers and of optional data sets."""
    optional = [name for name, dataset in registry.files.items() if dataset.optional]
    for position, name in enumerate(config["optional_data"]):
        if name not in optional:
            yield ("optional_data", position), f"no optional data set {name!r}{known_names(name, optional)}"
    seen: dict[str, str] = {}
    for position, name in enumerate(config["papers"]):
        place = ("papers", position)
        try:
            folder = Folder.of(root, name)
        except ConfigurationError as error:
            yield place, str(error)
            continue
        if not folder.paper.is_file():
            known = _papers_of(root)
            yield place, f"no paper {name!r}{known_names(name, known)}, and no folder {folder.shown} with a paper.yaml"
        elif folder.id in seen:
            yield place, f"{name!r} and {seen[folder.id]!r} have one id, {folder.id}; rename one folder"
        seen.setdefault(folder.id, name)
        shared = folder.path.with_name(SHARED)
        if shared.is_dir() and (other := seen.setdefault(SHARED, str(shared))) != str(shared):
            yield place, f"{shared} is beside this paper, and {other} beside another; keep one folder for both"


def _papers_of(root: Path) -> list[str]:
    """Return the papers that a project has in the folder of its own ones."""
    return sorted(path.parent.name for path in root.glob(f"{HOME}/*/paper.yaml"))


def _refuse(config: Mapping[str, Any], sources: Sequence[Path], found: Iterable[Fault]) -> None:
    lines = [
        ": ".join(filter(None, [_origin(config, sources, place), keys_of(place), words])) for place, words in found
    ]
    if lines:
        raise ConfigurationError("\n".join(lines))


def _origin(config: Mapping[str, Any], sources: Sequence[Path], place: Place) -> str:
    key = str(place[0]) if place else ""
    for path in sources:
        content = yaml_files.read(path) or {}
        if (key in content and _agree(content[key], config[key])) or (key not in config and path == sources[-1]):
            return f"{path.parent.name}/{path.name}, line {line_of(path, place)}"
    return "command line" if sources else "config of the module"


def _agree(own: object, merged: object) -> bool:
    """Return whether a file's value is that of the merged settings, or a part of it; Snakemake reads 1e-3 as text."""
    if isinstance(own, dict) and isinstance(merged, dict):
        return all(name in merged and _agree(value, merged[name]) for name, value in own.items())
    return repr(own) == repr(merged) or (isinstance(own, float) and isinstance(merged, str) and own == typed(merged))
