"""The tables of a study as files: one CSV for each, and study.json, which says where they come from."""

from __future__ import annotations

import hashlib
import re
from collections.abc import Callable, Iterable, Mapping
from pathlib import Path
from typing import Any

import pandas as pd

from claimaudit.checksums import read_sealed, verify
from claimaudit.results import write_bytes, write_sealed
from corrldp.study.names import ABOUT, TABLES

Tables = dict[str, pd.DataFrame]

FORMULA = re.compile(r"'*[=+\-@\t\r]")
NUMBER = re.compile(r"[+-]?[\d.]+(e[+-]?\d+)?", re.IGNORECASE)


def frame(name: str, rows: Iterable[Mapping[str, Any]]) -> pd.DataFrame:
    """Return one of the tables of a study from its rows, with all its columns even if there is no row."""
    return pd.DataFrame(list(rows), columns=list(TABLES[name])).astype(_types(name))


def _types(name: str) -> dict[str, type]:
    return {column: kind for column, kind in TABLES[name].items() if kind is not str}


def write_tables(tables: Tables, about: dict[str, Any], directory: Path) -> None:
    """Write every table as NAME.csv, then what they are about with their SHA-256."""
    digests = {}
    for name, table in tables.items():
        content = inert(table).to_csv(index=False, lineterminator="\n").encode()
        digests[name] = hashlib.sha256(content).hexdigest()
        write_bytes(directory / f"{name}.csv", content)
    write_sealed(directory / ABOUT, {**about, "tables": digests})


def read_tables(directory: Path) -> tuple[Tables, dict[str, Any]]:
    """Read the tables, with the types of their columns, and what they are about.

    Raises
    ------
    ValueError
        A table is not the one that was written.
    """
    about = read_sealed(directory / ABOUT)
    tables = {}
    for name, digest in about["tables"].items():
        path = directory / f"{name}.csv"
        verify(path, digest)
        empty = {column: [""] for column in _types(name)}
        table = pd.read_csv(path, dtype=TABLES[name], keep_default_na=False, na_values=empty)
        tables[name] = _texts(table, _original)
    return tables, about


def inert(table: pd.DataFrame) -> pd.DataFrame:
    """Return a table without a text that a spreadsheet would run."""
    return _texts(table, _inert)


def _texts(table: pd.DataFrame, change: Callable[[str], str]) -> pd.DataFrame:
    """Return a table with its texts changed."""
    texts = table.select_dtypes(exclude="number").columns
    return table.assign(
        **{name: table[name].map(lambda cell: change(cell) if isinstance(cell, str) else cell) for name in texts}
    )


def _inert(text: str) -> str:
    """Return a text that no spreadsheet runs: one that begins like a formula gets an apostrophe before it."""
    return f"'{text}" if FORMULA.match(text) and not NUMBER.fullmatch(text) else text


def _original(text: str) -> str:
    """Return the text that `_inert` made inert."""
    return text[1:] if text.startswith("'") and FORMULA.match(text) and not NUMBER.fullmatch(text) else text


def middle(about: dict[str, Any]) -> float:
    """Return the budget in the middle, at which figures without an axis of budgets show the numbers."""
    epsilons = sorted(about["settings"]["epsilons"])
    return float(epsilons[(len(epsilons) - 1) // 2])
