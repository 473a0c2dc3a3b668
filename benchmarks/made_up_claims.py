"""Claims of made-up papers: those that authors write, and adversarial ones; `hidden_readings` judges them.

Authors write what they see in the numbers of their own run, and sometimes get it wrong. An adversary puts thresholds at
the numbers of a reading drawn at random, so that readings disagree about them.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
import pandas as pd
from made_up_papers import Paper, World, tried
from planted_errors import CLEAR, moved

from claimaudit.audit.arrays import variable
from claimaudit.audit.templates import Template

WRONG = 0.1
"""Share of the authors' claims that are planted errors."""

STEP = 0.1
"""A step of a curve is seen if its larger end is above the other by this share."""

TRIES = 100
"""How often authors look for something to say of one kind, before they say something of another."""

AUTHORS, PLANTED, ADVERSARY = "authors", "planted", "adversary"
CHECK = {"below": "ordering", "gain": "ordering", "monotone": "monotone", "flat": "flat", "value": "value"}


@dataclass(frozen=True)
class Numbers:
    """Numbers that a claim is made from, a row per setting and a column per mechanism, and two mechanisms."""

    world: World
    panel: str
    metric: str
    table: pd.DataFrame
    one: str
    other: str

    @property
    def along(self) -> dict[str, Any]:
        """Fields of a claim on the exhibit's main setting."""
        panel = self.world.family.panels[self.panel]
        return {"along": panel.along, "by": [name for name in panel.columns if name != panel.along]}

    @property
    def ratio(self) -> str:
        """The ratio of the errors of both mechanisms, as an expression."""
        return f"{self.error(self.one)} / {self.error(self.other)}"

    @property
    def ratios(self) -> pd.Series:
        """The ratio at each setting."""
        return self.table[self.one] / self.table[self.other]

    def error(self, mechanism: str) -> str:
        """Return the name of a mechanism's error."""
        return variable(self.metric, mechanism)

    def at(self, place: int) -> str:
        """Return the condition that selects a setting."""
        values = self.table.index.to_frame().iloc[place]
        return " and ".join(f"{name} == {value:.10g}" for name, value in values.items())


def authors_claims(world: World, paper: Paper, rng: np.random.Generator, count: int) -> list[Template]:
    """Draw claims on the exhibits of a paper, printed or not, that its authors make from their own numbers."""
    return [_authors_claim(world, paper, place, rng) for place in range(count)]


def _authors_claim(world: World, paper: Paper, place: int, rng: np.random.Generator) -> Template:
    kind = str(rng.choice(list(SEEN)))
    for _ in range(TRIES):
        panel = str(rng.choice(list(paper.truth)))
        numbers = _numbers(world, panel, paper.numbers[panel], rng)
        twins = SEEN[kind](numbers, rng)
        if twins is not None:
            wrong = bool(rng.random() < WRONG)
            return _claim(PLANTED if wrong else AUTHORS, kind, place, panel) | twins[wrong]
    return _authors_claim(world, paper, place, rng)


def adversarial_claims(world: World, paper: Paper, rng: np.random.Generator, count: int) -> list[Template]:
    """Draw claims on the exhibits of a paper, printed or not, from the numbers of readings drawn at random."""
    found: list[Template] = []
    for place in range(count):
        kind, panel = str(rng.choice(list(ADVERSARIAL))), str(rng.choice(list(paper.truth)))
        rows = tried(world, paper, panel)
        rows = rows[rows["reading"] == rng.choice(rows["reading"].unique())]
        content = ADVERSARIAL[kind](_numbers(world, panel, rows, rng), rng)
        found.append(_claim(ADVERSARY, kind, place, panel) | content)
    return found


def source_of(name: str) -> str:
    """Return who made the claim with this id: `AUTHORS`, `PLANTED` or `ADVERSARY`."""
    return name.split("-")[0]


def _claim(source: str, kind: str, place: int, panel: str) -> Template:
    return {
        "id": f"{source}-{kind}-{place}",
        "place": "",
        "states": "",
        "kind": CHECK[kind],
        "table": panel,
        "exhibits": [panel],
    }


def _numbers(world: World, panel: str, rows: pd.DataFrame, rng: np.random.Generator) -> Numbers:
    """Draw a metric and two mechanisms."""
    metric = str(rng.choice(world.family.metrics))
    columns = list(world.family.panels[panel].columns)
    table = rows[rows["metric"] == metric].pivot(index=columns, columns="mechanism", values="mean")
    one, other = (str(name) for name in rng.permutation(table.columns)[:2])
    return Numbers(world, panel, metric, table, one, other)


def seen_below(numbers: Numbers, rng: np.random.Generator) -> tuple[Template, Template] | None:
    """Claim that one error is below another at every setting, where it is by a fifth or more; the twin flips it."""
    if not (numbers.ratios < CLEAR).all():
        return None
    claim = {"quantity": numbers.error(numbers.one), "against": numbers.error(numbers.other)}
    return {**claim, "relation": "<"}, {**claim, "relation": ">"}


