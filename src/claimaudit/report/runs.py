"""What seems to have been run for each exhibit: the standing readings in words, with the evidence for them."""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Mapping
from dataclasses import dataclass, replace
from typing import Any

import pandas as pd

from claimaudit.report.markup import anchor
from claimaudit.results import STRICT
from claimaudit.verdicts import Exhibit, Names, Pool, Source, StandingReading, Verdicts
from claimaudit.words import runs as words
from claimaudit.words.numbers import listed
from claimaudit.words.readings import TEXT, choice, reading

Entry = Mapping[str, Any]
"""A paper as configured, see `claimaudit.papers.paper.Paper.resolved`."""


@dataclass(frozen=True)
class Shared:
    """A setting that the paper states once for several exhibits: where, the axes, and whether runs are shared."""

    why: str
    axes: tuple[str, ...]
    exhibits: tuple[str, ...]
    runs: bool

    @property
    def what(self) -> str:
        """The shared axes, and the number of runs, as a list."""
        return listed([*self.axes, *(["number of runs"] if self.runs else [])])


@dataclass(frozen=True)
class Ran:
    """What seems to have been run for one exhibit.

    `known` is what the audit found; `answer` says it in words, `short` in a heading, `sentences` give the evidence.
    `readings` are the standing ones with their words, best fit first, and `others` the exhibits with which the paper
    says that it shares settings. `shown_by` is the id of its figure or table on the page, `beside` that of the settings
    of its pool where they depart from the text, side by side with it.
    """

    name: str
    id: str
    known: Exhibit
    answer: str
    short: str
    sentences: tuple[str, ...]
    readings: tuple[tuple[str, StandingReading], ...]
    others: tuple[str, ...]
    shown_by: str | None
    beside: str | None

    @property
    def source(self) -> Source:
        """What says what was run."""
        return self.known.source

    @property
    def printed(self) -> bool:
        """Whether it has printed numbers."""
        return self.known.numbers is not None

    def inside(self, standing: StandingReading) -> str:
        """Return how many of its printed numbers lie inside their 95 % interval under a standing reading."""
        return words.count_inside(standing, self.known.numbers or 0)


@dataclass(frozen=True)
class Competitor:
    """A setting that competed for a pool: its departures from the text in words, and how it fits."""

    words: tuple[str, ...]
    p_value: float | None
    log_likelihood: float | None
    error: float | None
    stands: bool
    admissible: bool


@dataclass(frozen=True)
class Settings:
    """What seems to have been run for the exhibits of a pool.

    `own` have printed numbers, `inferred` share settings with them. `answer` says it in words; `axes` are the axes on
    which it departs from the text, each with the value in the text, the standing one, and what the numbers say of it.
    """

    id: str
    own: tuple[str, ...]
    inferred: tuple[str, ...]
    answer: str
    axes: tuple[tuple[str, str, str], ...] = ()
    sentences: tuple[str, ...] = ()
    settings: tuple[Competitor, ...] = ()


def pooled(paper: str, verdicts: Verdicts) -> list[Settings]:
    """Return what was run by pool, the one with most printed numbers first, those that nothing fits last."""
    pools = sorted(verdicts.pools, key=lambda pool: -pool.numbers)
    found = [_settings(paper, pool, verdicts.names) for pool in pools]
    rejected = tuple(name for name, known in verdicts.exhibits.items() if known.source == "rejected")
    if rejected:
        answer = "no reading tried fits the printed numbers"
        found.append(Settings(anchor("settings", paper, "rejected"), rejected, (), answer))
    return found


def _settings(paper: str, pool: Pool, names: Names) -> Settings:
    departing = [(axis, choice(names, axis.axis, axis.standing)) for axis in words.departing(pool)]
    return Settings(
        anchor("settings", paper, pool.exhibits[0]),
        pool.exhibits,
        pool.inferred,
        listed([standing for _, standing in departing]) if departing else TEXT,
        tuple((words.in_text(axis, names), standing, words.demand(axis, pool)) for axis, standing in departing),
        words.sentences_on_pool(pool, names),
        tuple(
            Competitor(
                tuple(choice(names, each.axis, each.value) for each in setting.departures),
                setting.fit.p_value,
                setting.fit.log_likelihood,
                setting.fit.error,
                setting.stands,
                setting.admissible,
            )
            for setting in (() if words.is_small(pool) else pool.settings)
        ),
    )


def shared_settings(entry: Entry) -> list[Shared]:
    """Return the settings that a paper states once for several exhibits, from its configuration."""
    everything = tuple(entry.get("exhibits", {}))
    return [
        Shared(
            group["why"],
            tuple(group.get("axes", ())),
            tuple(group.get("exhibits") or everything),
            group.get("runs", False),
        )
        for group in entry.get("shared", [])
    ]


def describe(
    paper: str, entry: Entry, verdicts: Verdicts, settings: Iterable[Settings], predictions: pd.DataFrame
) -> list[Ran]:
    """Describe all exhibits of a paper, from its configuration, its verdicts, `pooled` and the predictions on it."""
    shared, printed = shared_settings(entry), predictions[predictions["printed"].notna()]
    beside = {name: group.id for group in settings if group.axes for name in (*group.own, *group.inferred)}
    inside = printed["printed"].between(printed["low"], printed["high"])
    shares = dict(inside.groupby([printed["exhibit"], printed["reading"]]).mean().items())
    return [
        _described(paper, name, _as_predicted(name, known, shares), shared, beside.get(name), entry, verdicts.names)
        for name, known in verdicts.exhibits.items()
    ]


def _as_predicted(name: str, known: Exhibit, shares: Mapping[Hashable, float]) -> Exhibit:
    """Take the share of printed numbers inside their interval from the predictions, as the start page does.

    The audit's own intervals are for the likeliest number of runs; those of predictions allow for what is not known.
    """
    if known.strict is None:
        return known
    readings = (replace(each, inside=shares.get((name, each.reading), each.inside)) for each in known.readings)
    strict = replace(known.strict, inside=shares.get((name, STRICT), known.strict.inside))
    return replace(known, readings=tuple(readings), strict=strict)


def _described(
    paper: str, name: str, known: Exhibit, shared: Iterable[Shared], beside: str | None, entry: Entry, names: Names
) -> Ran:
    others = [other for group in shared if name in group.exhibits for other in group.exhibits if other != name]
    kind = next((kind for kind in ("figure", "table") if name in entry[f"{kind}s"]), None)
    return Ran(
        name=name,
        id=anchor("run", paper, name),
        known=known,
        answer=words.answer(known, names),
        short=words.heading(known, names),
        sentences=words.sentences(known),
        readings=tuple((reading(names, known.experiment, each.reading), each) for each in known.readings),
        others=tuple(dict.fromkeys(others)),
        shown_by=anchor(kind, paper, name) if kind else None,
        beside=beside,
    )
