"""What the audit finds, as numbers and names. `corrldp.words` says it in sentences.

The classes are written to JSON as they are, and read back by `read`. ``python -m corrldp.verdicts`` prints the JSON
schema of report/verdicts/ID.json, docs/verdicts.schema.json. Names of answers and verdicts, of reasons and
sources are constants here; docs/verdicts.md says what they mean.
"""

from __future__ import annotations

import dataclasses
import json
import math
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final, Literal, TypeVar

import numpy as np

from corrldp.checksums import read_sealed

if TYPE_CHECKING:
    from pydantic import TypeAdapter

REPRODUCED: Final = "reproduced"
AS_RUN: Final = "reproduced as run"
NOT_REPRODUCED: Final = "not reproduced"
CONTRADICTED: Final = "contradicted by the paper"
UNDECIDED: Final = "undecided"
NO_DATA: Final = "no data"
VERDICTS = (REPRODUCED, AS_RUN, NOT_REPRODUCED, CONTRADICTED, UNDECIDED, NO_DATA)
VerdictName = Literal[
    "reproduced", "reproduced as run", "not reproduced", "contradicted by the paper", "undecided", "no data"
]

Answer = Literal["holds", "fails", "undecided", "not tested"]
ANSWERS: dict[bool | None, Answer] = {True: "holds", False: "fails", None: "undecided"}
UNTESTED: Final = "not tested"

Why = Literal["", "chance", "word", "glyph", "readings"]
"""Why a claim is undecided: Monte-Carlo error, a vague word, a character that may be misread, the paper's setting."""

CHANCE: Final = "chance"
WORD: Final = "word"
GLYPH: Final = "glyph"
READINGS: Final = "readings"

Source = Literal["own", "inferred", "rejected", "inadmissible", "none"]
"""What says which reading was run: the printed numbers of the exhibits of a claim (own), those of exhibits that share
settings (inferred), or nothing. No reading tried fits them (rejected), or only ones that break a condition of the paper
(inadmissible)."""

EVIDENCED: tuple[Source, ...] = ("own", "inferred")
"""Sources that say what was run."""

Uncounted = Literal["", "ours", "definition", "follows", "cannot fail"]
"""Why a claim does not count for or against the authors: it is a check of ours, holds by construction, follows from
another claim, or no disturbance of its numbers makes the check fail."""

Grounds = Literal["", "exact", "test", "blind", "few runs", "tolerance"]
"""What a test of fit rests on: exact numbers, its p-value, too large an error to notice a wrong number, too few runs to
reject, or a tolerance within which all numbers lie."""

Because = Literal[
    "no data", "relation", "points", "stated", "unstated", "circular", "run", "open", "points agree", "unknowable",
    "fails", "depends",
]  # fmt: skip
"""The rule that decided, see `corrldp.audit.judging.decide.decide`."""

LEVEL = 0.001
"""A reading is rejected if the printed numbers jointly have a smaller p-value."""

RESOLVING = 0.5
"""Relative error that a check must be able to detect, unless the claim sets ``resolving``."""

FARTHEST = 37.0
"""Largest z-score that a double-precision probability distinguishes from infinity."""

Scalar = str | bool | int | float | None
Setting = dict[str, Scalar]
"""Values of setting columns by name."""


class _Record:
    __pydantic_config__ = {"extra": "forbid"}  # noqa: RUF012 (pydantic reads it)


@dataclass(frozen=True)
class Levels(_Record):
    """Significance levels of one check.

    Attributes
    ----------
    passing
        Smallest p-value that passes, and the level at which an inequality is satisfied.
    failing
        Rate of false alarms: the probability that a true claim fails. It is chosen for all claims of a paper together
        and is at most `passing`; between the two levels a check cannot tell.
    """

    passing: float
    failing: float


@dataclass(frozen=True)
class Chance(_Record):
    """How far a check is from an answer.

    Attributes
    ----------
    statistic
        What is found: a distance from the threshold in standard errors, a chi-square, or the error to be noticed.
    needed
        What would decide.
    runs
        About how many times as many runs, ours and the paper's, would reach it if the numbers stay as they are; None if
        nothing says that any number would.
    """

    statistic: float | None
    needed: float | None
    runs: float | None


