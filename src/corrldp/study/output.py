"""The tables of a study as files: one CSV for each, and study.json, which says where they come from."""

from __future__ import annotations

import hashlib
import json
from pathlib import Path
from typing import Any

import pandas as pd

from corrldp.results import read_numbers, to_json, write_bytes
from corrldp.study.names import ABOUT

Tables = dict[str, pd.DataFrame]


def write_tables(tables: Tables, about: dict[str, Any], directory: Path) -> None:
    """Write every table as NAME.csv, then what they are about with their SHA-256."""
    digests = {}
    for name, table in tables.items():
        content = table.to_csv(index=False, lineterminator="\n").encode()
        digests[name] = hashlib.sha256(content).hexdigest()
        write_bytes(directory / f"{name}.csv", content)
    write_bytes(directory / ABOUT, to_json({**about, "tables": digests}))


def read_tables(directory: Path) -> tuple[Tables, dict[str, Any]]:
    """Read the tables, with empty texts where nothing is said, and what they are about.

    Raises
    ------
    ValueError
        A table is not the one that was written.
    """
    about = json.loads((directory / ABOUT).read_text(encoding="utf-8"))
    tables = {}
    for name, digest in about["tables"].items():
        path = directory / f"{name}.csv"
        if hashlib.sha256(path.read_bytes()).hexdigest() != digest:
            raise ValueError(f"{path} is not the table that study.json describes: run the study again")
        tables[name] = read_numbers(path)
        texts = tables[name].select_dtypes(exclude="number").columns
        tables[name][texts] = tables[name][texts].fillna("")
    return tables, about
