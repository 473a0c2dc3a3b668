"""Who beats whom: the errors of two mechanisms at every setting that the paper's figures and tables show."""

from __future__ import annotations

from collections.abc import Collection, Hashable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from itertools import permutations
from typing import Any

import numpy as np
import pandas as pd

from claimaudit.audit.predictions import FIRST, LAST
from claimaudit.means import CLEAR
from claimaudit.words.names import NO_NAMES, Pairs, exhibit_order, heading, label, together

DIGITS = 4
"""Significant digits of a setting."""


@dataclass(frozen=True)
class Line:
    """Two mechanisms compared in one metric of one exhibit, under one way of reading the text.

    `place` is the exhibit, with the metric if the paper has several. `lower`, `higher` and `open` count the settings at
    which the first one has the lower error, the higher one, or neither beyond chance; `not_lower` names those of the
    last two.
    """

    place: str
    lower: int
    higher: int
    open: int
    not_lower: tuple[str, ...]

    @property
    def settings(self) -> int:
        """Number of settings."""
        return self.lower + self.higher + self.open


@dataclass(frozen=True)
class Pair:
    """One mechanism compared with another: as stated, as run (under all standing readings of each exhibit), printed."""

    one: str
    other: str
    stated: tuple[Line, ...]
    run: tuple[Line, ...]
    printed: tuple[Line, ...] = ()

    @property
    def share(self) -> float:
        """At what share of the settings the first mechanism has the lower error, as stated."""
        lower, settings = count(self.stated)
        return lower / settings


Numbers = dict[str, tuple[float, float]]
"""A mechanism's error at one setting, with its standard error, under each reading."""

Lines = dict[tuple[str, str], list[Line]]
"""The lines of each ordered pair of mechanisms."""


def count(lines: Iterable[Line]) -> tuple[int, int]:
    """Return at how many settings the first mechanism has the lower error, and how many there are."""
    lines = tuple(lines)
    return sum(line.lower for line in lines), sum(line.settings for line in lines)


def compared(
    predictions: pd.DataFrame,
    less_is_better: Collection[str],
    evidenced: Mapping[str, Collection[str]],
    called: Mapping[str, str] = NO_NAMES,
) -> list[Pair]:
    """Compare all mechanisms of a paper in pairs, those that win most first.

    Parameters
    ----------
    predictions
        The predictions on the paper; see docs/predictions.md.
    less_is_better
        Metrics of which a mechanism should have little.
    evidenced
        The readings that stand, by exhibit for which printed numbers say what was run.
    called
        What pages call settings and their values.

    Returns
    -------
    list
        A pair for each ordered pair of mechanisms that share an exhibit.
    """
    errors = predictions[predictions["metric"].isin(less_is_better)]
    several = errors["metric"].nunique() > 1
    groups = {(str(exhibit), str(metric)): rows for (exhibit, metric), rows in errors.groupby(["exhibit", "metric"])}
    stated: Lines = {}
    run: Lines = {}
    printed: Lines = {}
    for exhibit, metric in sorted(groups, key=lambda key: exhibit_order(key[0])):
        rows = groups[exhibit, metric]
        settings, readings = settings_of(rows), evidenced.get(exhibit, ())
        place = f"{label(exhibit)}, {heading(metric, called)}" if several else label(exhibit)
        _add(stated, place, rows[rows["stated"] == "yes"], settings, called)
        if readings:
            _add(run, place, rows[rows["reading"].isin(readings)], settings, called)
        given = rows[(rows["stated"] == "yes") & rows["printed"].notna()]
        _add(printed, place, given.assign(value=given["printed"], se=0.0), settings, called)
    found = [
        Pair(*pair, tuple(lines), tuple(run.get(pair, ())), tuple(printed.get(pair, ())))
        for pair, lines in stated.items()
    ]
    shares = {name: np.mean([pair.share for pair in found if pair.one == name]) for name, _ in stated}
    return sorted(found, key=lambda pair: (-shares[pair.one], pair.one, -shares[pair.other], pair.other))


def settings_of(rows: pd.DataFrame) -> list[str]:
    """Return the settings that vary, without those that differ between readings if the others tell points apart.

    With another number of users, the numbers of colluders are others, too, and their shares the same.
    """
    strict = rows[rows["stated"] == "yes"]
    varying = [str(name) for name in rows if name not in (*FIRST, *LAST) and strict[name].nunique() > 1]
    values = {name: set(strict[name].dropna()) for name in varying}
    readings = [group for _, group in rows.groupby("reading")]
    common = [name for name in varying if all(set(group[name].dropna()) == values[name] for group in readings)]
    return _needed(varying if rows.duplicated(["reading", "mechanism", *common]).any() else common, rows)


def _needed(settings: list[str], rows: pd.DataFrame) -> list[str]:
    """Return settings without those that follow from the others, the last ones first."""
    needed = list(settings)
    for name in reversed(settings):
        rest = [other for other in needed if other != name]
        if rest and len(rows[rest].drop_duplicates()) == len(rows[needed].drop_duplicates()):
            needed = rest
    return needed


def _add(lines: Lines, place: str, rows: pd.DataFrame, settings: list[str], called: Mapping[str, str]) -> None:
    """Compare all mechanisms at one place, under all readings in the rows jointly."""
    points: dict[Pairs, dict[str, Numbers]] = {}
    for row in rows.to_dict("records"):
        of_setting = points.setdefault(setting_of(settings, row), {})
        of_setting.setdefault(row["mechanism"], {})[row["reading"]] = row["value"], row["se"]
    for one, other in permutations(sorted(rows["mechanism"].unique()), 2):
        signs = {name: _sign(of[one], of[other]) for name, of in points.items() if one in of and other in of}
        if not signs:
            continue
        lower, higher = list(signs.values()).count(-1), list(signs.values()).count(1)
        line = Line(place, lower, higher, len(signs) - lower - higher, tuple(_not_lower(signs, called)))
        lines.setdefault((one, other), []).append(line)


def _not_lower(signs: Mapping[Pairs, int], called: Mapping[str, str]) -> Iterator[str]:
    """Name the settings whose sign is not negative, those that differ in the last part only together."""
    groups: dict[tuple[Pairs, int], list[Pairs]] = {}
    for setting, sign in signs.items():
        groups.setdefault((setting[:-1], sign), []).append(setting)
    for (others, sign), each in groups.items():
        if sign < 0:
            continue
        every = others and len(each) > 1 and (others, -1) not in groups and (others, 1 - sign) not in groups
        named = together([others] if every else each, called, DIGITS)
        yield f"{named} ({'higher' if sign else 'cannot tell'})"


def _sign(one: Numbers, other: Numbers) -> int:
    """Return the sign of the difference of two errors if it is clear under all readings that have both, else 0."""
    signs = set()
    for reading in one.keys() & other.keys():
        (mean, se), (against, se_against) = one[reading], other[reading]
        clear = abs(mean - against) > CLEAR * np.hypot(se, se_against)
        signs.add(int(np.sign(mean - against)) if clear else 0)
    return signs.pop() if len(signs) == 1 else 0


def setting_of(names: Iterable[str], row: Mapping[Hashable, Any]) -> Pairs:
    """Return a setting, without what does not apply, as (column, value) pairs."""
    return tuple((name, row[name]) for name in names if not pd.isna(row[name]))
