"""Mechanisms compared by their errors: who beats whom, and who has the lowest error at which setting of an exhibit."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Mapping
from dataclasses import dataclass
from itertools import chain, groupby, permutations
from typing import Any

import numpy as np
import pandas as pd

from claimaudit.results import CLEAR, PLACED, PREDICTED
from claimaudit.verdicts import Names
from claimaudit.words.names import NAMELESS, NO_NAMES, RUN, STATED, Pairs, exhibit_order, heading, label, together
from claimaudit.words.numbers import gathered, listed, number, plural
from claimaudit.words.verdicts import sentence

LAYERS = {"printed": "as printed", "stated": STATED, "run": RUN}
"""By the paper's own numbers, with the text's settings, and with those that the printed numbers allow."""

OPEN = "≈"
"""Between mechanisms of which it is open who has the lowest error."""


Numbers = dict[str, tuple[float, float]]
"""Errors of mechanisms with their standard errors."""

Points = dict[Pairs, dict[str, Numbers]]
"""Errors by setting, by reading and by mechanism."""


@dataclass(frozen=True)
class Place:
    """One metric of one exhibit: where that is, in words, the settings that vary, and its errors by layer.

    `called` is what pages call settings and their values.
    """

    name: str
    settings: list[str]
    points: dict[str, Points]
    called: Mapping[str, str]


def places(
    predictions: pd.DataFrame,
    less_is_better: Collection[str],
    evidenced: Mapping[str, Collection[str]],
    called: Mapping[str, str] = NO_NAMES,
    known: Names = NAMELESS,
) -> list[Place]:
    """Return the exhibits and metrics in which at least two mechanisms meet, in the order of the paper.

    `predictions` are those on the paper, see docs/predictions.md, `less_is_better` metrics of which a mechanism should
    have little, and `evidenced` the standing readings by exhibit; `known` is what pages call exhibits,
    and `called` settings and values.
    """
    errors = predictions[predictions["metric"].isin(less_is_better)]
    several = errors["metric"].nunique() > 1
    found = []
    of_metrics = sorted(errors.groupby(["exhibit", "metric"]), key=lambda item: exhibit_order(str(item[0][0])))
    for key, rows in of_metrics:
        exhibit, metric = map(str, key)
        if rows["mechanism"].nunique() > 1:
            name = label(exhibit, known) + (f", {heading(metric, called)}" if several else "")
            settings, stated = _settings_of(rows), rows[rows["stated"] == "yes"]
            layers = {
                "printed": stated[stated["printed"].notna()].assign(value=stated["printed"], se=0.0),
                "stated": stated,
                "run": rows[rows["reading"].isin(evidenced.get(exhibit, ()))],
            }
            points = {layer: _points(settings, of) for layer, of in layers.items()}
            found.append(Place(name, settings, points, called))
    return found


def _points(settings: Iterable[str], rows: pd.DataFrame) -> Points:
    """Return errors by setting, without what does not apply to it, by reading and by mechanism."""
    points: Points = {}
    for row in rows.to_dict("records"):
        setting = tuple((name, row[name]) for name in settings if not pd.isna(row[name]))
        points.setdefault(setting, {}).setdefault(row["reading"], {})[row["mechanism"]] = row["value"], row["se"]
    return points


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
        return self.lower + self.higher + self.open


@dataclass(frozen=True)
class Pair:
    """One mechanism compared with another, by layer; as run, under all standing readings of each exhibit."""

    one: str
    other: str
    lines: dict[str, list[Line]]

    @property
    def states(self) -> str:
        """At how many settings the first mechanism has the lower error, as a sentence."""
        layers = [layer for layer in ("stated", "run", "printed") if layer in self.lines]
        counts = [f"at {tally(self.lines[layer])} settings {LAYERS[layer]}" for layer in layers]
        return f"{self.one} has a lower error than {self.other} {'; '.join(counts)}."


def count(lines: Iterable[Line]) -> tuple[int, int]:
    """Return at how many settings the first mechanism has the lower error, and how many there are."""
    lines = tuple(lines)
    return sum(line.lower for line in lines), sum(line.settings for line in lines)


def tally(lines: Iterable[Line]) -> str:
    """Return `count` in words."""
    return "{} of {}".format(*count(lines))


def compared(places: Iterable[Place]) -> list[Pair]:
    """Compare the mechanisms of a paper in ordered pairs, those that win most first."""
    lines: dict[tuple[str, str], dict[str, list[Line]]] = {}
    for place in places:
        for layer, points in place.points.items():
            met = {setting: {*chain(*errors.values())} for setting, errors in points.items()}
            for one, other in permutations(sorted({*chain(*met.values())}), 2):
                signs = {name: _sign(of, one, other) for name, of in points.items() if {one, other} <= met[name]}
                if signs:
                    lower, higher = list(signs.values()).count(-1), list(signs.values()).count(1)
                    rest = tuple(_not_lower(signs, place.called))
                    line = Line(place.name, lower, higher, len(signs) - lower - higher, rest)
                    lines.setdefault((one, other), {}).setdefault(layer, []).append(line)
    found = [Pair(*pair, of) for pair, of in lines.items() if "stated" in of]
    shares = gathered((pair.one, np.divide(*count(pair.lines["stated"]))) for pair in found)
    won = {one: np.mean(of) for one, of in shares.items()}
    return sorted(found, key=lambda pair: (-won[pair.one], pair.one, -won[pair.other], pair.other))


def _settings_of(rows: pd.DataFrame) -> list[str]:
    """Return the settings that vary, without those that differ between readings if the others tell points apart.

    With another number of users, the numbers of colluders are others, too, and their shares the same.
    """
    strict = rows[rows["stated"] == "yes"]
    varying = [str(name) for name in rows if name not in (*PLACED, *PREDICTED) and strict[name].nunique() > 1]
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


def _not_lower(signs: Mapping[Pairs, int], called: Mapping[str, str]) -> Iterator[str]:
    """Name the settings whose sign is not negative, those that differ in the last part only together."""
    groups = gathered(((setting[:-1], sign), setting) for setting, sign in signs.items())
    for (others, sign), each in groups.items():
        if sign < 0:
            continue
        every = others and len(each) > 1 and (others, -1) not in groups and (others, 1 - sign) not in groups
        named = together([others] if every else each, called)
        yield f"{named} ({'higher' if sign else 'cannot tell'})"


def _sign(readings: Mapping[str, Numbers], one: str, other: str) -> int:
    """Return the sign of the difference of two errors if it is clear under all readings that have both, else 0."""
    signs = set()
    for errors in (each for each in readings.values() if {one, other} <= each.keys()):
        (mean, se), (against, se_against) = errors[one], errors[other]
        clear = abs(mean - against) > CLEAR * np.hypot(se, se_against)
        signs.add(int(np.sign(mean - against)) if clear else 0)
    return signs.pop() if len(signs) == 1 else 0


@dataclass(frozen=True)
class Winners:
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
class GridRow:
    """One setting of all that varies but the column: itself, its words, and its cells by layer."""

    setting: Pairs
    name: str
    cells: dict[str, tuple[Winners | None, ...]]


@dataclass(frozen=True)
class Grid:
    """One metric of one exhibit: what varies along the columns, `ordered` if they are numbers, and the rows.

    `called` is what pages call settings and their values.
    """

    place: str
    across: str
    columns: tuple[str, ...]
    rows: tuple[GridRow, ...]
    ordered: bool
    called: Mapping[str, str]

    @property
    def layers(self) -> dict[str, str]:
        return {name: words for name, words in LAYERS.items() if any(any(row.cells[name]) for row in self.rows)}

    @property
    def tallies(self) -> str:
        """Who has the lowest error at how many settings, by layer; layers that agree together.

        Where several may have it, they count together, after those that win most; where all may, it is open.
        """
        return by_layer({name: self._wins(name) for name in self.layers})

    def _wins(self, layer: str) -> str:
        won = Counter(" or ".join(cell.leaders) for row in self.rows for cell in row.cells[layer] if cell)
        ordered = sorted(won.items(), key=lambda item: (not item[0], " or " in item[0], -item[1], item[0]))
        return ", ".join(f"{who or 'open'} {n}" for who, n in ordered)

    @property
    def changes(self) -> str:
        """Where the winner changes along ordered columns, by layer, for rows in which none comes back; or nothing."""
        if not self.ordered:
            return ""
        return by_layer({name: words for name in self.layers if (words := self._changes(name))})

    def _changes(self, layer: str) -> str:
        rows = gathered((self._change(row, layer), row.setting) for row in self.rows)
        named = ((together(settings, self.called), words) for words, settings in rows.items() if words)
        return "; ".join(": ".join(filter(None, parts)) for parts in named)

    def _change(self, row: GridRow, layer: str) -> str:
        cells = [(column, cell) for column, cell in zip(self.columns, row.cells[layer], strict=True) if cell]
        # Several that may have the lowest error count together where none of them wins alone elsewhere in the row.
        single = {cell.winner for _, cell in cells if cell.winner}
        led = ((column, cell.leaders) for column, cell in cells if cell.winner or single.isdisjoint(cell.leaders))
        won = [(column, " or ".join(leaders)) for column, leaders in led if single and leaders]
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
    layers = gathered((words, LAYERS[name]) for name, words in said.items())
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


def grids(places: Iterable[Place]) -> list[Grid]:
    """Return a grid for each place in which a setting varies."""
    varying = [place for place in places if place.settings]
    often = Counter(name for place in varying for name in place.settings)
    return [_grid(place, often) for place in varying]


def _grid(place: Place, often: Mapping[str, int]) -> Grid:
    called, stated = place.called, [dict(setting) for setting in place.points["stated"]]
    across = max(place.settings, key=lambda name: (often[name], len({one.get(name) for one in stated} - {None})))
    columns = sorted({one[across] for one in stated if across in one})
    cells: dict[Pairs, dict[str, dict[Any, Winners | None]]] = {}
    for layer in ("stated", *LAYERS):
        for setting, of in place.points[layer].items():
            others = tuple(pair for pair in setting if pair[0] != across)
            cells.setdefault(others, {}).setdefault(layer, {})[dict(setting).get(across)] = _cell(of)
    made = (
        GridRow(
            setting,
            together([setting], called),
            {layer: tuple(of.get(layer, {}).get(column) for column in columns) for layer in LAYERS},
        )
        for setting, of in cells.items()
    )
    ordered = all(isinstance(value, float | int) for value in columns)
    texts = [number(value) if isinstance(value, float | int) else str(value) for value in columns]
    shown = tuple(called.get(text, text) for text in texts)
    rows = tuple(row for row in made if any(row.cells["stated"]))
    return Grid(place.name, called.get(across) or across.replace("_", " "), shown, rows, ordered, called)


def _cell(readings: Mapping[str, Numbers]) -> Winners | None:
    """Return the winner at one setting; None if there are fewer than two mechanisms."""
    ranked = [_ranked(numbers) for numbers in readings.values() if len(numbers) > 1]
    if not ranked:
        return None
    leaders = {leader for leading, _ in ranked for leader in leading}
    return Winners(() if leaders == {*chain(*readings.values())} else tuple(sorted(leaders)), ranked[0][1])


def _ranked(numbers: Numbers) -> tuple[list[str], str]:
    """Return the mechanisms whose error is not clearly above the lowest, and the errors as multiples of that."""
    order = sorted(numbers, key=lambda name: numbers[name])
    least, se = numbers[order[0]]
    level = [name for name in order if numbers[name][0] - least <= CLEAR * np.hypot(se, numbers[name][1])]
    ratios = [f"{name} {number(numbers[name][0] / least, 3)} times" for name in order[1:]] if least > 0 else order[1:]
    return level, f"{order[0]} {number(least)}; {', '.join(ratios)}"