def seen_gain(numbers: Numbers, rng: np.random.Generator) -> tuple[Template, Template] | None:
    """Claim that one error is below another by more than a share, at one setting or at all.

    The share is rounded down to tenths from what is seen. The twin's error is half as large as it is.
    """
    place = int(rng.integers(len(numbers.table)))
    somewhere = bool(rng.random() < 0.5)
    ratio = float(numbers.ratios.iloc[place] if somewhere else numbers.ratios.max())
    share = np.floor(10 * (1 - ratio)) / 10
    if share <= 0:
        return None
    claim = {"quantity": f"1 - {numbers.ratio}", "relation": ">"} | ({"where": numbers.at(place)} if somewhere else {})
    return {**claim, "against": float(share)}, {**claim, "against": round(1 - ratio / 2, 2)}


def seen_monotone(numbers: Numbers, rng: np.random.Generator) -> tuple[Template, Template] | None:
    """Claim that an error increases or decreases along a setting, where every step is seen; the twin reverses it."""
    series, along = numbers.table[numbers.one], numbers.along
    groups = [group for _, group in series.groupby(along["by"])] if along["by"] else [series]
    steps = np.concatenate([np.diff(np.log(group.sort_index(level=along["along"]))) for group in groups])
    if np.abs(steps).min() < np.log(1 + STEP) or len(np.unique(np.sign(steps))) > 1:
        return None
    directions = ("increasing", "decreasing") if steps[0] > 0 else ("decreasing", "increasing")
    claim = {"quantity": numbers.error(numbers.one), **along}
    return {**claim, "direction": directions[0]}, {**claim, "direction": directions[1]}


def seen_value(numbers: Numbers, rng: np.random.Generator) -> tuple[Template, Template]:
    """Quote an error, or the ratio of two, at one setting, to two digits; the twin is wrong by half or more."""
    place = int(rng.integers(len(numbers.table)))
    if rng.random() < 0.5:
        quantity, number = numbers.ratio, float(numbers.ratios.iloc[place])
    else:
        quantity, number = numbers.error(numbers.one), float(numbers.table[numbers.one].iloc[place])
    return _value(numbers, place, quantity, number), _value(numbers, place, quantity, moved(number, rng))


def _value(numbers: Numbers, place: int, quantity: str, number: float) -> Template:
    printed = {"value": f"{number:.1e}"}
    claim = {"quantity": quantity, "where": numbers.at(place), "basis": "simulation", "printed": printed}
    return {**claim, "runs": numbers.world.family.runs}


def any_below(numbers: Numbers, rng: np.random.Generator) -> Template:
    """Claim that one error is below another at every setting of an exhibit."""
    one, other = sorted((numbers.one, numbers.other), key=lambda name: float(numbers.table[name].mean()))
    return {"quantity": numbers.error(one), "relation": "<", "against": numbers.error(other)}


def any_gain(numbers: Numbers, rng: np.random.Generator) -> Template:
    """Claim that one error is below another by more or less than a share near that of one setting."""
    place = int(rng.integers(len(numbers.table)))
    share = round(1 - float(numbers.ratios.iloc[place]) * rng.uniform(0.85, 1.15), 2)
    claim = {"quantity": f"1 - {numbers.ratio}", "relation": str(rng.choice([">", "<"])), "against": share}
    return claim | ({"where": numbers.at(place)} if rng.random() < 0.7 else {})


def any_monotone(numbers: Numbers, rng: np.random.Generator) -> Template:
    """Claim that an error, or a ratio of two, goes along a setting as its ends do."""
    series, quantity = numbers.table[numbers.one], numbers.error(numbers.one)
    if rng.random() < 0.5:
        series, quantity = numbers.ratios, numbers.ratio
    ends = series.groupby(numbers.along["along"]).mean()
    direction = "increasing" if ends.iloc[-1] > ends.iloc[0] else "decreasing"
    return {"quantity": quantity, **numbers.along, "direction": direction}


def any_flat(numbers: Numbers, rng: np.random.Generator) -> Template:
    """Claim that a ratio of two errors hardly changes along a setting."""
    return {"quantity": numbers.ratio, **numbers.along, "tolerance": float(rng.choice([0.05, 0.2, 0.5]))}


def any_value(numbers: Numbers, rng: np.random.Generator) -> Template:
    """Claim a ratio of two errors at one setting, to two digits."""
    place = int(rng.integers(len(numbers.table)))
    return _value(numbers, place, numbers.ratio, float(numbers.ratios.iloc[place]))


SEEN: Mapping[str, Callable[[Numbers, np.random.Generator], tuple[Template, Template] | None]] = {
    "below": seen_below,
    "gain": seen_gain,
    "monotone": seen_monotone,
    "value": seen_value,
}
"""What authors write, as a true claim and its false twin; None if the numbers do not show it."""

ADVERSARIAL: Mapping[str, Callable[[Numbers, np.random.Generator], Template]] = {
    "below": any_below,
    "gain": any_gain,
    "monotone": any_monotone,
    "flat": any_flat,
    "value": any_value,
}
