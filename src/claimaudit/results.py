"""The result table: the tidy format in which every experiment stores its numbers.

Columns, in this order: the setting columns (``n``, ``epsilon``, ...), ``reading``, the reading axes
(``p_step``, ...), then ``mechanism, metric, mean, se, runs, theory, standin``. One row per setting,
reading, mechanism and metric. ``se = 0, runs = 0`` marks a row that is exact, not simulated; results that are
given may lack both. Next to the CSV is its *record*, a JSON file with the CSV's SHA-256; other tables between jobs have
one, too.
"""

from __future__ import annotations

import csv
import hashlib
import io
import json
import os
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, fields
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal, Self

import numpy as np
from numpy.typing import ArrayLike, NDArray

if TYPE_CHECKING:
    import pandas as pd

from claimaudit.storage import read_sealed, sealed, to_json, verify, write_bytes

STRICT = "strict"
PLANNED_VARIABLE = "CLAIMAUDIT_PLANNED"
MEASURES = ("mechanism", "metric", "mean", "se", "runs", "theory", "standin")
COLUMNS = ("reading", *MEASURES)
PLACED = ("paper", "exhibit", "reading", "words", "mechanism", "metric")
PREDICTED = ("stated", "printed", "value", "se", "low", "high", "their_runs")
"""Columns of predictions, see docs/predictions.md: `PLACED` in front of those of settings, `PREDICTED` after them."""

DERIVED = ("versions", "standin", "sha256", "source_sha256")
"""What the record of a table has and the setting of its experiment has not."""


SHARED_BITS = 40

Columns = Mapping[str, Sequence[Any]]
"""A table in memory: the values of each column, of which None, or NaN, is missing."""


def shared_digits(numbers: ArrayLike) -> Floats:
    """Return numbers to forty binary digits, twelve decimal ones, which processors share; whole numbers stay exact.

    Readings and mechanisms that agree have equal numbers then, though formulas for one number differ in the last bits;
    so these decide neither which reading fits best nor which mechanism does.
    """
    mantissa, exponent = np.frexp(numbers)
    return np.ldexp(np.round(np.ldexp(mantissa, SHARED_BITS)), exponent - SHARED_BITS)


def in_columns(rows: Sequence[Mapping[str, Any]], names: Iterable[str]) -> dict[str, list[Any]]:
    """Return the named columns of rows that may lack some; whole numbers are floats where others are, or are missing.

    So they are written as pandas reads them.
    """
    return {name: _of_one_type([row.get(name) for row in rows]) for name in names}


def _of_one_type(values: list[Any]) -> list[Any]:
    kinds = {*map(type, values)} - {type(None)}
    if any(issubclass(kind, bool | np.bool) or not issubclass(kind, int | float | np.number) for kind in kinds):
        return values
    whole = all(issubclass(kind, int | np.integer) for kind in kinds) and None not in values
    return values if whole else [None if value is None else float(value) for value in values]


@dataclass(frozen=True)
class TableRecord:
    """What the record of a result table says of it beside the setting of its experiment.

    `standin` are the views that are made up. Results that are given or made by a command have a `source`, its `origin`
    and checksum, and say who is behind it and whether numbers without errors are `exact`.
    """

    sha256: str
    seed: int | None = None
    standin: tuple[str, ...] = ()
    source: Literal["", "given", "command"] = ""
    origin: str = ""
    by: str = ""
    exact: bool = False
    source_sha256: str = ""

    @classmethod
    def of(cls, record: Mapping[str, Any]) -> Self:
        """Return it from a record as `read_record` reads it."""
        known = {each.name: record[each.name] for each in fields(cls) if each.name in record}
        exact = record.get("columns", {}).get("se") == 0
        return cls(**known | {"standin": tuple(record.get("standin", ())), "exact": exact})


def axes_of(table: Iterable[Any]) -> tuple[list[str], list[str]]:
    """Return the names of a table's setting columns and of its reading axes, distinguished by position."""
    columns = list(table)
    if "reading" not in columns or tuple(columns[-len(MEASURES) :]) != MEASURES:
        needed = ", ".join(MEASURES)
        raise ValueError(f"result table has columns {columns}; it needs settings..., reading, axes..., {needed}")
    reading = columns.index("reading")
    return columns[:reading], columns[reading + 1 : -len(MEASURES)]


