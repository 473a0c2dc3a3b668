"""Reading what others wrote, line by line: nothing is trusted, and errors say where something stands."""

import io
import math
import os
import sqlite3
import sys
from collections.abc import Callable, Iterator, Sequence
from contextlib import closing, contextmanager
from dataclasses import dataclass
from itertools import islice
from pathlib import Path
from tempfile import NamedTemporaryFile
from typing import TypeVar

from corrldp.arrays import in_short
from corrldp.collection import Collection
from corrldp.domain import Domain
from corrldp.formats import SEPARATORS, cells, number_in

STDIN = "-"
EXCEL = b"PK\x03\x04"
LONGEST_LINE, LARGEST_STATE = 2**20, 2**30
PATIENCE = 60.0

Line = tuple[int, bytes]
T = TypeVar("T")


@contextmanager
def opened(file: str) -> Iterator[tuple[str, io.BufferedReader]]:
    """Open a file, or standard input, for bytes, and give its name."""
    if file == STDIN:
        yield "standard input", sys.stdin.buffer  # type: ignore[misc]
    else:
        with Path(file).open("rb") as stream:
            yield file, stream


def lines_of(name: str, stream: io.BufferedReader) -> Iterator[Line]:
    """Yield the lines that are not empty, with their numbers, and refuse one that would fill the memory."""
    number = 0
    while line := stream.readline(LONGEST_LINE + 1):
        number += 1
        if len(line) > LONGEST_LINE:
            raise ValueError(f"{name}, line {number}: it has more than {LONGEST_LINE} bytes")
        if not line.isspace():
            yield number, line


@dataclass
class at:  # noqa: N801 (a generator as context manager takes four times as long, at every line)
    """Say in errors where something was read."""

    name: str
    number: int | None = None

    def __enter__(self) -> None: ...

    def __exit__(self, kind: object, error: BaseException | None, trace: object) -> None:
        if isinstance(error, ValueError | RecursionError):
            line = "" if self.number is None else f", line {self.number}"
            raise ValueError(f"{self.name}{line}: {str(error).splitlines()[0]}") from error


def document(stream: io.BufferedReader) -> str:
    """Return all that a stream has, if it is no more than a state may be."""
    content = stream.read(LARGEST_STATE + 1)
    if len(content) > LARGEST_STATE:
        raise ValueError(f"the state has more than {LARGEST_STATE} bytes")
    return content.decode()


def read(path: Path, make: Callable[[str], T]) -> T:
    """Return what a document says."""
    with at(str(path)), path.open("rb") as stream:
        return make(document(stream))


def write(path: Path, text: str) -> None:
    """Write a file as a whole or not at all; when this returns, the disk has it."""
    with NamedTemporaryFile("w", encoding="utf-8", dir=path.parent, prefix=f".{path.name}.", delete=False) as file:
        file.write(text + "\n")
        file.flush()
        os.fsync(file.fileno())
    Path(file.name).replace(path)
    if os.name == "posix":
        folder = os.open(path.parent, os.O_RDONLY)
        os.fsync(folder)
        os.close(folder)


@contextmanager
def locked(path: Path) -> Iterator[None]:
    """Wait until no other process is in here with this path, and then keep others out; the lock lies beside the file.

    If another process does not end, or no lock can be made, it is a ValueError.
    """
    lock = path.with_name(f".{path.name}.lock")
    try:
        with closing(sqlite3.connect(lock, timeout=PATIENCE, isolation_level=None)) as database:
            database.execute("BEGIN EXCLUSIVE")
            yield
    except sqlite3.Error as error:
        raise ValueError(f"{path} is in use, or cannot be locked by {lock}: {error}") from error


@dataclass
class SkippedLines:
    """How many lines were left out, which one first and why; none may be unless it is to `skip` them."""

    skip: bool = False
    count: int = 0
    first: str = ""

    def add(self, error: ValueError) -> None:
        """Count a line, of which the error says where it stands, or raise the error."""
        if not self.skip:
            raise error
        self.count += 1
        self.first = self.first or str(error)

    def tell(self, what: str) -> None:
        """Say on standard error how many there are, if any."""
        if self.count:
            print(f"{what} left out: {self.count}, first {self.first}", file=sys.stderr)


