"""What a report is told of a paper: its text, and its experiments and exhibits in words."""

from __future__ import annotations

from dataclasses import dataclass, field

from claimaudit.papers.entries import DataEntry
from claimaudit.papers.jobs import Exhibit, Shared
from claimaudit.words.numbers import listed


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
    readings: dict[str, str] = field(default_factory=dict)
    views: tuple[str, ...] = ()


@dataclass(frozen=True)
class ShownExhibit:
    """A figure or table that is drawn.

    `published` are the printed numbers beside ours, `shows` is the exhibit of the paper that it shows, if any, and
    `labels` are names of its own. `compared` says whether its printed numbers are drawn against ours.
    """

    title: str
    caption: str
    experiment: str
    published: tuple[str, ...] = ()
    shows: str | None = None
    labels: dict[str, str] = field(default_factory=dict)
    compared: bool = False


@dataclass(frozen=True)
class SharedByText(Shared):
    """What exhibits share, and why: where the text says so."""

    why: str = ""

    @property
    def what(self) -> str:
        return listed([*self.axes, *(["number of runs"] if self.runs else [])])


@dataclass(frozen=True)
class Description:
    """A paper: `figures` and `tables` are what is shown, `exhibits` those of the paper; `doi` and `short` may be empty.

    `names` is what pages call settings, their values and metrics, `less_is_better` are metrics of which a mechanism
    should have little, and `folder` is how messages name its folder.
    """

    id: str
    folder: str
    title: str
    authors: str
    venue: str
    doi: str = ""
    short: str = ""
    names: dict[str, str] = field(default_factory=dict)
    less_is_better: tuple[str, ...] = ()
    data: dict[str, DataEntry] = field(default_factory=dict)
    experiments: dict[str, DescribedExperiment] = field(default_factory=dict)
    figures: dict[str, ShownExhibit] = field(default_factory=dict)
    tables: dict[str, ShownExhibit] = field(default_factory=dict)
    exhibits: dict[str, Exhibit] = field(default_factory=dict)
    shared: tuple[SharedByText, ...] = ()

    @property
    def drawings(self) -> list[str]:
        """What its page draws: figures, and ``differences/{name}`` of those figures and tables that have one."""
        shown = {**self.figures, **self.tables}
        return [*self.figures, *(f"differences/{name}" for name in shown if shown[name].compared)]