@dataclass(frozen=True)
class Inequalities(_Record):
    """How many comparisons are satisfied, and the two numbers of the one that decides.

    Attributes
    ----------
    satisfied, violated, undecided
        Numbers of comparisons.
    worst
        Whether the comparison shown is the least satisfied one; otherwise it is the most satisfied one.
    left, right
        Its sides; of a trend, the number at its end and at its start.
    error
        Standard error of the left side if the right side is a plain number, else 0.
    left_name, right_name
        What the sides are called; empty if they have no name.
    relation
        As the claim states it; empty for a trend.
    """

    satisfied: int
    violated: int
    undecided: int
    worst: bool
    left: float | None
    right: float | None
    error: float | None = 0.0
    left_name: str = ""
    right_name: str = ""
    relation: str = ""
    form: Literal["inequalities"] = "inequalities"


@dataclass(frozen=True)
class Range(_Record):
    """The range of a quantity in the group in which it changes most, and the `tolerance` granted."""

    low: float | None
    high: float | None
    tolerance: float
    dof: int
    form: Literal["range"] = "range"


@dataclass(frozen=True)
class Deviation(_Record):
    """The number farthest from its closed form.

    `score` is its z-score, None between exact numbers; `dof` belongs to the decisive one of the `tests`.
    """

    simulated: bool
    ours: float | None
    formula: float | None
    score: float | None
    tests: int
    dof: int
    form: Literal["deviation"] = "deviation"


@dataclass(frozen=True)
class Cells(_Record):
    """How many printed cells lie inside their 95 % prediction interval, and the cell farthest from ours."""

    inside: int
    ours: float | None
    printed: float | None
    score: float | None
    dof: int
    form: Literal["cells"] = "cells"


@dataclass(frozen=True)
class PrintedNumber(_Record):
    """The error of a printed number from its own `runs`, its `tolerance` if it has one, and rows too noisy to judge."""

    error: float | None
    runs: float | None
    tolerance: float | None
    blind: int
    form: Literal["printed"] = "printed"


@dataclass(frozen=True)
class Relation(_Record):
    """The two sides of a relation between printed numbers, with the name of the left one; None if there are more."""

    left_name: str = ""
    left: float | None = None
    right: float | None = None
    form: Literal["relation"] = "relation"


Found = Inequalities | Range | Deviation | Cells | PrintedNumber | Relation
"""What a kind of check finds beyond the numbers that all kinds have in common."""


@dataclass(frozen=True)
class Evidence(_Record):
    """Result of one check under one reading.

    Attributes
    ----------
    reading
        Name of the reading.
    holds
        Whether the claim holds; None if the check cannot tell.
    rows, simulated
        Number of comparisons, and how many of them rest on Monte-Carlo numbers, ours or the paper's. A check with
        none of the latter cannot fail by chance.
    found
        What this kind of check finds.
    grounds
        What the answer of a test of fit rests on.
    estimate, se, low, high
        The checked number at the row that decides, its Monte-Carlo error and 95 % interval (both ours).
    statistic, p_value
        Test statistic and p-value, corrected for the number of rows.
    worst, varying
        Setting of the row that decides, and the names of the settings in which the rows differ.
    comparisons
        Every comparison, as columns: the setting, the two numbers compared (``left`` and ``right``, in the claim's own
        terms), the standard error of their difference, and for an inequality whether it is satisfied. In a verdict only
        under the strict reading and the standing ones that fit best.
    why
        Why the check cannot tell.
    meaning
        The alternative meaning of the sentence in which it holds; empty if it is the natural one.
    standing
        Whether printed numbers say that the reading may have been run.
    chance
        How far the check is from an answer, where chance leaves it open.
    """

    reading: str
    holds: bool | None
    rows: int
    found: Found
    grounds: Grounds = ""
    estimate: float | None = None
    se: float | None = None
    low: float | None = None
    high: float | None = None
    statistic: float | None = None
    p_value: float | None = None
    simulated: int = 0
    worst: Setting = field(default_factory=dict)
    varying: tuple[str, ...] = ()
    comparisons: dict[str, list[Scalar]] = field(default_factory=dict)
    why: Why = ""
    meaning: str = ""
    standing: bool = False
    chance: Chance | None = None