def with_record(table: Mapping[str, Iterable[Any]], record: Mapping[str, object]) -> dict[str, bytes]:
    """Return a result table as CSV (``table``) and its record (``record``), to which the CSV's ``sha256`` is added.

    The same table always yields the same bytes: floats have their shortest round-trip form. A column missing or out of
    place, or two rows on the same setting, reading, mechanism and metric, are a ValueError.
    """
    settings, axes = axes_of(table)
    cells = {name: [None if value != value else value for value in values] for name, values in table.items()}
    key, seen = [*settings, "reading", *axes, "mechanism", "metric"], set()
    for place in zip(*(cells[name] for name in key), strict=True):
        if place in seen:
            raise ValueError(f"result table has two rows for {dict(zip(key, place, strict=True))}; keep one")
        seen.add(place)
    text = io.StringIO()
    csv.writer(text, lineterminator="\n").writerows([[*cells], *zip(*cells.values(), strict=True)])
    return recorded(text.getvalue().encode(), record)


def recorded(content: bytes, record: Mapping[str, object]) -> dict[str, bytes]:
    """Return the bytes of a CSV and its record, to which the CSV's ``sha256`` is added."""
    digest = hashlib.sha256(content).hexdigest()
    return {"table": content, "record": sealed_json({**record, "sha256": digest})}


def sealed_json(content: Mapping[str, object]) -> bytes:
    """Return a JSON file with the checksum by which `read_sealed` verifies it."""
    return to_json(sealed(content))


def write_sealed(path: Path, content: Mapping[str, object]) -> None:
    """Write a JSON file with its checksum, see `sealed_json`."""
    write_bytes(path, sealed_json(content))


def identity(setting: Mapping[str, Any]) -> str:
    """Return 16 hexadecimal digits of an experiment's whole setting, with seed and runs, or of its record."""
    planned = {name: value for name, value in setting.items() if name not in DERIVED}
    return hashlib.sha256(json.dumps(planned, sort_keys=True).encode()).hexdigest()[:16]


def read(csv_path: Path) -> pd.DataFrame:
    """Read a result table, verified against the digest in the record next to it.

    If the variable CLAIMAUDIT_PLANNED has the `identity` of the experiment, as JSON by ``paper/experiment``, the record
    must have it, too. For another table, or one of another setting, a ValueError says what to do.
    """
    csv_path = Path(csv_path)
    record = read_record(csv_path)
    planned = json.loads(os.environ.get(PLANNED_VARIABLE, "{}"))
    expected = planned.get(f"{csv_path.parent.name}/{csv_path.stem}")
    if expected not in (None, identity(record)):
        entries = f"{csv_path.resolve()} and {csv_path.with_suffix('.json').resolve()}"
        raise ValueError(f"{csv_path} rests on another setting, seed or number of runs; delete {entries} and re-run")
    return read_numbers(verified(csv_path), dtype={"mean": float, "se": float, "theory": float, "standin": bool})


def verified(csv_path: Path) -> Path:
    """Return the path of a CSV that has the SHA-256 in its record; another one is a ValueError that says what to do."""
    verify(csv_path, read_record(csv_path)["sha256"])
    return csv_path


def read_record(csv_path: Path) -> dict[str, Any]:
    """Read the record of a table, verified by its own checksum."""
    return read_sealed(Path(csv_path).with_suffix(".json"))


def read_numbers(csv_path: Path, dtype: Mapping[str, type] | None = None) -> pd.DataFrame:
    """Read a CSV exactly: floats to the last bit; only an empty field is missing (``None`` is a value).

    Texts are Python's: the audit looks up a few of them at a time, where Arrow's are slow.
    """
    import pandas as pd  # here, since experiments write tables and read none: it takes longer to import than all else

    with pd.option_context("mode.string_storage", "python"):
        return pd.read_csv(csv_path, dtype=dtype, keep_default_na=False, na_values=[""])


Floats = NDArray[np.float64]

CLEAR = 3.3  # a difference of so many standard errors counts; chance exceeds it once in a thousand settings


def mean_and_se(values: ArrayLike) -> tuple[Floats, Floats]:
    """Mean over at least two runs and its standard error, (...) each, of `values` (runs, ...); 0 if all agree."""
    values = np.asarray(values, dtype=float)
    runs = len(values)
    if runs < 2:
        raise ValueError(f"runs={runs} gives no standard error: simulate at least 2 runs")
    agree = np.ptp(values, axis=0) <= 1e-12 * np.abs(values[0])
    mean = np.where(agree, values[0], values.mean(axis=0))  # the mean of equal numbers is rounded
    return mean, np.where(agree, 0.0, values.std(axis=0, ddof=1) / np.sqrt(runs))
