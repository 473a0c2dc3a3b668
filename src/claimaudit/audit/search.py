"""Search for what was run: what the guide words propose, against the printed numbers of all exhibits of a text.

Each pool of exhibits is searched once. The search departs from the text and from the setting that is named: it tries
each proposal alone, at a few of the printed places of every exhibit (stage "few runs"), then pairs of those that help
and, in place of a departure of the named setting, those that help the text; if nothing fits, what helps most with all
others. The likeliest are compared at all places with more runs (stage "final"); only there does a p-value decide that
a setting fits.

The result has a row per setting that was tried, and one per proposal that was not, with the columns `COLUMNS`: the
``pool`` (its exhibits); the ``base`` from which the setting departs (``named`` or ``text``) and the proposals,
``point``, ``kind``, ``word`` and ``words`` (of a pair joined by " & "); the ``reason`` why it was not tried, or tells
nothing; all ``departures`` from the text (JSON, by variable) and the ``setting`` in words (JSON); whether experiments
``run`` it; ``stage``, ``runs``, ``p_value`` (joint, or that of the exhibit that fits worst times their number if
it is smaller), and the ``log_likelihood`` less that of the named setting, with its ``error``; and the exhibits whose
numbers ``differ`` from those under it.

A pool may cost `SHARE` of its experiments, counted in readings x places x runs.
"""

import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from itertools import combinations
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd

from claimaudit.audit.arrays import Result
from claimaudit.audit.fitting.exhibits import ExhibitFit, compare, joint_p_values, score
from claimaudit.audit.fitting.likelihood import RunsRatio
from claimaudit.audit.fitting.pools import ERRORS
from claimaudit.audit.fitting.settings import CLOSE, Variables, key_of
from claimaudit.audit.fitting.standing import FEW, FINAL, NOT_REACHED, Material
from claimaudit.configuration import Value
from claimaudit.experiments.axes import Axis
from claimaudit.experiments.engine import Experiment, ExperimentJob, join, run
from claimaudit.experiments.guidewords import STATED, Proposal, guided
from claimaudit.experiments.runner import Runner, View
from claimaudit.expressions import select
from claimaudit.fingerprint import numeric_versions
from claimaudit.papers.jobs import Outline, PaperExhibit
from claimaudit.published import NAMES, NUMBERS, UNIT, read_files
from claimaudit.results import STRICT, read, recorded
from claimaudit.task import plain
from claimaudit.verdicts import LEVEL

SHARE = 0.15
"""Cost of the search of a pool, relative to its experiments."""

LEAST, LEAST_PLACES = 100, 16
"""Cost that the search of every pool may have, and places of each experiment at which it may run all runs."""

FEWEST_RUNS, FULL_RUNS = 10, 100
"""Runs of each setting: at least; and enough, though in the final stage twice the paper's if those are more."""

PLACES = 8
"""Printed places at which few runs are compared, of all exhibits of a pool: at most, but for one of each."""

SCREENED = 1e-7
"""Smaller p-values with few runs end a setting, and so do smaller likelihoods, relative to that of the likeliest,
beyond our own error; low, since few runs know their own error badly."""

MOST_IN_FULL = 20
"""Settings that the final stage compares, the likeliest ones."""

HELPFUL, EACH = 8, 3
"""Proposals that are tried in pairs: those that help most, at most `EACH` of one choice point."""

AS_STATED = "as stated"
"""Word for the text's value in place of a departure of the named setting."""

NO_EFFECT = "no number depends on it"
IMPOSSIBLE = "no run is possible"

COLUMNS = [
    *("pool", "base", "point", "kind", "word", "words", "reason", "departures", "setting", "run"),
    *("stage", "runs", "p_value", "log_likelihood", "error", "differ"),
]

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
        places: list[dict[str, Any]] = _places(numbers).to_dict("records")  # type: ignore[assignment]

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


