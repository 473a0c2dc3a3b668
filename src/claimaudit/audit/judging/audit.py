"""The audit of one paper: first which readings stand for its exhibits, then a verdict on each claim.

Claims *meet* if no one setting makes them true together.
"""

import logging
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import replace
from itertools import combinations
from pathlib import Path
from typing import Any

from claimaudit import verdicts as record
from claimaudit.audit.claims import Claim, load, load_causes, load_replies
from claimaudit.audit.fitting.settings import Values, Variables, axis_of
from claimaudit.audit.fitting.standing import Material, read_search, words_asked
from claimaudit.audit.judging.cases import Case, by_the_paper, can_fail, prepare
from claimaudit.audit.judging.decide import Known, judge, known_readings
from claimaudit.configuration import leaves
from claimaudit.names import ConfigurationError
from claimaudit.papers.jobs import Context, Outline
from claimaudit.results import STRICT, sealed_json
from claimaudit.storage import adapter
from claimaudit.verdicts import FALLS, Levels, Meeting, Verdict, Verdicts, coherent, plain


def audit(paper: str, levels: Levels, claims: list[Claim], material: Material) -> Verdicts:
    """Judge all claims of a paper, in order, and describe the standing readings of its exhibits.

    ``levels.failing`` bounds the probability that any claim that is true under the strict reading fails by chance. It
    is divided evenly among the claims that can fail by chance: those whose strict check rests on simulation
    (Bonferroni).
    """
    prepared = _prepared(claims, material)
    # Any levels give the same number of simulated comparisons.
    simulated = sum(bool(case.stated and case.stated(levels).simulated) for case, _ in prepared)
    each = Levels(levels.passing, min(levels.passing, levels.failing / max(simulated, 1)))
    verdicts = tuple(
        judge(case, paper, each, known, _by_the_paper(case, known, each, material), can_fail(case, each))
        for case, known in prepared
    )
    pools, standing = material.pools, material.standing
    found = []
    for pool in pools.all:
        inherit = (name for name, item in standing.items() if item.record.source == "inferred" and pool in item.pools)
        found.append(replace(material.records[pool.record.exhibits], inferred=tuple(inherit)))
    return Verdicts(
        claims=verdicts,
        exhibits={name: item.record for name, item in standing.items()},
        pools=tuple(found),
        meetings=tuple(meetings(verdicts, pools.variables, material.readings)),
        asked=() if material.search is None else words_asked(material.search, pools),
        names=material.outline.names,
    )


def _prepared(claims: list[Claim], material: Material) -> list[tuple[Case, Known]]:
    """Prepare all claims; the error has one line for each claim that cannot be checked."""
    prepared, errors = [], []
    for claim in claims:
        try:
            known = known_readings(claim, material.standing, material.readings, material.outline)
            prepared.append((prepare(claim, material.results, material.published, known.runs_factor), known))
        except ValueError as error:
            errors.append(f"claim {claim.id}: {error}")
    if errors:
        raise ConfigurationError("\n".join(errors))
    return prepared


def _by_the_paper(case: Case, known: Known, levels: Levels, material: Material) -> record.Evidence | None:
    """Judge a claim by the printed points of the exhibits of its table, as far as they can answer."""
    items = (material.standing[name] for name in known.exhibits)
    answers = (
        by_the_paper(case, item.fit, item.readings[0] if item.readings else STRICT, levels)
        for item in items
        if item.fit is not None and item.exhibit.experiment == case.claim.table
    )
    found = (answer for answer in answers if answer is not None)
    return min(found, key=lambda answer: answer.holds is not False, default=None)


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


LOG = logging.getLogger(__name__)


def judge_files(
    paper: str,
    context: Context,
    outline: Outline,
    levels: Levels,
    claims: Sequence[Path],
    replies: Sequence[Path],
    published: Sequence[Path],
    tables: Sequence[Path],
    searches: Sequence[Path],
) -> dict[str, bytes]:
    """Judge the claims on a paper, and return them as a file of ``verdicts``.

    The levels are the significance of one check, and of all. `claims` and `replies` are one file each, if there is any;
    tables (CSV) have their records beside them, and `searches` is one file, too.

    Raises ValueError if a claim cannot be judged as it is written, or a file is damaged.
    """
    search = next(map(read_search, searches), None)
    material = Material.read(outline, published, tables, search)
    stated = [claim for path in claims for claim in load(path, context)]
    found = audit(paper, levels, stated, material)
    ids = {verdict.id for verdict in found.claims}
    verdicts = coherent(
        replace(
            found,
            claims=tuple(_with_names(verdict, outline.called) for verdict in found.claims),
            causes={name: cause for path in claims for name, cause in load_causes(path).items()},
            replies=tuple(reply for path in replies for reply in load_replies(path, ids)),
        )
    )
    counts = Counter(verdict.verdict for verdict in verdicts.claims if verdict.counted)
    LOG.info(", ".join(f"{count} {verdict}" for verdict, count in counts.items()))
    content = plain(verdicts)
    adapter(Verdicts).validate_python(content)
    return {"verdicts": sealed_json(content)}


def _with_names(verdict: Verdict, called: Mapping[str, str]) -> Verdict:
    points = verdict.own_numbers.points
    found: list[Mapping[str, Any]] = [item.worst for item in (*verdict.evidence, *([points] if points else []))]
    found += [item.comparisons for item in verdict.evidence]
    names = {*leaves(found)}.union(*found)
    return replace(verdict, called={name: words for name, words in called.items() if name in names})
