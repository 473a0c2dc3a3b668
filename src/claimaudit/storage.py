"""Files of products: written whole or not at all, under a name of the writer's own, and sealed by checksums.

Checksums protect against accidents and careless edits, not against a forger, who can compute them as well.
"""

import glob
import hashlib
import json
import os
import platform
import re
import secrets
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from functools import cache, lru_cache
from pathlib import Path
from typing import Any, TypeVar

import pydantic_core
from pydantic import TypeAdapter

Read = TypeVar("Read")
Kind = TypeVar("Kind")

HOST = platform.node().replace(".", "-") or "host"
CHECKSUM = "checksum"
"""The key, in a JSON file, of the SHA-256 of all its other content as compact JSON with sorted keys."""


@contextmanager
def temporary_file(path: Path) -> Iterator[Path]:
    """Yield a new name beside `path` to write to; what is there in the end becomes `path`, unless an error occurs.

    The name is hidden. What killed writers of `path` on this machine left is removed.
    """
    path.parent.mkdir(parents=True, exist_ok=True)
    for left in path.parent.glob(f".{glob.escape(path.name)}.{glob.escape(HOST)}.*"):
        process = left.name.split(".")[-2]
        if process.isdecimal() and not _runs(int(process)):
            left.unlink(missing_ok=True)
    part = path.with_name(f".{path.name}.{HOST}.{os.getpid()}.{secrets.token_hex(4)}")
    try:
        yield part
        part.replace(path)
    finally:
        part.unlink(missing_ok=True)


def write_bytes(path: Path, content: bytes) -> None:
    """Write a file completely or not at all."""
    with temporary_file(path) as part:
        part.write_bytes(content)


def remembered(read: Callable[[Path], Read]) -> Callable[[Path], Read]:
    """Return a function that reads a file once, and again only if another took its place; do not change the result."""
    known = lru_cache(maxsize=2)(lambda path, *_: read(path))

    def reading(path: Path) -> Read:
        about = path.stat()
        return known(path, about.st_ino, about.st_mtime_ns)

    return reading


def _runs(process: int) -> bool:
    try:
        os.kill(process, 0)
    except ProcessLookupError:
        return False
    except (PermissionError, OverflowError):  # another user's
        return True
    return True


def sealed(content: Mapping[str, Any]) -> dict[str, Any]:
    """Return the content of a JSON file with its checksum as the last entry."""
    others = {key: value for key, value in content.items() if key != CHECKSUM}
    return {**others, CHECKSUM: _digest(others)}


def read_sealed(path: Path) -> dict[str, Any]:
    """Read a JSON file without the checksum in it; unless that is its own, a ValueError says what to do."""
    try:
        content = json.loads(path.read_text(encoding="utf-8"))
        found = content.pop(CHECKSUM)
    except (ValueError, KeyError, AttributeError, TypeError):
        raise ValueError(f"{path} is damaged or has no checksum; {_remedy(path)}") from None
    if found != _digest(content):
        raise ValueError(f"{path} does not fit its own checksum, so it was edited or damaged; {_remedy(path)}")
    return content


def sha256(path: Path) -> str:
    """Return the SHA-256 of a file."""
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()


def verify(path: Path, expected: str, source: str = "its record") -> None:
    """Compare a file with the SHA-256 that `source` has; a difference raises a ValueError with the remedy."""
    if (found := sha256(path)) != expected:
        raise ValueError(f"{path} has SHA-256 {found}, but {source} says {expected}; {_remedy(path)}")


def to_json(content: object) -> bytes:
    """Serialise to JSON, indented, in UTF-8, with the same bytes for the same content; NaN and inf are a ValueError."""
    text = pydantic_core.to_json(content, indent=2, inf_nan_mode="constants") + b"\n"
    for name in (b"NaN", b"Infinity"):
        if name in text and re.search(rb" -?" + name + rb",?$", text, flags=re.MULTILINE):  # texts end in quotes
            raise ValueError(f"{name.decode()} is no number of JSON; write null")
    return text


@cache
def adapter(kind: type[Kind]) -> TypeAdapter[Kind]:
    """Return what reads, writes and describes a dataclass or model; to make one takes milliseconds."""
    return TypeAdapter(kind)


def _digest(content: object) -> str:
    as_read = json.loads(json.dumps(content))  # keys are texts there, and tuples lists
    return hashlib.sha256(json.dumps(as_read, sort_keys=True, separators=(",", ":")).encode()).hexdigest()


def _remedy(path: Path) -> str:
    """Say how to make a product again; a link into the cache must not bring it back."""
    damaged = f"{path} and {path.resolve()}" if path.is_symlink() else path.resolve()
    return f"delete {damaged} and re-run"
