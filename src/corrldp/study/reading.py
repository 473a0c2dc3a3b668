"""Read a user's file of any format into a table of codes; whatever is left out is named and counted."""

import codecs
import hashlib
import re
import warnings
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from datetime import date, datetime
from functools import partial
from itertools import islice
from pathlib import Path
from typing import Annotated

import numpy as np
import pandas as pd
from pandas.api.types import union_categoricals
from pydantic import PlainSerializer

from claimaudit.names import ConfigurationError, nearest
from corrldp.data.table import Table
from corrldp.extras import require
from corrldp.formats import SEPARATORS, cells
from corrldp.study.columns import MISSING, Codes, Column, ColumnFacts, coded
from corrldp.study.settings import StudySettings

BOMS = {b"\xef\xbb\xbf": "utf-8-sig", b"\xff\xfe": "utf-16", b"\xfe\xff": "utf-16"}
PARQUET, EXCEL = (".parquet", ".pq"), (".xlsx", ".xlsm")
NO_TABLES = {".xls": "an old Excel file", ".ods": "an OpenDocument table", ".numbers": "a table of Numbers"}

ROWS = 200_000  # of a CSV file that are texts at a time, so that memory is bounded

SAMPLE = 1000  # rows by which decimal commas are recognised
COMMA, POINT = re.compile(r"[+-]?\d+(\.\d{3})*,(\d{1,2}|\d{4,})"), re.compile(r"[+-]?\d+(,\d{3})*\.(\d{1,2}|\d{4,})")
"""Numbers with a decimal comma, or point; three digits after it could also be thousands."""


@dataclass(frozen=True)
class Facts:
    """What to say of a table: its source, by which settings (`options`) it was read, and what is left out and why."""

    file: str
    sha256: str
    format: str
    options: dict[str, object]
    rows: int
    dropped: int
    columns: list[ColumnFacts]
    left_out: Annotated[
        dict[str, str], PlainSerializer(lambda found: [{"name": name, "reason": why} for name, why in found.items()])
    ]


@dataclass(frozen=True)
class TableFile:
    """A file that can be read: its format in words, the settings by which it is read alike again, and its columns.

    `columns` reads those at some places among the `names`.
    """

    described: str
    options: dict[str, str]
    names: list[str]
    columns: Callable[[Iterable[int]], Iterator[Column]]


def read(path: Path, settings: StudySettings) -> tuple[Table, Facts]:
    """Read a CSV, Excel or Parquet file.

    If the file or the settings do not fit, a ConfigurationError names file, row, column, value and fix in one line; an
    Excel file without openpyxl is a MissingExtraError.
    """
    source = _opened(path, settings)
    for key in ("columns", "leave_out", "sensitive"):
        for name in getattr(settings, key):
            if name not in source.names:
                known = f"it has {', '.join(source.names)}{nearest(name, source.names)}"
                raise ConfigurationError(f"{key}: {path.name} has no column {name!r}; {known}")
    before = path.stat()
    with path.open("rb") as file:
        digest = hashlib.file_digest(file, "sha256").hexdigest()
    wanted = [name for name in source.names if name not in settings.leave_out]
    columns = zip(wanted, source.columns(map(source.names.index, wanted)), strict=True)
    finished = {name: coded(name, one, path.name, settings, source.options["decimal"]) for name, one in columns}
    after = path.stat()
    if (before.st_mtime_ns, before.st_size) != (after.st_mtime_ns, after.st_size):
        raise ConfigurationError(f"{path.name}: changed while it was read: run again once it is complete")
    kept = [found for found in finished.values() if not isinstance(found, str)]
    reasons = {name: found for name, found in finished.items() if isinstance(found, str)}
    reasons |= dict.fromkeys(settings.leave_out, "named in leave_out")
    for name in settings.sensitive:
        if name in reasons:
            raise ConfigurationError(f"sensitive: {path.name}, column {name} cannot be studied: {reasons[name]}")
    order = sorted(reasons, key=lambda name: (name in wanted, source.names.index(name)))
    left_out = {name: reasons[name] for name in order}
    table, rows = _joined(kept, left_out, path), len(kept[0][0])
    facts = [one for _, one in kept]
    missing = settings.model_dump(mode="json", include={"missing_texts", "missing"}, exclude_defaults=True)
    options = source.options | missing
    return table, Facts(path.name, digest, source.described, options, rows, rows - table.n, facts, left_out)


