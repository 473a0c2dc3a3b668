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
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd

from claimaudit.audit.arrays import Result
from claimaudit.audit.fitting.exhibits import ExhibitFit, joint_p_values, score
from claimaudit.audit.fitting.likelihood import RunsRatio
from claimaudit.audit.fitting.settings import Variables, key_of
from claimaudit.audit.fitting.standing import FEW, FINAL, NOT_REACHED, Material
from claimaudit.audit.trials import (
    AS_STATED,
    Change,
    Repeated,
    Trial,
    distinct,
    left_of,
    pairs_of,
    places_of,
    with_average_errors,
    with_guide_words,
)
from claimaudit.configuration import Value
from claimaudit.experiments.axes import Axis
from claimaudit.experiments.engine import Experiment, ExperimentJob
from claimaudit.experiments.guidewords import Proposal
from claimaudit.experiments.runner import Runner, View
from claimaudit.expressions import select
from claimaudit.fingerprint import numeric_versions
from claimaudit.papers.jobs import Outline
from claimaudit.published import read_files
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

MOST_IN_FULL = 20
"""Settings that the final stage compares, the likeliest ones."""

NO_EFFECT = "no number depends on it"

IMPOSSIBLE = "no run is possible"

COLUMNS = [
    *("pool", "base", "point", "kind", "word", "words", "reason", "departures", "setting", "run"),
    *("stage", "runs", "p_value", "log_likelihood", "error", "differ"),
]


@dataclass(frozen=True)
class PoolSearch:
    """The search of one pool: its exhibits, names for the values that they share, and the reading named of each."""

    members: Mapping[str, Repeated]
    variables: Variables
    named: Mapping[str, str]

    def table(self) -> pd.DataFrame:
        """Search; see the module for the rows."""
        bases = distinct([Trial("named", self._departures()), Trial("text", {})])
        read = self._compared(bases, self._few(1), FEWEST_RUNS)[1]
        asked, left_out = self._asked(bases[0], read)
        single = distinct([*bases, *(base.with_changes(one) for base in bases for one in asked)])
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
        places = sum(len(places_of(numbers)) for numbers in few.values())
        runs = int(np.clip(runs_each * size // places, FEWEST_RUNS, FULL_RUNS))
        each = self._cost(few, runs)
        reached = max(len(bases), int(budget / 2 // each)) if each > 1 else len(single)
        trials = single[:reached]
        found = self._compared(trials, few, runs)[0]
        pairs = distinct([*trials, *pairs_of(trials, found["log_likelihood"], found["p_value"].max() >= LEVEL)])
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
        places = sum(len(places_of(one)) for one in numbers.values())
        printed = max(float(one["runs"].fillna(0).max()) for one in numbers.values())
        left, further = left_of(trials, found)
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
            known = places_of(member.numbers)
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
        return max(1, sum(len(places_of(numbers[name])) * member.cost(runs) for name, member in self.members.items()))

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
