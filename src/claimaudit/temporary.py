"""Names for what is being written: unique, and cleared by the next writer if theirs was killed."""

from __future__ import annotations

import glob
import os
import platform
import secrets
import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

HOST = platform.node().replace(".", "-") or "host"


def beside(path: Path) -> Path:
    """Return a new hidden name beside `path`, after removing what killed writers of `path` on this machine left."""
    for left in path.parent.glob(f".{glob.escape(path.name)}.{glob.escape(HOST)}.*"):
        process = left.name.split(".")[-2]
        if process.isdecimal() and not _runs(int(process)):
            shutil.rmtree(left) if left.is_dir() else left.unlink(missing_ok=True)
    return path.with_name(f".{path.name}.{HOST}.{os.getpid()}.{secrets.token_hex(4)}")


@contextmanager
def file(path: Path) -> Iterator[Path]:
    """Yield a new name beside `path` to write to; what is there in the end becomes `path`, unless an error occurs."""
    path.parent.mkdir(parents=True, exist_ok=True)
    part = beside(path)
    try:
        yield part
        part.replace(path)
    finally:
        part.unlink(missing_ok=True)


@contextmanager
def directory(path: Path) -> Iterator[Path]:
    """Make a directory beside `path` for this user alone, and remove it with its contents."""
    made = beside(path)
    made.mkdir(mode=0o700)
    try:
        yield made
    finally:
        shutil.rmtree(made, ignore_errors=True)


def _runs(process: int) -> bool:
    try:
        os.kill(process, 0)
    except ProcessLookupError:
        return False
    except (PermissionError, OverflowError):  # another user's
        return True
    return True
