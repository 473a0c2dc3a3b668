"""The configuration of a paper, config/papers/ID.yaml: read, checked as a whole, and resolved to experiments."""

from __future__ import annotations

import json
import pkgutil
from collections.abc import Collection, Iterator, Mapping
from contextlib import contextmanager
from functools import cache, cached_property
from pathlib import Path
from types import ModuleType
from typing import Annotated, Any

from annotated_types import Ge, Gt, MinLen
from pydantic import BaseModel, ConfigDict, StringConstraints, ValidationError

import corrldp.experiments
import corrldp.plots
from corrldp.configuration import ConfigurationError, Place, faults, line_of, read, require_known
from corrldp.experiments.axes import Axis
from corrldp.experiments.engine import Runner
from corrldp.plots.setting import Style
from corrldp.report.table import TableStyle
from corrldp.results import STRICT

Identifier = Annotated[str, StringConstraints(pattern="^[a-z][a-z0-9_]*$")]
Text = Annotated[str, MinLen(1)]
Value = bool | int | float | str
Values = dict[str, Value]


class _Entry(BaseModel):
    model_config = ConfigDict(extra="forbid", frozen=True, strict=True)


class AxisEntry(_Entry):
    """What the text says of an open choice (`strict`), the other readings by name, and why there are any."""

    strict: Value
    others: Annotated[dict[Identifier, Value], MinLen(1)]
    why: Text


class ReadingEntry(_Entry):
    """A reading that leaves the strict one in several axes; `words` replace those of its values."""

    values: Annotated[Values, MinLen(2)]
    words: Text | None = None


class ExperimentEntry(_Entry):
    """One experiment: its runner and setting, the axes that it varies one at a time, and further readings.

    `runs` are the paper's, `runs_factor` bounds the configured factor, the strict reading has `strict_factor` times as
    many; `parts` is the number of jobs that share the points.
    """

    runner: str
    setting: dict[str, Any] = {}
    axes: tuple[str | dict[str, tuple[str, ...]], ...] = ()
    readings: tuple[str, ...] = ()
    runs: Annotated[int, Ge(1)] | None = None
    runs_factor: Annotated[int | float, Gt(0)] | None = None
    strict_factor: Annotated[int, Ge(1)] = 1
    parts: Annotated[int, Ge(1)] = 1


class TableEntry(_Entry):
    """A table: the experiment whose results it shows, and how; `published` names a file of config/published/ID."""

    experiment: str
    title: Text
    caption: Text
    style: dict[str, Any]
    published: str | None = None


class FigureEntry(TableEntry):
    """A figure; `plot` is a module of corrldp.plots."""

    plot: str


class PaperEntry(_Entry):
    """A whole file."""

    id: Identifier
    title: Text
    authors: Text
    venue: Text
    year: int | None = None
    doi: Text | None = None
    axes: dict[str, AxisEntry] = {}
    readings: dict[Identifier, ReadingEntry] = {}
    experiments: dict[Identifier, ExperimentEntry]
    figures: dict[Identifier, FigureEntry]
    tables: dict[Identifier, TableEntry]


