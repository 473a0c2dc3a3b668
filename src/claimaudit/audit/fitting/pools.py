"""Pools: exhibits that share settings by the text are one body of evidence.

Each exhibit has the readings of its experiment that agree with a setting; of these, the one that fits best counts. A
setting stands for the pool if the printed numbers of all its exhibits, jointly, do not reject it, and are not far more
likely under another one.

If no setting explains all exhibits, the pool is split into as few as possible, and what was apart is said.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import combinations

import numpy as np
import pandas as pd

from claimaudit.audit.fitting.exhibits import ExhibitFit, joint_p_values, score
from claimaudit.audit.fitting.likelihood import RunsRatio
from claimaudit.audit.fitting.settings import CLOSE, FittedPool, SharedSetting, Variables, axis_of
from claimaudit.results import STRICT
from claimaudit.verdicts import LEVEL, Choice, Likelihood, Pool, PoolAxis, PoolSetting

FAR = -float(np.log(LEVEL))
"""Difference of log-likelihoods with which a setting stands no more, beyond the Monte-Carlo error of ours.

Each departure that the likeliest setting has more must earn the logarithm of the number of settings that competed. The
truth is behind the best of so many by both with a probability below `LEVEL`: the mean likelihood ratio of each is 1."""

ERRORS = 3.0
"""How many standard errors of a difference of log-likelihoods are put down to our own simulation."""

MOST_PARTS = 3
"""Settings into which a pool is split at most; if more are needed, each exhibit is judged alone."""

MOST_SETTINGS = 60
"""Settings that compete for the parts of a pool, the likeliest ones."""

LISTED = 20
"""Settings of a pool that its record lists, the standing ones first."""


@dataclass(frozen=True)
class Pools:
    """The exhibits of a paper, pooled by the settings that they share."""

    variables: Variables

    @cached_property
    def all(self) -> tuple[FittedPool, ...]:
        """Pools of all exhibits with printed numbers that some reading fits, each exhibit in one."""
        return tuple(pool for pools in self._parts_of_components for pool in pools)

    @cached_property
    def _parts_of_components(self) -> tuple[tuple[FittedPool, ...], ...]:
        return tuple(tuple(Parts(names, self.variables).pools()) for names in self._connected())

    def of(self, exhibit: str) -> tuple[tuple[FittedPool, ...], ...]:
        """Return the pools that tell the reading of an exhibit: it agrees with one of each tuple.

        Its own or, if it has no printed numbers, of the parts of each pool those with which it shares most axes.
        """
        found = []
        for pools in self._parts_of_components:
            own = tuple(pool for pool in pools if exhibit in pool.record.exhibits)
            kin = [
                max(len(self.variables.axes_between(exhibit, other)) for other in pool.record.exhibits)
                for pool in pools
            ]
            nearest = tuple(pool for pool, axes in zip(pools, kin, strict=True) if axes and axes == max(kin))
            if own or (nearest and exhibit not in self.variables.fits):
                found.append(own or nearest)
        return tuple(found)

    def agreeing(self, exhibit: str, pools: Iterable[FittedPool]) -> list[str]:
        """Return the readings of an exhibit that agree with a standing setting of one of some pools, in their order."""
        found = (self.agreeing_with(exhibit, setting) for pool in pools for setting in pool.standing)
        return list(dict.fromkeys(name for names in found for name in names))

    def fitting(self, exhibit: str, pool: FittedPool) -> list[str]:
        """Return the readings of an exhibit of a pool that stand, the one to name first.

        They agree with a standing setting, their own printed numbers do not reject them, and they are not so much less
        likely than the best that the pool would not stand with them. With each setting, those that are about as likely
        are ordered by departures from the text.
        """
        fit = self.variables.fits[exhibit]
        found: dict[str, None] = {}
        for setting in pool.standing:
            best, own = setting.readings[exhibit], []
            likelihood, error = setting.likelihood
            for name in self.agreeing_with(exhibit, setting):
                behind = fit.log_likelihoods[name] - fit.log_likelihoods[best]
                uncertain = fit.error_between(name, best)
                margin = FAR + ERRORS * float(np.hypot(error, uncertain))
                if fit.p_values[name] >= LEVEL and likelihood + behind >= -margin:
                    close = behind >= -max(CLOSE, uncertain)
                    own.append((not close, self._departing(exhibit, name) if close else -behind, name))
            found |= dict.fromkeys(name for *_, name in sorted(own, key=lambda item: item[:2]))
        return list(found)

    def agreeing_with(self, exhibit: str, setting: SharedSetting) -> list[str]:
        """Return the readings of an exhibit that agree with a setting."""
        names = {axis: self.variables.names[exhibit, axis] for axis in self.variables.axes_of[exhibit]}
        wanted = {axis: setting.values[name] for axis, name in names.items() if name in setting.values}
        return [
            reading
            for reading, values in self.variables.readings[exhibit].items()
            if all(str(values[axis]) == value for axis, value in wanted.items() if axis in values)
        ]

    def _departing(self, exhibit: str, reading: str) -> int:
        readings = self.variables.readings[exhibit]
        return sum(str(value) != str(readings[STRICT][axis]) for axis, value in readings[reading].items())

    def _connected(self) -> list[tuple[str, ...]]:
        """Return the exhibits that some reading fits, connected by axes on which the numbers of both depend."""
        names = self.variables.names
        shared = {
            name: {names[name, axis] for axis in self.variables.shared_axes(name)}
            for name, fit in self.variables.fits.items()
            if max(fit.p_values.values(), default=0.0) >= LEVEL
        }
        groups: list[set[str]] = []
        for name, own in shared.items():
            linked = [group for group in groups if any(own & shared[other] for other in group)]
            groups = [group for group in groups if group not in linked] + [{name}.union(*linked)]
        return [tuple(name for name in shared if name in group) for group in groups]


@dataclass(frozen=True)
class Parts:
    """Exhibits with printed numbers that are connected by axes on which the numbers of both depend."""

    names: tuple[str, ...]
    variables: Variables

    @property
    def fits(self) -> Mapping[str, ExhibitFit]:
        return self.variables.fits

    def pools(self) -> list[FittedPool]:
        """Return one pool, or as few as possible if no setting explains all exhibits."""
        best = float(self.p_values.max(initial=0.0))
        if len(self.names) == 1 or best >= LEVEL:
            return [self.pool()]
        parts = [Parts(names, self.variables) for names in self._parts()]
        pools = [part.pool(tuple(name for name in self.names if name not in part.names), best) for part in parts]
        return sorted(pools, key=lambda pool: len(pool.settings[0].departures))

    @cached_property
    def settings(self) -> pd.DataFrame:
        """All settings that each of the exhibits runs: a column per value and one per exhibit."""
        names = self.names
        axes_of = self.variables.axes_of.__getitem__ if len(names) == 1 else self.variables.shared_axes
        columns = {name: {axis: self.variables.names[name, axis] for axis in axes_of(name)} for name in names}
        found, left = pd.DataFrame(index=[0]), list(names)
        while left:
            seen = {*found.columns}
            name = max(left, key=lambda one: len(seen & {*columns[one].values()}))
            left.remove(name)
            table = self._projected(name, columns[name])
            common = [column for column in table.columns if column in seen]
            found = found.merge(table, on=common) if common else found.merge(table, how="cross")
        return found

    def _projected(self, exhibit: str, variables: Mapping[str, str]) -> pd.DataFrame:
        """Return a row for each combination of values of some axes, with the reading of the exhibit that fits best.

        Columns are named by the `variables`, by axis; the reading by the exhibit.
        """
        fit, readings = self.fits[exhibit], self.variables.readings[exhibit]
        order = sorted(readings, key=lambda name: (name in fit.wrong, -fit.log_likelihoods.get(name, -np.inf)))
        rows = [
            {column: str(readings[name][axis]) for axis, column in variables.items()} | {exhibit: name}
            for name in order
        ]
        table = pd.DataFrame(rows, columns=[*variables.values(), exhibit])
        return table.drop_duplicates([*variables.values()]) if variables else table.head(1)

    @cached_property
    def axes(self) -> tuple[str, ...]:
        """The names of the settings' values: those that the exhibits share, or all if there is one."""
        return tuple(str(column) for column in self.settings.columns if column not in self.names)

    @cached_property
    def readings(self) -> dict[str, list[str]]:
        """The reading of each exhibit with each of the settings."""
        return {name: self.settings[name].tolist() for name in self.names}

    @cached_property
    def p_values(self) -> np.ndarray:
        """The p-value (settings,) of all exhibits jointly."""
        return joint_p_values(self.fits, self.readings)

    @cached_property
    def own_p_values(self) -> np.ndarray:
        """The p-value (exhibits, settings) of each exhibit alone."""
        return np.array([[self.fits[name].p_values[one] for one in of] for name, of in self.readings.items()])

    @cached_property
    def likelihood(self) -> np.ndarray:
        """The log-likelihood (exhibits, settings) of each exhibit."""
        return np.array([[self.fits[name].log_likelihoods[one] for one in of] for name, of in self.readings.items()])

    def _departures(self, number: int) -> int:
        return len(self.variables.departures(self.settings.iloc[number]))

    def _parts(self) -> list[tuple[str, ...]]:
        """Return the fewest parts of a pool that a setting each explains; each exhibit alone if many are needed."""
        names, likelihood, fits = self.names, self.likelihood, self.own_p_values >= LEVEL
        together = np.argsort(-likelihood.sum(axis=0), kind="stable")[: MOST_SETTINGS // 2]
        each = np.argsort(-likelihood, axis=1, kind="stable")[:, : max(2, MOST_SETTINGS // (2 * len(names)))]
        candidates = list(dict.fromkeys([*together.tolist(), *each.T.ravel().tolist()]))[:MOST_SETTINGS]
        order = {number: self._departures(number) for number in candidates}
        for size in range(2, MOST_PARTS + 1):
            found = []
            for chosen in combinations(candidates, size):
                own = np.where(fits[:, chosen], likelihood[:, chosen], -np.inf).max(axis=1)
                if not np.isneginf(own).any():
                    found.append((float(own.sum()), chosen))
            most = max((value for value, _ in found), default=0.0)
            close = [item for item in found if item[0] >= most - CLOSE]
            close.sort(key=lambda item: (sum(order[number] for number in item[1]), -item[0]))
            for _, chosen in close:
                parts = self._assigned(chosen)
                settings = ({name: [self.readings[name][number]] for name in part} for number, part in parts.items())
                if all(joint_p_values(self.fits, setting)[0] >= LEVEL for setting in settings):
                    return list(parts.values())
        return [(name,) for name in names]

    def _assigned(self, chosen: Sequence[int]) -> dict[int, tuple[str, ...]]:
        """Return which exhibits each of some settings explains, by its number.

        An exhibit to which two are about as likely goes with those with which it shares the most axes, of these with
        those of the fewest departures; those come first of which this is clearest.
        """
        close = {}
        for row, name in enumerate(self.names):
            own = {number: self.likelihood[row, number] for number in chosen if self.own_p_values[row, number] >= LEVEL}
            best = max(own, key=lambda number: own[number])
            near = [number for number in own if own[number] >= own[best] - self._margin(name, number, best)]
            departures = {number: self._departures(number) for number in near}
            close[name] = sorted(near, key=lambda number: (departures[number], -own[number]))
        parts: dict[int, list[str]] = {number: [] for number in chosen}
        while close:
            shared = {name: [self._shared(name, parts[number]) for number in near] for name, near in close.items()}
            name = max(shared, key=lambda name: _lead(shared[name]))
            part = close.pop(name)[int(np.argmax(shared[name]))]
            parts[part].append(name)
        return {number: tuple(name for name in self.names if name in part) for number, part in parts.items() if part}

    def _shared(self, name: str, others: Iterable[str]) -> int:
        return max((len(self.variables.axes_between(name, other)) for other in others), default=0)

    def _margin(self, name: str, *numbers: int) -> float:
        """Return the difference of log-likelihoods up to which two settings are about as likely to an exhibit."""
        one, other = (self.readings[name][number] for number in numbers)
        return max(CLOSE, ERRORS * self.fits[name].error_between(one, other))

    def pool(self, apart: tuple[str, ...] = (), together: float | None = None) -> FittedPool:
        """Return the exhibits as one pool; those `apart` would have the p-value `together` with it."""
        table, likelihood = self.settings, sum(self.likelihood)
        able = (self.p_values >= LEVEL) & (self.own_p_values.min(axis=0) >= LEVEL / len(self.names))
        top = int(np.where(able, likelihood, -np.inf).argmax()) if able.any() else int(likelihood.argmax())
        behind = likelihood - likelihood[top]
        squares = np.zeros(len(likelihood))
        for name, readings in self.readings.items():
            between = {one: self.fits[name].error_between(one, readings[top]) ** 2 for one in dict.fromkeys(readings)}
            squares += [between[one] for one in readings]
        errors = np.sqrt(squares)
        price = float(np.log(len(table) + max(self.variables.outline.proposed.get(name, 0) for name in self.names)))
        departures = np.array([len(self.variables.departures(row)) for _, row in table.iterrows()])
        earned = price * np.maximum(departures[top] - departures, 0)
        stands = able & (behind >= -FAR - earned - ERRORS * errors)
        fits = zip(self.p_values.tolist(), behind.tolist(), errors.tolist(), strict=True)
        settings = [
            self._setting(row, fit, bool(stand))
            for (_, row), fit, stand in zip(table.iterrows(), fits, stands, strict=True)
        ]
        settings.sort(key=_order)
        return FittedPool(tuple(settings), self._record(settings, apart, together), price)

    def _setting(self, row: pd.Series, fit: tuple[float, float, float], stands: bool) -> SharedSetting:
        """Return a setting, with one reading of each exhibit, and how it fits: see `Likelihood`."""
        _, likelihood, error = fit
        values = {name: row[name] for name in self.axes}
        readings = {name: row[name] for name in self.names}
        departures = self.variables.departures(row)
        record = PoolSetting(
            departures=tuple(Choice(axis_of(name), values[name]) for name in departures),
            fit=Likelihood(*fit),
            stands=stands,
            about_as_likely=likelihood >= -max(CLOSE, error),
            admissible=not any(name in self.variables.outline.broken(one) for one, name in readings.items()),
        )
        return SharedSetting(values, departures, readings, (likelihood, error), record)

    def _record(self, settings: Sequence[SharedSetting], apart: tuple[str, ...], together: float | None) -> Pool:
        names, axes, first = self.names, self.axes, settings[0]
        strict = self.variables.strict
        standing = [setting for setting in settings if setting.record.stands]
        likely = [setting for setting in standing if setting.record.about_as_likely or setting is first]
        demanded = [name for name in axes if standing and all(name in one.departures for one in standing)]
        unsettled = [name for name in axes if len({str(one.values[name]) for one in likely}) > 1]
        named = first.record.stands
        return Pool(
            exhibits=names,
            inferred=(),
            apart=apart,
            together=together,
            numbers=sum(self.fits[name].numbers for name in names),
            competed=len(settings),
            standing=len(standing),
            as_stated=next((setting.record.fit for setting in settings if not setting.departures), None),
            demanded=tuple(map(axis_of, demanded)),
            undetermined=tuple(map(axis_of, unsettled)),
            axes=tuple(
                PoolAxis(
                    axis=axis_of(name),
                    stated=strict[name],
                    is_stated=axis_of(name) not in self.variables.outline.not_stated,
                    standing=first.values[name] if named else "",
                    departs=named and name in first.departures,
                    exhibits=tuple(each for each in names if self.variables.names.get((each, axis_of(name))) == name),
                )
                for name in axes
            ),
            settings=tuple(setting.record for setting in settings[:LISTED]),
            with_stated_runs=self._with_stated_runs(first),
        )

    def _with_stated_runs(self, first: SharedSetting) -> float | None:
        """Return the p-value of the named setting with the stated number of runs, if the numbers reject that number."""
        if not first.record.stands or not any(self.fits[name].runs.rejected for name in self.names):
            return None
        fits = {name: score(self.fits[name].cells, RunsRatio()) for name in self.names}
        return float(joint_p_values(fits, {name: [reading] for name, reading in first.readings.items()})[0])


def _lead(values: Sequence[float]) -> float:
    first, second = sorted([*values, -np.inf], reverse=True)[:2]
    return first - second


def _order(setting: SharedSetting) -> tuple[bool, bool, bool, int, bool, float]:
    """Order settings: those that stand, the text, those as likely by departures, the admissible, the likeliest."""
    found, departures = setting.record, len(setting.departures)
    close = found.stands and found.about_as_likely
    return (
        not found.stands,
        found.stands and bool(departures),
        not found.about_as_likely,
        departures if close else 0,
        close and not found.admissible,
        -setting.likelihood[0],
    )
