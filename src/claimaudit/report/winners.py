"""Who wins where: the mechanism with the lowest error at each setting of an exhibit, in three layers."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass
from itertools import groupby
from typing import Any

import numpy as np
import pandas as pd

from claimaudit.report.pairs import CLEAR, ERRORS, settings_of, words_of
from claimaudit.words.names import NO_NAMES, exhibit_order, heading, label
from claimaudit.words.numbers import listed, number, plural

LAYERS = {"printed": "as printed", "stated": "as stated", "run": "as run"}
"""By the paper's own numbers, with the text's settings, and with those that the printed numbers leave standing."""


@dataclass(frozen=True)
class Cell:
    """Who has the lowest error at one setting, empty if chance or the readings leave it open, and by how much."""

    winner: str
    words: str


@dataclass(frozen=True)
class Row:
    """One setting of all that varies but the column: its words, and its cells by layer."""

    name: str
    cells: dict[str, tuple[Cell | None, ...]]


@dataclass(frozen=True)
class Grid:
    """One metric of one exhibit: what varies along the columns, and the rows."""

    place: str
    across: str
    columns: tuple[str, ...]
    rows: tuple[Row, ...]

    @property
    def layers(self) -> dict[str, str]:
        """The layers that have a number."""
        return {name: words for name, words in LAYERS.items() if any(any(row.cells[name]) for row in self.rows)}

    def wins(self, layer: str) -> list[tuple[str, int]]:
        """Return at how many settings each mechanism has the lowest error, the most first; open ones last."""
        winners = Counter(cell.winner for row in self.rows for cell in row.cells[layer] if cell)
        return sorted(winners.items(), key=lambda item: (not item[0], -item[1], item[0]))

    @property
    def changes(self) -> list[str]:
        """Where the winner as stated changes along the columns: a sentence for each row in which it does so once."""
        return [words for row in self.rows if (words := self._change(row))]

    def _change(self, row: Row) -> str:
        found = [(column, cell.winner) for column, cell in zip(self.columns, row.cells["stated"], strict=True) if cell]
        runs = [(winner, [column for column, _ in part]) for winner, part in groupby(found, key=lambda item: item[1])]
        known = [(winner, columns) for winner, columns in runs if winner]
        if len(known) != 2:
            return ""
        (first, before), (second, after) = known
        where = f"{row.name}: " if row.name else ""
        return f"{where}{first} up to {self.across} = {before[-1]}, {second} from {after[0]} on"


def summary(grids: Iterable[Grid]) -> str:
    """Say in a sentence at how many settings each mechanism has the lowest error as stated, and where that changes."""
    grids = list(grids)
    wins = Counter[str]()
    for grid in grids:
        wins.update(dict(grid.wins("stated")))
    if not wins:
        return ""
    named = [f"{name} {number(count)}" for name, count in wins.most_common() if name]
    if wins[""]:
        named.append(f"chance leaves open {number(wins[''])}")
    changing = list(dict.fromkeys(grid.place.split(",")[0] for grid in grids if grid.changes))
    where = f" The winner changes within a row of {listed(changing)}." if changing else ""
    return f"Lowest error as stated, of {plural(wins.total(), 'setting')}: {', '.join(named)}.{where}"


Numbers = dict[str, tuple[float, float]]
"""The error of each mechanism, with its standard error."""


def grids(
    predictions: pd.DataFrame, evidenced: Mapping[str, Collection[str]], called: Mapping[str, str] = NO_NAMES
) -> list[Grid]:
    """Return a grid for each exhibit and metric in which at least two mechanisms meet, in the order of the paper.

    `predictions` are those on the paper, see docs/predictions.md, and `evidenced` the standing readings by exhibit;
    `called` is what pages call settings and their values.
    """
    errors = predictions[predictions["metric"].isin(ERRORS)]
    several = errors["metric"].nunique() > 1
    groups = {(str(exhibit), str(metric)): rows for (exhibit, metric), rows in errors.groupby(["exhibit", "metric"])}
    groups = {key: rows for key, rows in groups.items() if rows["mechanism"].nunique() > 1}
    varying = {key: settings_of(rows) for key, rows in groups.items()}
    often = Counter(name for names in varying.values() for name in names)
    found = []
    for exhibit, metric in sorted(groups, key=lambda key: exhibit_order(key[0])):
        rows, settings = groups[exhibit, metric], varying[exhibit, metric]
        place = f"{label(exhibit)}, {heading(metric, called)}" if several else label(exhibit)
        if settings:
            across = max(settings, key=lambda name: (often[name], rows[name].nunique()))
            found.append(_grid(place, across, settings, rows, evidenced.get(exhibit, ()), called))
    return found


def _grid(
    place: str,
    across: str,
    settings: list[str],
    rows: pd.DataFrame,
    standing: Collection[str],
    called: Mapping[str, str],
) -> Grid:
    others = [name for name in settings if name != across]
    columns = sorted(rows.loc[rows["stated"] == "yes", across].dropna().unique())
    points: dict[str, dict[Any, list[dict[str, Any]]]] = {}
    for row in rows.to_dict("records"):
        points.setdefault(words_of(others, row, called), {}).setdefault(row[across], []).append(
            {str(k): v for k, v in row.items()}
        )
    made = [
        Row(name, {layer: tuple(_cell(of.get(column, ()), layer, standing) for column in columns) for layer in LAYERS})
        for name, of in points.items()
    ]
    texts = [number(value) if isinstance(value, float | int) else str(value) for value in columns]
    shown = tuple(called.get(text, text) for text in texts)
    rows_shown = tuple(row for row in made if any(row.cells["stated"]))
    return Grid(place, called.get(across) or across.replace("_", " "), shown, rows_shown)


def _cell(rows: Iterable[Mapping[str, Any]], layer: str, standing: Collection[str]) -> Cell | None:
    """Return the winner of a layer at one setting; None if it has fewer than two mechanisms there."""
    column = "printed" if layer == "printed" else "value"
    readings: dict[str, Numbers] = {}
    for row in rows:
        chosen = row["reading"] in standing if layer == "run" else row["stated"] == "yes"
        if chosen and not pd.isna(row[column]):
            error = 0.0 if layer == "printed" else float(row["se"])
            readings.setdefault(row["reading"], {})[row["mechanism"]] = float(row[column]), error
    ranked = [_ranked(numbers) for numbers in readings.values() if len(numbers) > 1]
    if not ranked:
        return None
    winners = {winner for winner, _ in ranked}
    return Cell(winners.pop() if len(winners) == 1 else "", ranked[0][1])


def _ranked(numbers: Numbers) -> tuple[str, str]:
    """Return the mechanism whose error is clearly the lowest, or nothing, and the errors as multiples of it."""
    order = sorted(numbers, key=lambda name: numbers[name])
    (least, se), (second, other) = numbers[order[0]], numbers[order[1]]
    clear = second - least > CLEAR * np.hypot(se, other)
    ratios = [f"{name} {number(numbers[name][0] / least, 3)} times" for name in order[1:]] if least > 0 else order[1:]
    return order[0] if clear else "", f"{order[0]} {number(least)}; {', '.join(ratios)}"
