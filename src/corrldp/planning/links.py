"""Results are files: Snakemake's cache between clones leaves links, which no copy or archive of a project could use."""

from __future__ import annotations

import os
import shutil
from pathlib import Path

from claimaudit import temporary


def broken(place: Path) -> list[Path]:
    """Return the links below a directory that lead nowhere."""
    return [path for path in place.rglob("*") if path.is_symlink() and not path.exists()]


def to_files(place: Path) -> None:
    """Put a copy in place of each link below a directory, with the date of the link, so that nothing becomes stale."""
    for path in place.rglob("*"):
        if path.is_symlink() and path.is_file():
            dated = path.lstat()
            part = temporary.beside(path)
            shutil.copyfile(path, part)
            os.utime(part, ns=(dated.st_atime_ns, dated.st_mtime_ns))
            part.replace(path)
