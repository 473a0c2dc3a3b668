"""Read raw files and align them by a recipe of public metadata: integer codes and the description of their domain."""

import csv
import hashlib
import io
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd

from claimaudit.results import sealed_json
from claimaudit.storage import read_sealed, verify
from replication.data.registry import Attribute, DataFile, FileColumn, Recipe

CODE_TYPE = np.dtype("<i4")


@dataclass(frozen=True)
class RawRecords:
    """The records of one data set, every field a string, and whether they are a stand-in."""

    dataset: DataFile
    records: pd.DataFrame
    standin: bool = False


@dataclass(frozen=True)
class AlignJob:
    """A view to make of data sets: all that determines its bytes, so no prose."""

    view: str
    recipe: Recipe
    datasets: tuple[DataFile, ...]


def align_files(job: AlignJob, raw: Sequence[Path], records: Sequence[Path]) -> dict[str, bytes]:
    """Return the ``codes`` and the ``domain`` of a view as files; the same records always yield the same bytes.

    `raw` and `records` are the raw file of each data set of the job, and the record of its origin.

    Raises ValueError if a file is damaged, or does not agree with the registry.
    """
    tables = [read_table(*files) for files in zip(raw, records, job.datasets, strict=True)]
    codes, domain = align(tables, job.recipe)
    buffer = io.BytesIO()
    np.save(buffer, codes)
    content = buffer.getvalue()
    sealed = sealed_json({"view": job.view, **domain, "sha256": hashlib.sha256(content).hexdigest()})
    return {"codes": content, "domain": sealed}


def align(tables: Sequence[RawRecords], recipe: Recipe) -> tuple[np.ndarray, dict[str, Any]]:
    """Encode the records of a recipe's data sets, stacked in its order, which document its columns identically.

    Returned are codes (n, d) of type int32, where code c of an attribute stands for its c-th value, and the domain:
    ``title``, ``n``, ``dropped`` (records that hold a value of the recipe's ``drop`` in any column), ``datasets``,
    ``standin``, ``data_dependent`` and ``attributes``; each attribute has its ``name``, ordered ``values``, and the
    change of its documented domain, if there is one. A value outside the documented domain, or a recipe that disagrees
    with the documented columns, is a ValueError.
    """
    steps = recipe.attributes
    if steps == "all":
        steps = tuple(Attribute(column=column.name) for column in tables[0].dataset.attributes)
    names, encoded = [table.dataset.name for table in tables], []
    records = pd.concat([table.records for table in tables], keys=names)
    kept = records[~records.isin(recipe.drop).any(axis=1)] if recipe.drop else records
    for step in steps:
        columns = [table.dataset.column(step.column) for table in tables]
        if len({(column.kind, column.values, column.range) for column in columns}) > 1:
            raise ValueError(f"data sets {names} differ in their documented domains of {step.column!r}")
        where = f"column {step.column!r} of {names[0]}"
        encoded.append(_encode(kept[step.column], columns[0], step, recipe.drop, where))
    codes = np.column_stack([codes for codes, _ in encoded])[: recipe.rows].astype(CODE_TYPE)
    domain = {
        "title": recipe.title,
        "n": len(codes),
        "dropped": len(records) - len(kept),
        "datasets": names,
        "standin": any(table.standin for table in tables),
        "data_dependent": recipe.data_dependent,
        "attributes": [
            {"name": step.column, "values": values}
            | step.model_dump(mode="json", include={"exclude", "cuts", "merge"}, exclude_defaults=True)
            for step, (_, values) in zip(steps, encoded, strict=True)
        ],
    }
    return codes, domain


def _encode(
    fields: pd.Series, column: FileColumn, step: Attribute, dropped: Sequence[str], where: str
) -> tuple[np.ndarray, list[str]]:
    """Return the codes (n,) of fields, which are indexed by data set and record, and the values of the codes."""
    if column.kind == "categorical":
        if step.cuts:
            raise ValueError(f"{where} is categorical and takes no cuts; use merge")
        groups = _groups(column, step, dropped, where)
        code_of = {value: code for code, (_, members) in enumerate(groups) for value in members}
        found = pd.Index([*code_of], dtype=object).get_indexer(pd.Index(fields))
        codes, valid = np.array([*code_of.values()])[found], found >= 0
        values, rule = [value for value, _ in groups], f"its domain is {', '.join(code_of)}"
    elif column.kind != "identifier" and step.cuts:
        numbers, (low, high) = pd.to_numeric(fields, errors="coerce").to_numpy(dtype=float), column.bounds
        valid = np.isfinite(numbers) & (numbers >= low) & (numbers <= high)
        if column.kind == "integer":
            valid &= numbers == np.floor(numbers)
        codes, values = np.searchsorted(step.cuts, numbers, side="right"), _bins(step.cuts, where)
        rule = f"it must be {column.kind}, from {low} to {high}"
    else:
        raise ValueError(f"{where} is of kind {column.kind!r}; leave it out of the view, or give it cuts if numeric")
    if not valid.all():
        wrong = int(np.argmin(valid))
        name, row = fields.index[wrong]
        raise ValueError(
            f"column {column.name!r} of {name} holds {fields.iloc[wrong]!r} in record {row + 1}: {rule}; check the raw "
            "file, or correct the column in the registry"
        )
    return codes, values


