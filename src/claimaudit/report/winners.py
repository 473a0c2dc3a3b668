"""Who wins where: the mechanism with the lowest error at each setting of an exhibit, in three layers."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass
from itertools import groupby
from typing import Any

import numpy as np
import pandas as pd

from claimaudit.means import CLEAR
from claimaudit.report.pairs import DIGITS, setting_of, settings_of
from claimaudit.words.names import NO_NAMES, Pairs, exhibit_order, heading, label, together
from claimaudit.words.numbers import listed, number, plural
from claimaudit.words.verdicts import sentence

LAYERS = {"printed": "as printed", "stated": "as stated", "run": "as run"}
"""By the paper's own numbers, with the text's settings, and with those that the printed numbers leave standing."""

OPEN = "≈"
"""Between mechanisms of which it is open who has the lowest error."""


@dataclass(frozen=True)
class Cell:
    """Who may have the lowest error at one setting: one, or several that chance or the readings leave; by how much.

    `leaders` is empty if they are all that are compared. `words` has the errors.
    """

    leaders: tuple[str, ...]
    words: str

    @property
    def winner(self) -> str:
        """The mechanism with the lowest error, empty if that is open."""
        return self.leaders[0] if len(self.leaders) == 1 else ""

    @property
    def shown(self) -> str:
        """The cell of the grid: every other mechanism has a clearly higher error than those named."""
        return f" {OPEN} ".join(self.leaders) or OPEN


@dataclass(frozen=True)
class Row:
    """One setting of all that varies but the column: itself, its words, and its cells by layer."""

    setting: Pairs
    name: str
    cells: dict[str, tuple[Cell | None, ...]]


@dataclass(frozen=True)
class Grid:
    """One metric of one exhibit: what varies along the columns, `ordered` if they are numbers, and the rows.

    `called` is what pages call settings and their values.
    """

    place: str
    across: str
    columns: tuple[str, ...]
    rows: tuple[Row, ...]
    ordered: bool
    called: Mapping[str, str]

    @property
    def layers(self) -> dict[str, str]:
        """The layers that have a number."""
        return {name: words for name, words in LAYERS.items() if any(any(row.cells[name]) for row in self.rows)}

    def wins(self, layer: str) -> list[tuple[str, int]]:
        """Return at how many settings each mechanism has the lowest error, the most first; open ones last.

        Where several may have it, they count together, under their names joined by "or"; where all may, under "".
        """
        won = Counter(" or ".join(cell.leaders) for row in self.rows for cell in row.cells[layer] if cell)
        return sorted(won.items(), key=lambda item: (not item[0], " or " in item[0], -item[1], item[0]))

    @property
    def tallies(self) -> str:
        """Who has the lowest error how often, by layer; layers that agree together."""
        return by_layer({name: ", ".join(f"{who or 'open'} {n}" for who, n in self.wins(name)) for name in self.layers})

    @property
    def changes(self) -> str:
        """Where the winner changes along ordered columns, by layer, for rows in which none comes back; or nothing."""
        if not self.ordered:
            return ""
        return by_layer({name: words for name in self.layers if (words := self._changes(name))})

    def _changes(self, layer: str) -> str:
        rows: dict[str, list[Pairs]] = {}
        for row in self.rows:
            rows.setdefault(self._change(row, layer), []).append(row.setting)
        named = ((together(settings, self.called, DIGITS), words) for words, settings in rows.items() if words)
        return "; ".join(": ".join(filter(None, parts)) for parts in named)

    def _change(self, row: Row, layer: str) -> str:
        cells = zip(self.columns, row.cells[layer], strict=True)
        won = [(column, cell.winner) for column, cell in cells if cell and cell.winner]
        runs = [(one, [column for column, _ in part]) for one, part in groupby(won, key=lambda item: item[1])]
        if len(runs) < 2 or len({one for one, _ in runs}) < len(runs):
            return ""
        (first, before), *between, (last, after) = runs
        middle = [f"{one} {_span(columns)}" for one, columns in between]
        return ", ".join([f"{first} up to {self.across} = {before[-1]}", *middle, f"{last} from {after[0]} on"])


def _span(columns: list[str]) -> str:
    return f"at {columns[0]}" if len(columns) == 1 else f"from {columns[0]} to {columns[-1]}"


def by_layer(said: Mapping[str, str]) -> str:
    """Return what is said of each layer, a sentence each, such as "As stated: ..."; what is the same is said once."""
    layers: dict[str, list[str]] = {}
    for name, words in said.items():
        layers.setdefault(words, []).append(LAYERS[name])
    return " ".join(sentence(f"{listed(names)}: {words}") for words, names in layers.items())


def summary(grids: Iterable[Grid]) -> str:
    """Say for each layer at how many settings each mechanism has the lowest error, and where the winner changes."""
    grids = list(grids)
    said = {name: words for name in LAYERS if (words := _tally(grids, name))}
    if not said:
        return ""
    changing = list(dict.fromkeys(grid.place.split(",")[0] for grid in grids if grid.changes))
    where = f" The winner changes within a row of {listed(changing)}." if changing else ""
    return f"Mechanisms with the lowest error. {by_layer(said)}{where}"


def _tally(grids: Iterable[Grid], layer: str) -> str:
    wins = Counter(cell.winner for grid in grids for row in grid.rows for cell in row.cells[layer] if cell)
    named = [f"{name} {number(count)}" for name, count in wins.most_common() if name]
    if wins[""]:
        named.append(f"open {number(wins[''])}")
    return f"{', '.join(named)} of {plural(wins.total(), 'setting')}" if wins else ""


Numbers = dict[str, tuple[float, float]]
"""The error of each mechanism, with its standard error."""


def grids(
    predictions: pd.DataFrame,
    less_is_better: Collection[str],
    evidenced: Mapping[str, Collection[str]],
    called: Mapping[str, str] = NO_NAMES,
) -> list[Grid]:
    """Return a grid for each exhibit and metric in which at least two mechanisms meet, in the order of the paper.

    `predictions` are those on the paper, see docs/predictions.md, `less_is_better` metrics of which a mechanism should
    have little, and `evidenced` the standing readings by exhibit; `called` is what pages call settings and values.
    """
    errors = predictions[predictions["metric"].isin(less_is_better)]
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
    points: dict[Pairs, dict[Any, list[dict[str, Any]]]] = {}
    for row in rows.to_dict("records"):
        of = points.setdefault(setting_of(others, row), {})
        of.setdefault(row[across], []).append({str(k): v for k, v in row.items()})
    made = [
        Row(
            setting,
            together([setting], called, DIGITS),
            {layer: tuple(_cell(of.get(column, ()), layer, standing) for column in columns) for layer in LAYERS},
        )
        for setting, of in points.items()
    ]
    ordered = all(isinstance(value, float | int) for value in columns)
    texts = [number(value) if isinstance(value, float | int) else str(value) for value in columns]
    shown = tuple(called.get(text, text) for text in texts)
    rows_shown = tuple(row for row in made if any(row.cells["stated"]))
    return Grid(place, called.get(across) or across.replace("_", " "), shown, rows_shown, ordered, called)


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
    leaders = {leader for leading, _ in ranked for leader in leading}
    compared = {mechanism for numbers in readings.values() for mechanism in numbers}
    return Cell(() if len(leaders) == len(compared) else tuple(sorted(leaders)), ranked[0][1])


def _ranked(numbers: Numbers) -> tuple[list[str], str]:
    """Return the mechanisms whose error is not clearly above the lowest, and the errors as multiples of that."""
    order = sorted(numbers, key=lambda name: numbers[name])
    least, se = numbers[order[0]]
    level = [name for name in order if numbers[name][0] - least <= CLEAR * np.hypot(se, numbers[name][1])]
    ratios = [f"{name} {number(numbers[name][0] / least, 3)} times" for name in order[1:]] if least > 0 else order[1:]
    return level, f"{order[0]} {number(least)}; {', '.join(ratios)}"
