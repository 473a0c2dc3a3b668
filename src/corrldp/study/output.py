"""The tables of a study, in memory and as files: a CSV of each, and study.json, which says where they come from."""

from __future__ import annotations

import hashlib
import re
from collections.abc import Iterable, Mapping
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

import pandas as pd

from claimaudit.results import write_bytes, write_sealed
from corrldp.metrics import NORMAL
from corrldp.study.reading import Facts
from corrldp.study.settings import ABOUT, TABLES, StudySettings

Tables = dict[str, pd.DataFrame]


@dataclass(frozen=True)
class StudyFacts:
    """What a reader of the tables must know.

    Attributes
    ----------
    facts : Facts
        Where the records come from.
    n, distinct : int
        Records, and different ones among them.
    collected, largest : dict
        Domain size and largest share of each collected column.
    through : dict
        For each attacked column those through which together the leakage is exact.
    settings : StudySettings
    versions : str
        Of the numeric libraries.
    """

    facts: Facts
    n: int
    distinct: int
    collected: dict[str, int]
    largest: dict[str, float]
    through: dict[str, tuple[str, ...]]
    settings: StudySettings
    versions: str

    @property
    def middle(self) -> float:
        """The budget in the middle, at which figures without an axis of budgets show the numbers."""
        epsilons = sorted(self.settings.epsilons)
        return float(epsilons[(len(epsilons) - 1) // 2])


FORMULA = re.compile(r"'*[=+\-@\t\r]")
NUMBER = re.compile(r"[+-]?[\d.]+(e[+-]?\d+)?", re.IGNORECASE)


def frame(name: str, rows: Iterable[Mapping[str, Any]]) -> pd.DataFrame:
    """Return one of the tables of a study from its rows, with all its columns even if there is no row."""
    numbers = {column: kind for column, kind in TABLES[name].items() if kind in (int, float)}
    return pd.DataFrame(list(rows), columns=list(TABLES[name])).astype(numbers)


def interval(mean: float, se: float) -> dict[str, float]:
    """Return the 95 % interval of an error with its standard error, as columns."""
    return {"low": max(0.0, mean - NORMAL * se), "high": mean + NORMAL * se, "se": se}


def write_tables(tables: Tables, about: StudyFacts, directory: Path) -> None:
    """Write every table as NAME.csv, then what they are about with their SHA-256."""
    digests = {}
    for name, table in tables.items():
        content = inert(table).to_csv(index=False, lineterminator="\n").encode()
        digests[name] = hashlib.sha256(content).hexdigest()
        write_bytes(directory / f"{name}.csv", content)
    settings = about.settings.model_dump(mode="json")
    write_sealed(directory / ABOUT, {**asdict(about), "settings": settings, "tables": digests})


def inert(table: pd.DataFrame) -> pd.DataFrame:
    """Return a table for a spreadsheet: names with commas between them, and no text that it would run."""
    texts = table.select_dtypes(exclude="number").columns
    return table.assign(**{name: table[name].map(_inert) for name in texts})


def _inert(cell: object) -> object:
    """Return a cell that no spreadsheet runs: a text that begins like a formula gets an apostrophe before it."""
    text = ", ".join(cell) if isinstance(cell, tuple) else cell
    runs = isinstance(text, str) and FORMULA.match(text) and not NUMBER.fullmatch(text)
    return f"'{text}" if runs else text