def _groups(column: FileColumn, step: Attribute, dropped: Sequence[str], where: str) -> list[tuple[str, list[str]]]:
    """Return the aligned values in order, each with the documented values it covers; none covers a `dropped` one."""
    excluded = [*step.exclude, *(value for value in dropped if value in column.values)]
    groups = [(group.value, [*group.of]) for group in step.merge]
    groups = groups or [(value, [value]) for value in column.values if value not in excluded]
    named = [value for _, members in groups for value in members] + excluded
    if sorted(named) != sorted(column.values):
        raise ValueError(f"{where}: merge and exclude must name each documented value once: {list(column.values)}")
    return groups


def _bins(cuts: Sequence[float], where: str) -> list[str]:
    if list(cuts) != sorted(set(cuts)):
        raise ValueError(f"{where}: cuts must increase, found {list(cuts)}")
    inner = [f"[{left}, {right})" for left, right in pairwise(cuts)]
    return [f"(-inf, {cuts[0]})", *inner, f"[{cuts[-1]}, inf)"]


def read_table(raw: Path, record: Path, dataset: DataFile) -> RawRecords:
    """Read a raw file; it is the registry's or, if the record of its origin says so, the stand-in.

    Raises ValueError if it is neither, or the record was edited.
    """
    standin = read_sealed(record).get("status") == "stand-in"
    if standin:
        verify(raw, hashlib.sha256(standin_bytes(dataset)).hexdigest(), "the recipe of its stand-in")
    else:
        verify(raw, dataset.sha256, "config/datasets.yaml")
    return RawRecords(dataset, read_raw(raw, dataset), standin=standin)


def read_raw(path: Path, dataset: DataFile) -> pd.DataFrame:
    """Read a raw file into one column of strings per documented column.

    Preamble lines, trailing remarks and empty lines are dropped, and the suffix of the last field (the dot after
    the class labels of adult.test) is removed. No field is interpreted as missing.

    Raises ValueError if a record has too few or too many fields, or the number of records differs from the documented
    one.
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
        raise _malformed(path, str(error).strip()) from error
    if not isinstance(table.index, pd.RangeIndex):  # pandas takes surplus leading fields for row labels
        raise _malformed(path, f"records have more than {len(names)} fields")
    if len(table) != dataset.rows:
        raise _malformed(path, f"it has {len(table)} records, but {dataset.rows} are documented")
    empty = (table == "").to_numpy()
    if empty.any():
        row, column = np.argwhere(empty)[0]
        raise _malformed(path, f"record {row + 1} has no {names[column]!r}")
    if form.suffix:
        table[names[-1]] = table[names[-1]].str.removesuffix(form.suffix)
    return table


def _malformed(path: Path, reason: str) -> ValueError:
    return ValueError(
        f"{path} is not in its documented format: {reason}; correct its format, columns or rows in "
        "config/datasets.yaml; fields in quotes are not read"
    )


SHARED = 0.5
BLOCK = 1 << 17  # records kept as separate strings at a time


def standin_bytes(dataset: DataFile) -> bytes:
    """Return the stand-in's file; the data set's name alone determines its random numbers."""
    rng = np.random.default_rng(int.from_bytes(hashlib.sha256(f"stand-in {dataset.name}".encode()).digest()[:8]))
    form = dataset.format
    names = {
        "rows": dataset.rows,
        "columns": form.separator.join(column.name for column in dataset.columns),
        "attributes": form.separator.join(column.name for column in dataset.attributes),
    }
    lines = [line.format(**names) + form.line_end for line in form.preamble]
    for start in range(0, dataset.rows, BLOCK):
        rows = range(start, min(start + BLOCK, dataset.rows))
        hidden = rng.random(len(rows))
        fields = [_fields(column, rows, hidden, rng) for column in dataset.columns]
        records = (form.separator.join(record) for record in zip(*fields, strict=True))
        lines.append("".join(record + form.suffix + form.line_end for record in records))
    return ("".join(lines) + form.ending).encode()


def _fields(column: FileColumn, rows: range, hidden: np.ndarray, rng: np.random.Generator) -> Sequence[str]:
    if column.template is not None:
        return [column.template.format(row=row + 1) for row in rows]
    own = rng.random((2, len(hidden)))
    quantiles = np.where(own[0] < SHARED, hidden, own[1])
    if column.typical is None:
        values = np.array([value for value in column.values if value not in column.absent], dtype=object)
        return values[np.floor(quantiles * len(values)).astype(int)]
    low, high = column.typical
    if column.kind == "integer":
        return [str(number) for number in np.floor(low + quantiles * (high - low + 1)).astype(int)]
    return [f"{number:.1f}" for number in low + quantiles * (high - low)]
