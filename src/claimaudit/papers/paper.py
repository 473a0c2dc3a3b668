"""A paper: its experiments, readings, figures and tables as configured."""

import re
from dataclasses import replace
from functools import cached_property
from itertools import chain
from typing import Any

from claimaudit import yaml_files
from claimaudit.configuration import Value, leaves, parse
from claimaudit.experiments import given
from claimaudit.experiments.engine import Experiment, ExperimentJob
from claimaudit.experiments.given import GivenJob, GivenSetting, Source
from claimaudit.experiments.guidewords import Proposal, proposals
from claimaudit.experiments.runner import Runner
from claimaudit.papers.entries import OURS, AboutPaper, AnyStyle, ExhibitEntry, PaperEntry
from claimaudit.papers.folder import Folder
from claimaudit.papers.jobs import (
    Context,
    DescribedExperiment,
    Description,
    OpenChoice,
    Outline,
    PaperExhibit,
    Shared,
    ShownExhibit,
    ShownRows,
    TableJob,
)
from claimaudit.results import STRICT
from claimaudit.styles import Conventions, DifferenceJob, FigureJob, FigureStyle, Style, TableStyle
from claimaudit.verdicts import Choice, Departures, Names
from claimaudit.words.names import TEXT, label, title_with
from claimaudit.words.verdicts import lack

RUNS = "runs"  # what exhibits may share besides axes


