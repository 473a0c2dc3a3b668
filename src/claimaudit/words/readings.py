"""Readings in words, and what says that one was run."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from claimaudit.results import STRICT
from claimaudit.verdicts import Names, Source
from claimaudit.words.numbers import plural

TEXT = "the text as it stands"

SOURCES: dict[Source, str] = {
    "own": "its own printed numbers",
    "inferred": "inferred from exhibits that share its settings",
    "rejected": "no reading tried fits its printed numbers",
    "inadmissible": "the printed numbers fit only what breaks a condition of the paper",
    "none": "nothing printed says what was run",
}
"""Where the answer as run comes from."""


def reading(names: Names, experiment: str, name: str) -> str:
    """Return a reading in words: the text, with what it leaves us to choose, or the departures from it."""
    known = names.readings.get(experiment, {}).get(name)
    phrases = [choice(names, each.axis, each.value) for each in known.choices] if known else []
    if name == STRICT:
        return " and ".join([TEXT, *phrases])
    return (known and known.title) or ", ".join(phrases) or name


def taken(names: Names, experiment: str, instead: Sequence[str]) -> str:
    """Return in words what we took where the text states nothing, as far as other readings have something instead."""
    known = names.readings.get(experiment, {})
    axes = {each.axis for name in instead if name in known for each in known[name].choices}
    ours = known[STRICT].choices if STRICT in known else ()
    phrases = [choice(names, each.axis, each.value) for each in ours if each.axis in axes or not axes]
    return ", ".join(phrases) or "the values that we took"


def choice(names: Names, axis: str, value: str) -> str:
    """Return the value of an axis in words."""
    return names.phrases.get(axis, {}).get(value, f"{axis} = {value}")


def alternatives(names: Names, experiment: str, readings: Sequence[str], most: int) -> list[str]:
    """Return the first readings in words and, if there are more, their number."""
    found = [reading(names, experiment, name) for name in readings[:most]]
    return found + ([plural(len(readings) - most, "more reading")] if len(readings) > most else [])


def value(names: Names, called: Mapping[str, str], experiment: str, column: str, text: str) -> str:
    """Return in words what a result table has in a column: a reading, a value of an axis, or another name."""
    if column == "reading":
        return reading(names, experiment, text)
    return names.phrases.get(column, {}).get(text) or called.get(text, text)
