"""Check a paper's file against the code before anything runs."""

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from claimaudit import yaml_files
from claimaudit.configuration import Fault, Value, faults_in, parse
from claimaudit.experiments.axes import Axis
from claimaudit.experiments.runner import BaseSetting, Runner
from claimaudit.expressions import require_condition
from claimaudit.names import require_known
from claimaudit.papers.claims import ClaimsFile
from claimaudit.papers.entries import OURS, UNSTATED, PaperEntry
from claimaudit.papers.folder import Folder
from claimaudit.papers.jobs import Description
from claimaudit.papers.paper import RUNS, Paper
from claimaudit.results import STRICT, sealed_json
from claimaudit.task import plain
from claimaudit.yaml_files import refuse


def load(folder: Folder, views: Collection[str] | None = None) -> Paper:
    """Read a paper and check it against the code, the `views` that there are and its printed numbers.

    A ConfigurationError has a line for each fault, with the file, the line and the key.
    """
    paper = Paper(yaml_files.load(folder.paper, PaperEntry), folder)
    refuse(folder.paper, _Check(paper, views).everything())
    return paper


class _Check:
    """Checks a paper's file against the code; `found` collects the faults."""

    def __init__(self, paper: Paper, views: Collection[str] | None) -> None:
        self.paper, self.entry, self.views = paper, paper.entry, views
        self.found: list[Fault] = []
        self.sound: set[str] = set()

    @contextmanager
    def at(self, *place: str | int) -> Iterator[None]:
        try:
            yield
        except ValueError as error:
            self.found.append((place, str(error)))

    def everything(self) -> list[Fault]:
        self.names()
        for experiment in self.entry.experiments:
            before = len(self.found)
            with self.at("experiments", experiment):
                self.experiment(experiment)
            if len(self.found) == before:
                self.sound.add(experiment)
        self.exhibits()
        self.shared()
        for text, lack in self.entry.lacking.items():
            with self.at("lacking", text, "data"):
                require_known(lack.data, self.entry.data, "data set of the text")
        return self.found

    def names(self) -> None:
        """Check that the names of readings are unique, and that axes and readings are used."""
        places = [("axes", axis, "values", name) for axis, entry in self.entry.axes.items() for name in entry.others]
        seen = {STRICT}
        for place in [*places, *(("readings", name) for name in self.entry.readings)]:
            with self.at(*place):
                if place[-1] in seen:
                    raise ValueError(f"two readings have the name {place[-1]}; rename one")
            seen.add(place[-1])
        for axis, entry in self.entry.axes.items():
            for name in entry.inadmissible:
                with self.at("axes", axis, "inadmissible", name):
                    require_known(name, entry.others, f"other value of the axis {axis}")
        for name, reading in self.entry.readings.items():
            for axis in reading:
                with self.at("readings", name, axis):
                    require_known(axis, self.entry.axes, "axis")
        settings = {name for entry in self.entry.experiments.values() for name in entry.setting}
        for name in self.entry.excluded:
            with self.at("excluded", name):
                require_known(name, [*self.entry.axes, *sorted(settings)], "axis or setting")
        lists = [entry.axes for entry in self.entry.experiments.values()]
        listed = {axis for items in lists for item in items for axis in _names(item)}
        self.found += [
            (("axes", axis), "no experiment lists this axis; list it or remove it")
            for axis in self.entry.axes
            if axis not in listed
        ]
        run = {name for entry in self.entry.experiments.values() for name in entry.readings}
        self.found += [
            (("readings", name), "no experiment runs this reading; list it or remove it")
            for name in self.entry.readings
            if name not in run
        ]

    def experiment(self, name: str) -> None:
        """Check an experiment: its runner, its setting, its axes and its readings."""
        entry = self.entry.experiments[name]
        with self.at("experiments", name, "source"):
            for file in self.paper.files_of(name):
                if not (self.paper.folder.path / file).is_file():
                    raise ValueError(f"there is no file {file} in the folder; correct the name")
        kind = self.paper.runner_of(name)
        if entry.runs is None and kind.simulates:
            raise ValueError(f"the runner {entry.runner} simulates; give the paper's number of `runs`")
        below = faults_in(entry.setting, kind.setting, {"views": self.views})
        self.found += [(("experiments", name, "setting", *place), words) for place, words in below]
        if below or entry.runner is None:
            return
        setting = parse(entry.setting, kind.setting)
        self.axes(entry.axes, kind, setting)
        for reading in entry.readings:
            require_known(reading, self.entry.readings, "reading")
        self.readings(name)
        strict = {axis: choice.default for axis, choice in kind.axes.items()} | self.paper.computed(name).strict
        if next(iter(setting.points(strict)), None) is None:
            raise ValueError("the setting has no points; check its lists")

    def values(self, axis: str, declared: Axis) -> None:
        """Check the values of an axis wherever they appear."""
        entry = self.entry.axes[axis]
        for name, value in entry.values.items():
            with self.at("axes", axis, "values", name):
                declared.require(value)
        for name, reading in self.entry.readings.items():
            with self.at("readings", name, axis):
                declared.require(reading.get(axis, entry.strict))

    def readings(self, experiment: str) -> None:
        """Check that no two readings of an experiment coincide."""
        found: dict[frozenset[tuple[str, Value]], str] = {}
        for name, changed in self.entry.readings_of(experiment).items():
            left = frozenset((axis, value) for axis, value in changed.items() if value != self.entry.axes[axis].strict)
            if not left:
                raise ValueError(f"the reading {name} equals the strict one here; remove it")
            if left in found:
                raise ValueError(f"the readings {found[left]} and {name} are the same here; remove one")
            found[left] = name

    def exhibits(self) -> None:
        for name, exhibit in self.entry.exhibits.items():
            before = len(self.found)
            if exhibit.of != OURS and exhibit.of is not None:
                with self.at("exhibits", name, "of"):
                    wholes = [other for other, entry in self.entry.exhibits.items() if entry.of is None]
                    require_known(exhibit.of, [OURS, *wholes], "exhibit")
            if len(self.found) == before:
                with self.at("exhibits", name, "experiment"):
                    require_known(self.entry.experiment_of(name), self.entry.experiments, "experiment")
            for file in exhibit.files:
                with self.at("exhibits", name, "published"):
                    files = sorted(path.stem for path in self.paper.folder.published.glob("*.csv"))
                    require_known(file, files, "file in published/")
            with self.at("exhibits", name, "where"):
                require_condition(exhibit.where or "True == True")
            if len(self.found) == before and (experiment := self.entry.experiment_of(name)) in self.sound:
                with self.at("exhibits", name, "style", "show"):
                    for reading in exhibit.style.reading if exhibit.style else ():
                        known = [STRICT, *self.entry.readings_of(experiment)]
                        require_known(reading, known, f"reading of the experiment {experiment}")

    def shared(self) -> None:
        """Check what exhibits share, and that those with printed numbers, which are pooled, try the same values."""
        for place, shared in enumerate(self.entry.shared):
            for axis in shared.axes:
                with self.at("shared", place, "axes"):
                    require_known(axis, [*self.entry.axes, RUNS], "axis")
            for name in shared.exhibits or ():
                with self.at("shared", place, "exhibits"):
                    require_known(name, self.paper.judged, "exhibit")
        names = [
            name
            for name, exhibit in self.paper.judged.items()
            if exhibit.published is not None and exhibit.experiment in self.sound
        ]
        for name in names:
            for axis in self.entry.exhibits[name].without:
                with self.at("exhibits", name, "without"):
                    require_known(axis, self.entry.axes, "axis")
            with self.at("exhibits", name):
                for other in names:
                    self.compatible(name, other)

    def compatible(self, name: str, other: str) -> None:
        """Raise ValueError if an exhibit does not try what another one, with which it shares axes, tries."""
        one, two = self.entry.exhibits[name], self.entry.exhibits[other]
        first, second = self.paper.judged[name].experiment, self.paper.judged[other].experiment
        groups = [group for group in self.entry.shared if {name, other} <= {*(group.exhibits or self.paper.judged)}]
        shared = {axis: group.why for group in groups for axis in group.axes if axis not in (*one.without, RUNS)}
        own, theirs = self.entry.axes_of(first), self.entry.axes_of(second)
        missing = next((axis for axis in shared if axis in theirs and axis not in own), None)
        if missing:
            raise ValueError(
                f"it shares the axis {missing} with {other} ({shared[missing]}), but the experiment {first} "
                f"does not try it; list it there, or give the reason why {name} cannot depend on it under `without`"
            )
        common = [axis for axis in shared if axis in own and axis in theirs and axis not in two.without]
        tried = {self._values(changed, common) for changed in [{}, *self.entry.readings_of(first).values()]}
        for reading, changed in self.entry.readings_of(second).items():
            values = self._values(changed, common)
            if values not in tried:
                words = ", ".join(
                    f"{axis}: {value}" for axis, value in values if value != str(self.entry.axes[axis].strict)
                )
                raise ValueError(
                    f"it shares {', '.join(common)} with {other}, whose reading {reading} ({words}) the experiment "
                    f"{first} does not run; list a reading with these values there"
                )

    def _values(self, changed: Mapping[str, Value], axes: Iterable[str]) -> tuple[tuple[str, str], ...]:
        return tuple((axis, str(changed.get(axis, self.entry.axes[axis].strict))) for axis in axes)

    def axes(self, items: Iterable[str | Mapping[str, Any]], runner: Runner, setting: BaseSetting) -> None:
        """Check axes to vary, each alone or with the names of some of its values, against their runner and setting."""
        for item in items:
            for axis in _names(item):
                require_known(axis, self.entry.axes, "axis")
                require_known(axis, runner.axes, f"axis of the runner {runner.name}")
                if axis in setting.swept():
                    raise ValueError(f"both the setting and the axis {axis} set {axis}; remove one")
                self.values(axis, runner.axes[axis])
                known = self.entry.axes[axis]
                here = [UNSTATED] if known.stated else []
                for value in () if isinstance(item, str) else item[axis]:
                    require_known(value, [*known.others, *here], f"value of the axis {axis}")


def _names(item: str | Mapping[str, Any]) -> list[str]:
    return [item] if isinstance(item, str) else list(item)


def describe_files(job: Description, claims: Sequence[Path]) -> dict[str, bytes]:
    """Return the ``description`` of a paper for reports, with what of the text its file of `claims` leaves out."""
    unchecked = {part: why for path in claims for part, why in yaml_files.load(path, ClaimsFile).unchecked.items()}
    return {"description": sealed_json(plain(job.model_copy(update={"unchecked": unchecked})))}
