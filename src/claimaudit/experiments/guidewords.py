"""Guide words: what people do in place of what their text says, proposed for every choice point of an experiment.

Safety engineers ask the same short list of words (*no, more, less, part of, other than* ...) of every pipe of a plant.
A *choice point* is an axis of a runner, a number that its points take from the text, or the measure that is printed.
`guided` makes axes of the last two, so that each proposal is a value of an axis.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, TypeGuard

import numpy as np

from claimaudit.configuration import Value
from claimaudit.experiments.axes import Axis, Kind, Number
from claimaudit.experiments.engine import Cell
from claimaudit.experiments.runner import BaseSetting, Measure, Point, Runner

STATED = "stated"
"""Value of an axis that `guided` adds: what the text says."""

MEASURE, AS_RUN = "measure as printed", " as run"
"""The axis of what is done to a measure, and the end of the name of that of a number in place of a stated one."""

SCALES: Mapping[str, Callable[[float], float]] = {
    "half": lambda number: number / 2,
    "double": lambda number: number * 2,
    "a tenth": lambda number: number / 10,
    "tenfold": lambda number: number * 10,
    "a hundredth": lambda number: number / 100,
    "a hundredfold": lambda number: number * 100,
    "one less": lambda number: number - 1,
    "one more": lambda number: number + 1,
}
WHOLE, MOST_COUNTED = ("one less", "one more"), 100
"""Words that are asked only of whole numbers up to `MOST_COUNTED`: no printed number tells 10,000 from 10,001."""

SHARES = ("a hundredth", "a hundredfold")
"""Words for percent in place of a share, or the reverse, which are asked of numbers from 0 to 1 only."""

GRID = ("previous on the grid", "next on the grid")
ELSEWHERE, OTHER = "stated elsewhere", "other than"
"""Another number that the text gives for the same quantity; another value that the code knows."""

SPLIT, SQUARED = ("for a part", "for all parts"), "in squared shares"
MEASURES = ("root", "square", "half", "double", *SPLIT, SQUARED)

WORDS = (ELSEWHERE, OTHER, *SPLIT, "root", "square", SQUARED, *GRID, *SCALES)
"""All words, the likeliest first. Of a choice point those are asked that propose a value which it admits."""


@dataclass(frozen=True)
class Proposal:
    """What a guide word proposes for a choice point: a value with its words, or the `reason` why no word is asked."""

    point: str
    kind: Kind
    word: str
    value: Value | None = None
    words: str = ""
    reason: str = ""


def guided(runner: Runner, setting: BaseSetting) -> Runner:
    """Return a runner with an axis for each number that its points take from the text, and one for its measure.

    A cell that cannot be run yields no measure.
    """
    numbers = {name + AS_RUN: name for name in setting.swept() if all(map(_is_number, getattr(setting, name)))}
    parts = [name for name in runner.backend.parts if name in setting.swept()]
    axes = [_number_axis(runner, name, getattr(setting, name), parts) for name in numbers.values()]
    stated = {name: getattr(setting, name) for name in numbers.values() if name not in runner.backend.budgets}
    counts = [name for name, values in stated.items() if all(isinstance(one, int) and one > 0 for one in values)]
    axes.append(Axis(MEASURE, _phrases("the measure", MEASURES, counts), default=STATED, kind="measure"))

    def plain(cell: Cell) -> list[Measure]:  # which readings share that differ only in what is printed
        return [*runner.measure(cell)]

    def measure(cell: Cell) -> Iterator[Measure]:
        changes = {name: how for axis, name in numbers.items() if (how := cell.choices[axis]) != STATED}
        point = dict(cell.point) if changes else {}
        try:
            for name, how in changes.items():
                point = _altered(cell, point, name, _changed(point[name], how, getattr(setting, name), point))
            found = (cell.of(point) if changes else cell).once(plain)
        except (ValueError, ArithmeticError):
            return  # Nobody can have run this: it has no rows.
        how = cell.choices[MEASURE]
        yield from found if how == STATED else (_printed(item, how, cell.point) for item in found)

    return replace(runner, measure=measure, axes={**runner.axes, **{axis.name: axis for axis in axes}})


def proposals(
    runner: Runner,
    setting: BaseSetting,
    strict: Mapping[str, Value],
    stated: Mapping[str, Sequence[Value]],
    excluded: Mapping[str, str],
) -> Iterator[Proposal]:
    """Yield what the guide words propose for the choice points of an experiment, whose runner `guided` makes.

    `strict` has the text's values of axes; one that is missing takes its default. By the name of an axis or of a column
    of points, `stated` has all values that the paper's file has, and `excluded` why nothing else can have been run.
    """
    swept = setting.swept()
    for axis in guided(runner, setting).axes.values():
        name = axis.name.removesuffix(AS_RUN)
        added = axis.name not in runner.axes
        if axis.name in swept:
            continue
        base = STATED if added else strict.get(axis.name, axis.default)
        values = getattr(setting, name) if added and name in swept else ()
        if name in excluded:
            yield Proposal(axis.name, axis.kind, "", reason=excluded[name])
            continue
        found: dict[Value, str] = {}
        for word in WORDS:
            new = _proposed(axis, word, base, values, stated.get(axis.quantity or name, ()))
            known = (base, *values, *found)
            new = [value for value in new if axis.admits(value) and not any(_same(value, one) for one in known)]
            found |= dict.fromkeys(new, word)
            for value in new:
                yield Proposal(axis.name, axis.kind, word, value, axis.phrase(value))


def _proposed(axis: Axis, word: str, base: Value | None, values: Sequence[Any], stated: Sequence[Value]) -> list[Value]:
    if word == ELSEWHERE:
        return [value for value in stated if _is_number(value) and len(values) < 2]
    if STATED in axis.words:
        return [value for value in axis.words if value == word or str(value).startswith(f"{word} (")]
    if word == OTHER:
        return [*axis.words]
    if word not in SCALES or not _is_number(base) or word not in _scales([base], axis.kind):
        return []
    number = SCALES[word](base)
    if isinstance(base, float):
        return [number]
    return [] if number % 1 else [int(number)]


def _scales(values: Sequence[Any], kind: Kind) -> list[str]:
    """Return the words that scale or move numbers and that are asked of these values."""
    whole = all(isinstance(value, int) for value in values)
    few = whole and kind != "budget" and all(abs(value) <= MOST_COUNTED for value in values)
    shares = not whole and kind != "budget" and all(0 <= value <= 1 for value in values)
    left_out = (*(() if few else WHOLE), *(() if shares else SHARES))
    return [word for word in SCALES if word not in left_out]


def _is_number(value: object) -> TypeGuard[int | float]:
    return isinstance(value, int | float) and not isinstance(value, bool)


def _same(value: Value, other: Value | None) -> bool:
    return isinstance(value, bool) == isinstance(other, bool) and (
        bool(np.isclose(value, other, rtol=1e-9)) if _is_number(value) and _is_number(other) else value == other
    )


def _number_axis(runner: Runner, name: str, values: Sequence[Any], parts: Sequence[str]) -> Axis:
    budget = name in runner.backend.budgets
    kind: Kind = "budget" if budget else "number"
    # A multiple of a number of parts is no slip of the pen, and dear.
    scales = WHOLE if name in runner.backend.parts else _scales(values, kind)
    words = [*scales, *(GRID if len(values) > 1 else ()), *(SPLIT if budget else ())]
    number = Number(-1e300, 1e300, f"{name} = {{:g}}")
    return Axis(name + AS_RUN, _phrases(f"the stated {name}", words, parts), number, STATED, kind)


def _phrases(what: str, words: Sequence[str], parts: Sequence[str]) -> dict[Value, str]:
    """Return a phrase for each value of an axis that `guided` adds; words about parts have one for each of these."""
    found: dict[Value, str] = {STATED: what}
    for word in words:
        values = [f"{word} ({part})" for part in parts] if word in (*SPLIT, SQUARED) else [word]
        found |= {value: f"{value} in place of {what}" for value in values}
    return found


def _changed(number: float, how: Value, grid: Sequence[float], point: Mapping[str, Any]) -> float:
    """Return the number that was run in place of a stated one; a ValueError if there is none."""
    if _is_number(how):
        return how
    if how in GRID:
        place = sorted(grid).index(number) + (1 if how == GRID[1] else -1)
        return sorted(grid)[min(max(place, 0), len(grid) - 1)]
    found = _scaled(number, str(how), point)
    if isinstance(number, int) and found % 1:
        raise ValueError(f"{found} is no whole number")
    return int(found) if isinstance(number, int) else found


def _scaled(number: float, how: str, point: Mapping[str, Any]) -> float:
    word, _, part = how.removesuffix(")").partition(" (")
    if word in SCALES:
        return SCALES[word](number)
    return number * point[part] if word == SPLIT[1] else number / point[part] ** (2 if word == SQUARED else 1)


def _altered(cell: Cell, point: Point, name: str, value: float) -> Point:
    """Return the point that has another number, with what follows from it; a ValueError if there is none."""
    setting: BaseSetting = cell.setting
    held = {field: (point[field],) for field in setting.swept() if field in point}
    found = [*setting.model_copy(update={**held, name: (value,)}).points(cell.choices)]
    if not found:
        raise ValueError(f"no point has {name} = {value}")
    return found[0] if len(found) == 1 else {**point, name: value}


def _printed(item: Measure, how: str, point: Mapping[str, Any]) -> Measure:
    """Return a measure as it is printed after something is done to it."""
    if how in ("root", "square"):
        power = 0.5 if how == "root" else 2.0
        mean = float(np.abs(item.mean) ** power)
        slope = power * mean / abs(item.mean) if item.mean else 0.0
        return replace(item, mean=mean, se=item.se * slope, theory=float(np.abs(item.theory) ** power))
    factor = _scaled(1.0, how, point)
    return replace(item, mean=item.mean * factor, se=item.se * factor, theory=item.theory * factor)
