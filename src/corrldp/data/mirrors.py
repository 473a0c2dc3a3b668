"""Where to look for copies of the raw files, besides their canonical addresses."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path

MIRROR_VARIABLE = "CORRLDP_DATA_MIRROR"
SHARED_MIRROR = Path("../shared/datasets")


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
    """Whether a mirror is a directory that has a file, plain or gzipped; addresses are not queried."""
    return not is_address(location) and any((Path(location) / name).is_file() for name in copies(file))


def copies(file: str) -> tuple[str, str]:
    """Return the names under which a mirror may hold a file."""
    return file, f"{file}.gz"