def _joined(coded: list[tuple[Codes, ColumnFacts]], left_out: dict[str, str], path: Path) -> Table:
    if not coded:
        reasons = "; ".join(f"{name} is left out: {reason}" for name, reason in left_out.items())
        raise ConfigurationError(f"{path.name}: no column to study{reasons and f': {reasons}'}")
    complete = np.logical_and.reduce([codes != MISSING for codes, _ in coded])
    if not len(complete):
        raise ConfigurationError(f"{path.name}: there is no row below the names of the columns")
    if not complete.any():
        most = max((one for _, one in coded), key=lambda one: one.missing).name
        raise ConfigurationError(
            f"{path.name}: no record is complete; {most} is missing most often: set missing: keep, or leave it out"
        )
    smallest = np.min_scalar_type(max(len(one.values) for _, one in coded) - 1)
    table = np.column_stack([(codes[complete] - 1).astype(smallest, copy=False) for codes, _ in coded])
    return Table(table, tuple(one.name for _, one in coded), tuple(one.values for _, one in coded))


def _opened(path: Path, settings: StudySettings) -> TableFile:
    if str(path) == "-":
        raise ConfigurationError("-: a study reads its file twice, so not the standard input: save it to a file first")
    if path.is_dir():
        raise ConfigurationError(f"{path} is a folder: name the file in it that has the table")
    if not path.is_file():
        raise ConfigurationError(f"{path}: no such file; a study reads only its own data: correct `file`")
    suffix = path.suffix.lower()
    if suffix in NO_TABLES:
        raise ConfigurationError(f"{path.name} is {NO_TABLES[suffix]}: save it as CSV or .xlsx")
    source = (_parquet if suffix in PARQUET else _excel if suffix in EXCEL else _csv)(path, settings)
    names = source.names
    if repeated := sorted({name for name in names if names.count(name) > 1}):
        raise ConfigurationError(f"{path.name}: two columns are called {repeated[0]!r}: rename one")
    if "" in names:
        raise ConfigurationError(f"{path.name}: column {names.index('') + 1} has no name: name it in the first line")
    return source


def _csv(path: Path, settings: StudySettings) -> TableFile:
    with path.open("rb") as file:
        start = file.read(4)
    try:
        encoding = _encoding(path, start, settings.encoding)
        with path.open(encoding=encoding, newline="") as file:
            line = file.readline()
            sample = list(islice(file, SAMPLE))
    except (UnicodeError, LookupError) as error:
        raise _undecodable(path, settings.encoding.replace("auto", "utf-8"), error) from None
    if not line.strip():
        raise ConfigurationError(f"{path.name}: the first line is empty: it must name the columns")
    delimiter = {"tab": "\t", "\\t": "\t"}.get(settings.delimiter, settings.delimiter)
    if delimiter == "auto":
        delimiter = max(SEPARATORS, key=lambda one: len(cells(line, one)))
    names = cells(line, delimiter)
    shown = {"\t": "tabs"}.get(delimiter, repr(delimiter))
    decimal = _decimal(sample, delimiter) if settings.decimal == "auto" else settings.decimal
    described = f"CSV, {encoding}, separated by {shown}{', decimal commas' * (decimal == ',')}"
    options = {"encoding": encoding, "delimiter": delimiter, "decimal": decimal}
    return TableFile(described, options, names, partial(_of_csv, path, options, len(names)))


def _encoding(path: Path, start: bytes, named: str) -> str:
    """Return the encoding that is named, or that of a byte order mark, which would else stay in the first name."""
    marked = next((name for bom, name in BOMS.items() if start.startswith(bom)), None)
    if named == "auto":
        return marked or "utf-8"
    known = codecs.lookup(named).name
    if marked is None or known.startswith("utf-32"):
        return named
    if not known.startswith(marked.removesuffix("-sig")):
        raise ConfigurationError(
            f"{path.name}: not {named}: its byte order mark is that of {marked}: leave encoding out"
        )
    return marked


def _decimal(lines: Sequence[str], delimiter: str) -> str:
    """Return the decimal sign of most numbers that have one."""
    texts = [cell for line in lines for cell in cells(line, delimiter)]
    commas, points = (sum(sign.fullmatch(text) is not None for text in texts) for sign in (COMMA, POINT))
    return "," if commas > points else "."


