"""The tables of a study, in memory and as files: a CSV of each, and study.json, which says where they come from.

While they are made, the terminal says how far a study is.
"""

from __future__ import annotations

import hashlib
import re
import sys
import time
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any, TypeVar

import pandas as pd

from claimaudit.results import write_bytes, write_sealed
from corrldp.formats import duration
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


Item = TypeVar("Item")

PAUSE = 0.5  # seconds between two lines
LATE = 10.0  # seconds until it is said where nobody watches: a file or a pipe


class Silent:
    """Says nothing."""

    def track(self, step: str, items: Sequence[Item]) -> Iterator[Item]:
        """Yield the items of a step."""
        yield from items


SILENT = Silent()


class Progress(Silent):
    """Says on the standard error how far each step is.

    Parameters
    ----------
    who : str
        The command, which begins each line.
    """

    def __init__(self, who: str) -> None:
        self.who = who
        self.said = time.monotonic()

    def track(self, step: str, items: Sequence[Item]) -> Iterator[Item]:
        """Yield the items of a step, and say how many are done and how long the others will take."""
        live, start = sys.stderr.isatty(), time.monotonic()
        for done, item in enumerate(items):
            now = time.monotonic()
            if now - self.said > (PAUSE if live else LATE):
                self.said = now
                left = f", {duration((now - start) / done * (len(items) - done))} left" if done else ""
                line = f"{self.who}: {step}: {done} of {len(items)}{left}"
                print(f"\r\x1b[K{line}" if live else line, end="" if live else "\n", file=sys.stderr, flush=True)
            yield item
        if live:
            print("\r\x1b[K", end="", file=sys.stderr, flush=True)
