"""The engine that runs every experiment: all its readings at all its points, in one piece or in parts.

A runner (`claimaudit.experiments.runner`) yields the measures of a cell, one point under one reading. The cell logs
which choices and which settings of its point are read. The log is what the result depends on: readings that agree in it
share the result, and an axis that no cell reads is an error.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from typing import Any, Concatenate, ParamSpec, TypeVar

import numpy as np

from claimaudit.experiments.memo import Log, Memo, Read, Reads
from claimaudit.experiments.runner import BaseSetting, Measure, Point, Runner, View
from claimaudit.fingerprint import numeric_versions
from claimaudit.results import MEASURES, STRICT, Columns, in_columns, shared_digits, with_record
from claimaudit.storage import read_sealed, sealed
from claimaudit.task import plain

NUMBERS = ("mean", "se", "theory")
Row = dict[str, Any]
P = ParamSpec("P")
T = TypeVar("T")


@dataclass(frozen=True)
class ExperimentJob:
    """An experiment as it is configured: all that determines its numbers, except code and data.

    `setting` is what the paper fixes, `strict` has the paper's values of axes (an axis that is missing takes its
    default), and `readings`, by name, what each reading other than the strict one changes in `axes`, which are columns
    of the table. Each has so many Monte-Carlo `runs`, and the strict one, on which most verdicts rest, `strict_factor`
    times as many. Paper, experiment and seed are the root of all random streams.
    """

    paper: str
    experiment: str
    runner: str
    setting: dict[str, Any]
    strict_factor: int = 1
    strict: dict[str, Any] = field(default_factory=dict)
    axes: tuple[str, ...] = ()
    readings: dict[str, dict[str, Any]] = field(default_factory=dict)
    seed: int = 0
    runs: int = 0


@dataclass(frozen=True)
class Experiment:
    """Everything that shapes one result table: an `ExperimentJob` with its code and the available views, by name.

    Runner and setting are those of the job, read; `readings` have a value for every axis of the runner, by the name
    that configuration gives each, the strict one first. `only` says whether to run a point; the others' results do not
    depend on it.
    """

    job: ExperimentJob
    runner: Runner
    setting: BaseSetting
    readings: Mapping[str, Mapping[str, Any]]
    views: Mapping[str, View] = field(default_factory=dict)
    only: Callable[[Point], bool] = lambda point: True

    def share(self, part: int, parts: int, all_points: Sequence[Sequence[Point]]) -> list[slice]:
        """Return which of its points, `all_points`, each reading runs in one of `parts`, 0 <= part < parts.

        More parts than points divide readings, too; but those that differ at most in measures stay together, as they
        share draws, and all do where the strict one has more runs, which others may reuse.
        """
        drawing = [name for name, axis in self.runner.axes.items() if axis.kind != "measure"]
        divided = self.job.strict_factor == 1 and parts > max(map(len, all_points))
        keys = [tuple(values[name] for name in drawing if divided) for values in self.readings.values()]
        groups = [*dict.fromkeys(keys)]
        found = []
        for key, points in zip(keys, all_points, strict=True):
            first, cells = groups.index(key) * len(points), len(groups) * len(points)
            found.append(slice(*(max(0, cells * end // parts - first) for end in (part, part + 1))))
        return found

    @classmethod
    def load(cls, job: ExperimentJob, views: Mapping[str, View], runner: Runner | None = None) -> Experiment:
        """Build an experiment from its configuration and the views that there are; the runner is by default its own."""
        runner = runner or Runner.load(job.runner)
        strict = {axis: choice.default for axis, choice in runner.axes.items()} | job.strict
        readings = {name: strict | changed for name, changed in {STRICT: {}, **job.readings}.items()}
        setting = runner.setting.model_validate_json(json.dumps(job.setting))
        return cls(job, runner, setting, readings, views)


class Cell:
    """One point of an experiment under one reading, as its runner sees it.

    It has the setting of the experiment, the settings of this point, in `choices` the value of every axis of the
    runner, and views by name; an optional one may be missing. Rows of a cell that reads a stand-in are marked. Of a
    point that a caller `made`, no read counts.
    """

    def __init__(
        self, experiment: Experiment, memo: Memo, point: Point, reading: str, log: Log, made: bool = False
    ) -> None:
        self._experiment, self._memo, self._log, self._made = experiment, memo, log, made
        self._point, self._reading = point, reading
        self._values = {"point": point, "choice": experiment.readings[reading], "view": experiment.views}
        self.setting: Any = experiment.setting
        self.point = Reads("point", point, {} if made else log)
        self.choices = Reads("choice", self._values["choice"], log)
        self.views = Reads("view", experiment.views, log)

    def __getitem__(self, name: str) -> Any:  # noqa: ANN401
        """Return a setting of the point or, where the point leaves it open, the choice of the axis of that name."""
        return self.point[name] if name in self.point else self.choices[name]

    @property
    def runs(self) -> int:
        """Number of Monte-Carlo runs; a ValueError unless the runner declares that it simulates."""
        if not self._experiment.runner.simulates:
            raise ValueError(f"{self._experiment.runner.name} reads the number of runs; declare simulates=True")
        [runs] = self._answers(("runs", ""), exactly=True)
        self._log.setdefault(("runs", ""), runs)
        return runs

    def rng(self, **key: object) -> np.random.Generator:
        """Return the random stream of a key, unaffected by whatever else runs."""
        job = self._experiment.job
        return self._experiment.runner.backend.generator(job.seed, job.paper, job.experiment, key)

    def of(self, point: Point) -> Cell:
        """Return the cell of another point, made by the caller, under the same reading."""
        return Cell(self._experiment, self._memo, point, self._reading, self._log, made=True)

    def once(self, compute: Callable[Concatenate[Cell, P], T], *args: P.args, **kwargs: P.kwargs) -> T:
        """Return `compute(cell, *args)`, computed once for all cells that agree in what it reads.

        The other readings reuse the strict reading's result, even if it rests on more runs.
        """
        return self._remember(False, compute, *args, **kwargs)

    def latest(self, compute: Callable[Concatenate[Cell, P], T], *args: P.args, **kwargs: P.kwargs) -> T:
        """Compute as `once` does, but for exactly this number of runs; keep only the latest result to save memory."""
        return self._remember(True, compute, *args, **kwargs)

    def _remember(
        self, latest: bool, compute: Callable[Concatenate[Cell, P], T], *args: P.args, **kwargs: P.kwargs
    ) -> T:
        key = (compute, args, tuple(sorted(kwargs.items())))
        entry = self._memo.find(key, partial(self._answers, exactly=latest))
        if entry is None:
            log: Log = {}
            entry = compute(Cell(self._experiment, self._memo, self._point, self._reading, log), *args, **kwargs), log
            self._memo.store(key, entry, latest=latest)
        result: T = entry[0]
        for read, value in entry[1].items():
            if read[0] != "point" or not self._made:
                self._log.setdefault(read, value)
        return result

    def _answers(self, read: Read, exactly: bool) -> tuple[Any, ...]:
        """Return the values of `read` with which another cell's result can be reused in this one."""
        match read:
            case ("names", kind):
                return (tuple(self._values[kind]),)
            case (("point" | "choice" | "view") as kind, name):
                return (self._values[kind].get(name),)
        runs = self._experiment.job.runs
        thorough = runs * self._experiment.job.strict_factor
        if self._reading == STRICT:
            return (thorough,)
        return (runs,) if exactly or runs == thorough else (thorough, runs)


