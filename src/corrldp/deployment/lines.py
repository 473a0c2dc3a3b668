"""Reading what others wrote, line by line: nothing is trusted, and errors say where something stands."""

from __future__ import annotations

import csv
import io
import json
import sys
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from itertools import islice
from pathlib import Path
from tempfile import NamedTemporaryFile
from typing import TypeVar

from corrldp.arrays import in_short
from corrldp.domain import Domain
from corrldp.mechanisms.coding import Report

STDIN = "-"
SEPARATORS = ",;\t|"
LONGEST_LINE, LARGEST_STATE = 2**20, 2**30

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


@contextmanager
def at(name: str, number: int | None = None) -> Iterator[None]:
    """Say in errors where something was read."""
    try:
        yield
    except (ValueError, RecursionError) as error:
        line = "" if number is None else f", line {number}"
        raise ValueError(f"{name}{line}: {str(error).splitlines()[0]}") from error


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
    """Write a file as a whole or not at all."""
    with NamedTemporaryFile("w", encoding="utf-8", dir=path.parent, prefix=f".{path.name}.", delete=False) as file:
        file.write(text + "\n")
    Path(file.name).replace(path)


def report_in(line: bytes) -> Report:
    """Return the report in a line of JSON."""
    try:
        return json.loads(line)
    except json.JSONDecodeError as error:
        raise ValueError(f"{in_short(line.decode().strip())} is no JSON: {error.msg}") from error


def records_in(
    name: str, stream: io.BufferedReader, sizes: Sequence[int], domain: Domain | None, header: bool
) -> Iterator[list[int]]:
    """Yield the codes of each record of a CSV: by the names of columns and values if there are any, else as they are.

    With names the first line has those of the columns; it may have others, in any order, and tells what separates them.
    """
    lines = lines_of(name, stream)
    if domain is None:
        for number, line in islice(lines, int(header), None):
            with at(name, number):
                codes = _codes(_cells(line), sizes)
            yield codes
        return
    columns: list[str] | None = None
    separator = ","
    for number, line in lines:
        with at(name, number):
            if columns is None:
                separator = next((one for one in SEPARATORS if {*domain.names} <= {*_cells(line, one)}), ",")
                columns = _columns(_cells(line, separator), domain)
                continue
            cells = _cells(line, separator)
            if len(cells) != len(columns):
                raise ValueError(f"{len(cells)} values must be {len(columns)}, one for each column")
            codes = domain.codes(dict(zip(columns, cells, strict=True)))
        yield codes


def _cells(line: bytes, separator: str = ",") -> list[str]:
    text = line.decode("utf-8-sig").rstrip("\r\n")
    return [cell.strip() for cell in next(csv.reader([text], delimiter=separator, skipinitialspace=True))]


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
