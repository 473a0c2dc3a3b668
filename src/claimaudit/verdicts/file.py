"""The verdicts on a paper, as they are written to JSON and read back: report/verdicts/ID.json.

docs/verdicts.md says what the names of verdicts mean.
"""

from __future__ import annotations

import dataclasses
import math
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Final, Literal, get_args

import numpy as np

from claimaudit.storage import CHECKSUM, adapter, read_sealed
from claimaudit.verdicts.evidence import Answer, Chance, Evidence, Levels, Record, Why
from claimaudit.verdicts.exhibits import Exhibit, GuideWord, Names, Pool, Source

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

FALLS = (NOT_REPRODUCED, CONTRADICTED)  # verdicts on a claim that does not hold

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
        return next(iter((*self.holding, *self.failing, *self.open)), "") if self.readings else ""


@dataclass(frozen=True)
class OwnNumbers(Record):
    """The answer by what the paper prints; `points` is the evidence of its digitised points, if they answer."""

    answer: Answer
    points: Evidence | None = None


@dataclass(frozen=True, kw_only=True)
class Stated(Record):
    """What a claim says, from its file, see docs/claims.md; what it lacks is empty.

    `claimed` is the threshold that the sentence states; None if the one it is judged by is ours. The `note` may say
    itself between which thresholds a vague word was taken. `figure` and `lacking` follow from the paper, and `doubt`
    from what may be misread.
    """

    id: str
    place: str
    states: str
    origin: Literal["paper", "ours", "definition"] = "paper"
    weight: Literal["headline", "result", "detail", "slip"] = "result"
    refines: str = ""
    follows: str = ""
    cause: str = ""
    figure: str = ""
    note: str = ""
    thresholds_in_note: bool = False
    doubt: str = ""
    claimed: float | None = None
    decides: str = ""
    lacking: str = ""


@dataclass(frozen=True, kw_only=True)
class Verdict(Stated):
    """The verdict on one claim, with the fields of its kind of `check`.

    The verdict comes with `why` it is undecided and the rule that decided, whether it counts for or against the authors
    and why not, and the three answers.

    `level` is the probability that the claim, if true under the strict reading, fails by chance: 0 if the check is
    exact. A vague word was taken between `thresholds`. `chance` is how far the check is from an answer, if chance
    leaves the claim undecided. It would rest on `standins`. `called` is what pages call the settings of its evidence
    and their values, where these are not words. `evidence` has one entry per reading, the strict one first; none if
    data were not available.
    """

    paper: str
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
    table: str = ""
    word: str = ""
    measure: str = ""
    unit: str = ""
    printed: dict[str, Any] | None = None
    check: dict[str, Any] = field(default_factory=dict)
    level: float = 0.0
    thresholds: tuple[Threshold, ...] = ()
    chance: Chance | None = None
    standins: tuple[str, ...] = ()
    called: dict[str, str] = field(default_factory=dict)
    evidence: tuple[Evidence, ...] = ()

    def __post_init__(self) -> None:
        if self.verdict != NO_DATA and not self.evidence:
            raise ValueError(f"verdict {self.id}: {self.verdict} without evidence")

    @property
    def in_score(self) -> bool:
        """Whether the score counts it: it counts for or against the authors, and is on no misprint."""
        return self.counted and self.weight != "slip"

    @property
    def stated(self) -> Evidence:
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


@dataclass(frozen=True)
class Meeting(Record):
    """Two claims, each of which holds under some admissible reading, and never both under one setting.

    `readings` are the first ones under which each holds; on `axes` they exclude each other.
    """

    claims: tuple[str, str]
    readings: tuple[str, str]
    axes: tuple[str, ...]


@dataclass(frozen=True)
class Cause(Record):
    """An error that claims share."""

    states: str
    weight: Literal["headline", "result", "detail", "slip"] = "result"


@dataclass(frozen=True)
class Reply(Record):
    """What somebody answers to verdicts, which it does not change.

    The date is an ISO date, and `source` where it can be read. It is about some `claims`, by their ids, whose verdicts
    it may dispute, or else about the audit as a whole.
    """

    by: str
    date: str
    source: str
    says: str
    claims: tuple[str, ...] = ()
    disputes: bool = False


@dataclass(frozen=True)
class Verdicts(Record):
    """All that the audit says of one paper; ``claims`` are in the order of their file, as are ``replies``."""

    claims: tuple[Verdict, ...]
    exhibits: dict[str, Exhibit] = field(default_factory=dict)
    pools: tuple[Pool, ...] = ()
    meetings: tuple[Meeting, ...] = ()
    asked: tuple[GuideWord, ...] = ()
    causes: dict[str, Cause] = field(default_factory=dict)
    names: Names = field(default_factory=Names)
    replies: tuple[Reply, ...] = ()

    def of(self, claim: str) -> Verdict:
        """Return the verdict on a claim."""
        return next(item for item in self.claims if item.id == claim)

    def replies_to(self, claim: str) -> tuple[Reply, ...]:
        """Return the replies on a claim."""
        return tuple(reply for reply in self.replies if claim in reply.claims)

    def disputed(self, claim: str) -> bool:
        """Return whether a reply disputes the verdict on a claim."""
        return any(reply.disputes for reply in self.replies_to(claim))


def plain(content: Any) -> Any:  # noqa: ANN401
    """Convert to plain JSON types: nine significant digits (on which machines agree), None for non-finite numbers."""
    if isinstance(content, float):  # the most frequent first
        return float(f"{content:.9g}") if math.isfinite(content) else None
    if content is None or isinstance(content, str | int):
        return content
    if isinstance(content, list | tuple):
        return [plain(entry) for entry in content]
    if dataclasses.is_dataclass(content):
        return {each.name: plain(getattr(content, each.name)) for each in dataclasses.fields(content)}
    if isinstance(content, Mapping):
        return {key: plain(entry) for key, entry in content.items()}
    return plain(content.item()) if isinstance(content, np.generic) else content


def read(path: Path) -> Verdicts:
    """Read the verdicts on a paper, verified by the checksum in the file.

    If it is damaged, or none, a ValueError says what to do, or names the first fault.
    """
    return adapter(Verdicts).validate_python(read_sealed(path))


def coherent(verdicts: Verdicts) -> Verdicts:
    """Return the verdicts of a paper if none is "as run" under a reading that an exhibit of the claim rejects.

    If one is, or if the reading breaks a condition of the paper, a ValueError names the first.
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


def schema() -> dict[str, Any]:
    """Return the JSON schema of the file of verdicts on a paper, which has a checksum besides."""
    found = adapter(Verdicts).json_schema()
    found["properties"][CHECKSUM] = {"title": "Checksum", "type": "string"}
    return found