@dataclass(frozen=True)
class Part:
    """The rows of some cells of an experiment, reading by reading, and the axes that those cells read."""

    rows: list[list[Row]]
    read: list[str]


def run(experiment: Experiment, part: int = 0, parts: int = 1) -> Part:
    """Run one of `parts` shares of an experiment, see `Experiment.share`.

    If the strict reading has more runs and different points, so that a part may lack a result to reuse, it is a
    ValueError.
    """
    logs: list[Log] = [{} for _ in experiment.readings]
    all_points = [
        [*filter(experiment.only, experiment.setting.points(Reads("choice", values, log)))]
        for values, log in zip(experiment.readings.values(), logs, strict=True)
    ]
    if parts > 1 and experiment.job.strict_factor > 1 and any(points != all_points[0] for points in all_points):
        raise ValueError("the points depend on the reading and strict_factor is above 1: run it in one part")
    memo, read, rows = Memo(), set[str](), []
    shares = experiment.share(part, parts, all_points)
    for reading, points, share, log in zip(experiment.readings, all_points, shares, logs, strict=True):
        found = []
        for point in points[share]:
            own: Log = {}
            cell = Cell(experiment, memo, point, reading, own)
            measures = cell.once(_measures)
            standin = any(experiment.views[name].standin for kind, name in own if kind == "view" and own[kind, name])
            for one in measures:
                numbers = {"mean": float(one.mean), "se": float(one.se), "runs": one.runs, "theory": float(one.theory)}
                names = {"mechanism": one.mechanism, "metric": one.metric}
                found.append({**point, **one.place, **names, **numbers, "standin": standin})
            log |= own
        rows.append(found)
        read |= {name for kind, name in log if kind == "choice"}
    return Part(rows, sorted(read))


