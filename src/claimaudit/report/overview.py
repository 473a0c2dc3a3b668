"""One picture of everything: each printed number divided into ours, as stated and as run."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import pandas as pd

from claimaudit.report.markup import anchor
from claimaudit.verdicts import Exhibit
from claimaudit.words.names import label

FARTHEST = 4.0
"""Largest factor between two numbers that the picture tells apart; larger ones lie at its edge."""

LANES = 5
"""Heights at which the points of one exhibit lie, in turn, so that they hide each other less."""


@dataclass(frozen=True)
class Point:
    """One printed number: where it lies, from 0 (a quarter of ours) to 100 (four times), and if it may be chance."""

    place: float
    lane: int
    inside: bool


@dataclass(frozen=True)
class Row:
    """One exhibit: its points under the strict reading and under the best standing one, if any stands."""

    exhibit: str
    link: str
    stated: tuple[Point, ...]
    run: tuple[Point, ...]

    @property
    def name(self) -> str:
        """The exhibit in words."""
        return label(self.exhibit)


def rows(paper: str, entry: Mapping[str, Any], exhibits: Mapping[str, Exhibit], predictions: pd.DataFrame) -> list[Row]:
    """Return a row for each exhibit of a paper with printed numbers; parts of another exhibit have none."""
    printed = predictions[predictions["printed"].notna()]
    numbers = printed.loc[printed["stated"] == "yes", "exhibit"].value_counts()
    found = []
    for name in entry["exhibits"]:
        most = max(numbers.get(other, 0) for other in _same(name, entry))
        if numbers.get(name, 0) < max(most, 1):
            continue
        own = printed[printed["exhibit"] == name]
        standing = [each.reading for each in exhibits[name].readings]
        link = f"{paper}.html#{anchor('run', paper, name)}"
        run = points(own[own["reading"] == standing[0]]) if standing else ()
        found.append(Row(name, link, points(own[own["stated"] == "yes"]), run))
    return found


def _same(name: str, entry: Mapping[str, Any]) -> list[str]:
    """Return the exhibits that have their numbers from the same file and the same experiment."""
    exhibits = entry["exhibits"]
    keys = ("published", "experiment")
    return [other for other, item in exhibits.items() if all(item.get(key) == exhibits[name].get(key) for key in keys)]


def points(numbers: pd.DataFrame) -> tuple[Point, ...]:
    """Return the point of each printed number under one reading; see docs/predictions.md for the columns."""
    ordered = numbers.sort_values("printed")
    columns = (ordered[name].to_list() for name in ("printed", "value", "low", "high"))
    return tuple(
        Point(place(printed, ours), lane % LANES, low <= printed <= high)
        for lane, (printed, ours, low, high) in enumerate(zip(*columns, strict=True))
    )


def place(printed: float, ours: float) -> float:
    """Return where a printed number lies on a logarithmic scale of its ratio to ours, from 0 to 100."""
    if printed == ours:
        return 50.0
    if printed * ours <= 0:
        return 100.0 if printed > ours else 0.0
    ratio = math.log(printed / ours) / math.log(FARTHEST)
    return round(50 + 50 * max(-1.0, min(1.0, ratio)), 1)
