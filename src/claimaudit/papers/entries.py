"""The format of a paper's file, papers/ID/paper.yaml."""

from __future__ import annotations

from functools import cached_property
from typing import Annotated, Any, Literal

from annotated_types import Ge, Gt, Le, MinLen
from pydantic import AfterValidator, Field, model_validator

from claimaudit.configuration import Entry, Identifier, Text
from claimaudit.experiments.given import OUT, Columns
from claimaudit.styles import Plot

MOST_RUNS, MOST_FACTOR, MOST_PARTS = 10**7, 10**4, 1000

Value = bool | int | float | str
STATED, UNSTATED = "text", "ours"
"""Names of the first value of an axis: that of the text, or one that the text does not give."""

OURS = "ours"
"""What an exhibit is of if it is none of the paper's."""


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
        """The value that is read strictly."""
        return next(iter(self.values.values()))

    @property
    def stated(self) -> bool:
        """Whether the text gives that value."""
        return STATED in self.values

    @property
    def others(self) -> dict[str, Value]:
        """The other values by the names of their readings."""
        return {name: value for name, value in self.values.items() if name not in (STATED, UNSTATED)}


class ExperimentEntry(Entry):
    """One experiment: where its numbers come from, and what it varies.

    A `runner` computes them under a setting, for the axes that it varies one at a time and for further readings.
    `results` is a CSV file of the folder that has them, which `by` gave. `command` writes such a file from the files in
    `inputs`. `columns` says what the file's columns are, and `exact` that its numbers have no error.

    `runs` is the paper's number of runs, and `runs_factor` an upper bound on the configured factor. The strict reading
    has `strict_factor` times as many runs. `parts` is the number of jobs that share the points. `unstated` lists axes
    whose strict value the text gives, but not for this experiment.
    """

    runner: Text | None = None
    results: Text | None = None
    command: Text | None = None
    inputs: tuple[Text, ...] = ()
    columns: Columns = Field(default=Columns())
    exact: bool = False
    by: Text = ""
    setting: dict[str, Any] = Field(default={})
    axes: tuple[str | dict[str, tuple[str, ...]], ...] = ()
    readings: tuple[str, ...] = ()
    unstated: tuple[str, ...] = ()
    runs: Annotated[int, Ge(1), Le(MOST_RUNS)] | None = None
    runs_factor: Annotated[int | float, Gt(0), Le(MOST_FACTOR)] | None = None
    strict_factor: Annotated[int, Ge(1), Le(MOST_FACTOR)] = 1
    parts: Annotated[int, Ge(1), Le(MOST_PARTS)] = 1

    @model_validator(mode="after")
    def _has_one_source(self) -> ExperimentEntry:
        given = [name for name in ("runner", "results", "command") if getattr(self, name) is not None]
        if len(given) != 1:
            raise ValueError(f"give one of runner, results and command; there are {', '.join(given) or 'none'}")
        foreign = FOREIGN[given[0]] & self.model_fields_set
        if foreign:
            raise ValueError(f"an experiment with {given[0]} has no {', '.join(sorted(foreign))}; remove it")
        if self.command is not None and OUT not in self.command:
            raise ValueError(f"the command does not say where to write its CSV file; write {OUT} in its place")
        return self


_COMPUTED = frozenset({"setting", "axes", "readings", "unstated", "runs_factor", "strict_factor", "parts"})
FOREIGN = {
    "runner": frozenset({"inputs", "columns", "exact", "by"}),
    "results": _COMPUTED | {"inputs"},
    "command": _COMPUTED,
}
"""Keys that an experiment lacks, by where its numbers come from."""


class ExhibitEntry(Entry):
    """A figure, table, example or passage: the experiment that repeats it, what it prints, and how it is shown.

    `of` is the exhibit of which it is a part, such as a panel, or `ours` for what the paper does not have. `experiment`
    is by default the one of its name, or that of the whole.

    `published` is a file of papers/ID/published with its printed numbers, which tell what was run, and `beside` are
    files whose numbers are only shown with ours. `where` is a condition on the rows of the experiment that it prints;
    false if it has no number that can be predicted (formulas, settings, times, one random draw). `reading_error` is the
    relative error of digitising, and `runs` the paper's number of runs if the file's is not it. `search` lists axes,
    optionally with names of their values; all combinations are tried against the printed numbers. `without` lists axes
    that it shares by the text, each with the reason why its numbers cannot depend on it.

    What has a `title` is drawn, if it has a `plot` (a module of claimaudit.plots), or else tabulated. `message` is what
    a figure shows, in a sentence above it without typed numbers; see `claimaudit.plots.message`.
    """

    of: Identifier | None = None
    experiment: str | None = None
    title: Text | None = None
    caption: Text | None = None
    plot: Plot | None = None
    message: Text | None = None
    style: dict[str, Any] = Field(default={})
    published: str | None = None
    beside: tuple[str, ...] = ()
    where: Text | Literal[False] | None = None
    reading_error: Annotated[float, Ge(0)] = 0.0
    runs: Annotated[int, Ge(1)] | None = None
    search: tuple[str | dict[str, tuple[str, ...]], ...] = ()
    without: dict[str, Text] = Field(default={})


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


class PaperEntry(Entry):
    """A whole file.

    A reading departs from the strict one in several axes. `data` are the data sets that the text names. `lacking` are
    texts of a setting that may have no data. `names` is what pages call settings, their values and metrics, by
    the names that results have.
    """

    title: Text
    authors: Text
    venue: Text
    short: Text | None = None
    year: int | None = None
    doi: Text | None = None
    names: dict[Text, Text] = Field(default={})
    data: dict[Text, DataEntry] = Field(default={})
    lacking: dict[Text, LackEntry] = Field(default={})
    axes: dict[str, AxisEntry] = Field(default={})
    readings: dict[Identifier, Annotated[dict[str, Value], MinLen(2)]] = Field(default={})
    experiments: dict[Identifier, ExperimentEntry]
    exhibits: dict[Identifier, ExhibitEntry] = Field(default={})
    shared: tuple[SharedEntry, ...] = ()

    @property
    def drawn(self) -> dict[str, ExhibitEntry]:
        """What has a title, by name: figures and tables."""
        return {name: exhibit for name, exhibit in self.exhibits.items() if exhibit.title is not None}

    @cached_property
    def judged(self) -> dict[str, ExhibitEntry]:
        """The exhibits of the paper for which the audit finds what was run, each with its experiment, by name.

        A part that is drawn is judged with its whole, and a table without numbers of its own by the passages that are
        its parts.
        """
        passages = {exhibit.of for exhibit in self.exhibits.values() if exhibit.title is None}
        return {
            name: exhibit.model_copy(update={"experiment": self.experiment_of(name)})
            for name, exhibit in self.exhibits.items()
            if exhibit.of != OURS
            and (exhibit.of is None or exhibit.title is None)
            and not (name in passages and exhibit.published is None)
        }

    def experiment_of(self, name: str) -> str:
        """Return the experiment that repeats an exhibit."""
        exhibit = self.exhibits[name]
        whole = exhibit.of if exhibit.of in self.exhibits else None
        return exhibit.experiment or (self.experiment_of(whole) if whole else name)

    def parts_of(self, name: str) -> dict[str, ExhibitEntry]:
        """Return the parts of an exhibit."""
        return {part: exhibit for part, exhibit in self.exhibits.items() if exhibit.of == name}
