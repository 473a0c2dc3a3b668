"""Stand-ins: synthetic records, in a data set's raw format, for data that no source could supply.

A stand-in has the documented columns, domains and number of records, and shares nothing else with the real data.
Record i has one hidden quantile u_i, uniform on [0, 1). Each field takes the quantile u_i with probability 1/2 and an
independent one otherwise, and maps it to a value: the documented values, or the integers of the typical range, divide
[0, 1) evenly. So every marginal is uniform, and the quantiles of any two columns have correlation 1/4.
"""

from __future__ import annotations

import hashlib
from collections.abc import Sequence

import numpy as np

from replication.data.registry import DataFile, FileColumn

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