def _of_csv(path: Path, options: dict[str, str], width: int, places: Iterable[int]) -> Iterator[Column]:
    try:
        # All columns are parsed and warnings are errors: pandas would cut off rows that are too long.
        with warnings.catch_warnings():
            warnings.simplefilter("error", pd.errors.ParserWarning)
            chunks = pd.read_csv(
                path,
                encoding=options["encoding"],
                sep=options["delimiter"],
                header=0,
                names=list(range(width)),
                index_col=False,
                dtype=str,  # as it is written: 007 stays 007
                na_filter=False,
                skipinitialspace=True,
                chunksize=ROWS,
            )
            parts = [chunk.astype("category") for chunk in chunks]
    except UnicodeError as error:
        raise _undecodable(path, options["encoding"], error) from None
    except (pd.errors.ParserError, pd.errors.ParserWarning) as error:
        found = re.search(r"Expected (\d+) fields in line (\d+), saw (\d+)", str(error))
        where = f"line {found[2]} has {found[3]} values for {found[1]} columns" if found else ""
        if isinstance(error, pd.errors.ParserWarning):
            where = f"the first row has more values than the {width} columns"
        words = where or " ".join(str(error).split()).removeprefix("Error tokenizing data. C error: ")
        fix = "put values that contain the delimiter in quotes, or set delimiter"
        raise ConfigurationError(f"{path.name}: {words}: {fix}") from None
    except pd.errors.EmptyDataError:
        raise ConfigurationError(f"{path.name}: there is no row below the names of the columns") from None
    for place in places:
        column = union_categoricals([part[place] for part in parts])
        yield np.asarray(column.codes), list(map(str, column.categories))


def _undecodable(path: Path, encoding: str, error: Exception) -> ConfigurationError:
    reason = getattr(error, "reason", str(error))
    place = f" at byte {error.start:,}" if isinstance(error, UnicodeDecodeError) else ""
    fix = "set encoding, for example latin-1 (--encoding latin-1)"
    return ConfigurationError(f"{path.name}: not {encoding}{place} ({reason}): {fix}")


def _parquet(path: Path, settings: StudySettings) -> TableFile:
    require("parquet", f"{path.name}: a Parquet file", "pyarrow")
    import pyarrow
    import pyarrow.parquet

    try:
        file = pyarrow.parquet.ParquetFile(path)
    except pyarrow.ArrowInvalid as error:
        raise ConfigurationError(f"{path.name}: not a Parquet file: {str(error).splitlines()[0]}") from None
    names = file.schema_arrow.names

    def columns(places: Iterable[int]) -> Iterator[Column]:
        for place in places:
            column = file.read([names[place]]).column(0).combine_chunks().dictionary_encode()
            texts = ["" if value is None else str(value) for value in column.dictionary.to_pylist()]
            yield column.indices.fill_null(-1).to_numpy(zero_copy_only=False), texts

    options = {"decimal": settings.decimal.replace("auto", ".")}
    return TableFile("Parquet", options, names, columns)


def _excel(path: Path, settings: StudySettings) -> TableFile:
    require("excel", f"{path.name}: an Excel file", "openpyxl")
    import openpyxl

    try:
        sheet = openpyxl.load_workbook(path, read_only=True, data_only=True).worksheets[0]
    except Exception as error:  # of a damaged file: any
        raise ConfigurationError(f"{path.name}: not an Excel file: {error}") from None
    names = list(map(_written, next(sheet.iter_rows(values_only=True), ())))

    def columns(places: Iterable[int]) -> Iterator[Column]:
        rows = sheet.iter_rows(min_row=2, max_col=len(names), values_only=True)
        filled = [row for row in rows if any(cell is not None for cell in row)]
        for place in places:
            codes, texts = pd.factorize(np.array([_written(row[place]) for row in filled], dtype=object))
            yield codes, list(texts)

    return TableFile(
        f"Excel, sheet {sheet.title!r}", {"decimal": settings.decimal.replace("auto", ".")}, names, columns
    )


def _written(cell: object) -> str:
    """Return a cell of a sheet as it would stand in CSV."""
    if isinstance(cell, float) and cell.is_integer():
        cell = int(cell)
    elif isinstance(cell, datetime | date):
        return cell.isoformat().removesuffix("T00:00:00")
    return "" if cell is None else str(cell).strip()
