"""Checks of files against the checksums in their records."""

import hashlib
from pathlib import Path


def verify(path: Path, expected: str) -> None:
    """Compare a file with the SHA-256 in its record; a difference is a ValueError that says what to do."""
    with path.open("rb") as file:
        found = hashlib.file_digest(file, "sha256").hexdigest()
    if found != expected:
        damaged = f"{path} and {path.resolve()}" if path.is_symlink() else path.resolve()
        raise ValueError(f"{path} has SHA-256 {found}, but its record says {expected}; delete {damaged} and re-run")