ThresholdOf = Literal["against", "at_least", "at_most", "printed", "tolerance", "p_value"]


@dataclass(frozen=True)
class Threshold(_Record):
    """Both ends of a vague word: the value that a strict reader demands, and the one that a generous reader grants.

    `of` is what has the threshold: the right side of an inequality, a share of the cases, the tolerance of a printed
    number or of a constant, or a p-value.
    """

    of: ThresholdOf
    strict: float | str
    generous: float | str


@dataclass(frozen=True)
class AsStated(_Record):
    """The answer under the strict reading.

    Attributes
    ----------
    answer
        It is open if it rests on choices that the text does not state.
    unstated
        The readings that differ only in what the text does not state, and say otherwise.
    unknowable
        Whether the claim cannot be recomputed from the text.
    """

    answer: Answer
    unstated: tuple[str, ...] = ()
    unknowable: bool = False


@dataclass(frozen=True)
class AsRun(_Record):
    """The answer under the readings that may have been run.

    Attributes
    ----------
    answer
        If nothing says what was run, an answer only if all admissible readings agree.
    source, exhibits
        What says which readings were run, and for which exhibits.
    readings
        The standing readings; empty if nothing says what was run.
    runs_factor
        How many runs stand behind the printed numbers, relative to the stated number, if the check depends on it.
    holding, failing, open
        The readings under which the claim holds, fails, or cannot be judged.
    """

    answer: Answer
    source: Source
    exhibits: tuple[str, ...] = ()
    readings: tuple[str, ...] = ()
    runs_factor: float = 1.0
    holding: tuple[str, ...] = ()
    failing: tuple[str, ...] = ()
    open: tuple[str, ...] = ()

    @property
    def deciding(self) -> str:
        """The standing reading whose numbers decide; empty if nothing says what was run."""
        return next(iter((*self.holding, *self.failing, *self.open)), "") if self.readings else ""


@dataclass(frozen=True)
class OwnNumbers(_Record):
    """The answer by what the paper prints; `points` is the evidence of its digitised points, if they answer."""

    answer: Answer
    points: Evidence | None = None


@dataclass(frozen=True)
class Verdict(_Record):
    """The verdict on one claim.

    Attributes
    ----------
    id, paper, where, states, checked, kind, origin, weight, refines, follows, cause, table, figure, note, doubt
        From the claims file, see docs/claims.md; empty if the claim has none.
    word, measure, unit, decides, lacking, printed
        The same.
    check
        The fields of its kind of check.
    verdict, why, because
        The verdict; why it is undecided; and the rule that decided.
    counted, uncounted
        Whether it counts for or against the authors, and why not.
    as_stated, as_run, own_numbers
        The three answers.
    levels, level
        Significance levels; and the probability that the claim, if true under the strict reading, fails by chance: 0 if
        the check is exact.
    thresholds
        Between which thresholds a vague word was taken.
    chance
        How far the check is from an answer, if chance leaves the claim undecided.
    standins
        The stand-in data sets on which it would rest.
    evidence
        One entry per reading, the strict one first; none if data were not available.
    """

    id: str
    paper: str
    where: str
    states: str
    kind: str
    verdict: VerdictName
    as_stated: AsStated
    as_run: AsRun
    own_numbers: OwnNumbers
    levels: Levels
    because: Because
    why: Why = ""
    counted: bool = True
    uncounted: Uncounted = ""
    checked: str = ""
    origin: Literal["paper", "ours", "definition"] = "paper"
    weight: Literal["headline", "result", "detail", "slip"] = "result"
    refines: str = ""
    follows: str = ""
    cause: str = ""
    table: str = ""
    figure: str = ""
    note: str = ""
    doubt: str = ""
    word: str = ""
    measure: str = ""
    unit: str = ""
    decides: str = ""
    lacking: str = ""
    printed: dict[str, Any] | None = None
    check: dict[str, Any] = field(default_factory=dict)
    level: float = 0.0
    thresholds: tuple[Threshold, ...] = ()
    chance: Chance | None = None
    standins: tuple[str, ...] = ()
    evidence: tuple[Evidence, ...] = ()

    def __post_init__(self) -> None:
        """Refuse a verdict without evidence."""
        if self.verdict != NO_DATA and not self.evidence:
            raise ValueError(f"verdict {self.id}: {self.verdict} without evidence")

    @property
    def stated(self) -> Evidence:
        """The evidence under the strict reading."""
        return self.evidence[0]

    def under(self, reading: str) -> Evidence:
        """Return the evidence under a reading."""
        return next(item for item in self.evidence if item.reading == reading)


