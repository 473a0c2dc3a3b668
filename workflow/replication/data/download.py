"""Download one file over HTTP, with timeouts, retries of transient errors only and a time budget, and unpack it."""

import csv
import gzip
import io
import lzma
import sys
import threading
import time
import zipfile
import zlib
from concurrent.futures import Future
from dataclasses import dataclass, field
from typing import IO
from urllib.parse import urlsplit

import requests
import tenacity
import urllib3

from replication.data.store import Limits

CHUNK = 1 << 20
PROGRESS_SECONDS = 2.0
MINIMUM_RATE = 50_000.0  # bytes per second
BACKOFF = 0.5  # seconds before the second attempt


class SourceError(Exception):
    """A source that could not supply the file; the same cause always has the same message."""


class TransientError(SourceError):
    """A failure that another attempt may overcome: a silent server, a broken body, HTTP 429 or 5xx."""


class UnreachableError(SourceError):
    """A host that cannot be reached, at any of its addresses, as all are where there is no network."""


@dataclass
class Budget:
    """Time allowed for one data set over all its sources, and the size of a file that none of them may exceed.

    Waiting uses up the budget, so a host that could not be reached is not tried again; every byte received adds
    `1 / MINIMUM_RATE` seconds. So a slow but steady connection can finish a large file, while a dead or trickling
    server is abandoned after `budget_seconds`.
    """

    limits: Limits
    most_bytes: int = 2**40
    started: float = field(default_factory=time.monotonic)
    received: int = 0
    unreachable: dict[str, UnreachableError] = field(default_factory=dict)

    def remaining(self) -> float:
        """Return the seconds left; negative once the budget is used up."""
        allowed = self.limits.budget_seconds + self.received / MINIMUM_RATE
        return allowed - (time.monotonic() - self.started)

    def check(self) -> None:
        """Raise a SourceError once the budget is used up."""
        if self.remaining() <= 0:
            raise SourceError(f"too slow: the budget of {self.limits.budget_seconds:g} s is used up")


def download(url: str, budget: Budget, label: str) -> bytes:
    """Return the body at `url`.

    Raises SourceError after the last attempt, at once if the failure is permanent (such as 404, or a host that cannot
    be reached), or when the budget is used up.
    """
    host = urlsplit(url).netloc
    if host in budget.unreachable:
        raise budget.unreachable[host]
    budget.check()
    attempts = tenacity.Retrying(
        retry=tenacity.retry_if_exception_type(TransientError),
        stop=tenacity.stop_after_attempt(budget.limits.retries + 1) | tenacity.stop_before_delay(budget.remaining()),
        wait=tenacity.wait_exponential(multiplier=BACKOFF, max=8),
        reraise=True,
    )
    try:
        return attempts(_download_once, url, budget, label)
    except UnreachableError as error:
        budget.unreachable[host] = error
        raise


def _download_once(url: str, budget: Budget, label: str) -> bytes:
    """Return the body at `url`, received in a thread that is abandoned when the budget runs out.

    Socket timeouts limit neither name resolution nor the attempts at a host with many addresses.
    """
    budget.check()
    answer: Future[bytes] = Future()

    def receive() -> None:
        try:
            answer.set_result(_body(url, budget, label))
        except Exception as error:  # whatever a server provokes, such as urllib3's complaint about headers
            answer.set_exception(_reason(error))

    threading.Thread(target=receive, daemon=True).start()
    while True:
        try:
            return answer.result(max(budget.remaining(), 0.001))
        except TimeoutError:
            budget.check()