class Paper:
    """A checked paper.

    Parameters
    ----------
    entry : PaperEntry
        Its file.
    """

    def __init__(self, entry: PaperEntry) -> None:
        self.entry = entry

    @classmethod
    def load(cls, path: Path, views: Collection[str] | None = None, published: Path | None = None) -> Paper:
        """Read and check a file against the code, the aligned `views` and the files of `published` numbers.

        Raises
        ------
        ConfigurationError
            Something does not fit; a line for each fault names the file, the line and the key.
        """
        content = read(path)
        try:
            paper = cls(PaperEntry.model_validate_json(json.dumps(content)))
            found = _Check(paper, views, published).everything(path.stem)
        except ValidationError as error:
            found = faults(error, PaperEntry)
        if found:
            lines = (
                f"{path.name}, line {line_of(path, place)}: {'.'.join(map(str, place))}: {words}"
                for place, words in found
            )
            raise ConfigurationError("\n".join(dict.fromkeys(lines)))
        return paper

    @cached_property
    def readings(self) -> dict[str, Values]:
        """What each reading changes, by its name: the others of every axis, and the readings of several axes."""
        single = {
            name: {axis: value} for axis, entry in self.entry.axes.items() for name, value in entry.others.items()
        }
        return single | {name: dict(reading.values) for name, reading in self.entry.readings.items()}

    def axes_of(self, experiment: str) -> dict[str, tuple[str, ...]]:
        """Return the axes that an experiment varies, each with the names of its other readings."""
        listed: dict[str, tuple[str, ...]] = {}
        for item in self.entry.experiments[experiment].axes:
            if isinstance(item, str):
                listed[item] = tuple(self.entry.axes[item].others)
            else:
                listed |= item
        return listed

    def readings_of(self, experiment: str) -> dict[str, Values]:
        """Return what each reading of an experiment but the strict one changes, of the axes that it varies."""
        axes = self.axes_of(experiment)
        names = [*(name for others in axes.values() for name in others), *self.entry.experiments[experiment].readings]
        return {
            name: {axis: value for axis, value in self.readings[name].items() if axis in axes} for name in names
        }

    def words_of(self, experiment: str) -> dict[str, str]:
        """Return each reading of an experiment in words."""
        axes = runner(self.entry.experiments[experiment].runner).axes
        words = {STRICT: "the text as it stands"}
        for name, changed in self.readings_of(experiment).items():
            entry = self.entry.readings.get(name)
            phrases = ", ".join(axes[axis].phrase(value) for axis, value in changed.items())
            words[name] = entry.words if entry and entry.words else phrases
        return words

    def job(self, experiment: str) -> dict[str, Any]:
        """Return an experiment as plain data, all that decides its numbers but seed and runs."""
        entry = self.entry.experiments[experiment]
        known = runner(entry.runner).axes
        return {
            "paper": self.entry.id,
            "experiment": experiment,
            "runner": entry.runner,
            "strict_factor": entry.strict_factor,
            "setting": entry.setting,
            "strict": {axis: choice.strict for axis, choice in self.entry.axes.items() if axis in known},
            "axes": list(self.axes_of(experiment)),
            "readings": self.readings_of(experiment),
        }

    def view_names(self, experiment: str) -> list[str]:
        """Names of the views that an experiment reads."""
        entry = self.entry.experiments[experiment]
        return runner(entry.runner).setting.model_validate_json(json.dumps(entry.setting)).view_names()


