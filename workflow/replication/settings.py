"""Check the settings of a user: config/config.yaml, files that override it, and the command line."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Annotated, Any

from annotated_types import Ge, Gt, Le, Lt, MinLen
from pydantic import AfterValidator

from claimaudit import yaml_files
from claimaudit.configuration import Fault, Place, faults_in, keys_of, unique
from claimaudit.names import ConfigurationError, known_names
from claimaudit.papers.folder import HOME, SHARED, Folder
from claimaudit.published import typed
from claimaudit.yaml_files import line_of
from replication.data.registry import Registry
from replication.data.store import Policy

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


COMMAND_LINE = "command line"
MODULE = "config of the module"


def check(config: Mapping[str, Any], sources: Sequence[Path]) -> None:
    """Check the form of settings, and the files from which they come for repeated keys.

    Raises ConfigurationError with one line for each fault, with the file and line that set the value.
    """
    for path in sources:
        try:
            content = yaml_files.read(path) or {}
        except ConfigurationError as error:
            raise ConfigurationError(f"{path.parent.name}/{error}") from None
        if not isinstance(content, dict):
            raise ConfigurationError(f"{_named(path)}, line 1: settings are a mapping, such as `seed: 1`")
    _refuse(config, sources, faults_in(dict(config), Settings))


def check_names(config: Mapping[str, Any], sources: Sequence[Path], registry: Registry, root: Path) -> None:
    """Check the names of papers and of optional data sets."""
    optional = [name for name, dataset in registry.files.items() if dataset.optional]
    unknown = [
        (("optional_data", position), f"no optional data set {name!r}{known_names(name, optional)}")
        for position, name in enumerate(config["optional_data"])
        if name not in optional
    ]
    _refuse(config, sources, [*_without_folder(config["papers"], root), *unknown])


def _without_folder(papers: Sequence[str], root: Path) -> Iterator[Fault]:
    seen: dict[str, str] = {}
    for position, name in enumerate(papers):
        place = ("papers", position)
        try:
            folder = Folder.of(root, name)
        except ConfigurationError as error:
            yield place, str(error)
            continue
        if not folder.paper.is_file():
            known = papers_of(root)
            yield place, f"no paper {name!r}{known_names(name, known)}, and no folder {folder.shown} with a paper.yaml"
        elif folder.id in seen:
            yield place, f"{name!r} and {seen[folder.id]!r} have one id, {folder.id}; rename one folder"
        seen.setdefault(folder.id, name)
        shared = folder.path.with_name(SHARED)
        if shared.is_dir() and (other := seen.setdefault(SHARED, str(shared))) != str(shared):
            yield place, f"{shared} is beside this paper, and {other} beside another; keep one folder for both"


def papers_of(root: Path) -> list[str]:
    """Return the papers that a project has in the folder of its own ones."""
    return sorted(path.parent.name for path in root.glob(f"{HOME}/*/paper.yaml"))


def _refuse(config: Mapping[str, Any], sources: Sequence[Path], found: Iterable[tuple[Place, str]]) -> None:
    lines = [
        ": ".join(filter(None, [_origin(config, sources, place), keys_of(place), words])) for place, words in found
    ]
    if lines:
        raise ConfigurationError("\n".join(lines))


def _origin(config: Mapping[str, Any], sources: Sequence[Path], place: Place) -> str:
    key = str(place[0]) if place else ""
    for path in sources:
        content = yaml_files.read(path) or {}
        if key in content and _agree(content[key], config[key]):
            return f"{_named(path)}, line {line_of(path, place)}"
    if not sources:
        return MODULE
    return COMMAND_LINE if key in config else f"{_named(sources[-1])}, line 1"


def _named(path: Path) -> str:
    return f"{path.parent.name}/{path.name}"


def _agree(own: object, merged: object) -> bool:
    """Return whether a file's value is that of the merged settings, or a part of it; Snakemake reads 1e-3 as text."""
    if isinstance(own, dict) and isinstance(merged, dict):
        return all(name in merged and _agree(value, merged[name]) for name, value in own.items())
    return repr(own) == repr(merged) or (isinstance(own, float) and isinstance(merged, str) and own == typed(merged))
