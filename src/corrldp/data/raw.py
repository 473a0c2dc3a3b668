"""Read raw files: every field as a string, in the documented columns."""

from __future__ import annotations

import csv
from pathlib import Path

import numpy as np
import pandas as pd

from corrldp.data.registry import Dataset


class RawFormatError(ValueError):
    """A raw file that does not match the format in its registry entry."""


def read_raw(path: Path, dataset: Dataset) -> pd.DataFrame:
    """Read a raw file into one column of strings per documented column.

    Preamble lines, trailing remarks and empty lines are dropped, and the suffix of the last field (the dot after
    the class labels of adult.test) is removed. No field is interpreted as missing.

    Raises
    ------
    RawFormatError
        If a record has too few or too many fields, or the number of records differs from the documented one.
    """
    form = dataset.format
    names = [column.name for column in dataset.columns]
    remarks = [f"remark {i + 1}" for i in range(form.remark_fields)]
    blank = form.separator == " "
    try:
        table = pd.read_csv(
            path,
            sep=r"\s+" if blank else form.separator.strip(),
            skipinitialspace=True,
            skiprows=len(form.preamble),
            header=None,
            names=names + remarks,
            dtype=str,
            na_filter=False,
            quoting=csv.QUOTE_NONE,
        )[names]
    except (pd.errors.ParserError, pd.errors.EmptyDataError) as error:
        raise _malformed(dataset, path, str(error).strip()) from error
    if not isinstance(table.index, pd.RangeIndex):  # pandas takes surplus leading fields for row labels
        raise _malformed(dataset, path, f"records have more than {len(names)} fields")
    if len(table) != dataset.rows:
        raise _malformed(dataset, path, f"it has {len(table)} records, but {dataset.rows} are documented")
    empty = (table == "").to_numpy()
    if empty.any():
        row, column = np.argwhere(empty)[0]
        raise _malformed(dataset, path, f"record {row + 1} has no {names[column]!r}")
    if form.suffix:
        table[names[-1]] = table[names[-1]].str.removesuffix(form.suffix)
    return table


def _malformed(dataset: Dataset, path: Path, reason: str) -> RawFormatError:
    return RawFormatError(
        f"{dataset.name}: {path} is not in its documented format: {reason}; delete the file and fetch it again"
    )