@dataclass(frozen=True)
class PoolSearch:
    """The search of one pool: its exhibits, names for the values that they share, and the reading named of each."""

    members: Mapping[str, Repeated]
    variables: Variables
    named: Mapping[str, str]

    def table(self) -> pd.DataFrame:
        """Search; see the module for the rows."""
        bases = _distinct([Trial("named", self._departures()), Trial("text", {})])
        read = self._compared(bases, self._few(1), FEWEST_RUNS)[1]
        asked, left_out = self._asked(bases[0], read)
        single = _distinct([*bases, *(base.with_changes(one) for base in bases for one in asked)])
        trials, missed, found, spare = self._screened(bases, single)
        found = self._in_full(trials, found, spare)
        results = (dict(result) for _, result in found.iterrows())
        rows = [self._row(trial, result) for trial, result in zip(trials, results, strict=True)]
        rows += [{**self._row(trial, {}), "reason": NOT_REACHED} for trial in missed]
        rows += [{**_said((one,)), "reason": one.reason} for one in left_out]
        return pd.DataFrame(rows, columns=COLUMNS).assign(pool=" ".join(self.members))

    def _screened(
        self, bases: Sequence[Trial], single: Sequence[Trial]
    ) -> tuple[list[Trial], list[Trial], pd.DataFrame, float]:
        """Compare single departures at a few places, half of the budget at most, then pairs of those that help.

        If nothing fits, the likeliest departure is tried with every other one, too.
        Return the trials, those that were not reached, a row of each trial, and what is left of the budget.
        """
        budget, size = self._budget(), len(self.members)
        runs_each = budget / 2 / len(single) / size  # of each setting and exhibit
        few = self._few(int(np.clip(runs_each // FEWEST_RUNS, 1, max(1, PLACES // size))))
        places = sum(len(_places(numbers)) for numbers in few.values())
        runs = int(np.clip(runs_each * size // places, FEWEST_RUNS, FULL_RUNS))
        each = self._cost(few, runs)
        reached = max(len(bases), int(budget / 2 // each)) if each > 1 else len(single)
        trials = single[:reached]
        found = self._compared(trials, few, runs)[0]
        pairs = _distinct([*trials, *_pairs(trials, found["log_likelihood"], found["p_value"].max() >= LEVEL)])
        pairs = pairs[len(trials) :]
        more = pairs[: max(0, int(0.8 * budget // each) - len(trials))]
        if more:
            found = pd.concat([found, self._compared([bases[0], *more], few, runs)[0].iloc[1:]], ignore_index=True)
        trials = [*trials, *more]
        missed = [*single[reached:], *pairs[len(more) :]]
        return trials, missed, found.assign(stage=FEW, runs=runs), budget - each * len(trials)

    def _in_full(self, trials: Sequence[Trial], found: pd.DataFrame, spare: float) -> pd.DataFrame:
        """Compare the likeliest trials at all places, as the `spare` budget allows; return all rows with theirs."""
        numbers = {name: member.numbers for name, member in self.members.items()}
        places = sum(len(_places(one)) for one in numbers.values())
        printed = max(float(one["runs"].fillna(0).max()) for one in numbers.values())
        left, further = _left(trials, found)
        every = [*left, *further][:MOST_IN_FULL]
        # All share the time where few runs do, since most numbers are closed forms; else the others come first.
        sharing = every if not found["error"].median() else left[:MOST_IN_FULL]
        runs = int(np.clip(spare // (len(sharing) * places), FEWEST_RUNS, max(FULL_RUNS, 2 * printed)))
        chosen = every[: max(1, int(spare // self._cost(numbers, runs)))]
        last = self._compared([trials[n] for n in chosen], numbers, runs, final=True)[0].assign(stage=FINAL, runs=runs)
        return pd.concat([found.drop(index=chosen), last.set_axis(chosen)]).sort_index()

    def _departures(self) -> dict[str, Value]:
        found: dict[str, Value] = {}
        for exhibit, member in self.members.items():
            strict, values = (self._reading(exhibit, name) for name in (STRICT, self.named[exhibit]))
            for axis in member.experiment.runner.axes.values():
                if str(values[axis.name]) != str(strict[axis.name]):
                    found[self._variable(axis, exhibit)] = values[axis.name]
        return found

    def _few(self, places: int) -> dict[str, pd.DataFrame]:
        found = {}
        for name, member in self.members.items():
            known = _places(member.numbers)
            at = np.unique(np.linspace(0, len(known) - 1, places + 2)[1:-1].round().astype(int))
            found[name] = member.numbers.merge(known.iloc[at]) if len(known.columns) else member.numbers
        return found

    def _budget(self) -> float:
        budget = 0.0
        for member in {member.experiment.job.experiment: member for member in self.members.values()}.values():
            experiment = member.experiment
            places = len([*experiment.setting.points(experiment.readings[STRICT])]) * len(experiment.readings)
            budget += max(SHARE * places, LEAST_PLACES) * member.cost(experiment.job.runs)
        return max(LEAST, budget)

    def _cost(self, numbers: Mapping[str, pd.DataFrame], runs: int) -> int:
        """Return what a setting costs at the places of some numbers."""
        return max(1, sum(len(_places(numbers[name])) * member.cost(runs) for name, member in self.members.items()))

    def _reading(self, exhibit: str, name: str) -> Mapping[str, Value]:
        return self.members[exhibit].experiment.readings[name]

    def _variable(self, axis: Axis, exhibit: str) -> str:
        """Return the name of the value of an axis in an exhibit.

        Of what the paper's file does not list, all exhibits share one value, but for numbers: code is written once.
        """
        own = f"{axis.name} of {exhibit}" if axis.kind == "number" else axis.name
        return self.variables.names.get((exhibit, axis.name), own)

    def _asked(self, named: Trial, read: Mapping[str, set[str]]) -> tuple[list[Change], list[Proposal]]:
        """Return what is proposed for each variable, each value once, and what is left out, with the reason."""
        asked: dict[tuple[str, str], Change] = {}
        left_out: dict[tuple[str, str], Proposal] = {}
        for exhibit, member in self.members.items():
            axes = member.experiment.runner.axes
            for axis in axes.values():
                name = self._variable(axis, exhibit)
                if name in named.setting:
                    text = self._reading(exhibit, STRICT)[axis.name]
                    one = Proposal(axis.name, axis.kind, AS_STATED, text, axis.phrase(text))
                    asked[name, str(text)] = (name, one)
            for one in member.proposals:
                name = self._variable(axes[one.point], exhibit)
                if one.reason:
                    left_out.setdefault((name, ""), one)
                elif one.point in read[exhibit]:
                    asked.setdefault((name, str(one.value)), (name, one))
                else:
                    left_out.setdefault((name, str(one.value)), replace(one, reason=NO_EFFECT))
        # The likeliest proposal of every choice point comes before the second one of any.
        names = [name for name, _ in asked]
        turns = sorted(range(len(names)), key=lambda n: names[:n].count(names[n]))
        return [list(asked.values())[n] for n in turns], [one for key, one in left_out.items() if key not in asked]

    def _values(self, exhibit: str, setting: Mapping[str, Value]) -> dict[str, Value]:
        return {**self._reading(exhibit, STRICT), **{axis.name: value for axis, value in self._own(exhibit, setting)}}

    def _own(self, exhibit: str, setting: Mapping[str, Value]) -> Iterator[tuple[Axis, Value]]:
        """Yield the axes of an exhibit on which a setting departs from the text, with their values."""
        for axis in self.members[exhibit].experiment.runner.axes.values():
            value = setting.get(self._variable(axis, exhibit))
            if value is not None and axis.admits(value):
                yield axis, value

    def _compared(
        self, trials: Sequence[Trial], numbers: Mapping[str, pd.DataFrame], runs: int, final: bool = False
    ) -> tuple[pd.DataFrame, dict[str, set[str]]]:
        """Compare trials, the first one being the named setting; return a row of each, and the axes read by exhibit."""
        fits: dict[str, ExhibitFit] = {}
        chosen: dict[str, list[str]] = {}
        read: dict[str, set[str]] = {}
        for name, member in self.members.items():
            keys = [self._values(name, trial.setting) for trial in trials]
            distinct = {key_of(one): one for one in keys}
            place = {key: str(number) for number, key in enumerate(distinct)}
            cells, read[name] = member.compared(list(distinct.values()), numbers[name], runs)
            fewest = RunsRatio(member.runs.fewest, rejected=True)
            careful = with_average_errors(cells)
            # An error of our own number says how well few runs know the printed one's; an exact number has none.
            exact = (cells["se_ours"] == 0) & (runs < FULL_RUNS)
            cells = pd.concat([careful[exact], cells[~exact]]).sort_index() if final else careful
            fits[name] = score(cells, member.runs if final else fewest)
            chosen[name] = [place[key_of(one)] for one in keys]
        settings = [dict(zip(chosen, readings, strict=True)) for readings in zip(*chosen.values(), strict=True)]
        able = [all(one in fits[name].p_values for name, one in setting.items()) for setting in settings]
        known = {name: [one[name] if can else "0" for one, can in zip(settings, able, strict=True)] for name in chosen}
        worst = np.min([[fits[name].p_values[one] for one in own] for name, own in known.items()], axis=0)
        p_values = np.where(able, np.minimum(joint_p_values(fits, known), len(fits) * worst), 0.0).tolist()
        rows = [
            {**(_fit(fits, setting) if can else IMPOSSIBLE_FIT), "p_value": p_value}
            for setting, can, p_value in zip(settings, able, p_values, strict=True)
        ]
        return pd.DataFrame(rows), read

    def _row(self, trial: Trial, result: Mapping[str, Any]) -> dict[str, Any]:
        phrases: dict[str, str] = {}
        known = True
        for exhibit, member in self.members.items():
            values = key_of(self._values(exhibit, trial.setting))
            known &= any(key_of(one) == values for one in member.experiment.readings.values())
            phrases |= {
                self._variable(axis, exhibit): axis.phrase(one) for axis, one in self._own(exhibit, trial.setting)
            }
        departures = json.dumps({name: str(value) for name, value in trial.setting.items()})
        setting = {"departures": departures, "setting": json.dumps(list(phrases.values())), "run": known}
        reason = NO_EFFECT if len(trial.changes) == 1 and result.get("differ") == "" else ""
        reason = IMPOSSIBLE if result.get("log_likelihood") == -np.inf else reason
        return {"base": trial.base, **_said([one for _, one in trial.changes]), "reason": reason, **setting, **result}


IMPOSSIBLE_FIT = {"log_likelihood": -np.inf, "error": 0.0, "differ": "", "same": ()}


def _fit(fits: Mapping[str, ExhibitFit], setting: Mapping[str, str]) -> dict[str, Any]:
    """Return how some exhibits fit their readings in a setting, compared with the first ones."""
    same = {name: fits[name].equal[one] for name, one in setting.items()}
    changed = [name for name in setting if same[name] != fits[name].equal["0"]]
    likelihoods = [fits[name].log_likelihoods for name in changed]
    return {
        "log_likelihood": sum(
            known[setting[name]] - known["0"] for known, name in zip(likelihoods, changed, strict=True)
        ),
        "error": float(np.sqrt(sum(fits[name].error_between(setting[name], "0") ** 2 for name in changed))),
        "differ": " ".join(changed),
        "same": tuple(same.values()),
    }


def _said(proposals: Sequence[Proposal]) -> dict[str, str]:
    names = ("point", "kind", "word", "words")
    return {name: " & ".join(getattr(one, name) for one in proposals) for name in names}


def _pairs(trials: Sequence[Trial], likelihood: pd.Series, fits: bool) -> Iterator[Trial]:
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


def _left(trials: Sequence[Trial], found: pd.DataFrame) -> tuple[list[int], list[int]]:
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


def _distinct(trials: Sequence[Trial]) -> list[Trial]:
    first = {trial.key: trial for trial in reversed(trials)}
    return [first[key] for key in dict.fromkeys(trial.key for trial in trials)]


def _places(numbers: pd.DataFrame) -> pd.DataFrame:
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


def search(known: Material, members: Mapping[str, Repeated]) -> pd.DataFrame:
    """Search all pools, and the exhibits that no reading fits, each alone; see the module for the rows."""
    pools = [(pool.record.exhibits, pool.settings[0].readings) for pool in known.pools.all]
    pooled = {name for exhibits, _ in pools for name in exhibits}
    likelihoods = {name: fit.log_likelihoods for name, fit in known.fits.items()}
    likeliest = {name: max(readings, key=readings.__getitem__) for name, readings in likelihoods.items()}
    pools += [((name,), likeliest) for name in members if name not in pooled]
    found = []
    for exhibits, readings in pools:
        own = {name: members[name] for name in exhibits if name in members}
        if own:
            found.append(PoolSearch(own, known.pools.variables, readings).table())
    return pd.concat(found, ignore_index=True)


def with_guide_words(experiment: Experiment) -> Experiment:
    """Return an experiment whose runner takes what guide words propose; its readings have what they had."""
    runner = guided(experiment.runner, experiment.setting)
    added = {axis: STATED for axis in runner.axes if axis not in experiment.runner.axes}
    readings = {name: {**values, **added} for name, values in experiment.readings.items()}
    return replace(experiment, runner=runner, readings=readings)


def search_files(
    outline: Outline,
    experiments: dict[str, ExperimentJob],
    proposals: dict[str, tuple[Proposal, ...]],
    published: Sequence[Path],
    tables: Sequence[Path],
    views: Sequence[Path] = (),
) -> dict[str, bytes]:
    """Search what was run for the exhibits of a paper: the ``table`` of `search`, and its ``record``.

    The experiments are by name, and what is proposed by exhibit with printed numbers. The files are those of printed
    numbers, result tables with their records, and views.
    """
    numbers = read_files(published)
    # Stand-ins are searched like any data; verdicts leave out what rests on them.
    known = Material(outline, {path.stem: Result(read(path)) for path in tables}, numbers)
    repeated = {}
    available: dict[Path, View] = {}
    for name, experiment in experiments.items():
        backend = Runner.load(experiment.runner).backend
        available = available or {path: backend.read(path) for path in views if path.suffix == ".npy"}
        loaded = Experiment.load(experiment, {path.stem: view for path, view in available.items()})
        repeated[name] = with_guide_words(loaded)
    members = {
        one.name: Repeated(
            one,
            select(numbers[str(one.published)], one.rows),
            known.fits[one.name].runs,
            repeated[one.experiment],
            proposals[one.name],
        )
        for one in outline.exhibits
        if one.name in proposals
    }
    content = search(known, members).to_csv(index=False, lineterminator="\n").encode()
    told = plain({"outline": outline, "experiments": experiments, "proposals": proposals})
    return recorded(content, {**told, "versions": numeric_versions()})
