"""Settings that the exhibits of a paper share, and how their printed numbers fit them.

A *setting* is a value for every axis that the exhibits of a pool share, or for all axes of an exhibit that is alone.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import pandas as pd

from claimaudit.audit.fitting.exhibits import ExhibitFit
from claimaudit.papers.jobs import Outline
from claimaudit.results import STRICT
from claimaudit.verdicts import Pool, PoolSetting

Values = Mapping[str, Any]

CLOSE = 3.0
"""Settings whose log-likelihoods differ by no more are about as likely."""


@dataclass(frozen=True)
class Variables:
    """Names for the values of axes in exhibits: one for all exhibits that share a value, directly or not.

    `readings` are the values of the readings of each exhibit's experiment, `fits` how they fit the printed numbers, by
    exhibit that has some.
    """

    outline: Outline
    readings: Mapping[str, Mapping[str, Values]]
    fits: Mapping[str, ExhibitFit]

    @cached_property
    def names(self) -> dict[tuple[str, str], str]:
        """The name of each value, by exhibit and axis."""
        own = {
            (exhibit, axis): f"{axis} of {exhibit}"
            for exhibit, known in self.readings.items()
            for axis in known[STRICT]
        }
        return own | self.common

    @cached_property
    def common(self) -> dict[tuple[str, str], str]:
        """The names of values that exhibits share by the text."""
        found: dict[tuple[str, str], str] = {}
        for group in self.outline.shared:
            for axis in group.axes:
                known = [found[name, axis] for name in group.exhibits if (name, axis) in found]
                name = known[0] if known else f"{axis} of {group.exhibits[0]}"
                for key, value in found.items():
                    if value in known:
                        found[key] = name
                found |= {(exhibit, axis): name for exhibit in group.exhibits}
        return found

    @cached_property
    def strict(self) -> dict[str, str]:
        """The strict values, by name."""
        return {
            name: str(self.readings[exhibit][STRICT][axis])
            for (exhibit, axis), name in self.names.items()
            if axis in self.readings.get(exhibit, {}).get(STRICT, {})
        }

    @cached_property
    def axes_of(self) -> dict[str, tuple[str, ...]]:
        """The axes that the experiment of each exhibit varies and on which its printed numbers, if any, depend."""
        return {
            exhibit: tuple(
                axis
                for axis in readings[STRICT]
                if exhibit not in self.fits or depends(self.fits[exhibit], readings, axis)
            )
            for exhibit, readings in self.readings.items()
        }

    def shared_axes(self, exhibit: str) -> tuple[str, ...]:
        """Return those of `axes_of` whose values others share by the text."""
        return tuple(axis for axis in self.axes_of[exhibit] if (exhibit, axis) in self.common)

    def axes_between(self, exhibit: str, other: str) -> set[str]:
        """Return the axes that two exhibits share by the text."""
        return {axis for group in self.outline.shared if {exhibit, other} <= {*group.exhibits} for axis in group.axes}

    def departures(self, setting: pd.Series) -> tuple[str, ...]:
        """Return the names of the values of a setting that are not the strict ones."""
        strict = self.strict
        return tuple(str(name) for name, value in setting.items() if name in strict and str(value) != strict[str(name)])


@dataclass(frozen=True)
class SharedSetting:
    """A value for every axis that the exhibits of a pool share.

    The `values` are in words, by the names of `Variables`, `departures` the names of those that are not the strict
    ones, and `readings`, by exhibit, those that fit best. The `likelihood` is its logarithm, less that of the likeliest
    setting, and the error of this difference.
    """

    values: Values
    departures: tuple[str, ...]
    readings: Mapping[str, str]
    likelihood: tuple[float, float]
    record: PoolSetting


@dataclass(frozen=True)
class FittedPool:
    """Exhibits that share axes by the text, and whose printed numbers fit one setting.

    `settings` are those that competed: first the standing ones, with the text before all others,
    then those that are about as likely as the likeliest in order of departures. The record leaves open who infers from
    it. Each departure must earn the `price`.
    """

    settings: tuple[SharedSetting, ...]
    record: Pool
    price: float

    @property
    def standing(self) -> tuple[SharedSetting, ...]:
        """The settings that stand; the first is the one to name."""
        return tuple(setting for setting in self.settings if setting.record.stands)


def axis_of(name: str) -> str:
    """Return the axis of which a name is a value; a name that is of no exhibit is that of an axis itself."""
    return name.rpartition(" of ")[0] or name


def depends(fit: ExhibitFit, readings: Mapping[str, Values], axis: str) -> bool:
    """Return whether the printed numbers of an exhibit depend on an axis, as far as its readings tell.

    They do not if each reading that departs from the strict value agrees, number by number, with the one that differs
    from it in this axis alone.
    """
    strict = readings[STRICT][axis]
    place = {key_of(values): name for name, values in readings.items()}
    same = fit.equal
    for name, values in readings.items():
        if str(values[axis]) == str(strict):
            continue
        other = place.get(key_of({**values, axis: strict}))
        if other is None or same[other] != same[name]:
            return True
    return False


def key_of(values: Values) -> tuple[tuple[str, str], ...]:
    """Return the values of axes as text, which tells readings apart."""
    return tuple(sorted((axis, str(value)) for axis, value in values.items()))
