"""The format of a paper's file, papers/ID/paper.yaml."""

from __future__ import annotations

import re
from functools import cached_property
from typing import Annotated, Any, Literal

from annotated_types import Ge, Gt, Le, MinLen
from pydantic import AfterValidator, Discriminator, Field, Tag, model_validator

from claimaudit.configuration import Entry, Identifier, OneOrList, Text, Value
from claimaudit.experiments.given import OUT
from claimaudit.styles import FigureStyle, TableStyle

MOST_RUNS, MOST_FACTOR, MOST_PARTS = 10**7, 10**4, 1000
COMMON_FACTOR = 10  # the factor of runs that a configuration usually has, to which the limits of experiments refer

Factor = Annotated[int | float, Gt(0), Le(MOST_FACTOR)]
Axes = tuple[str | dict[str, tuple[str, ...]], ...]  # axes, each with all its other values or with the names of some

STATED, UNSTATED = "text", "ours"
"""Names of the first value of an axis: that of the text, or one that the text does not give."""

OURS = "ours"  # what an exhibit is of if it is none of the paper's

DOI = re.compile(r",? doi:(?P<doi>10\.\S+)$")
PRINTED_FILE = re.compile(r"(?P<file>[^ ]+)(?: within (?P<error>[0-9.]+(?:e-?[0-9]+)?)|(?P<shown> as no evidence))?")


def _names_a_file(text: str) -> str:
    if not PRINTED_FILE.fullmatch(text):
        raise ValueError(f"{text!r} is not FILE, FILE within 0.01 or FILE as no evidence")
    return text


PrintedFile = Annotated[Text, AfterValidator(_names_a_file)]


def _first_is_read_strictly(values: dict[str, Value]) -> dict[str, Value]:
    first, *others = values
    if first not in (STATED, UNSTATED):
        raise ValueError(f"the first value is that of the text; call it {STATED}, or {UNSTATED} if the text has none")
    if wrong := {STATED, UNSTATED} & {*others}:
        raise ValueError(f"{wrong.pop()} is the name of the first value; call the other one after what it is")
    return values


class AxisEntry(Entry):
    """An axis: its values by the names of their readings, and why there are several.

    The first value is read strictly: `text` if the text gives it, else `ours`, so that what holds under it alone does
    not hold as stated. `inadmissible` are those of the other values that break a condition which the paper imposes, or
    repair an algorithm, each with the reason. They may explain printed numbers but rescue no claim.
    """

    values: Annotated[dict[Identifier, Value], MinLen(2), AfterValidator(_first_is_read_strictly)]
    why: Text
    inadmissible: dict[Identifier, Text] = Field(default={})

    @property
    def strict(self) -> Value:
        return next(iter(self.values.values()))

    @property
    def stated(self) -> bool:
        """Whether the text gives that value."""
        return STATED in self.values

    @property
    def others(self) -> dict[str, Value]:
        return {name: value for name, value in self.values.items() if name not in (STATED, UNSTATED)}


def _multiple_first(factors: tuple[float, float]) -> tuple[float, float]:
    strict, others = factors
    if strict < others or strict / others % 1:
        raise ValueError(f"{strict} must be a whole multiple of {others}")
    return factors


Factors = Annotated[tuple[Factor, Factor], AfterValidator(_multiple_first)]
"""The limits on the factor of runs of the strict reading, and of the others, of which it is a multiple."""


class ExperimentEntry(Entry):
    """One experiment: where its numbers come from, and what it varies.

    `source` is a runner, which computes them under a setting, for the axes that it varies one at a time and for further
    readings; a CSV file of the folder that has them; or a command that writes such a file to ``{out}`` from the files
    of the folder that it names. Without a runner the setting is a `claimaudit.experiments.given.GivenSetting`.

    A list of an axis's values that starts with `ours` says that the text gives its strict value, but not for this
    experiment. `runs` is the paper's number of runs, and `runs_factor` limits the configured factor: one number, or
    that of the strict reading and that of the others. `parts` is the number of jobs that share the points, or
    points and readings, see `claimaudit.experiments.engine.Experiment.share`.
    """

    source: Text
    setting: dict[str, Any] = Field(default={})
    axes: Axes = ()
    readings: tuple[str, ...] = ()
    runs: Annotated[int, Ge(1), Le(MOST_RUNS)] | None = None
    runs_factor: OneOrList[Factor, Factors] | None = None
    parts: Annotated[int, Ge(1), Le(MOST_PARTS)] = 1

    @property
    def command(self) -> str | None:
        return self.source if OUT in self.source else None

    @property
    def results(self) -> str | None:
        return self.source if self.source.endswith(".csv") and self.command is None else None

    @property
    def runner(self) -> str | None:
        return None if self.command or self.results else self.source

    @property
    def varied(self) -> dict[str, tuple[str, ...] | None]:
        """Its axes, each with the names that are listed of its values, None for all."""
        items = [dict.fromkeys([item]) if isinstance(item, str) else item for item in self.axes]
        return {axis: names for item in items for axis, names in item.items()}

    @property
    def strict_factor(self) -> int:
        """How many times as many runs the strict reading has as the others."""
        return round(self.runs_factor[0] / self.runs_factor[1]) if isinstance(self.runs_factor, tuple) else 1

    def runs_at(self, factor: float) -> int:
        """Return the runs of readings that are not strict, at a factor; above `COMMON_FACTOR`, the limits grow too."""
        limit = self.runs_factor[1] if isinstance(self.runs_factor, tuple) else self.runs_factor
        most = factor if limit is None else limit * max(1.0, factor / COMMON_FACTOR)
        return max(2, round((self.runs or 0) * min(factor, most)))

    @model_validator(mode="after")
    def _has_the_keys_of_its_source(self) -> ExperimentEntry:
        if self.runner and (" " in self.source or ":" not in self.source):
            raise ValueError(
                f"source: {self.source!r} is no runner FILE.py:FUNCTION, no file of results FILE.csv and no command, "
                f"which says with {OUT} where to write its CSV file"
            )
        if self.runner is None and (found := OF_RUNNERS & self.model_fields_set):
            raise ValueError(
                f"an experiment whose source is a file or a command has no {', '.join(sorted(found))}; remove it"
            )
        return self


