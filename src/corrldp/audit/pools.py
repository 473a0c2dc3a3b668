"""Pools: exhibits that share settings by the text are one body of evidence.

A *setting* is a value for every axis that the exhibits of a pool share, or for all axes of an exhibit that is alone.
Each exhibit has the readings of its experiment that agree with the setting; of these, the one that fits best counts. A
setting stands for the pool if the printed numbers of all its exhibits, jointly, do not reject it, and are not far more
likely under another one.

If no setting explains all exhibits, the pool is split into as few as possible, and what was apart is said.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import combinations
from typing import Any

import numpy as np
import pandas as pd

from corrldp.audit.exhibits import LEVEL, Fit
from corrldp.audit.likelihood import p_values

Values = Mapping[str, Any]

CLOSE = 3.0
"""Settings whose log-likelihoods differ by no more are about as likely."""

FAR = -float(np.log(LEVEL))
"""Difference of log-likelihoods with which a setting stands no more, beyond the Monte-Carlo error of ours."""

ERRORS = 3.0
"""How many standard errors of a difference of log-likelihoods are put down to our own simulation."""

MOST_PARTS = 3
"""Settings into which a pool is split at most; if more are needed, each exhibit is judged alone."""

MOST_SETTINGS = 60
"""Settings that compete for the parts of a pool, the likeliest ones."""


@dataclass(frozen=True)
class Shared:
    """Axes whose values the paper states once for several exhibits.

    Attributes
    ----------
    axes
        Names of the axes.
    exhibits
        Names of the exhibits.
    runs
        Whether they also share the number of runs.
    """

    axes: tuple[str, ...]
    exhibits: tuple[str, ...]
    runs: bool = False

    @classmethod
    def load(cls, setting: Mapping[str, Any]) -> tuple[Shared, ...]:
        """Return the groups of a setting that `corrldp.papers.paper.Paper.evidence` makes."""
        return tuple(
            cls(tuple(group["axes"]), tuple(group["exhibits"]), group["runs"]) for group in setting.get("shared", ())
        )


@dataclass(frozen=True)
class Setting:
    """A value for every axis that the exhibits of a pool share, and how their printed numbers fit it.

    Attributes
    ----------
    values
        The values, in words, by the names of `Pools.variables`.
    departures
        Names of those that are not the strict ones.
    p_value
        Of all printed numbers jointly.
    log_likelihood, error
        Less that of the likeliest setting, and the standard error of this difference from our own simulation.
    readings
        By exhibit, its reading that fits best.
    stands
        Whether the printed numbers leave it standing.
    """

    values: Values
    departures: tuple[str, ...]
    p_value: float
    log_likelihood: float
    error: float
    readings: Mapping[str, str]
    stands: bool

    @property
    def about_as_likely(self) -> bool:
        """Whether the likeliest setting is not likelier by more than `CLOSE`, or the error of the difference."""
        return self.log_likelihood >= -max(CLOSE, self.error)


@dataclass(frozen=True)
class Pool:
    """Exhibits that share axes by the text, and whose printed numbers fit one setting.

    Attributes
    ----------
    exhibits
        Names of those with printed numbers.
    axes
        Names of the values on which their numbers depend, see `Pools.variables`: those that they share, or all if there
        is one exhibit.
    numbers
        How many different printed numbers there are.
    settings
        Those that competed: what stands first, the text before all others, then those that are about as likely as the
        likeliest in order of departures.
    strict
        The strict values, in words.
    apart
        Exhibits that share axes with these by the text, and whose numbers need another setting.
    together
        The largest joint p-value of one setting for these and those apart; NaN if none is apart.
    """

    exhibits: tuple[str, ...]
    axes: tuple[str, ...]
    numbers: int
    settings: tuple[Setting, ...]
    strict: Mapping[str, str]
    apart: tuple[str, ...] = ()
    together: float = float("nan")

    @property
    def standing(self) -> tuple[Setting, ...]:
        """The settings that stand; the first is the one to name."""
        return tuple(setting for setting in self.settings if setting.stands)

    def demanded(self) -> tuple[str, ...]:
        """Return the axes on which every standing setting departs from the text."""
        found = [set(setting.departures) for setting in self.standing]
        return tuple(axis for axis in self.axes if found and all(axis in departures for departures in found))

    def untold(self) -> tuple[str, ...]:
        """Return the axes whose value the numbers cannot tell: standing settings that are about as likely differ."""
        likely = [one.values for one in self.standing if one.about_as_likely or one is self.standing[0]]
        return tuple(axis for axis in self.axes if len({str(values[axis]) for values in likely}) > 1)


class Tally:
    """What the printed numbers of one exhibit say of each of its readings, as sums that add up over exhibits.

    Parameters
    ----------
    fit
        How its readings fit.
    """

    def __init__(self, fit: Fit) -> None:
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


def joint_p_values(tallies: Mapping[str, Tally], chosen: Mapping[str, Sequence[str]]) -> np.ndarray:
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
        Shape (settings,). As in `corrldp.audit.likelihood.joint_p_value`, each metric is tested alone, with Bonferroni.
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


@dataclass(frozen=True)
class _Member:
    """An exhibit with printed numbers, which depend on some `axes`; the text says that others share some of them."""

    name: str
    axes: tuple[str, ...]
    shared: tuple[str, ...]
    tally: Tally
    readings: Mapping[str, Values]

    def projected(self, variables: Mapping[str, str]) -> pd.DataFrame:
        """Return a row for each combination of values of some axes, with the reading that fits best.

        Columns are named by the `variables`, by axis; the reading by the exhibit.
        """
        likelihood = self.tally.log_likelihood
        order = sorted(self.readings, key=lambda name: -likelihood.get(name, -np.inf))
        rows = [
            {column: str(self.readings[name][axis]) for axis, column in variables.items()} | {self.name: name}
            for name in order
        ]
        table = pd.DataFrame(rows, columns=[*variables.values(), self.name])
        return table.drop_duplicates([*variables.values()]) if variables else table.head(1)


@dataclass(frozen=True)
class Pools:
    """The exhibits of a paper, pooled by the settings that they share.

    Attributes
    ----------
    shared
        Groups of exhibits that share settings.
    readings
        By exhibit, the values of the readings of its experiment.
    fits
        How readings fit the printed numbers, by exhibit that has some.
    """

    shared: tuple[Shared, ...]
    readings: Mapping[str, Mapping[str, Values]]
    fits: Mapping[str, Fit]

    @cached_property
    def variables(self) -> dict[tuple[str, str], str]:
        """A name for the value of each axis in each exhibit: one for all that share it, directly or not."""
        found = self._shared_variables
        own = {(exhibit, axis): f"{axis} of {exhibit}" for exhibit in self.readings for axis in self._varied(exhibit)}
        return own | found

    @cached_property
    def _shared_variables(self) -> dict[tuple[str, str], str]:
        found: dict[tuple[str, str], str] = {}
        for group in self.shared:
            for axis in group.axes:
                known = [found[name, axis] for name in group.exhibits if (name, axis) in found]
                name = known[0] if known else f"{axis} of {group.exhibits[0]}"
                for key, value in found.items():
                    if value in known:
                        found[key] = name
                found |= {(exhibit, axis): name for exhibit in group.exhibits}
        return found

    def axes_between(self, exhibit: str, other: str) -> set[str]:
        """Return the axes that two exhibits share by the text."""
        return {axis for group in self.shared if {exhibit, other} <= {*group.exhibits} for axis in group.axes}

    def axes_of(self, exhibit: str) -> tuple[str, ...]:
        """Return the axes that the experiment of an exhibit varies and on which its printed numbers, if any, depend."""
        varied, fit = self._varied(exhibit), self.fits.get(exhibit)
        if fit is None:
            return varied
        return tuple(axis for axis in varied if depends(fit, self.readings[exhibit], axis))

    def _varied(self, exhibit: str) -> tuple[str, ...]:
        return tuple(next(iter(self.readings[exhibit].values()), {}))

    @cached_property
    def members(self) -> dict[str, _Member]:
        """The exhibits of which some reading fits the printed numbers, with the axes that tell."""
        return {
            name: self._member(name, fit)
            for name, fit in self.fits.items()
            if max(fit.p_values.values(), default=0.0) >= LEVEL
        }

    def _member(self, name: str, fit: Fit) -> _Member:
        axes = self.axes_of(name)
        shared = tuple(axis for axis in axes if (name, axis) in self._shared_variables)
        return _Member(name, axes, shared, Tally(fit), self.readings[name])

    @cached_property
    def all(self) -> tuple[Pool, ...]:
        """Pools of all exhibits with printed numbers that some reading fits, each exhibit in one."""
        return tuple(pool for pools in self._parts_of_components for pool in pools)

    @cached_property
    def _parts_of_components(self) -> tuple[tuple[Pool, ...], ...]:
        return tuple(tuple(self._split(names)) for names in self._connected())

    def of(self, exhibit: str) -> tuple[tuple[Pool, ...], ...]:
        """Return the pools that tell the reading of an exhibit: it agrees with one of each tuple.

        Its own or, if it has no printed numbers, of the parts of each pool those with which it shares most axes.
        """
        found = []
        for pools in self._parts_of_components:
            own = tuple(pool for pool in pools if exhibit in pool.exhibits)
            kin = [max(len(self.axes_between(exhibit, other)) for other in pool.exhibits) for pool in pools]
            nearest = tuple(pool for pool, axes in zip(pools, kin, strict=True) if axes and axes == max(kin))
            if own or (nearest and exhibit not in self.fits):
                found.append(own or nearest)
        return tuple(found)

    def agreeing(self, exhibit: str, pools: Iterable[Pool], readings: Mapping[str, Values] | None = None) -> list[str]:
        """Return the readings of an exhibit that agree with a standing setting of one of some pools, in their order.

        `readings` are those of its experiment, or others.
        """
        readings = self.readings[exhibit] if readings is None else readings
        found = (self.agreeing_with(exhibit, setting, readings) for pool in pools for setting in pool.standing)
        return list(dict.fromkeys(name for names in found for name in names))

    def fitting(self, exhibit: str, pool: Pool) -> list[str]:
        """Return the readings of an exhibit of a pool that stand, the one to name first.

        They agree with a standing setting, their own printed numbers do not reject them, and they are not so much less
        likely than the best that the pool would not stand with them. With each setting, those that are about as likely
        are ordered by departures from the text.
        """
        tally = self.members[exhibit].tally
        found: dict[str, None] = {}
        for setting in pool.standing:
            best, own = setting.readings[exhibit], []
            for name in self.agreeing_with(exhibit, setting):
                behind = tally.log_likelihood[name] - tally.log_likelihood[best]
                uncertain = tally.error_between(name, best)
                margin = FAR + ERRORS * float(np.hypot(setting.error, uncertain))
                if tally.p_values[name] >= LEVEL and setting.log_likelihood + behind >= -margin:
                    close = behind >= -max(CLOSE, uncertain)
                    own.append((not close, self._departing(exhibit, name) if close else -behind, name))
            found |= dict.fromkeys(name for *_, name in sorted(own, key=lambda item: item[:2]))
        return list(found)

    def agreeing_with(self, exhibit: str, setting: Setting, readings: Mapping[str, Values] | None = None) -> list[str]:
        """Return the readings of an exhibit, those of its experiment or others, that agree with a setting."""
        readings = self.readings[exhibit] if readings is None else readings
        names = {axis: self.variables[exhibit, axis] for axis in self.axes_of(exhibit)}
        wanted = {axis: setting.values[name] for axis, name in names.items() if name in setting.values}
        return [
            reading
            for reading, values in readings.items()
            if all(str(values[axis]) == value for axis, value in wanted.items() if axis in values)
        ]

    def _departing(self, exhibit: str, reading: str) -> int:
        """Return on how many axes a reading of an exhibit departs from the text."""
        strict = next(iter(self.readings[exhibit].values()))
        return sum(str(value) != str(strict[axis]) for axis, value in self.readings[exhibit][reading].items())

    def _connected(self) -> list[tuple[str, ...]]:
        """Return the exhibits that are connected by axes on which the numbers of both depend."""
        groups: list[set[str]] = []
        for name, member in self.members.items():
            own = {self.variables[name, axis] for axis in member.shared}
            linked = [
                group
                for group in groups
                if any(own & {self.variables[other, axis] for axis in self.members[other].shared} for other in group)
            ]
            groups = [group for group in groups if group not in linked] + [{name}.union(*linked)]
        return [tuple(name for name in self.members if name in group) for group in groups]

    def _split(self, names: tuple[str, ...]) -> list[Pool]:
        """Return one pool, or as few as possible if no setting explains all exhibits."""
        settings = self._settings(names)
        p_value = joint_p_values(self._tallies(names), {name: settings[name].tolist() for name in names})
        best = float(p_value.max(initial=0.0))
        if len(names) == 1 or best >= LEVEL:
            return [self._pool(names)]
        parts = self._parts(names, settings)
        pools = [self._pool(part, tuple(name for name in names if name not in part), best) for part in parts]
        return sorted(pools, key=lambda pool: len(pool.settings[0].departures))

    def _tallies(self, names: Iterable[str]) -> dict[str, Tally]:
        return {name: self.members[name].tally for name in names}

    def _settings(self, names: Sequence[str]) -> pd.DataFrame:
        """Return all settings that each of some exhibits runs: a column per value and one per exhibit."""
        alone = len(names) == 1
        columns = {
            name: {
                axis: self.variables[name, axis]
                for axis in (self.members[name].axes if alone else self.members[name].shared)
            }
            for name in names
        }
        found: pd.DataFrame | None = None
        left = list(names)
        while left:
            seen = set() if found is None else set(found.columns)
            name = max(left, key=lambda one: len(seen & {*columns[one].values()}))
            left.remove(name)
            table = self.members[name].projected(columns[name])
            if found is None:
                found = table
            else:
                common = [column for column in table.columns if column in found.columns]
                found = found.merge(table, on=common) if common else found.merge(table, how="cross")
        assert found is not None
        return found

    def _parts(self, names: tuple[str, ...], settings: pd.DataFrame) -> list[tuple[str, ...]]:
        """Return the fewest parts of a pool that a setting each explains; each exhibit alone if many are needed."""
        likelihood = np.stack([self._log_likelihood(name, settings[name]) for name in names])
        fits = np.stack([[self.members[name].tally.p_values[one] >= LEVEL for one in settings[name]] for name in names])
        together = np.argsort(-likelihood.sum(axis=0), kind="stable")[: MOST_SETTINGS // 2]
        each = np.argsort(-likelihood, axis=1, kind="stable")[:, : max(2, MOST_SETTINGS // (2 * len(names)))]
        candidates = list(dict.fromkeys([*together.tolist(), *each.T.ravel().tolist()]))[:MOST_SETTINGS]
        departures = [len(self._departures(settings.iloc[number])) for number in candidates]
        order = dict(zip(candidates, departures, strict=True))
        for size in range(2, MOST_PARTS + 1):
            found = []
            for chosen in combinations(candidates, size):
                own = np.where(fits[:, chosen], likelihood[:, chosen], -np.inf)
                if np.isneginf(own.max(axis=1)).any():
                    continue
                found.append((float(own.max(axis=1).sum()), chosen))
            if not found:
                continue
            most = max(value for value, _ in found)
            close = [item for item in found if item[0] >= most - CLOSE]
            close.sort(key=lambda item: (sum(order[number] for number in item[1]), -item[0]))
            for _, chosen in close:
                parts = self._assigned(names, settings, chosen, likelihood, fits)
                if all(self._explained(part, settings, number) for number, part in parts.items()):
                    return list(parts.values())
        return [(name,) for name in names]

    def _explained(self, names: tuple[str, ...], settings: pd.DataFrame, number: int) -> bool:
        chosen = {name: [settings[name].iloc[number]] for name in names}
        return bool(joint_p_values(self._tallies(names), chosen)[0] >= LEVEL)

    def _assigned(
        self,
        names: tuple[str, ...],
        settings: pd.DataFrame,
        chosen: Sequence[int],
        likelihood: np.ndarray,
        fits: np.ndarray,
    ) -> dict[int, tuple[str, ...]]:
        """Return which exhibits each of some settings explains, by its number.

        An exhibit to which two are about as likely goes with those with which it shares the most axes, of these with
        those of the fewest departures.
        """
        firm: dict[str, int] = {}
        loose: dict[str, list[int]] = {}
        for row, name in enumerate(names):
            own = {number: likelihood[row, number] for number in chosen if fits[row, number]}
            best = max(own, key=lambda number: own[number])
            close = [number for number in own if own[number] >= own[best] - self._margin(name, settings, number, best)]
            if len(close) == 1:
                firm[name] = close[0]
            else:
                departures = {number: len(self._departures(settings.iloc[number])) for number in close}
                loose[name] = sorted(close, key=lambda number: (departures[number], -own[number]))
        found = dict(firm)
        for name, close in loose.items():
            found[name] = max(
                close,
                key=lambda number: max(
                    (len(self.axes_between(name, other)) for other, place in firm.items() if place == number), default=0
                ),
            )
        parts = {number: tuple(name for name in names if found[name] == number) for number in chosen}
        return {number: part for number, part in parts.items() if part}

    def _margin(self, name: str, settings: pd.DataFrame, *numbers: int) -> float:
        """Return the difference of log-likelihoods up to which two settings are about as likely to an exhibit."""
        one, other = (settings[name].iloc[number] for number in numbers)
        return max(CLOSE, ERRORS * self.members[name].tally.error_between(one, other))

    def _log_likelihood(self, name: str, readings: Iterable[str]) -> np.ndarray:
        known = self.members[name].tally.log_likelihood
        return np.array([known[reading] for reading in readings])

    def _departures(self, setting: pd.Series) -> tuple[str, ...]:
        strict = self._strict
        return tuple(str(name) for name, value in setting.items() if name in strict and str(value) != strict[str(name)])

    @cached_property
    def _strict(self) -> dict[str, str]:
        """The strict values, by the names of `variables`."""
        found = {}
        for (exhibit, axis), name in self.variables.items():
            first = next(iter(self.readings.get(exhibit, {}).values()), {})
            if axis in first:
                found[name] = str(first[axis])
        return found

    def _pool(self, names: tuple[str, ...], apart: tuple[str, ...] = (), together: float = float("nan")) -> Pool:
        """Judge the settings of exhibits that are explained together, or of one alone."""
        table = self._settings(names)
        tallies = self._tallies(names)
        chosen = {name: table[name].tolist() for name in names}
        p_value = joint_p_values(tallies, chosen)
        likelihood = sum(self._log_likelihood(name, chosen[name]) for name in names)
        assert isinstance(likelihood, np.ndarray)
        own = np.array([[tallies[name].p_values[one] for one in chosen[name]] for name in names]).min(axis=0)
        able = (p_value >= LEVEL) & (own >= LEVEL / len(names))
        top = int(np.where(able, likelihood, -np.inf).argmax()) if able.any() else int(likelihood.argmax())
        behind = likelihood - likelihood[top]
        squares = np.zeros(len(likelihood))
        for name, readings in chosen.items():
            between = {one: tallies[name].error_between(one, readings[top]) ** 2 for one in dict.fromkeys(readings)}
            squares += [between[one] for one in readings]
        errors = np.sqrt(squares)
        stands = able & (behind >= -FAR - ERRORS * errors)
        shared = [str(column) for column in table.columns if column not in names]
        settings = [
            Setting(
                values={name: row[name] for name in shared},
                departures=self._departures(row),
                p_value=float(p_value[number]),
                log_likelihood=float(behind[number]),
                error=float(errors[number]),
                readings={name: row[name] for name in names},
                stands=bool(stands[number]),
            )
            for number, (_, row) in enumerate(table.iterrows())
        ]
        settings.sort(
            key=lambda one: (
                not one.stands,
                one.stands and bool(one.departures),
                not one.about_as_likely,
                len(one.departures) if one.stands and one.about_as_likely else 0,
                -one.log_likelihood,
            )
        )
        return Pool(
            names,
            tuple(shared),
            sum(tallies[name].numbers for name in names),
            tuple(settings),
            self._strict,
            apart,
            together,
        )


def axis_of(name: str) -> str:
    """Return the axis of which `name` is the value that some exhibits share, see `Pools.variables`."""
    return name.partition(" of ")[0]


def depends(fit: Fit, readings: Mapping[str, Values], axis: str) -> bool:
    """Return whether the printed numbers of an exhibit depend on an axis, as far as its readings tell.

    They do not if each reading that departs from the strict value agrees, number by number, with the one that differs
    from it in this axis alone.
    """
    names = list(readings)
    strict = readings[names[0]][axis]
    place = {_key(values): name for name, values in readings.items()}
    same = fit.equal
    for name, values in readings.items():
        if str(values[axis]) == str(strict):
            continue
        other = place.get(_key({**values, axis: strict}))
        if other is None or same[other] != same[name]:
            return True
    return False


def _key(values: Values) -> tuple[tuple[str, str], ...]:
    return tuple(sorted((axis, str(value)) for axis, value in values.items()))
