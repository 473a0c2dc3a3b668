"""The readings of a paper: the values of axes that its experiments try beside those of the text."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import cached_property

from claimaudit.configuration import Value
from claimaudit.experiments.axes import Axis
from claimaudit.papers.entries import UNSTATED, PaperEntry
from claimaudit.results import STRICT
from claimaudit.verdicts import Choice, Departures
from claimaudit.words.names import TEXT

Values = dict[str, Value]


@dataclass(frozen=True)
class Readings:
    """The readings of each experiment of a paper, whose runner has `declared` axes."""

    entry: PaperEntry
    declared: Callable[[str], Mapping[str, Axis]]

    @cached_property
    def changes(self) -> dict[str, Values]:
        """The changes of each reading by name: the other values of every axis, and the readings of several axes."""
        single = {
            name: {axis: value} for axis, entry in self.entry.axes.items() for name, value in entry.others.items()
        }
        return single | {name: dict(values) for name, values in self.entry.readings.items()}

    def axes_of(self, experiment: str) -> dict[str, tuple[str, ...]]:
        """Return the axes that an experiment varies, each with the names of its other values, all or those listed."""
        listed: dict[str, tuple[str, ...]] = {}
        for item in self.entry.experiments[experiment].axes:
            named = {item: tuple(self.entry.axes[item].others)} if isinstance(item, str) else item
            listed |= {axis: tuple(value for value in values if value != UNSTATED) for axis, values in named.items()}
        return listed

    def of(self, experiment: str) -> dict[str, Values]:
        """Return the changes of each reading of an experiment but the strict one, on the axes that it varies."""
        axes = self.axes_of(experiment)
        names = [*(name for others in axes.values() for name in others), *self.entry.experiments[experiment].readings]
        return {name: {axis: value for axis, value in self.changes[name].items() if axis in axes} for name in names}

    def words_of(self, experiment: str) -> dict[str, str]:
        """Return each reading of an experiment in words."""
        axes = self.declared(experiment)
        words = {STRICT: TEXT}
        for name, changed in self.of(experiment).items():
            words[name] = ", ".join(axes[axis].phrase(value) for axis, value in changed.items())
        return words

    def departures_of(self, experiment: str) -> dict[str, Departures]:
        """Return each reading's departures as axes and values; for the strict one, numbers that the text omits."""
        known = self.declared(experiment)
        choices = {axis: self.entry.axes[axis] for axis in self.axes_of(experiment)}
        ours = {
            axis: choice.strict
            for axis, choice in choices.items()
            if not choice.stated and known[axis].number is not None
        }
        return {
            name: Departures(tuple(Choice(axis, str(value)) for axis, value in changed.items()))
            for name, changed in ({STRICT: ours} | self.of(experiment)).items()
        }

    def phrases(self) -> dict[str, dict[str, str]]:
        """Return the values of each axis in words, by axis and value as text."""
        values: dict[str, list[Value]] = {
            axis: [entry.strict, *entry.others.values()] for axis, entry in self.entry.axes.items()
        }
        for reading in self.entry.readings.values():
            for axis, value in reading.items():
                values[axis].append(value)
        known = {
            axis: choice for experiment in self.entry.experiments for axis, choice in self.declared(experiment).items()
        }
        return {axis: {str(value): known[axis].phrase(value) for value in found} for axis, found in values.items()}

    def unstated_of(self, experiment: str) -> list[str]:
        """Return the readings of an experiment that differ from the strict one only in what the text does not state."""
        axes, listed = self.entry.axes, self.entry.experiments[experiment].axes
        open_here = [axis for item in listed if isinstance(item, dict) for axis in item if UNSTATED in item[axis]]
        stated = {axis for axis, entry in axes.items() if entry.stated and axis not in open_here}
        return [
            name
            for name, changed in self.of(experiment).items()
            if not any(axis in stated for axis, value in changed.items() if value != axes[axis].strict)
        ]

    def is_open(self, experiment: str) -> bool:
        """Return whether an experiment rests on a choice that the text does not state, varied or not."""
        axes = self.declared(experiment)
        return any(name in axes and not axis.stated for name, axis in self.entry.axes.items())

    def inadmissible_of(self, experiment: str) -> dict[str, str]:
        """Return the readings of an experiment that break a condition of the paper, each with the reason."""
        broken = {
            (axis, entry.others[name]): why
            for axis, entry in self.entry.axes.items()
            for name, why in entry.inadmissible.items()
        }
        found = {}
        for name, changed in self.of(experiment).items():
            reasons = [broken[item] for item in changed.items() if item in broken]
            if reasons:
                found[name] = " ".join(reasons)
        return found