class Paper:
    """A paper by its file and folder, checked if `claimaudit.papers.validation.load` read it."""

    def __init__(self, entry: PaperEntry, folder: Folder) -> None:
        self.entry, self.folder = entry, folder
        self._runners: dict[str, Runner] = {}

    @property
    def title(self) -> str:
        """Its title, which the short name distinguishes from that of another text."""
        return title_with(self.entry.short or self.folder.id, self.entry.title)

    @cached_property
    def figures(self) -> dict[str, ExhibitEntry]:
        return {name: exhibit for name, exhibit in self.entry.drawn.items() if isinstance(exhibit.style, FigureStyle)}

    @cached_property
    def tables(self) -> dict[str, ExhibitEntry]:
        return {name: exhibit for name, exhibit in self.entry.drawn.items() if isinstance(exhibit.style, TableStyle)}

    def runner_of(self, experiment: str) -> Runner:
        """Return the runner of an experiment; results that are given or made by a command have one that does nothing.

        If there is no such runner, it is a ConfigurationError.
        """
        name = self.entry.experiments[experiment].runner
        if name is None:
            return given.results
        if name not in self._runners:
            self._runners[name] = Runner.load(self.folder.runner(name))
        return self._runners[name]

    def files_of(self, experiment: str) -> tuple[str, ...]:
        """Return the files of an experiment in the folder: the results that are given, or what its command reads."""
        entry = self.entry.experiments[experiment]
        if entry.command is not None:
            return given.inputs_of(entry.command, self.folder.path)
        return () if entry.results is None else (entry.results,)

    def given(self, experiment: str) -> GivenJob:
        """Return an experiment whose results are given or made by a command."""
        entry = self.entry.experiments[experiment]
        source: Source = "given" if entry.results else "command"
        setting = parse(entry.setting, GivenSetting)
        return GivenJob(self.folder.id, experiment, source, entry.source, setting.by, setting.columns)

    def computed(self, experiment: str, seed: int = 0, factor: float = 1.0) -> ExperimentJob:
        """Return an experiment that has a runner, with so many times its number of runs."""
        entry, runner = self.entry.experiments[experiment], self.runner_of(experiment)
        return ExperimentJob(
            paper=self.folder.id,
            experiment=experiment,
            runner=runner.name,
            strict_factor=entry.strict_factor,
            setting=entry.setting,
            strict={axis: choice.strict for axis, choice in self.entry.axes.items() if axis in runner.axes},
            axes=tuple(self.entry.axes_of(experiment)),
            readings=self.entry.readings_of(experiment),
            seed=seed,
            runs=entry.runs_at(factor),
        )

    @cached_property
    def conventions(self) -> Conventions:
        """What the fields of its runners agree on, with what its file adds."""
        files = dict.fromkeys(self.runner_of(name).backend.conventions for name in self.entry.experiments)
        found = [yaml_files.load(path, Conventions) for path in files if path is not None]
        found.append(Conventions(less_is_better=self.entry.less_is_better))
        return Conventions(
            less_is_better=tuple(dict.fromkeys(chain.from_iterable(one.less_is_better for one in found))),
            looks={name: look for one in found for name, look in one.looks.items()},
        )

    def labels(self, name: str) -> dict[str, str]:
        """Return the labels of a figure or table: its own, else those of the paper and of the readings shown."""
        style, experiment = self.style(name), self.entry.experiment_of(name)
        axes, readings = self.runner_of(experiment).axes, self.entry.readings_of(experiment)
        words = {
            reading: ", ".join(axes[axis].phrase(value) for axis, value in readings.get(reading, {}).items()) or TEXT
            for reading in [STRICT, *readings]
            if reading in style.reading
        }
        return self.entry.names | words | style.labels

    def style(self, name: str) -> AnyStyle:
        """Return the style of a figure or table as the paper's file has it."""
        style = self.entry.exhibits[name].style
        assert style is not None, f"{name} is neither a figure nor a table"
        return style

    def figure(self, name: str) -> FigureJob:
        """Return a figure as it is to be drawn."""
        shown = self.entry.exhibits[name]
        whole = None if shown.experiment else self.entry.exhibits.get(shown.of or "")
        added = {"labels": self.labels(name), "prints": shown.where or (whole and whole.where) or None}
        style = Style(**_given(self.style(name)) | added | self.conventions.model_dump())
        return FigureJob(self.folder.id, name, str(shown.title), shown.message, style)

    def published(self, name: str) -> tuple[str, ...]:
        """Return the files of printed numbers that stand beside ours in a figure or table."""
        exhibit = self.entry.exhibits[name]
        whole = self.entry.exhibits.get(exhibit.of or "")
        return exhibit.files or ((whole.evidence,) if whole and whole.evidence else ())

    def table(self, name: str) -> TableJob:
        """Return a table as it is to be laid out."""
        shown, files, judged = self.entry.exhibits[name], self.published(name), self.judged
        parts = (part for part, exhibit in self.entry.exhibits.items() if exhibit.of == name)
        return TableJob(
            experiment=self.entry.experiment_of(name),
            title=str(shown.title),
            caption=str(shown.caption),
            style=TableStyle(**_given(self.style(name)) | {"labels": self.labels(name)}),
            exhibits=tuple(
                judged[item] for item in (name, *parts) if item in judged and judged[item].published in files
            ),
        )

    @cached_property
    def compared(self) -> list[str]:
        """The exhibits whose printed numbers are compared with ours."""
        return [name for name in self.predicted() if self.judged[name].published]

    @property
    def drawings(self) -> list[str]:
        """What its page draws: figures, and printed numbers over ours, ``differences/{name}`` of figures and tables."""
        return [*self.figures, *(f"differences/{name}" for name in self.compared if name in self.entry.drawn)]

    def difference(self, name: str) -> DifferenceJob:
        """Return an exhibit as its printed numbers are drawn against ours."""
        entry = self.entry.exhibits[name]
        labels = self.labels(name) if entry.style else self.entry.names
        title = entry.title or label(name)
        source = self.entry.short or self.folder.id
        return DifferenceJob(self.folder.id, name, title, source, labels, self.conventions.looks)

    def most_parts(self, experiment: str) -> int:
        """Return in how many parts an experiment can be computed: one for each of its points.

        It has one part only if its points depend on the reading and strict results, on more runs, serve other readings.
        """
        if self.entry.experiments[experiment].runner is None:
            return 1
        loaded = Experiment.load(self.computed(experiment), {})
        points = [[*loaded.setting.points(values)] for values in loaded.readings.values()]
        if loaded.job.strict_factor > 1 and any(some != points[0] for some in points):
            return 1
        return max(map(len, points))

    def modules(self, experiment: str) -> tuple[str, ...]:
        """Return the modules whose code an experiment runs: its runner, and a user's own code."""
        return (self.runner_of(experiment).module, *self._own_code(experiment))

    def own_modules(self) -> list[str]:
        """Return the files and modules of a user's own code that the settings name."""
        return [found for name in self.entry.experiments for found in self._own_code(name)]

    def _own_code(self, experiment: str) -> list[str]:
        own_code = self.runner_of(experiment).backend.own_code
        named = map(str, leaves(self.entry.experiments[experiment].setting))
        return list(dict.fromkeys(filter(None, map(own_code, named))))

    def description(self) -> Description:
        """Return what a report is told of the paper."""
        entry, claims = self.entry, self.folder.claims
        return Description(
            **{name: getattr(entry, name) for name in AboutPaper.model_fields}
            | {"less_is_better": self.conventions.less_is_better},
            id=self.folder.id,
            folder=self.folder.shown,
            experiments={name: self._described(name) for name in entry.experiments},
            figures={name: self._shown(name) for name in self.figures},
            tables={name: self._shown(name) for name in self.tables},
            drawings=tuple(self.drawings),
            exhibits=self.judged,
            shared=self._shared,
            unchecked=yaml_files.read(claims).get("unchecked", {}) if claims.exists() else {},
        )

    def _described(self, name: str) -> DescribedExperiment:
        runner, known, entry = self.runner_of(name), self.entry.axes, self.entry.experiments[name]
        axes = {
            axis: OpenChoice(
                strict=runner.axes[axis].phrase(known[axis].strict),
                others={
                    each: runner.axes[axis].phrase(known[axis].others[each]) for each in alone or known[axis].others
                },
                why=known[axis].why,
            )
            for axis, alone in self.entry.axes_of(name).items()
        }
        return DescribedExperiment(
            runner=entry.runner or "",
            code=self.folder.source(entry.runner or runner.name),
            axes=axes,
            views=tuple(self.view_names(name)),
        )

    def _shown(self, name: str) -> ShownExhibit:
        entry = self.entry.exhibits[name]
        return ShownExhibit(
            experiment=self.entry.experiment_of(name),
            title=entry.title or "",
            caption=entry.caption or "",
            published=self.published(name),
            shows=next((one for one in (name, entry.of) if one in self.judged), None),
            labels=entry.style.labels if entry.style else {},
            reading_error=entry.reading_error,
        )

    def outline(self) -> Outline:
        """Return what the audit needs to know of exhibits and readings."""
        entry, experiments = self.entry, self.entry.experiments
        known = {axis: choice for name in experiments for axis, choice in self.runner_of(name).axes.items()}
        not_stated = {axis: None for axis, each in entry.axes.items() if not each.stated}
        phrases = {axis: {str(one): known[axis].phrase(one) for one in found} for axis, found in entry.values.items()}
        titles = {name: re.match(r"Table [IVX]+\b", shown.title or "") for name, shown in entry.exhibits.items()}
        phrases |= {"exhibit": {name: title[0] for name, title in titles.items() if title}}
        return Outline(
            exhibits=tuple(self.judged.values()),
            shared=self._shared,
            inadmissible={name: entry.inadmissible_of(name) for name in experiments},
            names=Names({name: self._departures_of(name) for name in experiments}, phrases),
            called=entry.names,
            unstated={name: entry.unstated_of(name) for name in experiments},
            not_stated=tuple(not_stated),
            open=tuple(name for name in experiments if not_stated.keys() & self.runner_of(name).axes.keys()),
            proposed={name: sum(not one.reason for one in asked) for name, asked in self.proposals.items()},
        )

    def _departures_of(self, experiment: str) -> dict[str, Departures]:
        """Return each reading's departures as axes and values; for the strict one, numbers that the text omits."""
        known, axes = self.runner_of(experiment).axes, self.entry.axes
        varied = self.entry.axes_of(experiment)
        ours = {axis: axes[axis].strict for axis in varied if not axes[axis].stated and known[axis].number is not None}
        return {
            name: Departures(tuple(Choice(axis, str(value)) for axis, value in changed.items()))
            for name, changed in ({STRICT: ours} | self.entry.readings_of(experiment)).items()
        }

    @cached_property
    def judged(self) -> dict[str, PaperExhibit]:
        """The exhibits of the paper for which the audit finds what was run, by name.

        A part that is drawn is judged with its whole, and a table without numbers of its own by the passages that are
        its parts.
        """
        passages = {exhibit.of for exhibit in self.entry.exhibits.values() if exhibit.title is None}
        return {
            name: PaperExhibit(
                name=name,
                experiment=self.entry.experiment_of(name),
                published=exhibit.evidence,
                rows=exhibit.where or None if exhibit.evidence else None,
                reading_error=exhibit.reading_error,
                runs=exhibit.runs,
            )
            for name, exhibit in self.entry.exhibits.items()
            if exhibit.of != OURS
            and (exhibit.of is None or exhibit.title is None)
            and not (name in passages and exhibit.evidence is None)
        }

    @cached_property
    def _shared(self) -> tuple[Shared, ...]:
        return tuple(
            Shared(
                tuple(axis for axis in group.axes if axis != RUNS),
                group.exhibits or tuple(self.judged),
                RUNS in group.axes,
                group.why,
            )
            for group in self.entry.shared
        )

    def context(self) -> Context:
        """Return what claims take from the paper; they are of its exhibits, or of experiments without one."""
        lacking = {text: lack(entry.because, entry.data, entry.note) for text, entry in self.entry.lacking.items()}
        subjects = {name: ShownExhibit(name) for name in self.entry.experiments if name not in self.entry.exhibits}
        # Captions and labels change no verdict.
        shown = {name: replace(self._shown(name), caption="", labels={}) for name in self.entry.exhibits}
        return Context(shown | subjects, lacking)

    def predicted(self) -> dict[str, ShownRows]:
        """Return what each exhibit that shows results shows of them."""
        return {
            name: ShownRows(
                self._drawn(name),
                self.entry.exhibits[name].where or None,
                exhibit.runs or self.entry.experiments[exhibit.experiment].runs,
            )
            for name, exhibit in self.judged.items()
            if self.entry.exhibits[name].where is not False
        }

    def _drawn(self, exhibit: str) -> str | None:
        experiment = self.entry.experiment_of(exhibit)
        panels = [
            _condition(self.style(name))
            for name, shown in self.entry.drawn.items()
            if exhibit in (name, shown.of) and self.entry.experiment_of(name) == experiment
        ]
        return " or ".join(f"({panel})" for panel in panels) if panels and all(panels) else None

    def searched(self) -> Outline:
        """Return what a search for what was run needs to know of exhibits and readings: those with proposals."""
        known = self.outline()
        return Outline(
            exhibits=tuple(self.judged[name] for name in self.proposals),
            shared=tuple(replace(group, why="") for group in self._shared),  # words change no search
            inadmissible={name: dict.fromkeys(broken, "") for name, broken in known.inadmissible.items()},
            proposed=known.proposed,
        )

    @cached_property
    def proposals(self) -> dict[str, tuple[Proposal, ...]]:
        """What the guide words propose, by exhibit whose printed numbers tell what was run, if it has a runner."""
        stated = self._stated()
        strict = {axis: choice.strict for axis, choice in self.entry.axes.items()}
        found = {}
        for name, exhibit in self.judged.items():
            entry, runner = self.entry.experiments[exhibit.experiment], self.runner_of(exhibit.experiment)
            if exhibit.published is not None and entry.runner is not None:
                excluded = self.entry.excluded | self.entry.exhibits[name].without
                setting = parse(entry.setting, runner.setting)
                found[name] = tuple(proposals(runner, setting, strict, stated, excluded))
        return found

    def _stated(self) -> dict[str, tuple[Value, ...]]:
        """Return all values that the file has for an axis or a column of points, by its name."""
        found = {axis: dict.fromkeys(values) for axis, values in self.entry.values.items()}
        for entry in self.entry.experiments.values():
            for name, values in entry.setting.items():
                several = values if isinstance(values, list | tuple) else [values]
                if all(isinstance(value, bool | int | float | str) for value in several):
                    found.setdefault(name, {}).update(dict.fromkeys(several))
        return {name: tuple(values) for name, values in found.items()}

    def view_names(self, experiment: str) -> list[str]:
        """Return the names of the views that an experiment reads."""
        return parse(self.entry.experiments[experiment].setting, self.runner_of(experiment).setting).view_names()


def _given(style: AnyStyle) -> dict[str, Any]:
    return {key: getattr(style, key) for key in style.model_fields_set}


def _condition(style: AnyStyle) -> str:
    """Return the condition on the rows of a result table that a figure or table shows; empty for all."""
    parts = [f"({style.where})"] if style.where else []
    if isinstance(style, FigureStyle):
        metrics = [*([style.x] if style.plot in ("scatter", "cloud") else []), *style.y]
        mechanisms = [f"mechanism in {[*style.mechanisms]}"] if style.mechanisms else []
        parts = [f"metric in {metrics}", *mechanisms, *parts]
    return " and ".join(parts)
