"""Turn the file that a source supplies into the file that is read; each step writes next to its input.

Every function raises a SourceError if its input is invalid.
"""

from __future__ import annotations

import csv
import gzip
import shutil
import zipfile
import zlib
from pathlib import Path

from corrldp.data.download import SourceError


def copied(path: Path, target: Path) -> Path:
    """Copy a file."""
    try:
        return Path(shutil.copyfile(path, target))
    except OSError as error:
        raise SourceError(f"not readable ({error.strerror})") from error


def gunzipped(path: Path, name: str) -> Path:
    """Unpack a file called `name` if the name ends in .gz; otherwise return the file itself."""
    if not name.endswith(".gz"):
        return path
    unpacked = path.with_name("unpacked")
    try:
        with gzip.open(path) as packed, unpacked.open("wb") as file:
            shutil.copyfileobj(packed, file)
    except (OSError, EOFError, zlib.error) as error:
        raise SourceError(f"{name} is not a complete gzip file") from error
    return unpacked


def zip_member(path: Path, member: str) -> Path:
    """Unpack one member of a zip archive."""
    found = path.with_name("member")
    try:
        with zipfile.ZipFile(path) as archive, archive.open(member) as packed, found.open("wb") as file:
            shutil.copyfileobj(packed, file)
    except KeyError:
        raise SourceError(f"the archive does not hold {member!r}") from None
    except (zipfile.BadZipFile, EOFError, zlib.error) as error:
        raise SourceError("not a complete zip archive") from error
    return found


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
