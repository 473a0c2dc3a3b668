"""Check a paper's file against the code before anything runs."""

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping
from itertools import chain

from claimaudit import yaml_files
from claimaudit.configuration import Fault, Place, Value, faults_in, parse
from claimaudit.experiments.runner import BaseSetting, Runner
from claimaudit.expressions import require_condition
from claimaudit.names import require_known
from claimaudit.papers.entries import OURS, UNSTATED, PaperEntry
from claimaudit.papers.folder import Folder
from claimaudit.papers.paper import RUNS, Paper
from claimaudit.results import STRICT
from claimaudit.yaml_files import refuse


def load(folder: Folder, views: Collection[str] | None = None) -> Paper:
    """Read a paper and check it against the code, the `views` that there are and its printed numbers.

    A ConfigurationError has a line for each fault, with the file, the line and the key.
    """
    paper = Paper(yaml_files.load(folder.paper, PaperEntry), folder)
    refuse(folder.paper, _faults(paper, views))
    return paper


def _faults(paper: Paper, views: Collection[str] | None) -> Iterator[Fault]:
    """Yield the faults of a paper's file; exhibits are compared with the experiments that have none."""
    entry = paper.entry
    yield from _of_names(entry)
    wrong = {name: [*_of_experiment(paper, name, views)] for name in entry.experiments}
    yield from chain.from_iterable(wrong.values())
    sound = [name for name, found in wrong.items() if not found]
    for name in entry.exhibits:
        yield from _of_exhibit(paper, name, sound)
    yield from _of_shared(paper, sound)
    for text, lack in entry.lacking.items():
        yield from _unknown(("lacking", text, "data"), lack.data, entry.data, "data set of the text")


def _raised(place: Place, check: Callable[..., object], *arguments: object) -> Iterator[Fault]:
    """Yield the fault that a check raises."""
    try:
        check(*arguments)
    except ValueError as error:
        yield place, str(error)


def _unknown(place: Place, name: str, known: Iterable[str], what: str) -> Iterator[Fault]:
    """Yield a fault unless a name is known."""
    yield from _raised(place, require_known, name, known, what)


def _of_names(entry: PaperEntry) -> Iterator[Fault]:
    """Check that the names of readings are unique, and that axes and readings are used."""
    places = [("axes", axis, "values", name) for axis, choice in entry.axes.items() for name in choice.others]
    seen = {STRICT}
    for place in [*places, *(("readings", name) for name in entry.readings)]:
        if place[-1] in seen:
            yield place, f"two readings have the name {place[-1]}; rename one"
        seen.add(place[-1])
    for axis, choice in entry.axes.items():
        for name in choice.inadmissible:
            what = f"other value of the axis {axis}"
            yield from _unknown(("axes", axis, "inadmissible", name), name, choice.others, what)
    for name, reading in entry.readings.items():
        for axis in reading:
            yield from _unknown(("readings", name, axis), axis, entry.axes, "axis")
    experiments = entry.experiments.values()
    known = [*entry.axes, *sorted({name for one in experiments for name in one.setting})]
    for name in entry.excluded:
        yield from _unknown(("excluded", name), name, known, "axis or setting")
    for axis in entry.axes:
        if not any(axis in one.varied for one in experiments):
            yield ("axes", axis), "no experiment lists this axis; list it or remove it"
    for name in entry.readings:
        if not any(name in one.readings for one in experiments):
            yield ("readings", name), "no experiment runs this reading; list it or remove it"


def _of_experiment(paper: Paper, name: str, views: Collection[str] | None) -> Iterator[Fault]:
    """Check an experiment: its files, its runner, its setting, its axes and its readings."""
    entry, place = paper.entry.experiments[name], ("experiments", name)
    yield from _raised((*place, "source"), _require_files, paper, name)
    try:
        kind = paper.runner_of(name)
        if entry.runs is None and kind.simulates:
            raise ValueError(f"the runner {entry.runner} simulates; give the paper's number of `runs`")
        below = faults_in(entry.setting, kind.setting, {"views": views})
        yield from (((*place, "setting", *inner), words) for inner, words in below)
        if below or entry.runner is None:
            return
        setting = parse(entry.setting, kind.setting)
        for axis, listed in entry.varied.items():
            yield from _of_axis(paper.entry, axis, listed or (), kind, setting)
        for reading in entry.readings:
            require_known(reading, paper.entry.readings, "reading")
        _require_different(paper.entry, name)
        strict = {axis: choice.default for axis, choice in kind.axes.items()} | paper.computed(name).strict
        if next(iter(setting.points(strict)), None) is None:
            raise ValueError("the setting has no points; check its lists")
    except ValueError as error:
        yield place, str(error)


def _require_files(paper: Paper, experiment: str) -> None:
    for file in paper.files_of(experiment):
        if not (paper.folder.path / file).is_file():
            raise ValueError(f"there is no file {file} in the folder; correct the name")


