"""What is known of the exhibits of a paper: which readings may have been run for them, alone and in pools."""

from dataclasses import dataclass, field
from typing import Literal

from claimaudit.verdicts.evidence import Record

Source = Literal["own", "inferred", "rejected", "inadmissible", "none"]
"""What says which reading was run: the printed numbers of the exhibits of a claim (own), those of exhibits that share
settings (inferred), or nothing. No reading tried fits them (rejected), or only ones that break a condition of the paper
(inadmissible)."""

EVIDENCED: tuple[Source, ...] = ("own", "inferred")  # sources that say what was run

LEVEL = 0.001  # a reading is rejected if the printed numbers jointly have a smaller p-value


@dataclass(frozen=True)
class Choice(Record):
    """The value of an axis, as text."""

    axis: str
    value: str


@dataclass(frozen=True)
class Departures(Record):
    """A reading: its choices that the text does not make, and its own name in words if it has one."""

    choices: tuple[Choice, ...] = ()
    title: str = ""


@dataclass(frozen=True)
class Names(Record):
    """What readings are made of.

    `readings` has, by experiment and name, what a reading departs in; of the strict one, the choices that we had to
    make. `phrases` has values in words, by axis and value, both as text; under ``exhibit``, what the paper calls those
    that it numbers otherwise than their names do, such as Table VI.
    """

    readings: dict[str, dict[str, Departures]] = field(default_factory=dict)
    phrases: dict[str, dict[str, str]] = field(default_factory=dict)


@dataclass(frozen=True)
class Fit(Record):
    """How printed numbers fit a reading: their joint p-value, and the share inside 95 % intervals.

    These are for the likeliest number of runs; those of predictions, which pages show, allow for what is not known.
    """

    p_value: float | None
    inside: float | None


@dataclass(frozen=True)
class StandingReading(Record):
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
class Runs(Record):
    """How many runs stand behind printed numbers: as stated, estimated with a 95 % interval, and if that rejects."""

    stated: float | None
    estimate: float | None
    low: float | None
    high: float | None
    rejected: bool


@dataclass(frozen=True)
class Exhibit(Record):
    """What is known of an exhibit, which an experiment repeats.

    `published` is its file of printed numbers, and `source` what says which reading was run. It rests on the printed
    numbers of those `pooled` with it as well; those `apart` share settings with it by the text and need another one. So
    many readings `competed`, and so many fit but were `not_run` in full. `readings` may have been run, if anything says
    so. If it has printed `numbers`, `strict` says how the text fits them, and `runs` how many runs stand behind them.
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
class Likelihood(Record):
    """How the printed numbers of a pool fit a setting, compared with the likeliest one; a rival, with the named one."""

    p_value: float | None
    log_likelihood: float | None
    error: float | None


@dataclass(frozen=True)
class PoolAxis(Record):
    """An axis that `exhibits` of a pool share: the text's value, or ours if not `is_stated`, and the standing one."""

    axis: str
    stated: str
    is_stated: bool
    standing: str
    departs: bool
    exhibits: tuple[str, ...] = ()


@dataclass(frozen=True)
class PoolSetting(Record):
    """A setting that competed for a pool, by its departures from the text."""

    departures: tuple[Choice, ...]
    fit: Likelihood
    stands: bool
    about_as_likely: bool
    admissible: bool


@dataclass(frozen=True)
class Rival(Record):
    """A setting that guide words propose, that no experiment runs, and that explains a pool as standing ones do.

    It departs from the text in so many choices, in words in `setting`, and changes the numbers of `exhibits`.
    """

    departures: tuple[Choice, ...]
    setting: tuple[str, ...]
    exhibits: tuple[str, ...]
    fit: Likelihood


@dataclass(frozen=True)
class GuideWord(Record):
    """What a guide word proposed for a choice point of a text, in words, and what came of it.

    The `outcome` is "fits" if some pool does not reject a proposal, "undecided" if one does not in few runs,
    "rejected" if each does, else why none tells anything. Without a word, it is why none was asked.
    """

    point: str
    kind: str
    word: str
    proposed: tuple[str, ...]
    outcome: str


@dataclass(frozen=True)
class Pool(Record):
    """Exhibits that are one body of evidence.

    `exhibits` have printed numbers, so many different ones, those `inferred` inherit from them, and those `apart` share
    axes with them by the text and need another setting. `together` is the largest joint p-value of one setting for
    these and those apart; None if none is apart. So many settings `competed`, and so many of them are `standing`;
    `settings` are the first that competed, of which the first is named if it stands, and `as_stated` is how the numbers
    fit the text.

    Every standing setting departs from the text on the axes in `demanded`; those `undetermined` are left open, as
    standing settings that are about as likely differ. The numbers depend on `axes`. `with_stated_runs` is the p-value
    of the named setting if the stated number of runs stood behind the printed numbers; None if they do not reject that
    number. Guide words `proposed` so many settings beside those that experiments run, of which so many are `undecided`,
    since they had few runs, and so many more were `not_reached`; `rivals` explain the numbers as standing ones do.
    """

    exhibits: tuple[str, ...]
    inferred: tuple[str, ...]
    apart: tuple[str, ...]
    together: float | None
    numbers: int
    competed: int
    standing: int
    as_stated: Likelihood | None
    demanded: tuple[str, ...]
    undetermined: tuple[str, ...]
    axes: tuple[PoolAxis, ...]
    settings: tuple[PoolSetting, ...]
    with_stated_runs: float | None = None
    proposed: int = 0
    undecided: int = 0
    not_reached: int = 0
    rivals: tuple[Rival, ...] = ()
