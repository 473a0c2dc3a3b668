"""Pools: exhibits that share settings by the text are one body of evidence.

Each exhibit has the readings of its experiment that agree with a setting; of these, the one that fits best counts. A
setting stands for the pool if the printed numbers of all its exhibits, jointly, do not reject it, and are not far more
likely under another one.

If no setting explains all exhibits, the pool is split into as few as possible, and what was apart is said.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from claimaudit.audit.fitting.parts import ERRORS, FAR, Parts
from claimaudit.audit.fitting.settings import CLOSE, FittedPool, SharedSetting, Variables
from claimaudit.verdicts import LEVEL


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
        names = {axis: self.variables.names[exhibit, axis] for axis in self.variables.axes_of(exhibit)}
        wanted = {axis: setting.values[name] for axis, name in names.items() if name in setting.values}
        return [
            reading
            for reading, values in self.variables.readings[exhibit].items()
            if all(str(values[axis]) == value for axis, value in wanted.items() if axis in values)
        ]

    def _departing(self, exhibit: str, reading: str) -> int:
        strict = next(iter(self.variables.readings[exhibit].values()))
        return sum(str(value) != str(strict[axis]) for axis, value in self.variables.readings[exhibit][reading].items())

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
