"""Where to look for copies of the raw files, besides their canonical addresses."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from corrldp.data.store import Store

MIRROR_VARIABLE = "CORRLDP_DATA_MIRROR"
SHARED_MIRROR = Path("../shared/datasets")
SHIPPED = Path("data/shipped")  # packed copies of the files whose licences allow it
SHIPPED_COPY = "shipped copy"  # what a record says of a file from there


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


def attempt(record_path: Path, entry: Mapping[str, Any], locations: Sequence[str], store: Store | None) -> int:
    """Return the number of the attempt that a data set's file comes from, or one more if that is to be made.

    It is to be made if the file is a stand-in although the store or a directory among `locations` has the real one.
    """
    try:
        record = json.loads(record_path.read_text(encoding="utf-8"))
        number, stand_in = int(record["attempt"]), record["status"] == "stand-in"
    except (OSError, ValueError, KeyError):
        return 0
    stored = store is not None and store.holds(entry["sha256"])
    return number + (stand_in and (stored or any(holds(location, entry["file"]) for location in locations)))
