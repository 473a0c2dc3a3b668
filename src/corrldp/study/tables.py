"""The tables of a study: what a row of each says, and how they become files beside `study.json`."""

import hashlib
import re
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from functools import cached_property, wraps
from math import nan
from pathlib import Path
from typing import Any, Literal, NamedTuple, TypeVar, get_type_hints

import pandas as pd
from pydantic import TypeAdapter

from claimaudit.results import write_sealed
from claimaudit.storage import write_bytes
from corrldp.deployment.plan import INTERVAL
from corrldp.study.reading import Facts
from corrldp.study.settings import StudySettings

Tables = dict[str, pd.DataFrame]

ALL = ""
"""The attribute, or the value, of an average over all: no column has an empty name, and no value is an empty text."""

PUBLIC, TABLE = "public facts", "the table"
PAIR, JOINT, SUM, ANY = "through one column", "through several columns", "sum over columns", "any protocol"

Standing = Literal["best", "equal", "open", "larger"]


class Recommendation(NamedTuple):
    """The choice at a budget, from public facts or from the table.

    `runner_up` is the next best protocol that is not equal, `margin` how much larger its error is. The verdict is
    "cannot tell" if another protocol is open.
    """

    epsilon: float
    basis: str
    protocol: str
    same: tuple[str, ...]
    postprocess: str
    mse: float
    verdict: Literal["recommended", "cannot tell"]
    runner_up: str
    runner_up_postprocess: str
    margin: float
    p_value: float


class Candidate(NamedTuple):
    """What can be chosen at a budget, and its error: the largest one at any possibility that public facts leave open.

    `same` has other names under which a protocol does the same at this budget, `margin` is how much larger the error
    is, relative to the best, and `p_value` that of the difference, if it was simulated. The standing is "best"; "equal"
    if the error surely differs by less than 1 %; "open" if the difference from the best may be chance or depends on
    facts that are not public; or "larger".
    """

    epsilon: float
    basis: str
    protocol: str
    same: tuple[str, ...]
    postprocess: str
    mse: float
    standing: Standing
    margin: float
    p_value: float


class Accuracy(NamedTuple):
    """What a recommended protocol does to the shares of a column, by its estimates before post-processing.

    From public facts, `error` is the largest of all shares; from the table, it is that of the `value` with the largest
    one, which has this `share`. The `smallest_share` is distinguished from 0 with probability 95 %, by an estimate
    above what an absent value exceeds with probability 2.5 %; it is missing where the error has no closed form. Errors
    are half of a 95 % interval, for which alone estimates are taken to be normal.
    """

    epsilon: float
    basis: str
    protocol: str
    column: str
    values: int
    value: str
    share: float
    error: float
    smallest_share: float


class ErrorRow(NamedTuple):
    """An expected squared error with a 95 % interval, of a value or `ALL`; `runs` is 0 for a closed form."""

    epsilon: float
    protocol: str
    postprocess: str
    attribute: str
    value: str
    mse: float
    low: float
    high: float
    se: float
    runs: int


class JointError(NamedTuple):
    """The error of a scheme on the joint table of some columns.

    The metric `mse` is the squared error averaged over cells, `total_variation` half the sum of absolute errors; `runs`
    is 0 for a closed form.
    """

    columns: str
    w: int
    cells: int
    epsilon: float
    scheme: str
    metric: str
    mean: float
    low: float
    high: float
    se: float
    runs: int


class Leak(NamedTuple):
    """What leaks about an attacked column by SPL `through` one column or several, or by the worst protocol of all.

    `odds` is the largest factor by which reports change the odds of two values in the table, `low` to `high` a 95 %
    interval for the population that it was drawn from, where there is one (basic bootstrap, 100 resamples). Who knows
    only that a `share` of the users have the example `value` is convinced up to `at_most` by a user's reports. `rare`
    is the number of values of the attacked column with fewer than 30 records.
    """

    column: str
    epsilon: float
    measure: str
    through: str
    odds: float
    low: float
    high: float
    value: str
    share: float
    at_most: float
    rare: int


class LeakAlong(NamedTuple):
    """The factor of odds at a budget."""

    column: str
    epsilon: float
    measure: str
    odds: float


class BudgetRow(NamedTuple):
    """The largest budget of a record within the limit of leakage; infinite if none exceeds it."""

    column: str
    measure: str
    limit: float
    epsilon: float


