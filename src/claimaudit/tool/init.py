"""Make the folder of a paper to start from."""

from __future__ import annotations

from importlib import resources
from pathlib import Path

from claimaudit.names import ConfigurationError
from claimaudit.papers.folder import ID

FILES = ("paper.yaml", "claims.yaml", "results.csv", "published/table1.csv")


def init(name: str) -> None:
    """Write the files of a small paper, with comments, into a new folder.

    Raises
    ------
    ConfigurationError
        The folder has files already, or its name cannot be an id.
    """
    folder = Path(name)
    identifier = folder.resolve().name
    if not ID.fullmatch(identifier):
        raise ConfigurationError(f"{identifier!r} becomes an id: use lower-case letters, digits and _ alone")
    if folder.is_dir() and any(folder.iterdir()):
        raise ConfigurationError(f"{name} has files already; name a new folder")
    template = resources.files("claimaudit.tool").joinpath("template")
    for file in FILES:
        text = template.joinpath(*file.split("/")).read_text(encoding="utf-8")
        path = folder / file
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text.replace("PAPER_ID", identifier), encoding="utf-8")
