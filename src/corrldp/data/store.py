"""Verified raw files by their SHA-256, outside what the workflow may delete; clones share them."""

from __future__ import annotations

import json
import shutil
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from corrldp import temporary
from corrldp.checksums import CHECKSUM
from corrldp.results import write_sealed

STORE_VARIABLE = "CORRLDP_DATA_STORE"


@dataclass(frozen=True)
class Store:
    """A directory with one file per SHA-256, and next to it the record of where it came from."""

    directory: Path

    @classmethod
    def of(cls, environment: Mapping[str, str]) -> Store | None:
        """Return the store that the environment names, if it does."""
        named = environment.get(STORE_VARIABLE)
        return cls(Path(named)) if named else None

    def file(self, sha256: str) -> Path:
        """Return the place of a file."""
        return self.directory / sha256

    def holds(self, sha256: str) -> bool:
        """Whether a file is here; its content is not checked."""
        return self.file(sha256).is_file()

    def record(self, sha256: str) -> Path:
        """Return the place of its record."""
        return self.directory / f"{sha256}.json"

    def keep(self, raw: Path, record: Mapping[str, Any]) -> None:
        """Keep a verified file and its record, each whole or not at all, for this user alone."""
        self.directory.mkdir(parents=True, exist_ok=True, mode=0o700)
        part = temporary.beside(self.file(record["sha256"]))
        try:
            part.touch(mode=0o600)
            shutil.copyfile(raw, part)
            part.replace(self.file(record["sha256"]))
        finally:
            part.unlink(missing_ok=True)
        write_sealed(self.record(record["sha256"]), record)


def read_record(path: Path, sha256: str) -> dict[str, Any] | None:
    """Return the record of an earlier fetch of the same bytes, if there is one."""
    try:
        record = json.loads(path.read_text(encoding="utf-8"))
    except (OSError, ValueError):
        return None
    record.pop(CHECKSUM, None)  # the SHA-256 is the registry's
    return record if record.get("sha256") == sha256 else None