class Dependence(NamedTuple):
    """How strongly two columns depend on each other.

    The p-value is that of Pearson's statistic. `holm` bounds the chance of any false discovery, `fdr` (Benjamini and
    Hochberg) their expected share.
    """

    one: str
    other: str
    cramers_v: float
    nmi: float
    p_value: float
    test: str
    holm: float = nan
    fdr: float = nan


class PrivacyRow(NamedTuple):
    """The exact epsilon of a record, and the largest of a column: guaranteed, and enumerated on small domains.

    `holds` says whether no epsilon of a record exceeds the budget, or that it is not known: numbers are missing where a
    protocol states no guarantee, or cannot be enumerated. Of a protocol of the user's own, reports are drawn as well;
    if they show more, that stands in place of the enumeration. If they do not, both `attained` and `holds` are "as the
    class states", since no draw proves it.
    """

    protocol: str
    epsilon: float
    record: float
    attribute: float
    attained: str
    enumerated_on: str
    enumerated_record: float
    enumerated_attribute: float
    holds: str


class Gap(NamedTuple):
    """What the study leaves out, and why."""

    kind: Literal["column", "protocol", "joint tables"]
    what: str
    epsilon: float
    reason: str


TABLES: dict[str, type[NamedTuple]] = {
    "recommendation": Recommendation,
    "candidates": Candidate,
    "accuracy": Accuracy,
    "error": ErrorRow,
    "joint": JointError,
    "leakage": Leak,
    "curve": LeakAlong,
    "budget": BudgetRow,
    "dependence": Dependence,
    "privacy": PrivacyRow,
    "left_out": Gap,
}
"""The rows of the tables of a study, each a property of `corrldp.study.study.Study` and a file NAME.csv."""

Row = TypeVar("Row", bound=NamedTuple)

FORMULA = re.compile(r"'*[=+\-@\t\r]")
NUMBER = re.compile(r"[+-]?[\d.]+(e[+-]?\d+)?", re.IGNORECASE)


@dataclass(frozen=True)
class StudyFacts:
    """What a reader of the tables must know.

    Of `n` records so many are `distinct`. `collected` and `largest` have the domain size and the largest share of each
    collected column, `through` has, for each attacked column, those through which together the leakage is exact, and
    `versions` are those of the numeric libraries.
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
        return epsilons[(len(epsilons) - 1) // 2]


def frame(kind: type[NamedTuple], rows: Iterable[NamedTuple]) -> pd.DataFrame:
    """Return a table of rows of one kind, with all its columns even if there is no row."""
    numbers = {name: hint for name, hint in get_type_hints(kind).items() if hint in (int, float)}
    return pd.DataFrame(list(rows), columns=list(kind._fields)).astype(numbers)


def table(rows: Callable[[Any], Iterator[NamedTuple]]) -> cached_property[pd.DataFrame]:
    """Make a method that yields the rows of the table of its name that table, computed once."""
    return cached_property(wraps(rows)(lambda study: frame(TABLES[rows.__name__], rows(study))))


def rows_of(kind: type[Row], table: pd.DataFrame) -> list[Row]:
    """Return the rows of a table."""
    return [kind(*row) for row in table.itertuples(index=False)]


def interval(mean: float, se: float) -> tuple[float, float, float]:
    """Return the 95 % interval of an error, with its standard error."""
    return max(0.0, mean - INTERVAL * se), mean + INTERVAL * se, se


def write_tables(tables: Tables, about: StudyFacts, directory: Path) -> None:
    """Write every table as NAME.csv, then what they are about with their SHA-256."""
    digests = {}
    for name, table in tables.items():
        content = inert(table).to_csv(index=False, lineterminator="\n").encode()
        digests[name] = hashlib.sha256(content).hexdigest()
        write_bytes(directory / f"{name}.csv", content)
    content = TypeAdapter(StudyFacts).dump_python(about, mode="json")
    write_sealed(directory / "study.json", {**content, "tables": digests})


def inert(table: pd.DataFrame) -> pd.DataFrame:
    """Return a table for a spreadsheet: names with commas between them, and no text that it would run."""
    texts = table.select_dtypes(exclude="number").columns
    return table.assign(**{name: table[name].map(_inert) for name in texts})


def _inert(cell: object) -> object:
    """Return a cell that no spreadsheet runs: a text that begins like a formula gets an apostrophe before it."""
    text = ", ".join(cell) if isinstance(cell, tuple) else cell
    runs = isinstance(text, str) and FORMULA.match(text) and not NUMBER.fullmatch(text)
    return f"'{text}" if runs else text
