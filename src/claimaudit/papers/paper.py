"""A paper: its experiments, readings, figures and tables as configured."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from functools import cached_property
from typing import Any

from claimaudit.configuration import leaves, parse
from claimaudit.experiments import given
from claimaudit.experiments.engine import Experiment
from claimaudit.experiments.runner import Runner
from claimaudit.papers.entries import PaperEntry, ShownEntry, Value
from claimaudit.papers.folder import Folder
from claimaudit.results import STRICT
from claimaudit.words.readings import TEXT

Values = dict[str, Value]
EVIDENCE = {"experiment", "published", "rows", "reading_error", "runs"}


class Paper:
    """A paper, checked if `claimaudit.papers.checks.load` read it.

    Parameters
    ----------
    entry : PaperEntry
        Its file.
    folder : Folder
        Where its files are.
    """

    def __init__(self, entry: PaperEntry, folder: Folder) -> None:
        self.entry, self.folder = entry, folder

    def runner_of(self, experiment: str) -> Runner:
        """Return the runner of an experiment; results that are given or made by a command have one that does nothing.

        Raises
        ------
        ConfigurationError
            There is no such runner.
        """
        name = self.entry.experiments[experiment].runner
        return given.results if name is None else Runner.load(self.folder.runner(name))

    def files_of(self, experiment: str) -> tuple[str, ...]:
        """Return the files of an experiment in the folder: the results that are given, or what its command reads."""
        entry = self.entry.experiments[experiment]
        return entry.inputs if entry.results is None else (entry.results,)

    @cached_property
    def readings(self) -> dict[str, Values]:
        """The changes of each reading by name: the other values of every axis, and the readings of several axes."""
        single = {
            name: {axis: value} for axis, entry in self.entry.axes.items() for name, value in entry.others.items()
        }
        return single | {name: dict(reading.values) for name, reading in self.entry.readings.items()}

    def axes_of(self, experiment: str) -> dict[str, tuple[str, ...]]:
        """Return the axes that an experiment varies, each with the names of its other readings."""
        return self._named(self.entry.experiments[experiment].axes)

    def _named(self, items: Iterable[str | Mapping[str, tuple[str, ...]]]) -> dict[str, tuple[str, ...]]:
        """Return listed axes, each with the names of its other values: all unless some are listed."""
        listed: dict[str, tuple[str, ...]] = {}
        for item in items:
            listed |= {item: tuple(self.entry.axes[item].others)} if isinstance(item, str) else item
        return listed

    def readings_of(self, experiment: str) -> dict[str, Values]:
        """Return the changes of each reading of an experiment but the strict one, on the axes that it varies."""
        axes = self.axes_of(experiment)
        names = [*(name for others in axes.values() for name in others), *self.entry.experiments[experiment].readings]
        return {name: {axis: value for axis, value in self.readings[name].items() if axis in axes} for name in names}

    def words_of(self, experiment: str) -> dict[str, str]:
        """Return each reading of an experiment in words."""
        axes = self.runner_of(experiment).axes
        words = {STRICT: TEXT}
        for name, changed in self.readings_of(experiment).items():
            entry = self.entry.readings.get(name)
            phrases = ", ".join(axes[axis].phrase(value) for axis, value in changed.items())
            words[name] = entry.words if entry and entry.words else phrases
        return words

    def departures_of(self, experiment: str) -> dict[str, Any]:
        """Return what each reading departs in: axes with their values as text, and its own name in words, if any.

        Of the strict one, the numbers that the text does not state.
        """
        known = self.runner_of(experiment).axes
        choices = {axis: self.entry.axes[axis] for axis in self.axes_of(experiment)}
        ours = {
            axis: choice.strict
            for axis, choice in choices.items()
            if not choice.stated and known[axis].number is not None
        }
        titles = {name: entry.words or "" for name, entry in self.entry.readings.items()}
        return {
            name: {
                "choices": [{"axis": axis, "value": str(value)} for axis, value in changed.items()],
                "title": titles.get(name, ""),
            }
            for name, changed in ({STRICT: ours} | self.readings_of(experiment)).items()
        }

    def job(self, experiment: str) -> dict[str, Any]:
        """Return an experiment as plain data: all that determines its numbers except seed, runs and files."""
        entry = self.entry.experiments[experiment]
        if entry.runner is None:
            return {
                "paper": self.entry.id,
                "experiment": experiment,
                "source": "given" if entry.results else "command",
                "from": entry.results or entry.command,
                "by": entry.by,
                "columns": entry.columns.model_dump(mode="json", exclude_unset=True),
                "exact": entry.exact,
            }
        runner = self.runner_of(experiment)
        return {
            "paper": self.entry.id,
            "experiment": experiment,
            "runner": runner.name,
            "strict_factor": entry.strict_factor,
            "setting": entry.setting,
            "strict": {axis: choice.strict for axis, choice in self.entry.axes.items() if axis in runner.axes},
            "axes": list(self.axes_of(experiment)),
            "readings": self.readings_of(experiment),
        }

    def style(self, kind: str, name: str) -> dict[str, Any]:
        """Return the style of one of the `figures` or `tables`, with the words of readings that it does not rename."""
        shown = getattr(self.entry, kind)[name]
        named = shown.style.get("reading", STRICT)
        words = {
            reading: text
            for reading, text in self.words_of(shown.experiment).items()
            if reading in ([named] if isinstance(named, str) else named)
        }
        return {**shown.style, "rename": words | shown.style.get("rename", {})}

    def table(self, name: str) -> dict[str, Any]:
        """Return a table as plain data: what `claimaudit.report.table` needs to know of it.

        `exhibits` are those of its exhibits whose printed numbers it shows, by name.
        """
        shown = self.entry.tables[name]
        exhibits = {
            item: self.entry.exhibits[item] for item in shown.exhibits or (name,) if item in self.entry.exhibits
        }
        return {
            **shown.model_dump(mode="json", include={"experiment", "title", "caption"}),
            "style": self.style("tables", name),
            "exhibits": {
                item: exhibit.model_dump(mode="json", include=EVIDENCE)
                for item, exhibit in exhibits.items()
                if exhibit.published in shown.published
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
        """Return the paper as plain data, with the readings of each experiment in words, for reports."""
        content = self.entry.model_dump(mode="json", exclude_none=True) | {"folder": self.folder.shown}
        for name, experiment in content["experiments"].items():
            runner = self.runner_of(name)
            axes, experiment["code"] = runner.axes, self.folder.source(experiment.get("runner") or runner.name)
            experiment["axes"] = {
                axis: {
                    "strict": axes[axis].phrase(self.entry.axes[axis].strict),
                    "others": {other: axes[axis].phrase(self.entry.axes[axis].others[other]) for other in others},
                    "why": self.entry.axes[axis].why,
                }
                for axis, others in self.axes_of(name).items()
            }
            experiment["readings"] = self.words_of(name)
        return content

    def evidence(self) -> dict[str, Any]:
        """Return what the audit needs to know of readings: exhibits, what they share, names, and broken conditions."""
        content = self.entry.model_dump(mode="json", include={"exhibits": {"__all__": EVIDENCE}, "shared": True})
        everything = tuple(self.entry.exhibits)
        return {
            "exhibits": content["exhibits"],
            "shared": [{**group, "exhibits": group["exhibits"] or everything} for group in content["shared"]],
            "inadmissible": {name: self.inadmissible_of(name) for name in self.entry.experiments},
            "names": {
                "readings": {name: self.departures_of(name) for name in self.entry.experiments},
                "phrases": self._phrases(),
            },
            "unstated": {name: self.unstated_of(name) for name in self.entry.experiments},
            "not_stated": [name for name, axis in self.entry.axes.items() if not axis.stated],
            "open": [name for name in self.entry.experiments if self.is_open(name)],
        }

    def _phrases(self) -> dict[str, dict[str, str]]:
        """Return the values of each axis in words, by axis and value as text."""
        values: dict[str, list[Value]] = {
            axis: [entry.strict, *entry.others.values()] for axis, entry in self.entry.axes.items()
        }
        for reading in self.entry.readings.values():
            for axis, value in reading.values.items():
                values[axis].append(value)
        known = {
            axis: choice
            for experiment in self.entry.experiments
            for axis, choice in self.runner_of(experiment).axes.items()
        }
        return {axis: {str(value): known[axis].phrase(value) for value in found} for axis, found in values.items()}

    def predicted(self) -> dict[str, Any]:
        """Return what predictions need to know beyond `evidence`, by exhibit that shows results.

        ``drawn`` and ``where``, conditions on the rows of its experiment: what our figure or table shows, and what else
        limits them (both None for all rows); ``runs``, the paper's number of runs (None if there is none).
        """
        return {
            name: {
                "drawn": self._drawn(name),
                "where": entry.shows,
                "runs": entry.runs or self.entry.experiments[entry.experiment].runs,
            }
            for name, entry in self.entry.exhibits.items()
            if entry.shows is not False
        }

    def _drawn(self, exhibit: str) -> str | None:
        """Return the condition on the rows that the figure or table of an exhibit, or its panels (``fig6a``), show."""
        experiment = self.entry.exhibits[exhibit].experiment
        panels = [
            _condition(shown)
            for kind in ("figures", "tables")
            for name, shown in getattr(self.entry, kind).items()
            if re.fullmatch(f"{exhibit}[a-z]?", name) and shown.experiment == experiment
        ]
        return " or ".join(f"({panel})" for panel in panels) if panels and all(panels) else None

    def search(self, exhibit: str) -> dict[str, Any]:
        """Return what a search for the readings of an exhibit needs, but seed and runs.

        `job` is its experiment, `values` are those of each axis to try, the strict one first. `exhibits` and `shared`
        tell the number of runs behind its printed numbers.
        """
        entry, everything = self.entry.exhibits[exhibit], self.evidence()
        names = {exhibit}
        for group in everything["shared"]:
            if group["runs"] and exhibit in group["exhibits"]:
                names |= {name for name in group["exhibits"] if self.entry.exhibits[name].published}
        return {
            "exhibit": exhibit,
            "job": self.job(entry.experiment),
            "values": {
                axis: [self.entry.axes[axis].strict, *(self.entry.axes[axis].others[name] for name in others)]
                for axis, others in self._named(entry.search).items()
            },
            "exhibits": {name: shown for name, shown in everything["exhibits"].items() if name in names},
            "shared": [group for group in everything["shared"] if group["runs"]],
        }

    def searches(self) -> list[str]:
        """Return the names of the exhibits whose readings are searched."""
        return [name for name, exhibit in self.entry.exhibits.items() if exhibit.search]

    def unstated_of(self, experiment: str) -> list[str]:
        """Return the readings of an experiment that differ from the strict one only in what the text does not state."""
        axes, open_here = self.entry.axes, self.entry.experiments[experiment].unstated
        stated = {axis for axis, entry in axes.items() if entry.stated and axis not in open_here}
        return [
            name
            for name, changed in self.readings_of(experiment).items()
            if not any(axis in stated for axis, value in changed.items() if value != axes[axis].strict)
        ]

    def is_open(self, experiment: str) -> bool:
        """Return whether an experiment rests on a choice that the text does not state, varied or not."""
        axes = self.runner_of(experiment).axes
        return any(name in axes and not axis.stated for name, axis in self.entry.axes.items())

    def inadmissible_of(self, experiment: str) -> dict[str, str]:
        """Return the readings of an experiment that break a condition of the paper, each with the reason."""
        broken = {
            (axis, entry.others[name]): why
            for axis, entry in self.entry.axes.items()
            for name, why in entry.inadmissible.items()
        }
        found = {}
        for name, changed in self.readings_of(experiment).items():
            reasons = [broken[item] for item in changed.items() if item in broken]
            if reasons:
                found[name] = " ".join(reasons)
        return found

    def view_names(self, experiment: str) -> list[str]:
        """Return the names of the views that an experiment reads."""
        return parse(self.entry.experiments[experiment].setting, self.runner_of(experiment).setting).view_names()


def _condition(shown: ShownEntry) -> str:
    """Return the condition on the rows of a result table that a figure or table shows; empty for all."""
    style = shown.style
    metrics = style.get("y", [])
    metrics = [metrics] if isinstance(metrics, str) else list(metrics)
    if getattr(shown, "plot", "") in ("scatter", "cloud"):
        metrics = [style["x"], *metrics]
    parts = {
        f"metric in {metrics}": metrics,
        f"mechanism in {list(style.get('mechanisms', []))}": style.get("mechanisms"),
        f"({style.get('where')})": style.get("where"),
    }
    return " and ".join(part for part, given in parts.items() if given)
