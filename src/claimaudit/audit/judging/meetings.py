"""Claims meet: pairs of a paper's sentences that no one setting makes true together."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations

from claimaudit.audit.fitting.pools import Pools
from claimaudit.audit.fitting.settings import Values
from claimaudit.verdicts import FALLS, Meeting, Verdict

Place = Mapping[str, str]
"""The value of each axis of some exhibits, by its name in `claimaudit.audit.fitting.settings.Variables`."""


@dataclass(frozen=True)
class _Sides:
    """A claim: the first reading under which it holds, and the places where it holds or may hold."""

    name: str
    reading: str
    possible: tuple[Place, ...]


def meetings(verdicts: Sequence[Verdict], pools: Pools, readings: Mapping[str, Mapping[str, Values]]) -> list[Meeting]:
    """Find the pairs of counted claims that exclude each other.

    A claim that is undecided under a reading may hold there. One that holds nowhere meets none, nor does one that is
    found false: whatever else it excludes, it is not true.
    """
    possible = [verdict for verdict in verdicts if verdict.counted and verdict.verdict not in FALLS]
    sides = [side for verdict in possible if (side := _sides(verdict, pools, readings))]
    axes = pools.variables.axes
    return [found for one, other in combinations(sides, 2) if (found := _meet(one, other, axes)) is not None]


def _sides(verdict: Verdict, pools: Pools, readings: Mapping[str, Mapping[str, Values]]) -> _Sides | None:
    """Return where a claim may hold; None if it holds nowhere or wherever it is tried."""
    table = verdict.table
    broken = pools.variables.outline.inadmissible.get(table, {})
    names = [name for name in verdict.as_run.exhibits if name in pools.variables.readings]
    answers = {
        item.reading: item.holds
        for item in verdict.evidence
        if item.reading in readings.get(table, {}) and item.reading not in broken
    }
    holding = [name for name, holds in answers.items() if holds]
    if not names or not holding or False not in answers.values():
        return None
    known = pools.variables.names
    variables = {axis: name for exhibit in names for (other, axis), name in known.items() if other == exhibit}
    values = readings[table]
    places = tuple(
        {variables[axis]: str(value) for axis, value in values[name].items() if axis in variables}
        for name, holds in answers.items()
        if holds is not False
    )
    return _Sides(verdict.id, holding[0], places)


def _meet(one: _Sides, other: _Sides, axes: Mapping[str, str]) -> Meeting | None:
    """Return the meeting of two claims; None if some setting makes both true or they share no value."""
    common = sorted(one.possible[0].keys() & other.possible[0].keys())
    mine, theirs = ({tuple(place[name] for name in common) for place in side.possible} for side in (one, other))
    if not common or mine & theirs:
        return None
    excluding = [
        name
        for at, name in enumerate(common)
        if {place[at] for place in mine}.isdisjoint(place[at] for place in theirs)
    ]
    named = tuple(axes[name] for name in excluding or common)
    return Meeting((one.name, other.name), (one.reading, other.reading), named)