@dataclass
class Records:
    """How the records for a collection stand in a CSV.

    If it has names, values are found by these, in columns that the first line names in any order, among others; else
    they are codes, and a `header` says that the first line names the columns. Commas and ends of lines of the
    `encoding` must be those of ASCII, else it is a ValueError. With a `decimal` sign, "." or ",", numbers may have
    marks of thousands. Records that do not fit are refused or, if it is to `skip` them, `left_out`.
    """

    collection: Collection
    header: bool = False
    encoding: str = "utf-8"
    decimal: str | None = None
    skip: bool = False

    def __post_init__(self) -> None:
        self.domain, self.left_out = self.collection.domain, SkippedLines(self.skip)
        try:
            fits = b"0,1\r\n".decode(self.encoding) == "0,1\r\n"
        except (LookupError, UnicodeError):
            fits = False
        if not fits:
            raise ValueError(
                f"--encoding {in_short(self.encoding)} must be one such as latin-1: convert others to UTF-8"
            )

    def read(self, name: str, stream: io.BufferedReader) -> Iterator[list[int]]:
        """Yield the codes of each record of a file."""
        columns: list[str] | None = None
        separator = ","
        for number, line in islice(lines_of(name, stream), int(self.header and self.domain is None), None):
            with at(name, number):
                text = self._text(line)
                if self.domain is not None and columns is None:
                    separator = next((one for one in SEPARATORS if {*self.domain.names} <= {*cells(text, one)}), ",")
                    columns = _columns(cells(text, separator), self.domain)
                    continue
            try:
                with at(name, number):
                    codes = self._codes(cells(text, separator), columns)
            except ValueError as error:
                self.left_out.add(error)
                continue
            yield codes

    def _text(self, line: bytes) -> str:
        if line.startswith(EXCEL):
            raise ValueError("this is an Excel file: save it as CSV")
        try:
            return line.decode(self.encoding).removeprefix("\ufeff").rstrip("\r\n")
        except UnicodeDecodeError as error:
            raise ValueError(f"{error}: name another --encoding, such as latin-1") from error

    def _codes(self, cells: list[str], columns: Sequence[str] | None) -> list[int]:
        if self.domain is None or columns is None:
            return _codes(cells, self.collection.protocol.sizes)
        if len(cells) != len(columns):
            raise ValueError(f"{len(cells)} values must be {len(columns)}, one for each column")
        named = dict(zip(columns, cells, strict=True))
        binned = [name for name, bins in zip(self.domain.names, self.domain.bins, strict=True) if bins]
        if self.decimal is not None:
            numbers = {name: number_in(named[name], self.decimal) for name in binned}
            return self.domain.codes(named | {name: one for name, one in numbers.items() if not math.isnan(one)})
        try:
            return self.domain.codes(named)
        except ValueError as error:
            commas = any("," in named[name] and not math.isnan(number_in(named[name], ",")) for name in binned)
            raise ValueError(f"{error}{': --decimal , reads decimal commas' * commas}") from error


def _columns(cells: list[str], domain: Domain) -> list[str]:
    missing = [name for name in domain.names if cells.count(name) != 1]
    if missing:
        raise ValueError(f"the columns {in_short(cells)} must have {in_short(missing[0])} once: name them there")
    return cells


def _codes(cells: list[str], sizes: Sequence[int]) -> list[int]:
    if len(cells) != len(sizes):
        raise ValueError(f"{len(cells)} values must be {len(sizes)}, one for each attribute")
    for j, (cell, k) in enumerate(zip(cells, sizes, strict=True)):
        if not (cell.isascii() and cell.isdecimal() and len(cell) < 10 and int(cell) < k):
            raise ValueError(f"{in_short(cell)} must be a code 0..{k - 1} of attribute {j}; names need --header")
    return list(map(int, cells))
