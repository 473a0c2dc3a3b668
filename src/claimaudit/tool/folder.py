"""The folder of a paper that is audited on its own: make one to start from, read one, and say what is wrong with it."""

from __future__ import annotations

import os
from collections.abc import Mapping
from importlib import resources
from pathlib import Path

from claimaudit.names import ConfigurationError, Faults
from claimaudit.papers.folder import Folder
from claimaudit.papers.paper import Paper
from claimaudit.planning import validation

FILES = ("paper.yaml", "claims.yaml", "results.csv", "published/table1.csv")


def init(name: str) -> None:
    """Write the files of a small paper, with comments, into a new folder.

    Raises
    ------
    ConfigurationError
        The folder has files already, or its name cannot be an id.
    """
    folder = Folder.of(Path.cwd(), _path(name)).path
    if folder.is_dir() and any(folder.iterdir()):
        raise ConfigurationError(f"{name} has files already; name a new folder")
    template = resources.files("claimaudit.tool").joinpath("template")
    for file in FILES:
        text = template.joinpath(*file.split("/")).read_text(encoding="utf-8")
        path = folder / file
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")


def folder_of(name: str) -> Folder:
    """Return the folder at a path, under that name in messages.

    Raises
    ------
    ConfigurationError
        There is no folder, it has no paper.yaml, or its name cannot be an id.
    """
    folder = Folder.of(Path.cwd(), _path(name))
    if not folder.path.is_dir():
        raise ConfigurationError(f"there is no folder {name}; claimaudit init {name} makes one")
    for needed in (folder.paper, folder.claims):
        if not needed.is_file():
            raise ConfigurationError(f"{name} has no {needed.name}; claimaudit init makes a folder that has one")
    return Folder(folder.path, os.path.normpath(name))


def _path(name: str) -> str:
    """Return a folder's name as a path, since a project's papers have names without one."""
    return name if os.sep in name else f"./{name}"


def read(folder: Folder, made: Mapping[str, Path] | None = None) -> Paper:
    """Read a paper and check its whole folder.

    `made` are the files that its commands have written, by experiment.

    Raises
    ------
    ConfigurationError
        One line for each fault, with file and line.
    """
    found = Faults()
    paper, _ = validation.load(folder, (), found, made)
    found.raise_if_any()
    assert paper is not None
    return paper
