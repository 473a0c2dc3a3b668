"""What a report says of itself: its title, the software that made it with version and commit, how to make it again."""

from __future__ import annotations

import os
import subprocess
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import yaml

from claimaudit import __version__


@dataclass(frozen=True)
class About:
    """What is the same on all pages of a report.

    Attributes
    ----------
    title
        Its title.
    software
        The name under which it is cited.
    judge_paper, judge_claim
        The commands that judge a paper and a claim again; ``PAPER`` and ``CLAIM`` in them stand for ids.
    method
        A sentence on how results are computed, beyond what every audit does.
    workflow
        Whether a workflow made it, which also writes metadata, times and notebooks.
    promises
        The id of the paper, if any, that states what the report's own publishers promise; it is counted apart.
    rates
        Those of its exhibits that say how often verdicts are wrong.
    """

    title: str
    software: str
    judge_paper: str
    judge_claim: str
    method: str = ""
    workflow: bool = True
    promises: str = ""
    rates: tuple[str, ...] = ()


def source_of_project(root: Path) -> dict[str, Any]:
    """Return what cites the code in a directory.

    Returns
    -------
    dict
        ``version``, ``licence``, ``authors`` and the address of the ``repository``, if any, by CITATION.cff; ``commit``
        and its ``date``; ``changed``: whether files differ from it. Without version control the commit is empty, and
        the date that of the release.
    """
    citation = yaml.safe_load((root / "CITATION.cff").read_text(encoding="utf-8"))
    said = {
        "version": str(citation["version"]),
        "licence": citation["license"],
        "authors": citation["authors"][0]["name"],
        "date": str(citation["date-released"]),
        "repository": citation.get("repository-code", ""),
    }
    return said | _commit(root, {"GIT_CEILING_DIRECTORIES": str(root.resolve().parent)})  # no repository around it


def source_of_folder(folder: Path) -> dict[str, Any]:
    """Return what cites this package where it judges a folder, with the last commit of that folder.

    See `source_of_project`; without version control the date is empty.
    """
    said = {"version": __version__, "licence": "MIT", "authors": "The corrldp developers", "date": ""}
    return said | _commit(folder, {})


def _commit(place: Path, environment: Mapping[str, str]) -> dict[str, Any]:
    """Return the last commit that changed a directory, its date, and whether files in it differ from it."""
    git, own = ["git", "-C", str(place)], {**os.environ, **environment}
    try:
        log = subprocess.run(
            [*git, "log", "-1", "--format=%h %cs", "--", "."], capture_output=True, text=True, check=True, env=own
        )
        changed = subprocess.run([*git, "diff", "--quiet", "HEAD", "--", "."], check=False, env=own).returncode != 0
        commit, date = log.stdout.split()
    except (OSError, ValueError, subprocess.CalledProcessError):
        return {"commit": "", "changed": False}
    return {"commit": commit, "date": date, "changed": changed}