@dataclass(frozen=True)
class Choice(_Record):
    """The value of an axis, as text."""

    axis: str
    value: str


@dataclass(frozen=True)
class Departures(_Record):
    """A reading: its choices that the text does not make, and its own name in words if it has one."""

    choices: tuple[Choice, ...] = ()
    title: str = ""


@dataclass(frozen=True)
class Fit(_Record):
    """How printed numbers fit a reading: their joint p-value, and the share inside their 95 % prediction interval."""

    p_value: float | None
    inside: float | None


@dataclass(frozen=True)
class StandingReading(_Record):
    """A reading that may have been run for an exhibit.

    `condition` is what it breaks if it is not `admissible`; `open` if it departs only from what the text leaves open.
    """

    reading: str
    admissible: bool
    condition: str
    open: bool
    p_value: float | None
    inside: float | None


@dataclass(frozen=True)
class Runs(_Record):
    """How many runs stand behind printed numbers: as stated, estimated with a 95 % interval, and if that rejects."""

    stated: float | None
    estimate: float | None
    low: float | None
    high: float | None
    rejected: bool


@dataclass(frozen=True)
class Exhibit(_Record):
    """What is known of an exhibit: see `corrldp.audit.fitting.standing.Standing`.

    `competed` counts the readings that were compared and `not_run` those that fit but were not run in full. `numbers`,
    `strict` (how the text fits) and `runs` are None if the exhibit has no printed numbers.
    """

    experiment: str
    published: str | None
    source: Source
    pooled: tuple[str, ...] = ()
    apart: tuple[str, ...] = ()
    competed: int = 0
    not_run: int = 0
    readings: tuple[StandingReading, ...] = ()
    numbers: int | None = None
    strict: Fit | None = None
    runs: Runs | None = None


@dataclass(frozen=True)
class Likelihood(_Record):
    """How the printed numbers of a pool fit a setting; the log-likelihood is less that of the likeliest setting."""

    p_value: float | None
    log_likelihood: float | None
    error: float | None


@dataclass(frozen=True)
class PoolAxis(_Record):
    """An axis that a pool shares: its value in the text, or ours if that `is_stated` not, and in the named setting."""

    axis: str
    stated: str
    is_stated: bool
    standing: str
    departs: bool


@dataclass(frozen=True)
class PoolSetting(_Record):
    """A setting that competed for a pool, by its departures from the text."""

    departures: tuple[Choice, ...]
    fit: Likelihood
    stands: bool
    about_as_likely: bool
    admissible: bool


@dataclass(frozen=True)
class Pool(_Record):
    """Exhibits that are one body of evidence, see `corrldp.audit.fitting.pools.Pool`; `settings` are the first ones."""

    exhibits: tuple[str, ...]
    inferred: tuple[str, ...]
    apart: tuple[str, ...]
    together: float | None
    numbers: int
    competed: int
    standing: int
    as_stated: Likelihood | None
    demanded: tuple[str, ...]
    untold: tuple[str, ...]
    axes: tuple[PoolAxis, ...]
    settings: tuple[PoolSetting, ...]


@dataclass(frozen=True)
class Meeting(_Record):
    """Two claims, each of which holds under some admissible reading, and never both under one setting.

    Attributes
    ----------
    claims, readings
        Their ids, and the first reading under which each holds.
    axes
        The axes on which they exclude each other.
    """

    claims: tuple[str, str]
    readings: tuple[str, str]
    axes: tuple[str, ...]