def _of_axis(
    entry: PaperEntry, axis: str, listed: Iterable[str], runner: Runner, setting: BaseSetting
) -> Iterator[Fault]:
    """Check an axis that an experiment varies, with all its values wherever they appear, against runner and setting."""
    require_known(axis, entry.axes, "axis")
    require_known(axis, runner.axes, f"axis of the runner {runner.name}")
    if axis in setting.swept():
        raise ValueError(f"both the setting and the axis {axis} set {axis}; remove one")
    known, require = entry.axes[axis], runner.axes[axis].require
    for name, value in known.values.items():
        yield from _raised(("axes", axis, "values", name), require, value)
    for name, reading in entry.readings.items():
        yield from _raised(("readings", name, axis), require, reading.get(axis, known.strict))
    for value in listed:
        require_known(value, [*known.others, *([UNSTATED] if known.stated else [])], f"value of the axis {axis}")


def _require_different(entry: PaperEntry, experiment: str) -> None:
    """Raise ValueError if two readings of an experiment coincide."""
    found: dict[frozenset[tuple[str, Value]], str] = {}
    for name, changed in entry.readings_of(experiment).items():
        left = frozenset((axis, value) for axis, value in changed.items() if value != entry.axes[axis].strict)
        if not left:
            raise ValueError(f"the reading {name} equals the strict one here; remove it")
        if left in found:
            raise ValueError(f"the readings {found[left]} and {name} are the same here; remove one")
        found[left] = name


def _of_exhibit(paper: Paper, name: str, sound: Collection[str]) -> Iterator[Fault]:
    entry, exhibit, place = paper.entry, paper.entry.exhibits[name], ("exhibits", name)
    found: list[Fault] = []
    if exhibit.of is not None:
        wholes = [other for other, one in entry.exhibits.items() if one.of is None]
        found += _unknown((*place, "of"), exhibit.of, [OURS, *wholes], "exhibit")
    experiment = "" if found else entry.experiment_of(name)
    if not found:
        found += _unknown((*place, "experiment"), experiment, entry.experiments, "experiment")
    files = sorted(path.stem for path in paper.folder.published.glob("*.csv"))
    for file in exhibit.files:
        found += _unknown((*place, "published"), file, files, "file in published/")
    found += _raised((*place, "where"), require_condition, exhibit.where or "True == True")
    for reading in exhibit.style.reading if exhibit.style and not found and experiment in sound else ():
        known = [STRICT, *entry.readings_of(experiment)]
        found += _unknown((*place, "style", "show"), reading, known, f"reading of the experiment {experiment}")
    yield from found


def _of_shared(paper: Paper, sound: Collection[str]) -> Iterator[Fault]:
    """Check what exhibits share, and that those with printed numbers, which are pooled, try the same values."""
    entry = paper.entry
    for place, shared in enumerate(entry.shared):
        for axis in shared.axes:
            yield from _unknown(("shared", place, "axes"), axis, [*entry.axes, RUNS], "axis")
        for name in shared.exhibits or ():
            yield from _unknown(("shared", place, "exhibits"), name, paper.judged, "exhibit")
    judged = paper.judged.items()
    names = [name for name, one in judged if one.published is not None and one.experiment in sound]
    for name in names:
        for axis in entry.exhibits[name].without:
            yield from _unknown(("exhibits", name, "without"), axis, entry.axes, "axis")
        yield from _raised(("exhibits", name), _require_compatible, paper, name, names)


def _require_compatible(paper: Paper, name: str, others: Iterable[str]) -> None:
    """Raise ValueError if an exhibit does not try what another one, with which it shares axes, tries."""
    entry, first = paper.entry, paper.judged[name].experiment
    own, readings = entry.axes_of(first), [{}, *entry.readings_of(first).values()]

    def values(changed: Mapping[str, Value], axes: Iterable[str]) -> dict[str, str]:
        return {axis: str(changed.get(axis, entry.axes[axis].strict)) for axis in axes}

    for other in others:
        second = paper.judged[other].experiment
        groups = [group for group in entry.shared if {name, other} <= {*(group.exhibits or paper.judged)}]
        without, theirs = (*entry.exhibits[name].without, RUNS), entry.axes_of(second)
        shared = {axis: group.why for group in groups for axis in group.axes if axis not in without}
        missing = next((axis for axis in shared if axis in theirs and axis not in own), None)
        if missing:
            raise ValueError(
                f"it shares the axis {missing} with {other} ({shared[missing]}), but the experiment {first} "
                f"does not try it; list it there, or give the reason why {name} cannot depend on it under `without`"
            )
        common = [axis for axis in shared if axis in own and axis in theirs]
        common = [axis for axis in common if axis not in entry.exhibits[other].without]
        tried = [values(changed, common) for changed in readings]
        for reading, changed in entry.readings_of(second).items():
            if (wanted := values(changed, common)) not in tried:
                strict = values({}, common)
                words = ", ".join(f"{axis}: {value}" for axis, value in wanted.items() if value != strict[axis])
                raise ValueError(
                    f"it shares {', '.join(common)} with {other}, whose reading {reading} ({words}) the experiment "
                    f"{first} does not run; list a reading with these values there"
                )
