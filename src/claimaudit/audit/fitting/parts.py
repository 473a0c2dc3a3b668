"""Exhibits that share settings, divided into as few pools as explain them."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations

import numpy as np
import pandas as pd

from claimaudit.audit.fitting.exhibits import ExhibitFit, joint_p_values, score
from claimaudit.audit.fitting.likelihood import RunsRatio
from claimaudit.audit.fitting.settings import CLOSE, FittedPool, SharedSetting, Variables
from claimaudit.verdicts import LEVEL, Likelihood, Pool, PoolAxis, PoolSetting

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
class Parts:
    """Exhibits with printed numbers that are connected by axes on which the numbers of both depend."""

    names: tuple[str, ...]
    variables: Variables

    @property
    def fits(self) -> Mapping[str, ExhibitFit]:
        return self.variables.fits

    def pools(self) -> list[FittedPool]:
        """Return one pool, or as few as possible if no setting explains all exhibits."""
        names = self.names
        settings = self._settings(names)
        p_value = joint_p_values(self.fits, {name: settings[name].tolist() for name in names})
        best = float(p_value.max(initial=0.0))
        if len(names) == 1 or best >= LEVEL:
            return [self._pool(names)]
        parts = self._parts(names, settings)
        pools = [self._pool(part, tuple(name for name in names if name not in part), best) for part in parts]
        return sorted(pools, key=lambda pool: len(pool.settings[0].departures))

    def _settings(self, names: Sequence[str]) -> pd.DataFrame:
        """Return all settings that each of some exhibits runs: a column per value and one per exhibit."""
        axes_of = self.variables.axes_of if len(names) == 1 else self.variables.shared_axes
        columns = {name: {axis: self.variables.names[name, axis] for axis in axes_of(name)} for name in names}
        found: pd.DataFrame | None = None
        left = list(names)
        while left:
            seen = set() if found is None else set(found.columns)
            name = max(left, key=lambda one: len(seen & {*columns[one].values()}))
            left.remove(name)
            table = self._projected(name, columns[name])
            if found is None:
                found = table
            else:
                common = [column for column in table.columns if column in found.columns]
                found = found.merge(table, on=common) if common else found.merge(table, how="cross")
        assert found is not None
        return found

    def _projected(self, exhibit: str, variables: Mapping[str, str]) -> pd.DataFrame:
        """Return a row for each combination of values of some axes, with the reading of the exhibit that fits best.

        Columns are named by the `variables`, by axis; the reading by the exhibit.
        """
        likelihood, readings = self.fits[exhibit].log_likelihoods, self.variables.readings[exhibit]
        order = sorted(readings, key=lambda name: -likelihood.get(name, -np.inf))
        rows = [
            {column: str(readings[name][axis]) for axis, column in variables.items()} | {exhibit: name}
            for name in order
        ]
        table = pd.DataFrame(rows, columns=[*variables.values(), exhibit])
        return table.drop_duplicates([*variables.values()]) if variables else table.head(1)

    def _parts(self, names: tuple[str, ...], settings: pd.DataFrame) -> list[tuple[str, ...]]:
        """Return the fewest parts of a pool that a setting each explains; each exhibit alone if many are needed."""
        likelihood = np.stack([self._log_likelihood(name, settings[name]) for name in names])
        fits = np.stack([[self.fits[name].p_values[one] >= LEVEL for one in settings[name]] for name in names])
        together = np.argsort(-likelihood.sum(axis=0), kind="stable")[: MOST_SETTINGS // 2]
        each = np.argsort(-likelihood, axis=1, kind="stable")[:, : max(2, MOST_SETTINGS // (2 * len(names)))]
        candidates = list(dict.fromkeys([*together.tolist(), *each.T.ravel().tolist()]))[:MOST_SETTINGS]
        departures = [len(self.variables.departures(settings.iloc[number])) for number in candidates]
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
        return bool(joint_p_values(self.fits, chosen)[0] >= LEVEL)

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
        those of the fewest departures; those come first of which this is clearest.
        """
        close = {}
        for row, name in enumerate(names):
            own = {number: likelihood[row, number] for number in chosen if fits[row, number]}
            best = max(own, key=lambda number: own[number])
            near = [number for number in own if own[number] >= own[best] - self._margin(name, settings, number, best)]
            departures = {number: len(self.variables.departures(settings.iloc[number])) for number in near}
            close[name] = sorted(near, key=lambda number: (departures[number], -own[number]))
        parts: dict[int, list[str]] = {number: [] for number in chosen}
        while close:
            shared = {name: [self._shared(name, parts[number]) for number in near] for name, near in close.items()}
            name = max(shared, key=lambda name: _lead(shared[name]))
            part = close.pop(name)[int(np.argmax(shared[name]))]
            parts[part].append(name)
        return {number: tuple(name for name in names if name in part) for number, part in parts.items() if part}

    def _shared(self, name: str, others: Iterable[str]) -> int:
        return max((len(self.variables.axes_between(name, other)) for other in others), default=0)

    def _margin(self, name: str, settings: pd.DataFrame, *numbers: int) -> float:
        """Return the difference of log-likelihoods up to which two settings are about as likely to an exhibit."""
        one, other = (settings[name].iloc[number] for number in numbers)
        return max(CLOSE, ERRORS * self.fits[name].error_between(one, other))

    def _log_likelihood(self, name: str, readings: Iterable[str]) -> np.ndarray:
        known = self.fits[name].log_likelihoods
        return np.array([known[reading] for reading in readings])

    def _pool(self, names: tuple[str, ...], apart: tuple[str, ...] = (), together: float | None = None) -> FittedPool:
        table = self._settings(names)
        chosen = {name: table[name].tolist() for name in names}
        p_value = joint_p_values(self.fits, chosen)
        likelihood = sum(self._log_likelihood(name, chosen[name]) for name in names)
        assert isinstance(likelihood, np.ndarray)
        own = np.array([[self.fits[name].p_values[one] for one in chosen[name]] for name in names]).min(axis=0)
        able = (p_value >= LEVEL) & (own >= LEVEL / len(names))
        top = int(np.where(able, likelihood, -np.inf).argmax()) if able.any() else int(likelihood.argmax())
        behind = likelihood - likelihood[top]
        squares = np.zeros(len(likelihood))
        for name, readings in chosen.items():
            between = {one: self.fits[name].error_between(one, readings[top]) ** 2 for one in dict.fromkeys(readings)}
            squares += [between[one] for one in readings]
        errors = np.sqrt(squares)
        price = float(np.log(len(table) + max(self.variables.outline.proposed.get(name, 0) for name in names)))
        departures = np.array([len(self.variables.departures(row)) for _, row in table.iterrows()])
        earned = price * np.maximum(departures[top] - departures, 0)
        stands = able & (behind >= -FAR - earned - ERRORS * errors)
        fits = zip(p_value.tolist(), behind.tolist(), errors.tolist(), strict=True)
        settings = [
            self._setting(names, row, fit, bool(stand))
            for (_, row), fit, stand in zip(table.iterrows(), fits, stands, strict=True)
        ]
        settings.sort(key=_order)
        axes = tuple(str(column) for column in table.columns if column not in names)
        return FittedPool(axes, tuple(settings), self._record(names, axes, settings, apart, together), price)

    def _setting(
        self, names: tuple[str, ...], row: pd.Series, fit: tuple[float, float, float], stands: bool
    ) -> SharedSetting:
        """Return a setting, with one reading of each exhibit, and how it fits: see `Likelihood`."""
        _, likelihood, error = fit
        values = {str(name): row[name] for name in row.index if name not in names}
        readings = {name: row[name] for name in names}
        departures = self.variables.departures(row)
        record = PoolSetting(
            departures=self.variables.choices(departures, values),
            fit=Likelihood(*fit),
            stands=stands,
            about_as_likely=likelihood >= -max(CLOSE, error),
            admissible=not any(name in self.variables.outline.broken(one) for one, name in readings.items()),
        )
        return SharedSetting(values, departures, readings, record)

    def _record(
        self,
        names: tuple[str, ...],
        axes: tuple[str, ...],
        settings: Sequence[SharedSetting],
        apart: tuple[str, ...],
        together: float | None,
    ) -> Pool:
        first, axis_of, strict = settings[0], self.variables.axes, self.variables.strict
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
            demanded=tuple(axis_of[name] for name in demanded),
            undetermined=tuple(axis_of[name] for name in unsettled),
            axes=tuple(
                PoolAxis(
                    axis=axis_of[name],
                    stated=strict[name],
                    is_stated=axis_of[name] not in self.variables.outline.not_stated,
                    standing=first.values[name] if named else "",
                    departs=named and name in first.departures,
                    exhibits=tuple(each for each in names if self.variables.names.get((each, axis_of[name])) == name),
                )
                for name in axes
            ),
            settings=tuple(setting.record for setting in settings[:LISTED]),
            with_stated_runs=self._with_stated_runs(names, first),
        )

    def _with_stated_runs(self, names: tuple[str, ...], first: SharedSetting) -> float | None:
        """Return the p-value of the named setting with the stated number of runs, if the numbers reject that number."""
        if not first.record.stands or not any(self.fits[name].runs.rejected for name in names):
            return None
        fits = {name: score(self.fits[name].cells, RunsRatio()) for name in names}
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
