"""The names that the result table of an experiment can contain, from configuration and code alone."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache, cached_property
from pathlib import Path
from typing import Any

from claimaudit.configuration import parse
from claimaudit.experiments.engine import Experiment
from claimaudit.experiments.given import GivenSetting, convert
from claimaudit.experiments.memo import Log, Reads
from claimaudit.experiments.setting import Point
from claimaudit.papers.paper import Paper
from claimaudit.results import COLUMNS, axes_of


@dataclass(frozen=True)
class TableNames:
    """What a result table can contain.

    Attributes
    ----------
    settings
        Names of its setting columns.
    columns
        Names of all its columns.
    values
        Texts by column, of ``mechanism``, ``metric``, ``reading`` and the columns that configuration fills with text.
    points
        The settings of its rows that configuration states.
    stated
        Names of the settings that all points have and that the runner leaves as they are.
    simulated
        Whether its numbers are known to have errors, so that printed ones must have a number of runs.
    """

    settings: frozenset[str]
    columns: frozenset[str]
    values: Mapping[str, frozenset[str]]
    points: Sequence[Point]
    stated: frozenset[str]
    simulated: bool = False

    @classmethod
    def of(cls, paper: Paper, name: str) -> TableNames:
        """Return what the result table of an experiment of a paper can contain, which has a runner."""
        experiment = Experiment.load(paper.computed(name), {})
        found, points = experiment.runner.declared(experiment.setting), [*_points(experiment)]
        settings = dict.fromkeys(column for point in points for column in point if column not in experiment.axes)
        values: dict[str, set[Any]] = {
            column: {point.get(column) for point in points} for column in settings if column not in found.columns
        }
        values |= {axis: {reading.values[axis] for reading in experiment.readings} for axis in experiment.axes}
        values["reading"] = {reading.name for reading in experiment.readings}
        own = frozenset(settings) | found.columns
        return cls(
            own,
            own | {*experiment.axes, *COLUMNS},
            {column: frozenset(texts) for column, texts in values.items() if _are_texts(texts)}
            | {"mechanism": found.mechanisms, "metric": found.metrics},
            points,
            frozenset(name for name in settings if all(name in point for point in points)) - found.columns,
        )

    @classmethod
    def given(cls, paper: Paper, name: str, path: Path) -> TableNames:
        """Return what a file with the results of an experiment contains.

        Raises
        ------
        ConfigurationError
            The file is not as the paper's file says; a line for each fault.
        """
        entry = paper.entry.experiments[name]
        table = convert(path, parse(entry.setting, GivenSetting).columns, name)
        own, _ = axes_of(table)
        places = table[own].drop_duplicates()
        texts = [column for column in (*own, "reading", "mechanism", "metric") if _are_texts(set(table[column]))]
        return cls(
            frozenset(own),
            frozenset(table.columns),
            {column: frozenset(table[column]) for column in texts},
            [{str(column): value for column, value in row.items()} for row in places.to_dict("records")],
            frozenset(own),
            bool((table["se"] > 0).any()),
        )

    def has_variable(self, name: str) -> bool:
        """Return whether expressions may have a variable, ``{metric}_{mechanism}`` or a setting."""
        return name in self.settings or any(a in self.metrics and b in self.mechanisms for a, b in _splits(name))

    def variables_like(self, name: str) -> list[str]:
        """Return the settings, and the variables with the metric or the mechanism of a mistaken one."""
        found = [*self.settings]
        for metric, mechanism in _splits(name):
            if metric in self.metrics:
                found += (f"{metric}_{other}" for other in self.mechanisms)
            if mechanism in self.mechanisms:
                found += (f"{other}_{mechanism}" for other in self.metrics)
        return found

    @cached_property
    def metrics(self) -> frozenset[str]:
        return frozenset(map(_in_variable, self.values["metric"]))

    @cached_property
    def mechanisms(self) -> frozenset[str]:
        return frozenset(_in_variable(name).rstrip("_") for name in self.values["mechanism"])


def _splits(name: str) -> Iterator[tuple[str, str]]:
    """Yield all ways to split a variable into metric and mechanism."""
    return ((name[: found.start()], name[found.end() :]) for found in re.finditer("_", name))


@cache
def _in_variable(name: str) -> str:
    """Return a name as `claimaudit.audit.quantities.variable` has it but for underscores at its end."""
    return re.sub(r"[^a-z0-9]", "_", name.lower())


def _points(experiment: Experiment) -> Iterator[Point]:
    """Yield the points of the strict reading, and those of the others if they depend on the reading."""
    log: Log = {}
    for reading in experiment.readings:
        if reading is experiment.readings[0] or log:
            yield from experiment.setting.points(Reads("choice", reading.values, log))


def _are_texts(values: set[object]) -> bool:
    return all(isinstance(value, str) for value in values)