def _measures(cell: Cell) -> list[Measure]:
    runner = cell._experiment.runner
    found, declared = [*runner.measure(cell)], runner.declared(cell.setting)
    for one in found:
        columns = (("column", name) for name in one.place)
        for kind, name in (("mechanism", one.mechanism), ("metric", one.metric), *columns):
            if name not in declared[kind]:
                raise ValueError(f"{runner.name} yields the {kind} {name!r}, which it does not declare")
    return found


def join(experiment: Experiment, parts: Iterable[Part]) -> Columns:
    """Join all parts, in order, into the result table; no rows, or an axis that is never read, are a ValueError."""
    parts = list(parts)
    unread = [axis for axis in experiment.job.axes if not any(axis in part.read for part in parts)]
    if unread:
        raise ValueError(f"no cell reads the axis {', '.join(unread)}: take it out of the experiment's axes")
    rows = [
        {**row, "reading": name, **{axis: values[axis] for axis in experiment.job.axes}}
        for number, (name, values) in enumerate(experiment.readings.items())
        for part in parts
        for row in part.rows[number]
    ]
    if not rows:
        raise ValueError("the setting has no point: check its lists")
    later = {"reading", *experiment.job.axes, *MEASURES}
    settings = dict.fromkeys(name for row in rows for name in row if name not in later)
    table = in_columns(rows, [*settings, "reading", *experiment.job.axes, *MEASURES])
    return table | {name: shared_digits(np.array(table[name], dtype=float)).tolist() for name in NUMBERS}


def compute(job: ExperimentJob, views: Sequence[Path]) -> dict[str, bytes]:
    """Compute an experiment, with the files of its views: the ``table`` and its ``record``."""
    experiment, standins = _with_views(job, views)
    return _recorded(job, join(experiment, [run(experiment)]), standins)


def compute_part(job: ExperimentJob, part: int, parts: int, views: Sequence[Path]) -> dict[str, bytes]:
    """Compute the ``rows`` of one of several shares of an experiment, counted from 0; they keep all digits."""
    experiment, standins = _with_views(job, views)
    share = run(experiment, part, parts)
    content = {"rows": share.rows, "read": share.read, "standin": standins}
    as_read = json.loads(json.dumps(content, default=lambda number: number.item()))
    return {"rows": json.dumps(sealed(as_read)).encode()}


def join_parts(job: ExperimentJob, parts: Sequence[Path]) -> dict[str, bytes]:
    """Join all shares of an experiment: the ``table`` that an undivided run would give, and its ``record``."""
    contents = [read_sealed(path) for path in parts]
    standins = sorted({name for content in contents for name in content["standin"]})
    found = [Part(content["rows"], content["read"]) for content in contents]
    return _recorded(job, join(Experiment.load(job, {}), found), standins)


def _with_views(job: ExperimentJob, files: Sequence[Path]) -> tuple[Experiment, list[str]]:
    read = Runner.load(job.runner).backend.read
    views = {path.stem: read(path) for path in files if path.suffix == ".npy"}
    return Experiment.load(job, views), sorted(name for name, view in views.items() if view.standin)


def _recorded(job: ExperimentJob, table: Columns, standins: list[str]) -> dict[str, bytes]:
    setting = dict(sorted(plain(job).items()))
    return with_record(table, {**setting, "versions": numeric_versions(), "standin": standins})
