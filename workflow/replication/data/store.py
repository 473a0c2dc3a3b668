"""How a raw file is found: what a user says of that, mirrors, and the store of verified files that clones share."""

import json
import os
from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated, Any, Literal, Self

from annotated_types import Ge, Gt, Le

from claimaudit.configuration import Entry
from claimaudit.storage import CHECKSUM, sealed, temporary_file, to_json

POLICY_VARIABLE = "CORRLDP_FETCH_POLICY"
STORE_VARIABLE = "CORRLDP_DATA_STORE"
MIRROR_VARIABLE = "CORRLDP_DATA_MIRROR"
SHARED_MIRROR = Path("../shared/datasets")
SHIPPED = Path("data/shipped")  # packed copies of the files whose licences allow it
SHIPPED_COPY = "shipped copy"  # what a record says of a file from there

Seconds = Annotated[float, Gt(0), Le(86_400)]


class Limits(Entry):
    """Limits of a download, in seconds but for `retries`, the further attempts at an address."""

    connect_timeout: Seconds
    read_timeout: Seconds
    retries: Annotated[int, Ge(0), Le(100)]
    budget_seconds: Seconds


class Policy(Entry):
    """How data are found, not which: mirrors in the order in which they are tried, and what happens without data."""

    mirrors: tuple[str, ...]
    on_unavailable: Literal["standin", "error"]
    fetch: Limits


@dataclass(frozen=True)
class Places:
    """Where raw files are looked for: the `store`, then `mirrors`, and after all addresses the `shipped` copies.

    The store is a directory with one verified file per SHA-256, and next to it the record of where it came from.
    Mirrors are directories or addresses.
    """

    store: Path
    mirrors: tuple[str, ...]
    shipped: Path

    @classmethod
    def of(cls, configured: Sequence[str], root: Path) -> Self:
        """Return the places of a project; the environment names the store.

        Mirrors are that of the environment variable CORRLDP_DATA_MIRROR, then those of the configuration, then
        ../shared/datasets beside the project if it exists. Relative directories are relative to `root`.
        """
        named = filter(None, [os.environ.get(MIRROR_VARIABLE), *configured])
        mirrors = [place if is_address(place) else str(root / place) for place in named]
        shared = [str(root / SHARED_MIRROR)] if (root / SHARED_MIRROR).is_dir() else []
        return cls(Path(os.environ[STORE_VARIABLE]), (*mirrors, *shared), root / SHIPPED)

    def stored(self, sha256: str) -> Path:
        """Return the place of a file in the store."""
        return self.store / sha256

    def record(self, sha256: str) -> dict[str, Any] | None:
        """Return the record of a stored file, unless it is lost; its checksum is left out."""
        with suppress(OSError, ValueError):
            record = json.loads((self.store / f"{sha256}.json").read_text(encoding="utf-8"))
            record.pop(CHECKSUM, None)  # the SHA-256 is the registry's
            return record if record.get("sha256") == sha256 else None
        return None

    def keep(self, content: bytes, record: Mapping[str, Any]) -> None:
        """Keep a verified file and, before it, its record, each whole or not at all, for this user alone."""
        self.store.mkdir(parents=True, exist_ok=True, mode=0o700)
        name = record["sha256"]
        for file, written in ((f"{name}.json", to_json(sealed(record))), (name, content)):
            with temporary_file(self.store / file) as part:
                part.touch(mode=0o600)
                part.write_bytes(written)


def is_address(location: str) -> bool:
    """Whether a location is an HTTP address rather than a directory."""
    return location.startswith(("http://", "https://"))


def copies(file: str) -> tuple[str, ...]:
    """Return the names under which a mirror may hold a file."""
    return file, f"{file}.gz", f"{file}.xz"


def held(directory: Path, file: str) -> Path | None:
    """Return the file in a directory, plain or packed, if it is there."""
    return next((directory / name for name in copies(file) if (directory / name).is_file()), None)


def attempt(record_path: Path, file: str, sha256: str, places: Places) -> int:
    """Return the number of the attempt that fetched a file, or the next one if it is to be fetched again.

    It is fetched again if the file is a stand-in although the store or a directory has the real one, whose content is
    not checked; addresses are not queried.
    """
    try:
        record = json.loads(record_path.read_text(encoding="utf-8"))
        number, stand_in = int(record["attempt"]), record["status"] == "stand-in"
    except (OSError, ValueError, KeyError):
        return 0
    directories = [*(Path(place) for place in places.mirrors if not is_address(place)), places.shipped]
    there = places.stored(sha256).is_file() or any(held(directory, file) for directory in directories)
    return number + (stand_in and there)
