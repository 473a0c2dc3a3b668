"""Checksums by which readers notice that a product was damaged or edited.

They protect against accidents and careless edits, not against a forger, who can compute them as well.
"""

import hashlib
import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

CHECKSUM = "checksum"
"""The key, in a JSON file, of the SHA-256 of all its other content as compact JSON with sorted keys."""


def sealed(content: Mapping[str, Any]) -> dict[str, Any]:
    """Return the content of a JSON file with its checksum as the last entry."""
    others = {key: value for key, value in content.items() if key != CHECKSUM}
    return {**others, CHECKSUM: _digest(others)}


def read_sealed(path: Path) -> dict[str, Any]:
    """Read a JSON file, verified by the checksum in it, which is left out.

    Raises
    ------
    ValueError
        It is not what was written; the message says what to do.
    """
    try:
        content = json.loads(path.read_text(encoding="utf-8"))
        found = content.pop(CHECKSUM)
    except (ValueError, KeyError, AttributeError, TypeError):
        raise ValueError(f"{path} is damaged or has no checksum; {_remedy(path)}") from None
    if found != _digest(content):
        raise ValueError(f"{path} does not fit its own checksum, so it was edited or damaged; {_remedy(path)}")
    return content


def verify(path: Path, expected: str, source: str = "its record") -> None:
    """Compare a file with the SHA-256 that `source` has; a difference raises a ValueError with the remedy."""
    with path.open("rb") as file:
        found = hashlib.file_digest(file, "sha256").hexdigest()
    if found != expected:
        raise ValueError(f"{path} has SHA-256 {found}, but {source} says {expected}; {_remedy(path)}")


def _digest(content: object) -> str:
    as_read = json.loads(json.dumps(content))  # keys are texts there, and tuples lists
    return hashlib.sha256(json.dumps(as_read, sort_keys=True, separators=(",", ":")).encode()).hexdigest()


def _remedy(path: Path) -> str:
    """Say how to make a product again; a link into the cache must not bring it back."""
    damaged = f"{path} and {path.resolve()}" if path.is_symlink() else path.resolve()
    return f"delete {damaged} and re-run"