@dataclass(frozen=True)
class Cause(_Record):
    """An error that claims share."""

    states: str
    weight: Literal["headline", "result", "detail", "slip"] = "result"


@dataclass(frozen=True)
class Names(_Record):
    """What readings are made of.

    Attributes
    ----------
    readings
        By experiment and name: what a reading departs in. Of the strict one, the choices that we had to make.
    phrases
        By axis and value, both as text: the value in words.
    """

    readings: dict[str, dict[str, Departures]] = field(default_factory=dict)
    phrases: dict[str, dict[str, str]] = field(default_factory=dict)


@dataclass(frozen=True)
class Verdicts(_Record):
    """All that the audit says of one paper; ``claims`` are in the order of their file."""

    claims: tuple[Verdict, ...]
    exhibits: dict[str, Exhibit] = field(default_factory=dict)
    pools: tuple[Pool, ...] = ()
    meetings: tuple[Meeting, ...] = ()
    causes: dict[str, Cause] = field(default_factory=dict)
    names: Names = field(default_factory=Names)

    def of(self, claim: str) -> Verdict:
        """Return the verdict on a claim."""
        return next(item for item in self.claims if item.id == claim)


Record = TypeVar("Record")


def plain(content: Any) -> Any:  # noqa: ANN401
    """Convert to plain JSON types: nine significant digits (on which machines agree), None for non-finite numbers."""
    if dataclasses.is_dataclass(content):
        return {each.name: plain(getattr(content, each.name)) for each in dataclasses.fields(content)}
    if isinstance(content, Mapping):
        return {key: plain(entry) for key, entry in content.items()}
    if isinstance(content, list | tuple):
        return [plain(entry) for entry in content]
    if isinstance(content, np.generic):
        content = content.item()
    if isinstance(content, float):
        return float(f"{content:.9g}") if math.isfinite(content) else None
    return content


@cache
def adapter(kind: type[Record]) -> TypeAdapter[Record]:
    """Return what reads and describes one of the classes of this module."""
    from pydantic import TypeAdapter

    return TypeAdapter(kind)


def read(path: Path) -> Verdicts:
    """Read the verdicts on a paper, verified by the checksum in the file.

    Raises
    ------
    ValueError
        The file is damaged, or is none; the message says what to do, or names the first fault.
    """
    return adapter(Verdicts).validate_python(read_sealed(path))


def coherent(verdicts: Verdicts) -> Verdicts:
    """Return the verdicts of a paper if none is "as run" under a reading that an exhibit of the claim rejects.

    Raises
    ------
    ValueError
        If one is, or if the reading breaks a condition of the paper; the message names the first.
    """
    for verdict in verdicts.claims:
        if verdict.verdict != AS_RUN:
            continue
        exhibits = [verdicts.exhibits[name] for name in verdict.as_run.exhibits]
        own = [exhibit for exhibit in exhibits if exhibit.experiment == verdict.table]
        standing = {item.reading for exhibit in own for item in exhibit.readings if item.admissible}
        rejected = [reading for reading in verdict.as_run.readings if own and reading not in standing]
        if rejected or not verdict.as_run.readings:
            named = rejected[0] if rejected else "no reading"
            raise ValueError(f"verdict {verdict.id}: as run under {named}, which does not stand for its exhibits")
    return verdicts


def counted(verdicts: Iterable[Verdict]) -> list[Verdict]:
    """Return the verdicts that the score counts: on claims of the authors, misprints apart."""
    return [verdict for verdict in verdicts if verdict.counted and verdict.weight != "slip"]


def slips(verdicts: Iterable[Verdict]) -> list[Verdict]:
    """Return the verdicts on possible misprints, which are counted apart."""
    return [verdict for verdict in verdicts if verdict.counted and verdict.weight == "slip"]


def schema() -> dict[str, Any]:
    """Return the JSON schema of the verdicts on a paper."""
    return adapter(Verdicts).json_schema()


if __name__ == "__main__":
    print(json.dumps(schema(), indent=2))
