"""What the report says of its own code: version, commit and licence."""

from __future__ import annotations

import os
import subprocess
from pathlib import Path
from typing import Any

import yaml


def describe(root: Path) -> dict[str, Any]:
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
    git = ["git", "-C", str(root)]
    own = {**os.environ, "GIT_CEILING_DIRECTORIES": str(root.resolve().parent)}  # no repository around it
    try:
        log = subprocess.run(
            [*git, "log", "-1", "--format=%h %cs"], capture_output=True, text=True, check=True, env=own
        )
        changed = subprocess.run([*git, "diff", "--quiet", "HEAD"], check=False, env=own).returncode != 0
    except (OSError, subprocess.CalledProcessError):
        return {**said, "commit": "", "changed": False}
    commit, date = log.stdout.split()
    return {**said, "commit": commit, "date": date, "changed": changed}
