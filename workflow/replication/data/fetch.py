"""Fetch one data set from a local copy, a mirror, a canonical address or a shipped copy, and check its SHA-256.

Command line::

    python -m replication.data.fetch SETTING POLICY RAW_FILE RECORD.json

SETTING is the file of a `FetchJob`, which decides what the file is; POLICY is JSON of a `Policy`, which only decides
how it is found. A mirror holds the file under its name in the registry, plain or packed (.gz, .xz), as does the
project's own directory data/shipped, the last resort before a stand-in; the raw file is always stored unpacked.
Verified files are kept in the directory CORRLDP_DATA_STORE, if that is set.
"""

import argparse
import hashlib
import os
import signal
import sys
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any
from urllib.parse import quote

from claimaudit.results import write_sealed
from claimaudit.storage import sha256, temporary_directory, write_bytes
from replication.data.download import Budget, SourceError, copied, download, extracted, unpacked, zip_member
from replication.data.registry import CanonicalSource, DataFile, FetchJob
from replication.data.store import (
    SHIPPED,
    SHIPPED_COPY,
    Policy,
    Store,
    copies,
    holds,
    is_address,
    mirror_locations,
    read_record,
)

# Bytes that a source may supply for one data set, whose file it may hold with others, packed or not.
SMALLEST_BOUND, LARGEST_RATIO = 2**20, 20
LOCAL, STORED = "local copy", "stored copy"
KEPT = (LOCAL, STORED)


@dataclass(frozen=True)
class Location:
    """A place to get the file from; `label` goes into the record and contains no local path.

    `obtain` puts the file into an empty directory and returns its path, or raises a SourceError; `record` is what an
    earlier fetch of the file says of its origin.
    """

    label: str
    place: str
    obtain: Callable[[Path], Path]
    record: Path | None = None


def fetch(
    job: FetchJob,
    policy: Policy,
    target: Path,
    record_path: Path,
    store: Store | None = None,
    shipped: Path | None = None,
) -> dict[str, Any]:
    """Put a data set's file at `target`, and the record of its origin, which is returned, at `record_path`.

    If no source answers, the policy ``standin`` writes synthetic records. The `store` keeps verified files; `shipped`
    is a directory with packed copies that come with the project, tried last.

    Raises ValueError if no source answers and the policy is ``error``; the one-line message lists every source and its
    failure.
    """
    dataset = job.dataset
    target.parent.mkdir(parents=True, exist_ok=True)
    failures: list[tuple[Location, str]] = []
    budget = Budget(policy.fetch, SMALLEST_BOUND + LARGEST_RATIO * dataset.bytes)
    for location in _locations(dataset, target, policy.mirrors, budget, store, shipped):
        try:
            with temporary_directory(target) as directory:
                found = location.obtain(directory)
                _check(found, dataset)
                kept = read_record(location.record or record_path, dataset.sha256) if location.label in KEPT else None
                record = kept or _record(
                    dataset, location.label, dataset.sha256, dataset.bytes, dataset.status, failures
                )
                record |= {"attempt": job.attempt}
                write_sealed(record_path, record)  # first, so that whoever finds the bytes finds their source
                os.replace(found, target)  # noqa: PTH105
        except SourceError as error:
            failures.append((location, str(error)))
            _say(f"{dataset.name}: {location.place}: {error}")
            continue
        _say(f"{dataset.name}: from {location.place}")
        if store and location.label != STORED:
            store.keep(target, record)
        return record
    if policy.on_unavailable == "error":
        raise ValueError(
            f"data set {dataset.name!r} is not available; sources tried: {_tried(failures)}. Put {dataset.file} into a "
            f"directory and name it in CORRLDP_DATA_MIRROR, or set on_unavailable: standin"
        )
    return _stand_in(job, target, record_path, failures)


def _locations(
    dataset: DataFile, target: Path, mirrors: Sequence[str], budget: Budget, store: Store | None, shipped: Path | None
) -> Iterator[Location]:
    if target.is_file():
        yield Location(LOCAL, str(target), partial(_copy, target, budget))
    if store and store.holds(dataset.sha256):
        stored = store.file(dataset.sha256)
        yield Location(STORED, str(stored), partial(_copy, stored, budget), store.record(dataset.sha256))
    for mirror in mirrors:
        if is_address(mirror):
            yield Location("mirror (address)", mirror, partial(_from_address, mirror, dataset, budget))
        else:
            yield Location("mirror (directory)", mirror, partial(_from_directory, Path(mirror), dataset, budget))
    for source in dataset.sources:
        yield Location(source.url, source.url, partial(_from_source, source, dataset, budget))
    if shipped and holds(str(shipped), dataset.file):
        yield Location(SHIPPED_COPY, str(shipped), partial(_from_directory, shipped, dataset, budget))


