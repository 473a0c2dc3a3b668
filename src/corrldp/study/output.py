"""The tables of a study as files: one CSV for each, and study.json, which says where they come from."""

from __future__ import annotations

import hashlib
from pathlib import Path
from typing import Any

import pandas as pd

from corrldp.checksums import read_sealed, verify
from corrldp.results import read_numbers, write_bytes, write_sealed
from corrldp.study.names import ABOUT

Tables = dict[str, pd.DataFrame]


def write_tables(tables: Tables, about: dict[str, Any], directory: Path) -> None:
    """Write every table as NAME.csv, then what they are about with their SHA-256."""
    digests = {}
    for name, table in tables.items():
        content = table.to_csv(index=False, lineterminator="\n").encode()
        digests[name] = hashlib.sha256(content).hexdigest()
        write_bytes(directory / f"{name}.csv", content)
    write_sealed(directory / ABOUT, {**about, "tables": digests})


def read_tables(directory: Path) -> tuple[Tables, dict[str, Any]]:
    """Read the tables, with empty texts where nothing is said, and what they are about.

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
        tables[name] = read_numbers(path)
        texts = tables[name].select_dtypes(exclude="number").columns
        tables[name][texts] = tables[name][texts].fillna("")
    return tables, about
