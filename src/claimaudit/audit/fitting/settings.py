"""Settings that the exhibits of a paper share, and how their printed numbers fit them.

A *setting* is a value for every axis that the exhibits of a pool share, or for all axes of an exhibit that is alone.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
import pandas as pd

from claimaudit.audit.fitting.exhibits import ExhibitFit
from claimaudit.audit.fitting.likelihood import p_values
from claimaudit.papers.jobs import Evidence
from claimaudit.verdicts import Choice, Pool, PoolSetting

Values = Mapping[str, Any]

CLOSE = 3.0
"""Settings whose log-likelihoods differ by no more are about as likely."""


@dataclass(frozen=True)
class Variables:
    """Names for the values of axes in exhibits: one for all exhibits that share a value, directly or not.

    Attributes
    ----------
    evidence
        What the paper says of its exhibits, with the groups of those that share settings.
    readings
        By exhibit, the values of the readings of its experiment.
    """

    evidence: Evidence
    readings: Mapping[str, Mapping[str, Values]]

    @cached_property
    def names(self) -> dict[tuple[str, str], str]:
        """The name of each value, by exhibit and axis."""
        own = {(exhibit, axis): f"{axis} of {exhibit}" for exhibit in self.readings for axis in self.varied(exhibit)}
        return own | self.common

    @cached_property
    def axes(self) -> dict[str, str]:
        """The axis of which each name is a value."""
        return {name: axis for (_, axis), name in self.names.items()}

    @cached_property
    def common(self) -> dict[tuple[str, str], str]:
        """The names of values that exhibits share by the text."""
        found: dict[tuple[str, str], str] = {}
        for group in self.evidence.shared:
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
        found = {}
        for (exhibit, axis), name in self.names.items():
            first = next(iter(self.readings.get(exhibit, {}).values()), {})
            if axis in first:
                found[name] = str(first[axis])
        return found

    def varied(self, exhibit: str) -> tuple[str, ...]:
        """Return the axes that the experiment of an exhibit varies."""
        return tuple(next(iter(self.readings[exhibit].values()), {}))

    def axes_between(self, exhibit: str, other: str) -> set[str]:
        """Return the axes that two exhibits share by the text."""
        return {axis for group in self.evidence.shared if {exhibit, other} <= {*group.exhibits} for axis in group.axes}

    def departures(self, setting: pd.Series) -> tuple[str, ...]:
        """Return the names of the values of a setting that are not the strict ones."""
        strict = self.strict
        return tuple(str(name) for name, value in setting.items() if name in strict and str(value) != strict[str(name)])

    def choices(self, names: Iterable[str], values: Values) -> tuple[Choice, ...]:
        """Return some of the values of a setting as choices of axes."""
        return tuple(Choice(self.axes[name], values[name]) for name in names)


@dataclass(frozen=True)
class SharedSetting:
    """A value for every axis that the exhibits of a pool share.

    Attributes
    ----------
    values
        The values, in words, by the names of `Variables`.
    departures
        Names of those that are not the strict ones.
    readings
        By exhibit, its reading that fits best.
    record
        How the printed numbers fit it.
    """

    values: Values
    departures: tuple[str, ...]
    readings: Mapping[str, str]
    record: PoolSetting

    @property
    def likelihood(self) -> tuple[float, float]:
        """Its log-likelihood, less that of the likeliest setting, and the error of this difference."""
        fit = self.record.fit
        assert fit.log_likelihood is not None
        assert fit.error is not None
        return fit.log_likelihood, fit.error


@dataclass(frozen=True)
class FittedPool:
    """Exhibits that share axes by the text, and whose printed numbers fit one setting.

    Attributes
    ----------
    axes
        Names of the values on which their numbers depend, see `Variables`: those that they share, or all if there
        is one exhibit.
    settings
        Those that competed: first the standing ones, with the text before all others, then those that are about as
        likely as the likeliest in order of departures.
    record
        What is found; who infers from it is left open.
    """

    axes: tuple[str, ...]
    settings: tuple[SharedSetting, ...]
    record: Pool

    @property
    def standing(self) -> tuple[SharedSetting, ...]:
        """The settings that stand; the first is the one to name."""
        return tuple(setting for setting in self.settings if setting.record.stands)


class ScoreSums:
    """What the printed numbers of one exhibit say of each of its readings, as sums that add up over exhibits.

    Parameters
    ----------
    fit
        How its readings fit.
    """

    def __init__(self, fit: ExhibitFit) -> None:
        self.fit = fit
        cells = fit.decisive
        self.metrics = tuple(dict.fromkeys(cells["metric"]))
        uncertain = cells["se"].to_numpy() != 0
        wrong = cells[~uncertain & (cells["z"].to_numpy() != 0)]
        self.wrong = set(map(str, wrong["reading"]))
        grouped = cells[uncertain].assign(square=lambda rows: rows["z"] ** 2, size=lambda rows: rows["z"].abs())
        sums = grouped.groupby(["reading", "metric"]).agg(
            square=("square", "sum"), size=("size", "max"), count=("size", "size")
        )
        self.sums = {
            metric: sums.xs(metric, level="metric")
            for metric in self.metrics
            if metric in sums.index.get_level_values("metric")
        }
        self.log_likelihood, self.error_between = fit.log_likelihoods, fit.error_between
        self.p_values = fit.p_values
        self.numbers = int(cells.groupby("reading").size().max()) if len(cells) else 0

    def of(self, metric: str, readings: Sequence[str]) -> np.ndarray:
        """Return the sum of squares, the largest size and the number of scores, shape (3, readings)."""
        if metric not in self.sums:
            return np.zeros((3, len(readings)))
        return self.sums[metric].reindex(readings).fillna(0.0).to_numpy().T


def joint_p_values(tallies: Mapping[str, ScoreSums], chosen: Mapping[str, Sequence[str]]) -> np.ndarray:
    """Return the p-values of several exhibits jointly.

    Parameters
    ----------
    tallies
        By exhibit.
    chosen
        By exhibit, its reading in each setting: lists of one length.

    Returns
    -------
    ndarray
        Shape (settings,). As in `claimaudit.audit.fitting.likelihood.joint_p_value`, each metric is tested alone, with
        Bonferroni.
    """
    length = len(next(iter(chosen.values())))
    metrics = dict.fromkeys(metric for name in chosen for metric in tallies[name].metrics)
    tests, counts = [], []
    for metric in metrics:
        parts = np.stack([tallies[name].of(metric, readings) for name, readings in chosen.items()])
        square, size, count = parts[:, 0].sum(axis=0), parts[:, 1].max(axis=0), parts[:, 2].sum(axis=0)
        tests.append(np.where(count > 0, p_values(square, size, count), 1.0))
        counts.append(count > 0)
    found = np.minimum(1.0, np.sum(counts, axis=0) * np.min(tests, axis=0)) if tests else np.ones(length)
    wrong = np.array([[reading in tallies[name].wrong for reading in chosen[name]] for name in chosen]).any(axis=0)
    found = np.where(np.sum(counts, axis=0) > 0, found, 1.0) if tests else found
    return np.where(wrong, 0.0, found)
