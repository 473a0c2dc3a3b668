"""Settings that a search tries: how an exhibit is run again under them, which pairs to try, and which are left."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from itertools import combinations
from typing import Any

import numpy as np
import pandas as pd

from claimaudit.audit.fitting.exhibits import compare
from claimaudit.audit.fitting.likelihood import RunsRatio
from claimaudit.audit.fitting.pools import ERRORS
from claimaudit.audit.fitting.settings import CLOSE
from claimaudit.configuration import Value
from claimaudit.experiments.engine import Experiment, join, run
from claimaudit.experiments.guidewords import STATED, Proposal, guided
from claimaudit.papers.jobs import PaperExhibit
from claimaudit.published import NAMES, NUMBERS, UNIT

SCREENED = 1e-7
"""Smaller p-values with few runs end a setting, and so do smaller likelihoods, relative to that of the likeliest,
beyond our own error; low, since few runs know their own error badly."""

HELPFUL, EACH = 8, 3
"""Proposals that are tried in pairs: those that help most, at most `EACH` of one choice point."""

AS_STATED = "as stated"
"""Word for the text's value in place of a departure of the named setting."""

Change = tuple[str, Proposal]
"""What is proposed for a value, by its name in `Variables`."""


@dataclass(frozen=True)
class Trial:
    """A setting that is tried: where it departs from the text, by the names of `Variables`, and from a base."""

    base: str
    setting: Mapping[str, Value]
    changes: tuple[Change, ...] = ()

    @cached_property
    def key(self) -> frozenset[tuple[str, str]]:
        return frozenset((name, str(value)) for name, value in self.setting.items())

    def with_changes(self, *changes: Change) -> "Trial":
        """Return a trial that departs from this one."""
        setting = {name: value for name, value in self.setting.items() if name not in dict(changes)}
        new = {name: one.value for name, one in changes if one.word != AS_STATED and one.value is not None}
        return Trial(self.base, setting | new, changes)


@dataclass(frozen=True)
class Repeated:
    """An exhibit with its printed numbers, the runs behind them, and the experiment whose runner takes proposals."""

    exhibit: PaperExhibit
    numbers: pd.DataFrame
    runs: RunsRatio
    experiment: Experiment
    proposals: Sequence[Proposal]

    def cost(self, runs: int) -> int:
        """Return what a place costs: the runs; what is exact counts for nothing."""
        return min(runs, self.experiment.job.runs) if self.experiment.runner.simulates else 0

    def compared(
        self, readings: Sequence[Mapping[str, Value]], numbers: pd.DataFrame, runs: int
    ) -> tuple[pd.DataFrame, set[str]]:
        """Run readings, named by their places in the list, and compare those that can be run with printed numbers.

        Return the cells, see `claimaudit.audit.fitting.exhibits.compare`, and the axes that were read; a ValueError if
        the numbers match no point of the experiment.
        """
        places: list[dict[str, Any]] = places_of(numbers).to_dict("records")  # type: ignore[assignment]

        def wanted(point: Mapping[str, Any]) -> bool:
            return any(all(point[name] == value for name, value in place.items() if name in point) for place in places)

        named = {str(number): values for number, values in enumerate(readings)}
        runs = max(2, min(runs, self.experiment.job.runs))
        job = replace(self.experiment.job, axes=(), runs=runs, strict_factor=1)
        chosen = replace(self.experiment, job=job, readings=named, only=wanted)
        part = run(chosen)
        if not part.rows[0]:
            raise ValueError("no printed number has the settings of a point of its experiment")
        table = pd.DataFrame(join(chosen, [part]))
        keys = [name for name in table.columns if name in numbers.columns and name not in (*NUMBERS, UNIT)]
        need = numbers[keys].drop_duplicates()
        have = table[["reading", *keys]].drop_duplicates().merge(need).groupby("reading").size()
        possible = {"0", *have.index[have == len(need)]}  # `compare` says which rows the first one lacks
        rows = table[table["reading"].isin(possible)]
        return compare(replace(self.exhibit, rows=None), rows, numbers), set(part.read)


def places_of(numbers: pd.DataFrame) -> pd.DataFrame:
    """Return the settings of printed numbers, each once."""
    return numbers.drop(columns=[*NAMES, *NUMBERS, UNIT]).drop_duplicates()


