"""Exhibits that share settings, divided into as few pools as explain them."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations

import numpy as np
import pandas as pd

from claimaudit.audit.fitting.settings import CLOSE, Pool, Setting, Tally, Values, Variables, joint_p_values
from claimaudit.verdicts import LEVEL

FAR = -float(np.log(LEVEL))
"""Difference of log-likelihoods with which a setting stands no more, beyond the Monte-Carlo error of ours."""

ERRORS = 3.0
"""How many standard errors of a difference of log-likelihoods are put down to our own simulation."""

MOST_PARTS = 3
"""Settings into which a pool is split at most; if more are needed, each exhibit is judged alone."""

MOST_SETTINGS = 60
"""Settings that compete for the parts of a pool, the likeliest ones."""


@dataclass(frozen=True)
class Member:
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
class Parts:
    """Exhibits with printed numbers that are connected by axes on which the numbers of both depend.

    Attributes
    ----------
    members
        The exhibits by name.
    variables
        Names for the values that they share.
    """

    members: Mapping[str, Member]
    variables: Variables

    def pools(self) -> list[Pool]:
        """Return one pool, or as few as possible if no setting explains all exhibits."""
        names = tuple(self.members)
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
                axis: self.variables.names[name, axis]
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
                departures = {number: len(self.variables.departures(settings.iloc[number])) for number in close}
                loose[name] = sorted(close, key=lambda number: (departures[number], -own[number]))
        found = dict(firm)
        for name, close in loose.items():
            found[name] = max(
                close,
                key=lambda number: max(
                    (len(self.variables.axes_between(name, other)) for other, place in firm.items() if place == number),
                    default=0,
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
                departures=self.variables.departures(row),
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
            self.variables.strict,
            apart,
            together,
        )
