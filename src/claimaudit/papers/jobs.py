"""What the jobs of an audit are told of a paper: its exhibits and readings, and what to tabulate.

A report is told of it in words, by a `Description`.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field

from pydantic import Field

from claimaudit.papers.entries import AboutPaper
from claimaudit.styles import TableStyle
from claimaudit.verdicts import Names
from claimaudit.words.numbers import listed


@dataclass(frozen=True)
class PaperExhibit:
    """A figure panel, a table, an example or a passage, and the experiment that repeats it.

    `published` is the file of papers/ID/published with its printed numbers, None if none were digitised; `rows` is a
    condition on its columns that selects them, `reading_error` the relative error of digitising, and `runs` the paper's
    number of runs, in place of the one in the file.
    """

    name: str
    experiment: str
    published: str | None = None
    rows: str | None = None
    reading_error: float = 0.0
    runs: float | None = None


@dataclass(frozen=True)
class Shared:
    """Axes whose values the paper states once for several exhibits, whether these share the number of runs, and why."""

    axes: tuple[str, ...]
    exhibits: tuple[str, ...]
    runs: bool = False
    why: str = ""

    @property
    def what(self) -> str:
        return listed([*(axis.replace("_", " ") for axis in self.axes), *(["number of runs"] if self.runs else [])])


@dataclass(frozen=True)
class Outline:
    """What the audit of a paper needs to know of its exhibits and readings.

    By experiment and reading, `inadmissible` says why it breaks a condition of the paper, and `names` what it departs
    in; `unstated` has the readings that differ from the strict one only in what the text does not state. `not_stated`
    are the axes whose strict values the text does not state, and `open` the experiments that rest on such a choice.
    `called` is what pages call settings, their values and metrics. `proposed` is how many values guide words propose,
    by exhibit with printed numbers.
    """

    exhibits: tuple[PaperExhibit, ...] = ()
    shared: tuple[Shared, ...] = ()
    inadmissible: dict[str, dict[str, str]] = field(default_factory=dict)
    names: Names = field(default_factory=Names)
    called: dict[str, str] = field(default_factory=dict)
    unstated: dict[str, tuple[str, ...]] = field(default_factory=dict)
    not_stated: tuple[str, ...] = ()
    open: tuple[str, ...] = ()
    proposed: dict[str, int] = field(default_factory=dict)

    def broken(self, exhibit: str) -> Mapping[str, str]:
        """Return the inadmissible readings of an exhibit, each with the condition that it breaks."""
        experiment = next((item.experiment for item in self.exhibits if item.name == exhibit), "")
        return self.inadmissible.get(experiment, {})


@dataclass(frozen=True)
class ShownExhibit:
    """An exhibit that is drawn or of which claims are, or an experiment that has none of its name.

    It has a title if it is drawn. `published` are the printed numbers beside ours, `shows` is the exhibit of the paper
    that it shows, if any, and `labels` are names of its own.
    """

    experiment: str
    title: str = ""
    caption: str = ""
    published: tuple[str, ...] = ()
    shows: str | None = None
    labels: dict[str, str] = field(default_factory=dict)
    reading_error: float = 0.0


@dataclass(frozen=True)
class Context:
    """What claims take from their paper.

    `subjects` are what claims may be of, by name; None if the paper could not be read, so that all names are taken for
    experiments. `lacking` has data that only a user can supply, by the text of a setting that needs it.
    """

    subjects: dict[str, ShownExhibit] | None = None
    lacking: dict[str, str] = field(default_factory=dict)

    def subject(self, name: str) -> ShownExhibit:
        """Return what a claim is of; if the paper could not be read, an experiment with printed numbers."""
        return (self.subjects or {}).get(name, ShownExhibit(name, published=(name,)))


@dataclass(frozen=True)
class ShownRows:
    """The rows of an experiment that an exhibit shows.

    `drawn` and `where` are conditions, both None for all rows: what our figure or table shows, and what else limits
    them. `runs` is the paper's number of runs (None if there is none).
    """

    drawn: str | None
    where: str | None
    runs: float | None


@dataclass(frozen=True)
class TableJob:
    """A table to lay out; `exhibits` are those whose printed numbers it shows: itself, and passages that are parts."""

    experiment: str
    title: str
    caption: str
    style: TableStyle
    exhibits: tuple[PaperExhibit, ...]


@dataclass(frozen=True)
class OpenChoice:
    """An axis in words: its value that is read strictly, the others by the names of their readings, and why."""

    strict: str
    others: dict[str, str]
    why: str


@dataclass(frozen=True)
class DescribedExperiment:
    """An experiment: its runner (empty if it has none), the file of its code, and the views that it reads."""

    runner: str = ""
    code: str = ""
    axes: dict[str, OpenChoice] = field(default_factory=dict)
    views: tuple[str, ...] = ()


class Description(AboutPaper):
    """A paper: `figures` and `tables` are what is shown, `exhibits` those of the paper.

    `folder` is how messages name its folder, and `unchecked` says of sections of the text what no claim checks, and
    why. Metrics in `less_is_better` include those of its runners' field.
    """

    id: str
    folder: str
    experiments: dict[str, DescribedExperiment] = Field(default={})
    figures: dict[str, ShownExhibit] = Field(default={})
    tables: dict[str, ShownExhibit] = Field(default={})
    drawings: tuple[str, ...] = ()
    exhibits: dict[str, PaperExhibit] = Field(default={})
    shared: tuple[Shared, ...] = ()
    unchecked: dict[str, str] = Field(default={})
