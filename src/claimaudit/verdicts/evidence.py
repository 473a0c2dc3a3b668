"""What a check finds under one reading: numbers and names, in a record for each form that they have."""

from dataclasses import dataclass, field
from typing import Final, Literal

Answer = Literal["holds", "fails", "undecided", "not tested"]

ANSWERS: dict[bool | None, Answer] = {True: "holds", False: "fails", None: "undecided"}

UNTESTED: Final = "not tested"

Why = Literal["", "chance", "word", "glyph", "readings", "errors"]
"""Why a claim is undecided: Monte-Carlo error, a vague word, a character that may be misread, the paper's setting, or
results that come without their errors."""

CHANCE: Final = "chance"
WORD: Final = "word"
GLYPH: Final = "glyph"
READINGS: Final = "readings"
ERRORS: Final = "errors"

Grounds = Literal["", "exact", "test", "blind", "few runs", "tolerance"]
"""What a test of fit rests on: exact numbers, its p-value, too large an error to notice a wrong number, too few runs to
reject, or a tolerance within which all numbers lie."""

RESOLVING = 0.5  # relative error that a check must be able to detect, unless the claim sets ``resolving``

FARTHEST = 37.0  # largest z-score that a double-precision probability distinguishes from infinity

Scalar = str | bool | int | float | None

Step = tuple[Scalar, Scalar]  # both values of the setting along which a step of a trend goes

Setting = dict[str, Scalar | Step]  # values of setting columns by name


Sign = Literal["==", "<", "<=", ">", ">="]  # a comparison of two numbers


class Record:
    """A record whose file has no other fields."""

    __pydantic_config__ = {"extra": "forbid"}  # noqa: RUF012 (pydantic reads it)


@dataclass(frozen=True)
class Levels(Record):
    """Significance levels of one check.

    `passing` is the smallest p-value that passes, and the level at which an inequality is satisfied. `failing` is the
    rate of false alarms: the probability that a true claim fails. It is chosen for all claims of a paper together and
    is at most `passing`; between the two levels a check cannot tell.
    """

    passing: float
    failing: float


@dataclass(frozen=True)
class Chance(Record):
    """How far a check is from an answer.

    The `statistic` is a distance from the threshold in standard errors, a chi-square, or the error to be noticed;
    `needed` would decide. About `runs` times as many runs, ours and the paper's, would reach it if the numbers stay as
    they are; None if nothing says that any number would.
    """

    statistic: float | None
    needed: float | None
    runs: float | None


@dataclass(frozen=True)
class Comparisons(Record):
    """How many comparisons are satisfied."""

    satisfied: int
    violated: int
    undecided: int
    worst: bool


@dataclass(frozen=True)
class Inequalities(Comparisons):
    """How many comparisons of two sides are satisfied, and the two numbers of the one that decides.

    That is the least satisfied one if it is the `worst`, otherwise the most satisfied one. The `relation` is as the
    claim states it, and `error` the standard error of the left side if the right side is a plain number, else 0. Sides
    without names have empty ones.
    """

    left: float | None
    right: float | None
    relation: Literal["<", "<=", ">", ">="]
    error: float | None = 0.0
    left_name: str = ""
    right_name: str = ""
    form: Literal["inequalities"] = "inequalities"


@dataclass(frozen=True)
class Steps(Comparisons):
    """How many steps of a trend are satisfied, and the numbers at the `start` and the `end` of the one that decides.

    The other fields are those of `Inequalities`.
    """

    start: float | None
    end: float | None
    form: Literal["steps"] = "steps"


@dataclass(frozen=True)
class Range(Record):
    """The range of a quantity in the group in which it changes most, and the `tolerance` granted."""

    low: float | None
    high: float | None
    tolerance: float
    dof: int
    form: Literal["range"] = "range"


@dataclass(frozen=True)
class Deviation(Record):
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
class Cells(Record):
    """How many printed cells lie inside their 95 % prediction interval, and the cell farthest from ours."""

    inside: int
    ours: float | None
    printed: float | None
    score: float | None
    dof: int
    form: Literal["cells"] = "cells"


@dataclass(frozen=True)
class PrintedNumber(Record):
    """The error of a printed number from its own `runs`, its `tolerance` if it has one, and rows too noisy to judge."""

    error: float | None
    runs: float | None
    tolerance: float | None
    blind: int
    form: Literal["printed"] = "printed"


@dataclass(frozen=True)
class Relation(Record):
    """A relation between printed numbers: its two sides, with the name of the left one; None if there are more."""

    left_name: str = ""
    left: float | None = None
    right: float | None = None
    relation: Sign = "=="
    form: Literal["relation"] = "relation"


Found = Inequalities | Steps | Range | Deviation | Cells | PrintedNumber | Relation
"""What a kind of check finds beyond the numbers that all kinds have in common."""


@dataclass(frozen=True)
class Evidence(Record):
    """Result of one check under one reading.

    `holds` is None if the check cannot tell, and `why` says why. `rows` is the number of comparisons, of which
    `simulated` rest on Monte-Carlo numbers, ours or the paper's; a check with none of these cannot fail by chance.
    `found` is what this kind of check finds, and `grounds` what the answer of a test of fit rests on.

    `estimate` is the checked number at the row that decides, `se`, `low` and `high` its Monte-Carlo error and 95 %
    interval (both ours); `worst` is the setting of that row, and `varying` names the settings in which the rows differ.
    `p_value`, with its `statistic`, is corrected for the number of rows.

    `comparisons` has every comparison, as columns: the setting, the two numbers compared (``left`` and ``right``, in
    the claim's own terms), the standard error of their difference, and for an inequality whether it is satisfied. In a
    verdict only under the strict reading and the standing ones that fit best.

    `meaning` is the alternative meaning of the sentence in which it holds; empty if it is the natural one. `standing`
    says whether printed numbers say that the reading may have been run, and `chance` how far the check is from an
    answer, where chance leaves it open.
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
    comparisons: dict[str, list[Scalar | Step]] = field(default_factory=dict)
    why: Why = ""
    meaning: str = ""
    standing: bool = False
    chance: Chance | None = None
