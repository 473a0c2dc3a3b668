"""How a raw file is found: what a user says of that, mirrors, and the store of verified files that clones share."""

import json
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
class Store:
    """A directory with one file per SHA-256, and next to it the record of where it came from."""

    directory: Path

    @classmethod
    def of(cls, environment: Mapping[str, str]) -> Self | None:
        """Return the store that the environment names, if it does."""
        named = environment.get(STORE_VARIABLE)
        return cls(Path(named)) if named else None

    def file(self, sha256: str) -> Path:
        """Return the place of a file."""
        return self.directory / sha256

    def record(self, sha256: str) -> dict[str, Any] | None:
        """Return the record of a file, unless it is lost; its checksum is left out."""
        with suppress(OSError, ValueError):
            record = json.loads(self._place(sha256).read_text(encoding="utf-8"))
            record.pop(CHECKSUM, None)  # the SHA-256 is the registry's
            return record if record.get("sha256") == sha256 else None
        return None

    def keep(self, content: bytes, record: Mapping[str, Any]) -> None:
        """Keep a verified file and, before it, its record, each whole or not at all, for this user alone."""
        self.directory.mkdir(parents=True, exist_ok=True, mode=0o700)
        name = record["sha256"]
        for path, written in ((self._place(name), to_json(sealed(record))), (self.file(name), content)):
            with temporary_file(path) as part:
                part.touch(mode=0o600)
                part.write_bytes(written)

    def _place(self, sha256: str) -> Path:
        return self.directory / f"{sha256}.json"


def mirror_locations(configured: Sequence[str], environment: Mapping[str, str], root: Path) -> list[str]:
    """Return directories and addresses in the order in which they are tried.

    First the environment variable CORRLDP_DATA_MIRROR, then the configuration, then ../shared/datasets beside the
    project root if it exists. Relative directories are relative to `root`.
    """
    named = [environment.get(MIRROR_VARIABLE, ""), *configured]
    locations = [place if is_address(place) else str(root / place) for place in named if place]
    shared = root / SHARED_MIRROR
    return locations + ([str(shared)] if shared.is_dir() else [])


def is_address(location: str) -> bool:
    """Whether a location is an HTTP address rather than a directory."""
    return location.startswith(("http://", "https://"))


def holds(location: str, file: str) -> bool:
    """Whether a mirror is a directory that has a file, plain or packed; addresses are not queried."""
    return not is_address(location) and any((Path(location) / name).is_file() for name in copies(file))


def copies(file: str) -> tuple[str, ...]:
    """Return the names under which a mirror may hold a file."""
    return file, f"{file}.gz", f"{file}.xz"


def attempt(record_path: Path, file: str, sha256: str, locations: Sequence[str], store: Store | None) -> int:
    """Return the number of the attempt that fetched a file, or the next one if it is to be fetched again.

    It is fetched again if the file is a stand-in although the store or a directory among `locations` has the real one.
    """
    try:
        record = json.loads(record_path.read_text(encoding="utf-8"))
        number, stand_in = int(record["attempt"]), record["status"] == "stand-in"
    except (OSError, ValueError, KeyError):
        return 0
    stored = store is not None and store.file(sha256).is_file()
    return number + (stand_in and (stored or any(holds(location, file) for location in locations)))