def with_average_errors(cells: pd.DataFrame) -> pd.DataFrame:
    """Return compared cells whose errors are at least the average one of their reading, mechanism and metric.

    Few runs of a squared error tell its standard deviation badly, and one that is too small by chance would reject the
    truth. Errors are averaged relative to the numbers, as the mean squares of an exhibit have about the same one.
    """
    relative = (cells["run_sd"] / cells["ours"]).where(cells["run_sd"] > 0)
    keys = [cells[name] for name in ("reading", "mechanism", "metric")]
    average = np.sqrt((relative**2).groupby(keys).transform("mean")) * cells["ours"].abs()
    factor = (average / cells["run_sd"]).where(cells["run_sd"] > 0, 1.0).clip(lower=1.0)
    return cells.assign(run_sd=cells["run_sd"] * factor, se_ours=cells["se_ours"] * factor)


def with_guide_words(experiment: Experiment) -> Experiment:
    """Return an experiment whose runner takes what guide words propose; its readings have what they had."""
    runner = guided(experiment.runner, experiment.setting)
    added = {axis: STATED for axis in runner.axes if axis not in experiment.runner.axes}
    readings = {name: {**values, **added} for name, values in experiment.readings.items()}
    return replace(experiment, runner=runner, readings=readings)


def distinct(trials: Sequence[Trial]) -> list[Trial]:
    """Return the first trial of each setting."""
    first = {trial.key: trial for trial in reversed(trials)}
    return [first[key] for key in dict.fromkeys(trial.key for trial in trials)]


def pairs_of(trials: Sequence[Trial], likelihood: pd.Series, fits: bool) -> Iterator[Trial]:
    """Yield pairs of proposals that help a base; and, in place of departures of the named one, what helps the text.

    Unless something `fits`, then those of what helps a base most with all others.
    """
    gain = {trial.key: value for trial, value in zip(trials, likelihood, strict=True)}
    single = [trial for trial in trials if trial.changes]
    bases = [trial for trial in trials if not trial.changes]
    helpful: list[Change] = []
    for base in bases:
        better = [one for one in single if one.base == base.base and gain[one.key] > gain[base.key] + CLOSE]
        better.sort(key=lambda one: -gain[one.key])
        names = pd.Series([one.changes[0][0] for one in better], dtype=object)
        helpful = [better[n].changes[0] for n in names.groupby(names).head(EACH).index[:HELPFUL]]
        for one, other in combinations(helpful, 2):
            if one[0] != other[0]:
                yield base.with_changes(one, other)
    if len(bases) > 1:
        back = [one.changes[0] for one in single if one.base == "named" and one.changes[0][1].word == AS_STATED]
        yield from (bases[0].with_changes(one, other) for one in back for other in helpful if one[0] != other[0])
    if not fits and single:
        most = max(single, key=lambda one: gain[one.key])
        others = [one.changes[0] for one in single if one.base == most.base]
        [base] = [one for one in bases if one.base == most.base]
        yield from (base.with_changes(*most.changes, other) for other in others if other[0] != most.changes[0][0])


def left_of(trials: Sequence[Trial], found: pd.DataFrame) -> tuple[list[int], list[int]]:
    """Return the places of the trials that are final: the named setting, then the likeliest, with and without a price.

    Of those with the same numbers, the one that departs least from the text has to do. Those that only depart further
    than the named setting must earn it, or are apart: they are compared if there is time.
    """
    behind = found["log_likelihood"].max() - found["log_likelihood"]
    close = (behind <= -np.log(SCREENED) + ERRORS * found["error"]) & (found["p_value"] >= SCREENED)
    price = np.log(len(trials)) * np.array([len(trial.setting) for trial in trials])
    further = np.array([trials[0].key < trial.key for trial in trials])
    apart = further & (found["log_likelihood"] + found["error"] < price - price[0])
    priced = found.assign(priced=found["log_likelihood"] - price)[close]
    priced = priced.sort_values("priced", ascending=False, kind="stable")
    # Numbers of `same` count within one comparison, of which singles and pairs have one each.
    priced = priced.drop_duplicates(["same", "log_likelihood"])
    likely = priced.sort_values("log_likelihood", ascending=False, kind="stable")
    turns = dict.fromkeys(place for pair in zip(likely.index, priced.index, strict=True) for place in pair)
    ordered = [place for place in turns if place and found["same"][place] != found["same"][0]]
    return [0, *(place for place in ordered if not apart[place])], [place for place in ordered if apart[place]]