class _Check:
    """Holds a paper's file against the code; `found` collects the faults."""

    def __init__(self, paper: Paper, views: Collection[str] | None, published: Path | None) -> None:
        self.paper, self.entry, self.views, self.published = paper, paper.entry, views, published
        self.found: list[tuple[Place, str]] = []

    @contextmanager
    def at(self, *place: str | int) -> Iterator[None]:
        """Tell an error of the block as a fault of a place."""
        try:
            yield
        except ValueError as error:
            self.found.append((place, str(error)))

    def everything(self, name: str) -> list[tuple[Place, str]]:
        """Return all faults of the file of that name."""
        if self.entry.id != name:
            self.found.append((("id",), f"{self.entry.id!r} is not the name of the file; write {name}"))
        self.names()
        for experiment in self.entry.experiments:
            with self.at("experiments", experiment):
                self.experiment(experiment)
        for kind in ("figures", "tables"):
            for shown in getattr(self.entry, kind):
                with self.at(kind, shown):
                    self.shown(kind, shown)
        return self.found

    def names(self) -> None:
        """Check that readings have names of their own, and that axes and readings are used."""
        places = [("axes", axis, "others", name) for axis, entry in self.entry.axes.items() for name in entry.others]
        seen = {STRICT}
        for place in [*places, *(("readings", name) for name in self.entry.readings)]:
            with self.at(*place):
                if place[-1] in seen:
                    raise ValueError(f"two readings have the name {place[-1]}; choose another")
            seen.add(place[-1])
        for name, reading in self.entry.readings.items():
            for axis in reading.values:
                with self.at("readings", name, "values", axis):
                    require_known(axis, self.entry.axes, "axis")
        listed = {axis for entry in self.entry.experiments.values() for item in entry.axes for axis in _names(item)}
        self.found += [
            (("axes", axis), "no experiment lists this axis; list it or take it out")
            for axis in self.entry.axes
            if axis not in listed
        ]
        run = {name for entry in self.entry.experiments.values() for name in entry.readings}
        self.found += [
            (("readings", name), "no experiment runs this reading; list it or take it out")
            for name in self.entry.readings
            if name not in run
        ]

    def experiment(self, name: str) -> None:
        """Check an experiment: its runner, its setting, its axes and its readings."""
        entry = self.entry.experiments[name]
        require_known(entry.runner, runners(), "runner")
        kind = runner(entry.runner)
        try:
            setting = kind.setting.model_validate_json(json.dumps(entry.setting), context={"views": self.views})
        except ValidationError as error:
            below = faults(error, kind.setting)
            self.found += [(("experiments", name, "setting", *place), words) for place, words in below]
            return
        for item in entry.axes:
            for axis in _names(item):
                require_known(axis, self.entry.axes, "axis")
                require_known(axis, kind.axes, f"axis of the runner {entry.runner}")
                if axis in setting.swept():
                    raise ValueError(f"both the setting and the axis {axis} decide {axis}; take one out")
                self.values(axis, kind.axes[axis])
                if not isinstance(item, str):
                    for other in item[axis]:
                        require_known(other, self.entry.axes[axis].others, f"reading of the axis {axis}")
        for reading in entry.readings:
            require_known(reading, self.entry.readings, "reading")
        self.readings(name)
        strict = {axis: choice.default for axis, choice in kind.axes.items()} | self.paper.job(name)["strict"]
        if next(iter(setting.points(strict)), None) is None:
            raise ValueError("the setting has no point; check its lists")

    def values(self, axis: str, declared: Axis) -> None:
        """Check the values of an axis, wherever they stand."""
        entry = self.entry.axes[axis]
        with self.at("axes", axis, "strict"):
            declared.require(entry.strict)
        for name, value in entry.others.items():
            with self.at("axes", axis, "others", name):
                declared.require(value)
        for name, reading in self.entry.readings.items():
            with self.at("readings", name, "values", axis):
                declared.require(reading.values.get(axis, entry.strict))

    def readings(self, experiment: str) -> None:
        """Check that no two readings of an experiment are the same."""
        found: dict[frozenset[tuple[str, Value]], str] = {}
        for name, changed in self.paper.readings_of(experiment).items():
            left = frozenset((axis, value) for axis, value in changed.items() if value != self.entry.axes[axis].strict)
            if not left:
                raise ValueError(f"the reading {name} is the strict one here; take it out")
            if left in found:
                raise ValueError(f"the readings {found[left]} and {name} are the same here; take one out")
            found[left] = name

    def shown(self, kind: str, name: str) -> None:
        """Check a figure or a table: its experiment, its style and the readings that it names."""
        entry = getattr(self.entry, kind)[name]
        require_known(entry.experiment, self.entry.experiments, "experiment")
        if kind == "figures":
            require_known(entry.plot, plots(), "plot")
        style = (Style if kind == "figures" else TableStyle).from_dict(entry.style)
        for reading in style.reading:
            known = [STRICT, *self.paper.readings_of(entry.experiment)]
            require_known(reading, known, f"reading of the experiment {entry.experiment}")
        if entry.published is not None and self.published is not None:
            files = [path.stem for path in sorted(self.published.glob("*.csv"))]
            require_known(entry.published, files, f"file of config/published/{self.entry.id}")


@cache
def runner(name: str) -> Runner:
    """Return a runner by its name."""
    return Runner.load(name)


@cache
def runners() -> tuple[str, ...]:
    """Return the names of all runners: the modules of corrldp.experiments with a `measure` and a `Setting`."""
    prefix = f"{corrldp.experiments.__name__}."
    return tuple(sorted(name.removeprefix(prefix) for name in _modules(corrldp.experiments, "def measure(")))


@cache
def plots() -> tuple[str, ...]:
    """Return the names of all kinds of figure: the modules of corrldp.plots that are commands."""
    return tuple(sorted(name.rpartition(".")[2] for name in _modules(corrldp.plots, 'if __name__ == "__main__"')))


def _modules(package: ModuleType, line: str) -> Iterator[str]:
    """Yield the modules below a package in which some line starts so; nothing is imported but packages."""
    for found in pkgutil.walk_packages(package.__path__, f"{package.__name__}."):
        path = Path(found.module_finder.path, f"{found.name.rpartition('.')[2]}.py")  # type: ignore[union-attr]
        if path.is_file() and f"\n{line}" in path.read_text(encoding="utf-8"):
            yield found.name


def _names(item: str | Mapping[str, Any]) -> list[str]:
    return [item] if isinstance(item, str) else list(item)