OF_RUNNERS = frozenset({"axes", "readings", "runs_factor", "parts"})  # keys that go with a runner


def _kind(style: object) -> str:
    """Name the branch of a style: what has axes is a figure."""
    given = style.keys() if isinstance(style, dict) else style.model_fields_set if isinstance(style, Entry) else ()
    return "(figure)" if {"x", "y", "plot"}.intersection(given) else "(table)"


AnyStyle = Annotated[
    Annotated[FigureStyle, Tag("(figure)")] | Annotated[TableStyle, Tag("(table)")], Discriminator(_kind)
]


class ExhibitEntry(Entry):
    """A figure, table, example or passage: the experiment that repeats it, what it prints, and how it is shown.

    `of` is the exhibit of which it is a part, such as a panel, or `ours` for what the paper does not have. `experiment`
    is by default the one of its name, or that of the whole.

    `published` is a file of papers/ID/published with its printed numbers, which tell what was run, or several files:
    ``FILE within 0.01`` has the relative error of digitising, and ``FILE as no evidence`` is only shown with ours.
    `where` is a condition on the rows of the experiment that it prints; false if it has no number that can be predicted
    (formulas, settings, times, one random draw). `runs` is the paper's number of runs if the file's is not it.
    `without` lists axes that it shares by the text, each with the reason why its numbers cannot depend on it.

    What has a `title` is drawn, if its style has an `x`, or else tabulated.
    `message` is what a figure shows, in a sentence above it without typed numbers; see `claimaudit.plots.message`.
    """

    of: Identifier | None = None
    experiment: str | None = None
    title: Text | None = None
    caption: Text | None = None
    message: Text | None = None
    style: AnyStyle | None = None
    published: OneOrList[PrintedFile, Annotated[tuple[PrintedFile, ...], MinLen(1)]] = ()
    where: Text | Literal[False] | None = None
    runs: Annotated[int, Ge(1)] | None = None
    without: dict[str, Text] = Field(default={})

    @cached_property
    def files(self) -> tuple[str, ...]:
        """Its files of printed numbers, that of `evidence` first."""
        return tuple(found["file"] for found in sorted(self._files, key=lambda found: bool(found["shown"])))

    @cached_property
    def evidence(self) -> str | None:
        return next((found["file"] for found in self._files if not found["shown"]), None)

    @cached_property
    def reading_error(self) -> float:
        return next((float(found["error"]) for found in self._files if found["error"]), 0.0)

    @property
    def _files(self) -> list[re.Match[str]]:
        named = (self.published,) if isinstance(self.published, str) else self.published
        return [found for found in map(PRINTED_FILE.fullmatch, named) if found]

    @model_validator(mode="after")
    def _is_complete(self) -> ExhibitEntry:
        for key in ("caption", "style"):
            if self.title is not None and getattr(self, key) is None:
                raise ValueError(f"it has a title but no {key}; add one")
        files = [found["file"] for found in self._files if not found["shown"]]
        if len(files) > 1:
            raise ValueError(
                f"published: both {files[0]} and {files[1]} are evidence of what was run; say of one `as no evidence`"
            )
        return self


class SharedEntry(Entry):
    """Axes that the paper states once for several exhibits (all if not listed), and why: where it does.

    The number of runs is shared like an axis named `runs`.
    """

    why: Text
    axes: Annotated[tuple[str, ...], MinLen(1)]
    exhibits: Annotated[tuple[str, ...], MinLen(2)] | None = None