def _copy(file: Path, budget: Budget, directory: Path) -> Path:
    return copied(file, directory / "file", budget.most_bytes)


def _from_directory(mirror: Path, dataset: DataFile, budget: Budget, directory: Path) -> Path:
    for name in copies(dataset.file):
        if (mirror / name).is_file():
            copy = copied(mirror / name, directory / "copy", budget.most_bytes)
            return unpacked(copy, name, budget.most_bytes)
    raise SourceError(f"does not hold {dataset.file}")


def _from_address(mirror: str, dataset: DataFile, budget: Budget, directory: Path) -> Path:
    for name in copies(dataset.file):
        try:
            download(f"{mirror.rstrip('/')}/{quote(name)}", directory / "copy", budget, dataset.name)
        except SourceError as error:
            if str(error) != "HTTP 404":
                raise
        else:
            return unpacked(directory / "copy", name, budget.most_bytes)
    raise SourceError(f"does not hold {dataset.file}")


def _from_source(source: CanonicalSource, dataset: DataFile, budget: Budget, directory: Path) -> Path:
    found = directory / "download"
    download(source.url, found, budget, dataset.name)
    if source.member:
        found = zip_member(found, source.member, budget.most_bytes)
    if source.extract:
        found = extracted(found, source.extract)
    return found


def _check(path: Path, dataset: DataFile) -> None:
    found = sha256(path)
    if found != dataset.sha256:
        raise SourceError(
            f"wrong content: SHA-256 is {found} ({path.stat().st_size} bytes), "
            f"expected {dataset.sha256} ({dataset.bytes} bytes)"
        )


def _record(
    dataset: DataFile, source: str, digest: str, size: int, status: str, failures: Sequence[tuple[Location, str]]
) -> dict[str, Any]:
    return {
        "dataset": dataset.name,
        "title": dataset.title,
        "licence": dataset.licence,
        "citation": dataset.citation,
        "doi": dataset.doi,
        "source": source,
        "sha256": digest,
        "bytes": size,
        "status": status,
        "tried": [
            {"source": location.label, "outcome": outcome}
            for location, outcome in failures
            if location.label not in KEPT
        ],
    }


def _tried(failures: Sequence[tuple[Location, str]]) -> str:
    return "; ".join(f"{location.place}: {outcome}" for location, outcome in failures) or "none is known"


def _stand_in(
    job: FetchJob, target: Path, record_path: Path, failures: Sequence[tuple[Location, str]]
) -> dict[str, Any]:
    from replication.data.align import standin_bytes  # only here, since it imports pandas, as no other fetch does

    dataset = job.dataset
    content = standin_bytes(dataset)
    record_path.unlink(missing_ok=True)
    write_bytes(target, content)
    digest = hashlib.sha256(content).hexdigest()
    record = _record(dataset, "stand-in", digest, len(content), "stand-in", failures) | {"attempt": job.attempt}
    write_sealed(record_path, record)
    _say(
        f"{'!' * 100}\n"
        f"STAND-IN: data set {dataset.name!r} is SYNTHETIC ({dataset.rows} records), because no source supplied it:\n"
        f"{_tried(failures)}\n"
        f"No number computed from it says anything about the real data; claims on it have no data.\n"
        f"{'!' * 100}"
    )
    return record


def _say(message: str) -> None:
    print(message, file=sys.stderr, flush=True)


def main() -> None:
    """Fetch one data set from the command line; exit with status 1 and one line if it is unavailable."""
    parser = argparse.ArgumentParser(description="Fetch one data set and check it.")
    parser.add_argument("setting", type=Path, help="file of a job (JSON)")
    parser.add_argument("policy", type=Policy.model_validate_json, help="how it is found (JSON)")
    parser.add_argument("raw", type=Path, help="path of the raw file")
    parser.add_argument("record", type=Path, help="path of the record of its origin (JSON)")
    arguments = parser.parse_args()
    job = FetchJob.model_validate_json(arguments.setting.read_bytes())
    root = Path(os.environ.get("CLAIMAUDIT_PROJECT", Path.cwd()))
    mirrors = mirror_locations(arguments.policy.mirrors, os.environ, root)
    policy = arguments.policy.model_copy(update={"mirrors": mirrors})
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(143))  # so that temporary directories are removed
    try:
        fetch(job, policy, arguments.raw, arguments.record, Store.of(os.environ), root / SHIPPED)
    except ValueError as error:
        sys.exit(f"error: {error}")
    except OSError as error:  # of this machine: a full disk is no reason for a stand-in
        sys.exit(f"error: data set {job.dataset.name!r} cannot be stored: {error}; make room and run again")


if __name__ == "__main__":
    main()
