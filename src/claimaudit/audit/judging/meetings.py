"""Claims meet: pairs of a paper's sentences that no one setting makes true together."""

from collections.abc import Mapping, Sequence
from itertools import combinations

from claimaudit.audit.fitting.settings import Values, Variables, axis_of
from claimaudit.verdicts import FALLS, Meeting, Verdict

Readings = Mapping[str, Mapping[str, Values]]
"""The values of the readings of each experiment, by name."""


def meetings(verdicts: Sequence[Verdict], variables: Variables, readings: Readings) -> list[Meeting]:
    """Find the pairs of counted claims that exclude each other.

    A claim that is undecided under a reading may hold there. One that holds nowhere meets none, nor does one that is
    found false: whatever else it excludes, it is not true.
    """
    possible = [verdict for verdict in verdicts if verdict.counted and verdict.verdict not in FALLS]
    sides = [(verdict.id, *side) for verdict in possible if (side := _side(verdict, variables, readings))]
    found = []
    for (one, reading, mine), (other, reading_of_other, theirs) in combinations(sides, 2):
        common = sorted(mine.keys() & theirs.keys())
        places, others = ({*zip(*(side[name] for name in common), strict=True)} for side in (mine, theirs))
        if common and not places & others:
            excluding = [name for name in common if {*mine[name]}.isdisjoint(theirs[name])]
            axes = tuple(map(axis_of, excluding or common))
            found.append(Meeting((one, other), (reading, reading_of_other), axes))
    return found


def _side(verdict: Verdict, variables: Variables, readings: Readings) -> tuple[str, dict[str, list[str]]] | None:
    """Return the first reading under which a claim holds and, by variable, its values where the claim may hold.

    None if it holds nowhere or wherever it is tried.
    """
    values, broken = readings.get(verdict.table, {}), variables.outline.inadmissible.get(verdict.table, {})
    answers = {
        item.reading: item.holds for item in verdict.evidence if item.reading in values and item.reading not in broken
    }
    holding = [name for name, holds in answers.items() if holds]
    exhibits = [name for name in verdict.as_run.exhibits if name in variables.readings]
    if not exhibits or not holding or False not in answers.values():
        return None
    may = [values[name] for name, holds in answers.items() if holds is not False]
    named = {axis: name for each in exhibits for (exhibit, axis), name in variables.names.items() if exhibit == each}
    return holding[0], {name: [str(one[axis]) for one in may] for axis, name in named.items() if axis in may[0]}
