"""The audit of one paper: first which readings stand for its exhibits, then a verdict on each claim."""

import logging
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

from claimaudit import verdicts as record
from claimaudit.audit.claims import Claim, load, load_causes, load_replies
from claimaudit.audit.fitting.rivals import read_search, words_asked
from claimaudit.audit.fitting.settings import FittedPool
from claimaudit.audit.fitting.standing import Material
from claimaudit.audit.judging.as_run import Known, known_readings
from claimaudit.audit.judging.cases import Case, by_the_paper, can_fail, prepare
from claimaudit.audit.judging.decide import judge
from claimaudit.audit.judging.meetings import meetings
from claimaudit.names import ConfigurationError
from claimaudit.papers.jobs import Context, Outline
from claimaudit.results import STRICT, sealed_json
from claimaudit.storage import adapter
from claimaudit.verdicts import Levels, Verdict, Verdicts, coherent, plain


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
    verdicts = tuple(_judged(case, known, paper, each, material) for case, known in prepared)
    pools = material.pools
    return Verdicts(
        claims=verdicts,
        exhibits={name: item.record for name, item in material.standing.items()},
        pools=tuple(_pooled(pool, material) for pool in pools.all),
        meetings=tuple(meetings(verdicts, pools, material.readings)),
        asked=() if material.search is None else words_asked(material.search, pools),
        names=material.outline.names,
    )


def _pooled(pool: FittedPool, material: Material) -> record.Pool:
    """Return what is found of a pool, with the exhibits that inherit from it."""
    standing = material.standing.items()
    inherit = (name for name, item in standing if item.record.source == "inferred" and pool in item.pools)
    return replace(material.records[pool.record.exhibits], inferred=tuple(inherit))


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


def _judged(case: Case, known: Known, paper: str, levels: Levels, material: Material) -> Verdict:
    if case.stated is None:
        return judge(case, paper, levels, known)
    could_fail = not case.stated(levels).holds or can_fail(case, levels)
    return judge(case, paper, levels, known, _by_the_paper(case, known, levels, material), could_fail)


def _by_the_paper(case: Case, known: Known, levels: Levels, material: Material) -> record.Evidence | None:
    """Judge a claim by the printed points of the exhibits of its table, as far as they can answer."""
    answers = []
    for name in known.exhibits:
        item = material.standing[name]
        if item.fit is None or item.exhibit.experiment != case.claim.table:
            continue
        reading = item.readings[0] if item.readings else STRICT
        answers.append(by_the_paper(case, item.fit, reading, levels))
    found = [answer for answer in answers if answer is not None]
    return next((answer for answer in found if answer.holds is False), found[0] if found else None)


LOG = logging.getLogger(__name__)


def judge_files(
    paper: str,
    context: Context,
    outline: Outline,
    level: float,
    family_level: float,
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
    found = audit(paper, Levels(level, family_level), stated, material)
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
    found = (*verdict.evidence, *([points] if points else []))
    columns: list[Mapping[str, Sequence[Any]]] = [{name: [at] for name, at in item.worst.items()} for item in found]
    columns += [item.comparisons for item in verdict.evidence]
    used = {name for each in columns for name in each}.union(*(values for each in columns for values in each.values()))
    names = used.union(*(each for each in used if isinstance(each, tuple)))
    return replace(verdict, called={name: words for name, words in called.items() if name in names})