class DataEntry(Entry):
    """A data set that the text names: what it says of it, and where.

    `n` records, `d` attributes and `source` are as the text prints them, and empty where it says nothing. `datasets`
    are those of the project that are used in its place; none if records are made by a rule of the text, or cannot be
    had. `differs` says what differs from the text.
    """

    place: Text
    n: Text | None = None
    d: Text | None = None
    source: Text | None = None
    datasets: tuple[Identifier, ...] = ()
    differs: Text


class LackEntry(Entry):
    """Why a setting may have no data: its data set, by its name in `data`; what it takes; and what else it is about."""

    data: Text
    because: Literal["optional", "user"]
    note: Text | None = None


class AboutPaper(Entry):
    """What a file says of its text as a whole.

    `venue` may end with ``doi:...``. `gloss` says whose it is, of which year, and in a few words what it proposes;
    `compared` which mechanism its comparisons lack, and why. `names` is what pages call settings, their values and
    metrics, by the names that results have, and of the metrics in `less_is_better` a mechanism should have little;
    those of its runners' field need not be listed. `data` are the data sets that the text names.
    """

    title: Text
    authors: Text
    venue: Text
    short: Text | None = None
    gloss: Text | None = None
    compared: Text | None = None
    names: dict[Text, Text] = Field(default={})
    less_is_better: tuple[Text, ...] = ()
    data: dict[Text, DataEntry] = Field(default={})

    @property
    def doi(self) -> str:
        """The identifier at the end of the venue, if there is one."""
        found = DOI.search(self.venue)
        return found["doi"] if found else ""

    @property
    def published_in(self) -> str:
        """The venue without the identifier."""
        return DOI.sub("", self.venue)


class PaperEntry(AboutPaper):
    """A whole file.

    A reading departs from the strict one in several axes. `lacking` are texts of a setting that may have no data.
    `excluded` are axes and columns of points of which no guide word is asked, each with the reason.
    """

    lacking: dict[Text, LackEntry] = Field(default={})
    axes: dict[str, AxisEntry] = Field(default={})
    readings: dict[Identifier, Annotated[dict[str, Value], MinLen(2)]] = Field(default={})
    experiments: dict[Identifier, ExperimentEntry]
    exhibits: dict[Identifier, ExhibitEntry] = Field(default={})
    shared: tuple[SharedEntry, ...] = ()
    excluded: dict[str, Text] = Field(default={})

    @property
    def drawn(self) -> dict[str, ExhibitEntry]:
        return {name: exhibit for name, exhibit in self.exhibits.items() if exhibit.title is not None}

    def experiment_of(self, name: str) -> str:
        """Return the experiment that repeats an exhibit."""
        exhibit = self.exhibits[name]
        whole = exhibit.of if exhibit.of in self.exhibits else None
        return exhibit.experiment or (self.experiment_of(whole) if whole else name)

    @property
    def values(self) -> dict[str, list[Value]]:
        """All values of each axis, those of readings of several axes among them."""
        return {
            axis: [*choice.values.values(), *(changed[axis] for changed in self.readings.values() if axis in changed)]
            for axis, choice in self.axes.items()
        }

    def axes_of(self, experiment: str) -> dict[str, tuple[str, ...]]:
        """Return the axes that an experiment varies, each with the names of its other values, all or those listed."""
        return {
            axis: tuple(self.axes[axis].others if names is None else (name for name in names if name != UNSTATED))
            for axis, names in self.experiments[experiment].varied.items()
        }

    def readings_of(self, experiment: str) -> dict[str, dict[str, Value]]:
        """Return what each reading of an experiment but the strict one changes, on the axes that it varies."""
        axes = self.axes_of(experiment)
        found = {name: {axis: self.axes[axis].others[name]} for axis, names in axes.items() for name in names}
        for name in self.experiments[experiment].readings:
            found[name] = {axis: value for axis, value in self.readings[name].items() if axis in axes}
        return found

    def unstated_of(self, experiment: str) -> tuple[str, ...]:
        """Return the readings of an experiment that differ from the strict one only in what the text does not state."""
        open_here = [axis for axis, names in self.experiments[experiment].varied.items() if UNSTATED in (names or ())]
        stated = {axis for axis, entry in self.axes.items() if entry.stated and axis not in open_here}
        return tuple(
            name
            for name, changed in self.readings_of(experiment).items()
            if not any(axis in stated for axis, value in changed.items() if value != self.axes[axis].strict)
        )

    def inadmissible_of(self, experiment: str) -> dict[str, str]:
        """Return the readings of an experiment that break a condition of the paper, each with the reason."""
        broken = {
            (axis, entry.others[name]): why
            for axis, entry in self.axes.items()
            for name, why in entry.inadmissible.items()
        }
        reasons = {
            name: " ".join(broken[item] for item in changed.items() if item in broken)
            for name, changed in self.readings_of(experiment).items()
        }
        return {name: words for name, words in reasons.items() if words}