def _body(url: str, budget: Budget, label: str) -> bytes:
    limits, body, shown = budget.limits, io.BytesIO(), time.monotonic()
    timeout = (limits.connect_timeout, min(limits.read_timeout, limits.budget_seconds))
    with requests.get(url, stream=True, timeout=timeout, headers={"Accept-Encoding": "identity"}) as response:
        if (status := response.status_code) != 200:
            raise (TransientError if status == 429 or status >= 500 else SourceError)(f"HTTP {status}")
        expected = response.raw.length_remaining  # None unless it was announced, as a number
        response.raw.enforce_content_length = False  # the sizes are compared and both reported below
        while chunk := response.raw.read1(CHUNK):  # not a full one, so that the budget is checked in time
            _add(chunk, body, budget.most_bytes)
            budget.received += len(chunk)
            budget.check()
            if time.monotonic() - shown >= PROGRESS_SECONDS:
                shown = time.monotonic()
                total = f" of {expected / 1e6:.1f}" if expected else ""
                print(f"{label}: {body.tell() / 1e6:.1f}{total} MB", file=sys.stderr, flush=True)
    if expected and body.tell() != expected:
        raise TransientError(f"truncated: {body.tell()} of {expected} bytes")
    return body.getvalue()


def _add(chunk: bytes, content: IO[bytes], most: int) -> None:
    if content.tell() + len(chunk) > most:
        raise SourceError(f"larger than {most:,} bytes")
    content.write(chunk)


def _reason(error: Exception) -> SourceError:
    match error:
        case SourceError():
            return error
        case requests.exceptions.SSLError():
            return SourceError("secure connection refused")
        case requests.ConnectionError() if isinstance(error, requests.ConnectTimeout) or _without_connection(error):
            return UnreachableError("no connection")
        case requests.Timeout():
            return TransientError("timed out")
        case requests.ConnectionError():
            return TransientError("connection lost")
        case urllib3.exceptions.ReadTimeoutError():
            return TransientError("timed out while reading")
        case urllib3.exceptions.HTTPError():
            return TransientError("connection lost while reading")
    return SourceError(f"not fetched ({type(error).__name__})")


def _without_connection(error: Exception) -> bool:
    """Whether requests gave up before there was a connection: no name, no route, no proxy, or refused."""
    cause = error.args[0] if error.args else None
    reason = cause.reason if isinstance(cause, urllib3.exceptions.MaxRetryError) else cause
    if isinstance(reason, urllib3.exceptions.ProxyError):
        reason = reason.original_error
    return isinstance(reason, urllib3.exceptions.NewConnectionError)


Packed = IO[bytes] | gzip.GzipFile | lzma.LZMAFile


def _unpack(source: Packed, most: int, unreadable: str) -> bytes:
    """Return all that is left in a source; one that is damaged or has more than `most` bytes is a SourceError."""
    content = io.BytesIO()
    try:
        while chunk := source.read(CHUNK):
            _add(chunk, content, most)
    except (OSError, EOFError, zlib.error, lzma.LZMAError, zipfile.BadZipFile) as error:
        raise SourceError(unreadable) from error
    return content.getvalue()


def unpacked(content: bytes, name: str, most: int) -> bytes:
    """Unpack a file called `name` if the name ends in .gz or .xz; otherwise return its content itself."""
    if name.endswith(".gz"):
        return _unpack(gzip.open(io.BytesIO(content)), most, f"{name} is not a complete gzip file")
    if name.endswith(".xz"):
        return _unpack(lzma.open(io.BytesIO(content)), most, f"{name} is not a complete xz file")
    return content


def zip_member(content: bytes, member: str, most: int) -> bytes:
    """Unpack one member of a zip archive."""
    incomplete = "not a complete zip archive"
    try:
        with zipfile.ZipFile(io.BytesIO(content)) as archive, archive.open(member) as packed:
            return _unpack(packed, most, incomplete)
    except zipfile.BadZipFile as error:
        raise SourceError(incomplete) from error
    except KeyError:
        raise SourceError(f"the archive does not hold {member!r}") from None


def extracted(content: bytes, column: str) -> bytes:
    """Keep one column of a CSV file, header line included."""
    try:
        rows = csv.DictReader(io.StringIO(content.decode(), newline=""))
        return "".join([f"{column}\n", *(f"{row[column]}\n" for row in rows)]).encode()
    except (KeyError, UnicodeDecodeError, csv.Error) as error:
        raise SourceError(f"no CSV file with a column {column!r}") from error
