"""A paper: its experiments, readings, figures and tables as configured."""

from __future__ import annotations

from functools import cached_property
from typing import Any

from claimaudit.configuration import leaves, parse
from claimaudit.experiments import given
from claimaudit.experiments.engine import Experiment
from claimaudit.experiments.runner import Runner
from claimaudit.papers.entries import DOI, ExhibitEntry, PaperEntry
from claimaudit.papers.folder import Folder
from claimaudit.papers.readings import Readings
from claimaudit.results import STRICT
from claimaudit.words.names import title_with
from claimaudit.words.verdicts import lack

RUNS = "runs"
"""What exhibits may share besides axes."""


class Paper:
    """A paper, checked if `claimaudit.papers.validation.load` read it.

    Parameters
    ----------
    entry : PaperEntry
        Its file.
    folder : Folder
        Where its files are.
    """

    def __init__(self, entry: PaperEntry, folder: Folder) -> None:
        self.entry, self.folder = entry, folder
        self.readings = Readings(entry, lambda experiment: self.runner_of(experiment).axes)
        self._runners: dict[str, Runner] = {}

    @property
    def title(self) -> str:
        """Its title, which the short name distinguishes from that of another text."""
        return title_with(self.entry.short or self.folder.id, self.entry.title)

    @cached_property
    def figures(self) -> dict[str, ExhibitEntry]:
        """What is drawn."""
        return {name: exhibit for name, exhibit in self.entry.drawn.items() if exhibit.is_figure}

    @cached_property
    def tables(self) -> dict[str, ExhibitEntry]:
        """What is tabulated."""
        return {name: exhibit for name, exhibit in self.entry.drawn.items() if not exhibit.is_figure}

    def runner_of(self, experiment: str) -> Runner:
        """Return the runner of an experiment; results that are given or made by a command have one that does nothing.

        Raises
        ------
        ConfigurationError
            There is no such runner.
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

    def job(self, experiment: str) -> dict[str, Any]:
        """Return an experiment as plain data: all that determines its numbers except seed, runs and files."""
        entry = self.entry.experiments[experiment]
        if entry.runner is None:
            return {
                "paper": self.folder.id,
                "experiment": experiment,
                "source": "given" if entry.results else "command",
                "from": entry.results or entry.command,
                "by": entry.by,
                "columns": entry.columns.model_dump(mode="json", exclude_unset=True),
            }
        runner = self.runner_of(experiment)
        return {
            "paper": self.folder.id,
            "experiment": experiment,
            "runner": runner.name,
            "strict_factor": entry.strict_factor,
            "setting": entry.setting,
            "strict": {axis: choice.strict for axis, choice in self.entry.axes.items() if axis in runner.axes},
            "axes": list(self.readings.axes_of(experiment)),
            "readings": self.readings.of(experiment),
        }

    def style(self, name: str) -> dict[str, Any]:
        """Return the style of a figure or table; what it does not label has the names of the paper and of readings."""
        style = self.entry.exhibits[name].style
        named = style.get("reading", STRICT)
        words = {
            reading: text
            for reading, text in self.readings.words_of(self.entry.experiment_of(name)).items()
            if reading in ([named] if isinstance(named, str) else named)
        }
        labels = {"labels": dict(self.entry.names) | words | style.get("labels", {})}
        return {**style, **labels, **({"prints": where} if (where := self._printed(name)) else {})}

    def _printed(self, name: str) -> str | None:
        """Return the condition on what the paper's own figure has, or that of which it is a part; None for all."""
        shown = self.entry.exhibits[name]
        whole = None if shown.experiment else self.entry.exhibits.get(shown.of or "")
        where = shown.where or (whole and whole.where) or None
        return where if name in self.figures else None

    def texts(self, name: str) -> dict[str, str | None]:
        """Return the texts above and beside a figure."""
        shown = self.entry.exhibits[name]
        return {"title": shown.title, "message": shown.message, "source": self.entry.short or self.folder.id}

    def published(self, name: str) -> tuple[str, ...]:
        """Return the files of printed numbers that stand beside ours in a figure or table."""
        exhibit = self.entry.exhibits[name]
        whole = self.entry.exhibits.get(exhibit.of or "")
        return exhibit.files or ((whole.evidence,) if whole and whole.evidence else ())

    def table(self, name: str) -> dict[str, Any]:
        """Return a table as plain data: what `claimaudit.report.table` needs to know of it.

        `exhibits` are those whose printed numbers it shows, by name: itself, and passages that are parts of it.
        """
        shown, files = self.entry.exhibits[name], self.published(name)
        judged = self._judged
        return {
            "experiment": self.entry.experiment_of(name),
            "title": shown.title,
            "caption": shown.caption,
            "style": self.style(name),
            "exhibits": {
                item: judged[item]
                for item in (name, *self.entry.parts_of(name))
                if item in judged and judged[item]["published"] in files
            },
        }

    def most_parts(self, experiment: str) -> int:
        """Return in how many parts an experiment can be computed: one for each of its points.

        It has one part only if its points depend on the reading and strict results, on more runs, serve other readings.
        """
        if self.entry.experiments[experiment].runner is None:
            return 1
        loaded = Experiment.load({**self.job(experiment), "seed": 0, "runs": 0}, {})
        points = [[*loaded.setting.points(reading.values)] for reading in loaded.readings]
        if loaded.strict_factor > 1 and any(some != points[0] for some in points):
            return 1
        return max(map(len, points))

    def modules(self, experiment: str) -> list[str]:
        """Return the modules whose code an experiment runs: its runner, and a user's own code."""
        return [self.runner_of(experiment).module, *self._own_code(experiment)]

    def own_modules(self) -> list[str]:
        """Return the files and modules of a user's own code that the settings name."""
        return [found for name in self.entry.experiments for found in self._own_code(name)]

    def _own_code(self, experiment: str) -> list[str]:
        own_code = self.runner_of(experiment).backend.own_code
        named = map(str, leaves(self.entry.experiments[experiment].setting))
        return list(dict.fromkeys(filter(None, map(own_code, named))))

    def resolved(self) -> dict[str, Any]:
        """Return the paper as plain data for reports.

        `figures` and `tables` are what is shown, `exhibits` those of the paper, and readings are in words.
        """
        content = self.entry.model_dump(mode="json", exclude_none=True, exclude={"exhibits", "shared"})
        for name, experiment in content["experiments"].items():
            runner = self.runner_of(name)
            axes, experiment["runner"] = runner.axes, self.entry.experiments[name].runner or ""
            experiment["code"] = self.folder.source(experiment["runner"] or runner.name)
            experiment["axes"] = {
                axis: {
                    "strict": axes[axis].phrase(self.entry.axes[axis].strict),
                    "others": {other: axes[axis].phrase(self.entry.axes[axis].others[other]) for other in others},
                    "why": self.entry.axes[axis].why,
                }
                for axis, others in self.readings.axes_of(name).items()
            }
            experiment["readings"] = self.readings.words_of(name)
            experiment["views"] = self.view_names(name)
        shared = [{"why": entry.why, **group} for entry, group in zip(self.entry.shared, self._shared, strict=True)]
        shown = {"figures": self.figures, "tables": self.tables}
        return {
            **content,
            **({"venue": DOI.sub("", self.entry.venue), "doi": self.entry.doi} if self.entry.doi else {}),
            "id": self.folder.id,
            "folder": self.folder.shown,
            **{kind: {name: self._shown(name) for name in items} for kind, items in shown.items()},
            "exhibits": self._judged,
            "shared": shared,
        }

    def _shown(self, name: str) -> dict[str, Any]:
        """Return a figure or a table with its experiment, its printed numbers and the exhibit that it shows, if any."""
        entry = self.entry.exhibits[name]
        return {
            **entry.model_dump(mode="json", include={"title", "caption", "style", "message"}, exclude_none=True),
            "experiment": self.entry.experiment_of(name),
            "published": list(self.published(name)),
            "shows": next((one for one in (name, entry.of) if one in self.entry.judged), None),
        }

    def evidence(self) -> dict[str, Any]:
        """Return what the audit needs to know of readings: exhibits, what they share, names, and broken conditions."""
        return {
            "exhibits": self._judged,
            "shared": self._shared,
            "inadmissible": {name: self.readings.inadmissible_of(name) for name in self.entry.experiments},
            "names": {
                "readings": {name: self.readings.departures_of(name) for name in self.entry.experiments},
                "phrases": self.readings.phrases(),
            },
            "called": self.entry.names,
            "unstated": {name: self.readings.unstated_of(name) for name in self.entry.experiments},
            "not_stated": [name for name, axis in self.entry.axes.items() if not axis.stated],
            "open": [name for name in self.entry.experiments if self.readings.is_open(name)],
        }

    @cached_property
    def _judged(self) -> dict[str, dict[str, Any]]:
        """The exhibits of the paper, for `evidence`."""
        return {
            name: {
                "experiment": exhibit.experiment,
                "published": exhibit.evidence,
                "rows": exhibit.where if exhibit.evidence and exhibit.where else None,
                "reading_error": exhibit.reading_error,
                "runs": exhibit.runs,
            }
            for name, exhibit in self.entry.judged.items()
        }

    @cached_property
    def _shared(self) -> list[dict[str, Any]]:
        """What exhibits share, for `evidence`."""
        return [
            {
                "axes": [axis for axis in group.axes if axis != RUNS],
                "exhibits": list(group.exhibits or self.entry.judged),
                "runs": RUNS in group.axes,
            }
            for group in self.entry.shared
        ]

    def context(self) -> dict[str, Any]:
        """Return what claims take from the paper, for `claimaudit.audit.claims.files.Context`."""
        lacking = {text: lack(entry.because, entry.data, entry.note) for text, entry in self.entry.lacking.items()}
        return {"subjects": self._subjects(), "lacking": lacking}

    def _subjects(self) -> dict[str, dict[str, Any]]:
        """Return what claims may be of, by name: exhibits, and experiments that have none of their name.

        Each with its ``experiment``; the ``figure`` that shows it, if any; the exhibits of the paper whose settings
        bear on it (``exhibits``); and its file of printed numbers with their ``reading_error``, if any.
        """
        found = {}
        for name, exhibit in self.entry.exhibits.items():
            judged = [one for one in (name, exhibit.of) if one in self.entry.judged]
            found[name] = {
                "experiment": self.entry.experiment_of(name),
                "figure": name if exhibit.title else "",
                "exhibits": judged[:1],
                "published": next(iter(self.published(name)), ""),
                "reading_error": exhibit.reading_error,
            }
        plain = {"figure": "", "exhibits": [], "published": "", "reading_error": 0.0}
        others = {name: {"experiment": name, **plain} for name in self.entry.experiments if name not in found}
        return found | others

    def predicted(self) -> dict[str, Any]:
        """Return what predictions need to know beyond `evidence`, by exhibit that shows results.

        ``drawn`` and ``where``, conditions on the rows of its experiment: what our figure or table shows, and what else
        limits them (both None for all rows); ``runs``, the paper's number of runs (None if there is none).
        """
        return {
            name: {
                "drawn": self._drawn(name),
                "where": entry.where,
                "runs": entry.runs or self.entry.experiments[str(entry.experiment)].runs,
            }
            for name, entry in self.entry.judged.items()
            if entry.where is not False
        }

    def _drawn(self, exhibit: str) -> str | None:
        """Return the condition on the rows that the figure or table of an exhibit, or its panels, show."""
        experiment = self.entry.experiment_of(exhibit)
        panels = [
            _condition(shown)
            for name, shown in self.entry.drawn.items()
            if exhibit in (name, shown.of) and self.entry.experiment_of(name) == experiment
        ]
        return " or ".join(f"({panel})" for panel in panels) if panels and all(panels) else None

    def search(self, exhibit: str) -> dict[str, Any]:
        """Return what a search for the readings of an exhibit needs, but seed and runs.

        `job` is its experiment, `values` are those of each axis to try, the strict one first. `exhibits` and `shared`
        tell the number of runs behind its printed numbers.
        """
        entry = self.entry.judged[exhibit]
        by_runs = [group for group in self._shared if group["runs"]]
        names = {exhibit}
        for group in by_runs:
            if exhibit in group["exhibits"]:
                names |= {name for name in group["exhibits"] if self.entry.exhibits[name].evidence}
        return {
            "exhibit": exhibit,
            "job": self.job(str(entry.experiment)),
            "values": {
                axis: [self.entry.axes[axis].strict, *(self.entry.axes[axis].others[name] for name in others)]
                for axis, others in self.readings.named(entry.search).items()
            },
            "exhibits": {name: shown for name, shown in self._judged.items() if name in names},
            "shared": by_runs,
        }

    def searches(self) -> list[str]:
        """Return the names of the exhibits whose readings are searched."""
        return [name for name, exhibit in self.entry.exhibits.items() if exhibit.search]

    def view_names(self, experiment: str) -> list[str]:
        """Return the names of the views that an experiment reads."""
        return parse(self.entry.experiments[experiment].setting, self.runner_of(experiment).setting).view_names()


def _condition(shown: ExhibitEntry) -> str:
    """Return the condition on the rows of a result table that a figure or table shows; empty for all."""
    style = shown.style
    metrics = style.get("y", [])
    metrics = [metrics] if isinstance(metrics, str) else list(metrics)
    if shown.plot in ("scatter", "cloud"):
        metrics = [style["x"], *metrics]
    parts = {
        f"metric in {metrics}": metrics,
        f"mechanism in {list(style.get('mechanisms', []))}": style.get("mechanisms"),
        f"({style.get('where')})": style.get("where"),
    }
    return " and ".join(part for part, given in parts.items() if given)
