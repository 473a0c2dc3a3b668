"""Standing readings: what the printed numbers of an exhibit, and of those that share its settings, do not reject.

An exhibit without printed numbers inherits what stands for the exhibits with which the paper says that it shares
settings.
"""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import pandas as pd

from corrldp.audit.exhibits import LEVEL, Exhibit, Fit, compare, known, score
from corrldp.audit.likelihood import Runs, estimate_runs
from corrldp.results import STRICT, axes_of

Values = Mapping[str, Any]

EVIDENCED = ("own", "inferred")
"""Sources that say what was run."""


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
    def load(cls, setting: Mapping[str, Any]) -> tuple["Shared", ...]:
        """Return the groups of a setting that `corrldp.papers.paper.Paper.evidence` makes."""
        return tuple(
            cls(tuple(group["axes"]), tuple(group["exhibits"]), group["runs"]) for group in setting.get("shared", ())
        )


@dataclass(frozen=True)
class Standing:
    """What stands for one exhibit.

    Attributes
    ----------
    exhibit
        The exhibit.
    readings
        Names of the standing readings, best fit first.
    source
        ``own``: its printed numbers; ``inferred``: those of exhibits that share settings with it; ``none``: no
        evidence, so any reading of the experiment may have been run; ``rejected``: no reading fits its numbers.
    fit
        How the readings fit its printed numbers, if it has any.
    pooled
        Names of the other exhibits whose printed numbers reject some of its readings.
    conflict
        Whether no reading fits both its own numbers and those of the exhibits that share its settings; then those
        stand that contradict the fewest of these exhibits.
    competed
        How many readings were compared.
    """

    exhibit: Exhibit
    readings: tuple[str, ...]
    source: str
    fit: Fit | None = None
    pooled: tuple[str, ...] = ()
    conflict: bool = False
    competed: int = 0

    @property
    def evidence(self) -> bool:
        """Whether printed numbers say what was run."""
        return self.source in EVIDENCED


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

    def all(self) -> dict[str, Standing]:
        """Find the standing readings of every exhibit."""
        return {exhibit.name: self.standing(exhibit) for exhibit in self.exhibits}

    def standing(self, exhibit: Exhibit) -> Standing:
        """Find the standing readings of one exhibit.

        They fit its own printed numbers, if it has any, and of these readings they contradict the fewest exhibits that
        share its settings. An exhibit contradicts a reading if none of its own standing readings agrees in what they
        share.
        """
        readings = self.readings[exhibit.experiment]
        own = self.fits.get(exhibit.name)
        fitting = dict.fromkeys(readings)
        if own is not None:
            ranked = sorted(own.p_values.items(), key=lambda item: (-item[1], item[0] != STRICT))
            fitting = {name: None for name, p_value in ranked if p_value >= LEVEL}
        against = self.contradictions(exhibit, {name: readings[name] for name in fitting})
        fewest = min(map(len, against.values()), default=0)
        found = tuple(name for name, others in against.items() if len(others) == fewest)
        pooled = tuple(other for other in self.fits if any(other in others for others in against.values()))
        if own is not None:
            source = "own" if fitting else "rejected"
        else:
            source = "inferred" if len(found) < len(readings) else "none"
        return Standing(exhibit, found, source, own, pooled, fewest > 0, len(readings))

    def contradictions(self, exhibit: Exhibit, readings: Mapping[str, Values]) -> dict[str, list[str]]:
        """Return, for each of some readings of an exhibit, the exhibits that contradict it in what they share."""
        against: dict[str, list[str]] = {name: [] for name in readings}
        neighbours = {other: axes for other, axes in self._neighbours(exhibit).items() if other.name in self.fits}
        # The more exhibits share a setting, the sooner one of them rejects the truth by chance.
        level = LEVEL / max(len(neighbours), 1)
        for other, axes in neighbours.items():
            theirs = self.readings[other.experiment]
            stand = [theirs[name] for name, p_value in self.fits[other.name].p_values.items() if p_value >= level]
            for name, values in readings.items() if stand else ():
                if not any(agree(values, their_values, axes) for their_values in stand):
                    against[name].append(other.name)
        return against

    def _neighbours(self, exhibit: Exhibit) -> dict[Exhibit, set[str]]:
        """Return the axes that each other exhibit shares with this one."""
        return {
            other: axes
            for other in self.exhibits
            if other != exhibit and (axes := shared_axes(exhibit.name, other.name, self.shared))
        }


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


def shared_axes(exhibit: str, other: str, shared: Sequence[Shared]) -> set[str]:
    """Return the axes that two exhibits share."""
    return {axis for group in shared if {exhibit, other} <= {*group.exhibits} for axis in group.axes}


def agree(values: Values, others: Values, axes: Collection[str]) -> bool:
    """Return whether two readings agree in those of some axes that both have."""
    return all(str(values[axis]) == str(others[axis]) for axis in axes if axis in values and axis in others)
