"""The format of a paper's file, papers/ID/paper.yaml."""

from __future__ import annotations

from typing import Annotated, Any, Literal

from annotated_types import Ge, Gt, Le, MinLen
from pydantic import Field, model_validator

from claimaudit.configuration import Entry, Identifier, Text
from claimaudit.experiments.given import OUT, Columns
from claimaudit.styles import Plot
from claimaudit.words.names import title_with

MOST_RUNS, MOST_FACTOR, MOST_PARTS = 10**7, 10**4, 1000

Value = bool | int | float | str


class AxisEntry(Entry):
    """An axis: the value in the text (`strict`), other values by the name of their reading, and why there are any.

    `inadmissible` are those of the other values that break a condition which the paper imposes, or repair an algorithm,
    each with the reason. They may explain printed numbers but rescue no claim. `stated` is false if the text does not
    give the strict value, so that what holds under it alone does not hold as stated.
    """

    strict: Value
    others: Annotated[dict[Identifier, Value], MinLen(1)]
    why: Text
    inadmissible: dict[Identifier, Text] = Field(default={})
    stated: bool = True


class ReadingEntry(Entry):
    """A reading that departs from the strict one in several axes; `words` replaces the words of its values."""

    values: Annotated[dict[str, Value], MinLen(2)]
    words: Text | None = None


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
    """A figure, table, example or passage with numbers, and the experiment that repeats it.

    `published` is a file of papers/ID/published with its printed numbers, of which `rows` selects some;
    `reading_error` is the relative error of digitising, and `runs` the paper's number of runs if the file's is not it.
    `search` lists axes, optionally with names of their values; all combinations are tried against the printed numbers.
    `without` lists axes that it shares by the text, each with the reason why its numbers cannot depend on it.
    `shows` is a condition on the rows of the experiment that the exhibit shows, besides those of the figure or table of
    the same name; false if it shows no number that can be predicted (formulas, settings, times, one random draw).
    """

    experiment: str
    published: str | None = None
    rows: Text | None = None
    reading_error: Annotated[float, Ge(0)] = 0.0
    runs: Annotated[int, Ge(1)] | None = None
    search: tuple[str | dict[str, tuple[str, ...]], ...] = ()
    without: dict[str, Text] = Field(default={})
    shows: Text | Literal[False] | None = None


class SharedEntry(Entry):
    """Axes, or the number of runs, that the paper states once for several exhibits (all if not listed), and where."""

    where: Text
    axes: tuple[str, ...] = ()
    exhibits: Annotated[tuple[str, ...], MinLen(2)] | None = None
    runs: bool = False


class ShownEntry(Entry):
    """What a figure and a table have in common."""

    experiment: str
    title: Text
    caption: Text
    style: dict[str, Any]


class TableEntry(ShownEntry):
    """A table; `published` names files of papers/ID/published whose numbers stand beside ours.

    `exhibits` are those that hold these numbers, by default the one of the table's name. Of several that hold a
    number, the last one tells what was run for it.
    """

    published: tuple[str, ...] = ()
    exhibits: tuple[str, ...] = ()


class FigureEntry(ShownEntry):
    """A figure; `published` names a file of papers/ID/published, `plot` is a module of claimaudit.plots.

    `message` is what the figure shows, in a sentence above it without typed numbers; see `claimaudit.plots.message`.
    """

    published: str | None = None
    plot: Plot
    message: Text | None = None


class PaperEntry(Entry):
    """A whole file."""

    id: Identifier
    title: Text
    authors: Text
    venue: Text
    short: Text | None = None
    year: int | None = None
    doi: Text | None = None
    axes: dict[str, AxisEntry] = Field(default={})
    readings: dict[Identifier, ReadingEntry] = Field(default={})
    experiments: dict[Identifier, ExperimentEntry]
    exhibits: dict[Identifier, ExhibitEntry] = Field(default={})
    shared: tuple[SharedEntry, ...] = ()
    figures: dict[Identifier, FigureEntry]
    tables: dict[Identifier, TableEntry]

    @property
    def name(self) -> str:
        """Its title, which the short name distinguishes from that of another text."""
        return title_with(self.short or self.id, self.title)
