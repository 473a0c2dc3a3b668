"""Fetch one data set from a mirror, a canonical address or a shipped copy, and check its SHA-256.

A mirror holds the file under its name in the registry, plain or packed (.gz, .xz), as does the project's own directory
data/shipped, the last resort before a stand-in.
"""

import hashlib
import os
import sys
from collections.abc import Callable, Iterator, Sequence
from functools import partial
from pathlib import Path
from typing import Any
from urllib.parse import quote

from claimaudit.results import sealed_json
from replication.data.download import Budget, SourceError, download, extracted, unpacked, zip_member
from replication.data.registry import CanonicalSource, DataFile, FetchJob
from replication.data.store import POLICY_VARIABLE, SHIPPED_COPY, Places, Policy, copies, held, is_address

# Bytes that a source may supply for one data set, whose file it may hold with others, packed or not.
SMALLEST_BOUND, LARGEST_RATIO = 2**20, 20
STORED = "stored copy"

Source = tuple[str, str, Callable[[], bytes]]
"""What the record says of a source, which has no local path; its place; what reads the file, or raises SourceError."""

Failure = tuple[str, str, str]  # what the record says of a source, its place, and why it did not supply the file


def fetch_files(job: FetchJob) -> dict[str, bytes]:
    """Return the ``raw`` file of a data set, always unpacked, and the ``record`` of its origin.

    How it is found, which decides nothing of what it is, is in the environment: CORRLDP_FETCH_POLICY, JSON of a
    `Policy`, and the variables of the store and of a mirror. Errors are those of `fetch`.
    """
    root = Path(os.environ.get("CLAIMAUDIT_PROJECT", Path.cwd()))
    policy = Policy.model_validate_json(os.environ[POLICY_VARIABLE])
    content, record = fetch(job, policy, Places.of(policy.mirrors, root))
    return {"raw": content, "record": sealed_json(record)}


def fetch(job: FetchJob, policy: Policy, places: Places) -> tuple[bytes, dict[str, Any]]:
    """Return a data set's file, which is kept in the store, and the record of its origin.

    If no source answers, the policy ``standin`` makes synthetic records.

    Raises ValueError if no source answers and the policy is ``error``; the one-line message lists every source and its
    failure.
    """
    dataset = job.dataset
    failures: list[Failure] = []
    budget = Budget(policy.fetch, SMALLEST_BOUND + LARGEST_RATIO * dataset.bytes)
    for label, place, obtain in _sources(dataset, places, budget):
        try:
            content = obtain()
            _check(content, dataset)
        except SourceError as error:
            failures.append((label, place, str(error)))
            _say(f"{dataset.name}: {place}: {error}")
            continue
        _say(f"{dataset.name}: from {place}")
        kept = places.record(dataset.sha256) if label == STORED else None
        record = (kept or _record(dataset, label, content, dataset.status, failures)) | {"attempt": job.attempt}
        if label != STORED:
            places.keep(content, record)
        return content, record
    tried = "; ".join(f"{place}: {outcome}" for _, place, outcome in failures) or "none is known"
    if policy.on_unavailable == "error":
        raise ValueError(
            f"the data set is not available; sources tried: {tried}. Put {dataset.file} into a directory and name it "
            "in CORRLDP_DATA_MIRROR, or set on_unavailable: standin"
        )
    from replication.data.align import standin_bytes  # only here, since it imports pandas, as no other fetch does

    content = standin_bytes(dataset)
    _say(
        f"{'!' * 100}\n"
        f"STAND-IN: data set {dataset.name!r} is SYNTHETIC ({dataset.rows} records), because no source supplied it:\n"
        f"{tried}\n"
        f"No number computed from it says anything about the real data; claims on it have no data.\n"
        f"{'!' * 100}"
    )
    return content, _record(dataset, "stand-in", content, "stand-in", failures) | {"attempt": job.attempt}


def _sources(dataset: DataFile, places: Places, budget: Budget) -> Iterator[Source]:
    if (stored := places.stored(dataset.sha256)).is_file():
        yield STORED, str(stored), partial(_from_file, stored, budget)
    for mirror in places.mirrors:
        if is_address(mirror):
            yield "mirror (address)", mirror, partial(_from_address, mirror, dataset, budget)
        else:
            yield "mirror (directory)", mirror, partial(_from_directory, Path(mirror), dataset, budget)
    for source in dataset.sources:
        yield source.url, source.url, partial(_from_source, source, dataset, budget)
    if copy := held(places.shipped, dataset.file):
        yield SHIPPED_COPY, str(places.shipped), partial(_from_file, copy, budget)


def _from_file(file: Path, budget: Budget) -> bytes:
    try:
        content = file.read_bytes()
    except OSError as error:
        raise SourceError(f"not readable ({error.strerror})") from error
    return unpacked(content, file.name, budget.most_bytes)


def _from_directory(mirror: Path, dataset: DataFile, budget: Budget) -> bytes:
    if copy := held(mirror, dataset.file):
        return _from_file(copy, budget)
    raise SourceError(f"does not hold {dataset.file}")


def _from_address(mirror: str, dataset: DataFile, budget: Budget) -> bytes:
    for name in copies(dataset.file):
        try:
            content = download(f"{mirror.rstrip('/')}/{quote(name)}", budget, dataset.name)
        except SourceError as error:
            if str(error) != "HTTP 404":
                raise
        else:
            return unpacked(content, name, budget.most_bytes)
    raise SourceError(f"does not hold {dataset.file}")


def _from_source(source: CanonicalSource, dataset: DataFile, budget: Budget) -> bytes:
    content = download(source.url, budget, dataset.name)
    if source.member:
        content = zip_member(content, source.member, budget.most_bytes)
    return extracted(content, source.extract) if source.extract else content


def _check(content: bytes, dataset: DataFile) -> None:
    found = hashlib.sha256(content).hexdigest()
    if found != dataset.sha256:
        raise SourceError(
            f"wrong content: SHA-256 is {found} ({len(content)} bytes), "
            f"expected {dataset.sha256} ({dataset.bytes} bytes)"
        )


def _record(dataset: DataFile, source: str, content: bytes, status: str, failures: Sequence[Failure]) -> dict[str, Any]:
    return {
        "dataset": dataset.name,
        "title": dataset.title,
        "licence": dataset.licence,
        "citation": dataset.citation,
        "doi": dataset.doi,
        "source": source,
        "sha256": hashlib.sha256(content).hexdigest(),
        "bytes": len(content),
        "status": status,
        "tried": [{"source": label, "outcome": outcome} for label, _, outcome in failures if label != STORED],
    }


def _say(message: str) -> None:
    print(message, file=sys.stderr, flush=True)
