"""The verdict on a claim. docs/verdicts.md says what the names of verdicts mean."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import Any, Final, Literal, get_args

from claimaudit.verdicts.evidence import Answer, Chance, Evidence, Levels, Record, Why
from claimaudit.verdicts.exhibits import Source

VerdictName = Literal[
    "reproduced", "reproduced as run", "not reproduced", "contradicted by the paper", "undecided", "no data"
]
VERDICTS: tuple[VerdictName, ...] = get_args(VerdictName)

REPRODUCED: Final = "reproduced"
AS_RUN: Final = "reproduced as run"
NOT_REPRODUCED: Final = "not reproduced"
CONTRADICTED: Final = "contradicted by the paper"
UNDECIDED: Final = "undecided"
NO_DATA: Final = "no data"

FALLS = (NOT_REPRODUCED, CONTRADICTED)
"""Verdicts on a claim that does not hold."""

Uncounted = Literal["", "ours", "definition", "follows", "cannot fail"]
"""Why a claim does not count for or against the authors: it is a check of ours, holds by construction, follows from
another claim, or no disturbance of its numbers makes the check fail."""

Because = Literal[
    "no data", "relation", "points", "stated", "unstated", "circular", "run", "open", "points agree", "unknowable",
    "fails", "depends",
]  # fmt: skip
"""The rule that decided, see `claimaudit.audit.judging.decide.decide`."""

ThresholdOf = Literal["against", "at_least", "at_most", "printed", "tolerance", "p_value"]


@dataclass(frozen=True)
class Threshold(Record):
    """Both ends of a vague word: the value that a strict reader demands, and the one that a generous reader grants.

    `of` is what has the threshold: the right side of an inequality, a share of the cases, the tolerance of a printed
    number or of a constant, or a p-value.
    """

    of: ThresholdOf
    strict: float | str
    generous: float | str


@dataclass(frozen=True)
class AsStated(Record):
    """The answer under the strict reading, which is open if it rests on choices that the text does not state.

    The readings in `unstated` differ only in these, and do not say the same. `rejected` says whether printed numbers
    reject the values that we took there, and `unknowable` whether the claim cannot be recomputed from the text.
    """

    answer: Answer
    unstated: tuple[str, ...] = ()
    rejected: bool = False
    unknowable: bool = False


@dataclass(frozen=True)
class AsRun(Record):
    """The answer under the readings that may have been run.

    If nothing says what was run, it is an answer only if all admissible readings agree. `source` says which were run,
    and for which exhibits. `readings` stand; there are none if nothing says what was run. `runs_factor` is how many
    runs stand behind the printed numbers, relative to the stated number, if the check depends on it. The claim holds,
    fails or cannot be judged under those in `holding`, `failing` and `open`.
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
class OwnNumbers(Record):
    """The answer by what the paper prints; `points` is the evidence of its digitised points, if they answer."""

    answer: Answer
    points: Evidence | None = None


@dataclass(frozen=True)
class Verdict(Record):
    """The verdict on one claim.

    The verdict comes with `why` it is undecided and the rule that decided, whether it counts for or against the authors
    and why not, and the three answers. What the claim says is from its file, see docs/claims.md, with the fields of its
    kind of `check`; what it lacks is empty.

    `level` is the probability that the claim, if true under the strict reading, fails by chance: 0 if the check is
    exact. `claimed` is the threshold that the sentence states; None if the one it is judged by is ours. A vague word
    was taken between `thresholds`. `chance` is how far the check is from an answer, if chance leaves the claim
    undecided. It would rest on `standins`. `called` is what pages call the settings of its evidence and their values,
    where these are not words. `evidence` has one entry per reading, the strict one first; none if data were not
    available.
    """

    id: str
    paper: str
    place: str
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
    claimed: float | None = None
    decides: str = ""
    lacking: str = ""
    printed: dict[str, Any] | None = None
    check: dict[str, Any] = field(default_factory=dict)
    level: float = 0.0
    thresholds: tuple[Threshold, ...] = ()
    chance: Chance | None = None
    standins: tuple[str, ...] = ()
    called: dict[str, str] = field(default_factory=dict)
    evidence: tuple[Evidence, ...] = ()

    def __post_init__(self) -> None:
        """Refuse a verdict without evidence."""
        if self.verdict != NO_DATA and not self.evidence:
            raise ValueError(f"verdict {self.id}: {self.verdict} without evidence")

    @property
    def in_score(self) -> bool:
        """Whether the score counts it: it counts for or against the authors, and is on no misprint."""
        return self.counted and self.weight != "slip"

    @property
    def stated(self) -> Evidence:
        """The evidence under the strict reading."""
        return self.evidence[0]

    def under(self, reading: str) -> Evidence:
        """Return the evidence under a reading."""
        return next(item for item in self.evidence if item.reading == reading)


def counted(verdicts: Iterable[Verdict]) -> list[Verdict]:
    """Return the verdicts that the score counts: on claims of the authors, misprints apart."""
    return [verdict for verdict in verdicts if verdict.in_score]


def slips(verdicts: Iterable[Verdict]) -> list[Verdict]:
    """Return the verdicts on possible misprints, which are counted apart."""
    return [verdict for verdict in verdicts if verdict.counted and verdict.weight == "slip"]
