"""Turn the file that a source supplies into the file that is read; each step writes next to its input.

Every function raises a SourceError if its input is invalid or yields more than `most` bytes. An error of writing comes
from this machine, not from the source, and is raised as it is.
"""

from __future__ import annotations

import csv
import gzip
import lzma
import zipfile
import zlib
from pathlib import Path
from typing import IO

from replication.data.download import SourceError

CHUNK = 1 << 20
Packed = IO[bytes] | gzip.GzipFile | lzma.LZMAFile


def copied(path: Path, target: Path, most: int) -> Path:
    """Copy a file."""
    try:
        source = path.open("rb")
    except OSError as error:
        raise SourceError(f"not readable ({error.strerror})") from error
    with source:
        return _written(source, target, most, "not readable")


def unpacked(path: Path, name: str, most: int) -> Path:
    """Unpack a file called `name` if the name ends in .gz or .xz; otherwise return the file itself."""
    if name.endswith(".gz"):
        with gzip.open(path) as packed:
            return _written(packed, path.with_name("unpacked"), most, f"{name} is not a complete gzip file")
    if name.endswith(".xz"):
        with lzma.open(path) as packed:
            return _written(packed, path.with_name("unpacked"), most, f"{name} is not a complete xz file")
    return path


def zip_member(path: Path, member: str, most: int) -> Path:
    """Unpack one member of a zip archive."""
    incomplete = "not a complete zip archive"
    try:
        archive = zipfile.ZipFile(path)
    except zipfile.BadZipFile as error:
        raise SourceError(incomplete) from error
    with archive:
        if member not in archive.namelist():
            raise SourceError(f"the archive does not hold {member!r}")
        with archive.open(member) as packed:
            return _written(packed, path.with_name("member"), most, incomplete)


def _written(source: Packed, target: Path, most: int, unreadable: str) -> Path:
    """Write all that a source yields."""
    with target.open("wb") as file:
        while chunk := _next(source, unreadable):
            if file.tell() + len(chunk) > most:
                raise SourceError(f"larger than {most:,} bytes")
            file.write(chunk)
    return target


def _next(source: Packed, unreadable: str) -> bytes:
    try:
        return source.read(CHUNK)
    except (OSError, EOFError, zlib.error, lzma.LZMAError, zipfile.BadZipFile) as error:
        raise SourceError(unreadable) from error


def extracted(path: Path, column: str) -> Path:
    """Keep one column of a CSV file, header line included."""
    found = path.with_name("extracted")
    try:
        with path.open(newline="", encoding="utf-8") as rows, found.open("w", newline="", encoding="utf-8") as file:
            reader = csv.DictReader(rows)
            file.write(f"{column}\n")
            file.writelines(f"{row[column]}\n" for row in reader)
    except (KeyError, UnicodeDecodeError, csv.Error) as error:
        raise SourceError(f"no CSV file with a column {column!r}") from error
    return found
