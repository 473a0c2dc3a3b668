"""Files of numbers in CSV, which people write: `cells_of` reads any, `read_published` those of printed numbers.

A file of printed numbers has setting columns, then ``mechanism``, ``metric``, ``value`` and ``runs``. A value is text
with its digits as printed; see `claimaudit.digits` for what they mean.
"""

import csv
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import cache
from pathlib import Path
from typing import Any

import pandas as pd

from claimaudit.digits import Printed
from claimaudit.names import ConfigurationError

NAMES = ("mechanism", "metric")
NUMBERS = ("value", "runs")
UNIT = "unit"  # column that `read_published` adds: the unit of the last digit of each value

MOST_ROWS = 10_000  # of a file: it has the numbers that a reader finds in one exhibit, and each of them is compared

SEPARATORS = ";\t|"  # what some programs write in place of commas

_NUMBER = re.compile(r"[-+]?([0-9]+\.?[0-9]*|\.[0-9]+)([eE][-+]?[0-9]{1,2})?")

LineFault = tuple[int, str, str]
"""What is wrong with a file: the line, the column ("" if it is none alone) and the words."""


def read_published(path: Path) -> pd.DataFrame:
    """Read a file of printed numbers: its columns are numbers where all their cells are, else text.

    ``runs`` is NaN where no number of runs is stated. A last column ``unit`` has the unit of the last digit of
    ``value``. A ConfigurationError has a line for each fault: file, line, column, what is wrong and how to mend it.
    """
    text = cells_of(path)
    refuse_lines(path, _faults(text))
    printed = [Printed.read(cell) for cell in text["value"]]
    columns = {name: values_of(cells) for name, cells in text.items()}
    columns |= {"value": [number.value for number in printed]}
    columns |= {"runs": [float(cell) if cell else float("nan") for cell in text["runs"]]}
    return pd.DataFrame({**columns, UNIT: [number.unit for number in printed]})


def read_files(paths: Iterable[Path]) -> dict[str, pd.DataFrame]:
    """Return files of printed numbers by name, without the suffix; see `read_published`."""
    return {path.stem: read_published(path) for path in paths}


def refuse_lines(file: Path | str, found: Sequence[LineFault]) -> None:
    """Raise a ConfigurationError with a line for each fault of a file, if there is any; messages name it `file`."""
    if found:
        named = file if isinstance(file, str) else f"{file.parent.name}/{file.name}"
        raise ConfigurationError(
            "\n".join(
                f"{named}, line {line}{column and f', column {column}'}: {words}" for line, column, words in found
            )
        )


def cells_of(path: Path, named: str = "") -> pd.DataFrame:
    """Return the texts in the cells of a CSV file, by the line of the row and the name of the column.

    A ConfigurationError has a line for each fault of its form, and calls the file `named`, or else by its folder and
    name.
    """
    named = named or f"{path.parent.name}/{path.name}"
    try:
        with path.open(encoding="utf-8-sig", newline="") as file:  # spreadsheets write a mark at the start
            reader = csv.reader(file, strict=True)
            rows, lines = [], []
            for row in reader:
                rows.append(row)
                lines.append(reader.line_num)
                if len(rows) > MOST_ROWS + 1:
                    fault = (reader.line_num, "value", f"more than {MOST_ROWS:,} rows; keep those that the text prints")
                    refuse_lines(named, [fault])
    except OSError as error:
        raise ConfigurationError(f"{named}: cannot be read: {error.strerror}") from None
    except (csv.Error, UnicodeDecodeError) as error:
        raise ConfigurationError(f"{named}: is not a CSV file in UTF-8: {error}") from None
    header, *rows = rows or [[]]
    refuse_lines(named, [*_of_form(header, rows, lines[1:])])
    return pd.DataFrame(rows, lines[1:], header)


def _of_form(header: list[str], rows: list[list[str]], lines: list[int]) -> Iterator[LineFault]:
    for sign in SEPARATORS:
        if len(header) == 1 and sign in header[0]:
            yield 1, "", f"the columns are separated by {sign!r}; write commas"
    for name in dict.fromkeys(header):
        if header.count(name) > 1 or not name:
            words = "appears twice" if name else "has no name"
            yield 1, name or str(header.index(name) + 1), f"the column {words}; rename or remove it"
    if not rows:
        yield 1, "", "there is no row of numbers; add one below the names of the columns"
    for line, row in zip(lines, rows, strict=True):
        if len(row) != len(header):
            yield line, "", f"{len(row)} cells under {len(header)} columns; give one for each"


def _faults(text: pd.DataFrame) -> list[LineFault]:
    found = [(1, name, "the column is missing; add it") for name in (*NAMES, *NUMBERS) if name not in text]
    if UNIT in text:
        found.append((1, UNIT, "the column is made by the reader; rename or remove it"))
    if found:
        return found
    settings = [name for name in text if name not in NUMBERS]
    seen: dict[tuple[object, ...], int] = {}
    for line, row in zip(text.index, text.to_dict("records"), strict=True):
        found += ((line, *fault) for fault in _of_row(row))
        key = tuple(typed(row[name]) for name in settings)
        if key in seen:
            named = ", ".join(f"{name} {row[name]}" for name in settings)
            found.append((line, "value", f"a second number for {named}, as in line {seen[key]}; keep one"))
        seen.setdefault(key, line)
    return found


def _of_row(row: Mapping[Any, str]) -> Iterator[tuple[str, str]]:
    try:
        Printed.read(row["value"])
    except ValueError as error:
        yield "value", str(error)
    if row["runs"] and not re.fullmatch(r"[1-9][0-9]{0,11}", row["runs"]):
        yield "runs", f"{row['runs']!r} is not a number of runs; write a whole number of 1 or more, or leave it empty"
    for name, text in row.items():
        if name not in NUMBERS and (not text or text != text.strip()):
            yield name, f"{text!r} is empty or has spaces around it; write the setting, or split the file in two"


@cache
def typed(text: str) -> int | float | str:
    """Return a cell as a number, if it is one."""
    if not _NUMBER.fullmatch(text):
        return text
    return int(text) if re.fullmatch(r"[-+]?[0-9]{1,18}", text) else float(text)


def values_of(cells: Iterable[str]) -> list[Any]:
    """Return the cells of a column: as numbers if all of them are, else as texts."""
    texts = [*cells]
    found = [*map(typed, texts)]
    return texts if any(isinstance(value, str) for value in found) else found
