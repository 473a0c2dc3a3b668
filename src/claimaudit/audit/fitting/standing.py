"""Standing readings: what the printed numbers of an exhibit, and of those that share its settings, do not reject.

An exhibit without printed numbers inherits the standing readings of the exhibits that share its settings by the
paper.
"""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import pandas as pd

from claimaudit.audit.fitting.exhibits import Fit, compare, known, score
from claimaudit.audit.fitting.likelihood import Runs, estimate_runs
from claimaudit.audit.fitting.pools import Pools
from claimaudit.audit.fitting.settings import Pool, Values
from claimaudit.papers.jobs import Exhibit, Shared
from claimaudit.results import axes_of
from claimaudit.verdicts import EVIDENCED, Source


@dataclass(frozen=True)
class Standing:
    """The standing readings of one exhibit.

    Attributes
    ----------
    exhibit
        The exhibit.
    readings
        Names of the standing readings; the first is the one to name, see `claimaudit.audit.fitting.pools.Pool`.
    source
        ``own``: its printed numbers; ``inferred``: those of exhibits that share settings with it; ``none``: no
        evidence, so any reading of the experiment may have been run; ``rejected``: no reading fits its numbers.
    fit
        How the readings fit its printed numbers, if it has any.
    pools
        The pools whose settings stand for it: its own, or those from which it inherits.
    competed
        How many readings were compared.
    """

    exhibit: Exhibit
    readings: tuple[str, ...]
    source: Source
    fit: Fit | None = None
    pools: tuple[Pool, ...] = ()
    competed: int = 0

    @property
    def evidence(self) -> bool:
        """Whether printed numbers say what was run."""
        return self.source in EVIDENCED

    @property
    def pooled(self) -> tuple[str, ...]:
        """Names of the other exhibits on whose printed numbers it rests."""
        return tuple(name for pool in self.pools for name in pool.exhibits if name != self.exhibit.name)

    @property
    def apart(self) -> tuple[str, ...]:
        """Names of the exhibits that share settings with it by the text, and need another one."""
        return tuple(dict.fromkeys(name for pool in self.pools for name in pool.apart))


@dataclass(frozen=True)
class Reconstruction:
    """What is known of the readings behind a paper's exhibits.

    Attributes
    ----------
    exhibits
        All exhibits of the paper.
    shared
        Groups of exhibits that share settings.
    readings
        Values of the readings of each experiment, by name.
    fits
        How readings fit the printed numbers, by exhibit that has some.
    """

    exhibits: tuple[Exhibit, ...]
    shared: tuple[Shared, ...]
    readings: Mapping[str, Mapping[str, Values]]
    fits: Mapping[str, Fit]

    @classmethod
    def fit(
        cls,
        exhibits: Sequence[Exhibit],
        shared: Sequence[Shared],
        tables: Mapping[str, pd.DataFrame],
        published: Mapping[str, pd.DataFrame],
    ) -> "Reconstruction":
        """Fit the readings of all exhibits to their printed numbers, by file in `published`."""
        readings = {name: readings_of(tables[name]) for name in dict.fromkeys(item.experiment for item in exhibits)}
        return cls(tuple(exhibits), tuple(shared), readings, fit_all(exhibits, shared, tables, published))

    @cached_property
    def pools(self) -> Pools:
        """The exhibits with printed numbers, pooled by the settings that they share."""
        return Pools(self.shared, {item.name: self.readings[item.experiment] for item in self.exhibits}, self.fits)

    def all(self) -> dict[str, Standing]:
        """Find the standing readings of every exhibit."""
        return {exhibit.name: self.standing(exhibit) for exhibit in self.exhibits}

    def standing(self, exhibit: Exhibit) -> Standing:
        """Find the standing readings of one exhibit: those that agree with a standing setting of its pool.

        One without printed numbers inherits from the pools with which it shares most axes by the text.
        """
        name, readings, own = exhibit.name, self.readings[exhibit.experiment], self.fits.get(exhibit.name)
        telling = self.pools.of(name)
        pools = tuple(pool for parts in telling for pool in parts)
        if own is not None:
            stand = tuple(dict.fromkeys(one for pool in pools for one in self.pools.fitting(name, pool)))
            return Standing(exhibit, stand, "own" if stand else "rejected", own, pools, len(readings))
        found = [self.pools.agreeing(name, parts) for parts in telling]
        stand = tuple(one for one in (found[0] if found else readings) if all(one in others for others in found))
        source: Source = "inferred" if len(stand) < len(readings) else "none"
        return Standing(exhibit, stand, source, None, pools, len(readings))


def fit_all(
    exhibits: Sequence[Exhibit],
    shared: Sequence[Shared],
    tables: Mapping[str, pd.DataFrame],
    published: Mapping[str, pd.DataFrame],
) -> dict[str, Fit]:
    """Fit the readings of every exhibit with printed numbers; exhibits that share their number of runs pool it."""
    cells = compare_all(exhibits, tables, published)
    runs = runs_of_all(cells, shared)
    return {name: score(table, runs[name]) for name, table in cells.items()}


def compare_all(
    exhibits: Sequence[Exhibit], tables: Mapping[str, pd.DataFrame], published: Mapping[str, pd.DataFrame]
) -> dict[str, pd.DataFrame]:
    """Compare the printed numbers of every exhibit that has some with ours, under every reading."""
    return {
        exhibit.name: compare(exhibit, tables[exhibit.experiment], published[exhibit.published])
        for exhibit in exhibits
        if exhibit.published is not None
    }


def runs_of_all(cells: Mapping[str, pd.DataFrame], shared: Sequence[Shared]) -> dict[str, Runs]:
    """Estimate the number of runs behind every exhibit from its compared cells; those that share it pool them."""
    evidence = {name: known(table) for name, table in cells.items()}
    runs = {name: estimate_runs(table) for name, table in evidence.items()}
    for group in shared:
        members = [name for name in group.exhibits if name in cells]
        if group.runs and len(members) > 1:
            together = pooled_runs({name: evidence[name] for name in members})
            for name in members:
                if _agree_on_runs(runs[name], together):
                    runs[name] = together
    return runs


def pooled_runs(members: Mapping[str, pd.DataFrame]) -> Runs:
    """Estimate the number of runs behind several exhibits together, without those whose own numbers contradict it.

    `members` are the numbers of each exhibit that tell its number of runs, as `known` returns them.
    """
    together = estimate_runs(pd.concat(members.values()))
    agreeing = {name: cells for name, cells in members.items() if _agree_on_runs(estimate_runs(cells), together)}
    return pooled_runs(agreeing) if 0 < len(agreeing) < len(members) else together


def _agree_on_runs(own: Runs, together: Runs) -> bool:
    return not own.low > together.estimate and not own.high < together.estimate


def readings_of(table: pd.DataFrame) -> dict[str, dict[str, Any]]:
    """Return the values of the axes that an experiment varies, by the name of the reading."""
    _, axes = axes_of(table)
    distinct = table[["reading", *axes]].drop_duplicates("reading")
    return {str(row["reading"]): {axis: row[axis] for axis in axes} for row in distinct.to_dict("records")}


def agree(values: Values, others: Values, axes: Collection[str]) -> bool:
    """Return whether two readings agree in those of some axes that both have."""
    return all(str(values[axis]) == str(others[axis]) for axis in axes if axis in values and axis in others)
