"""The verdicts on a paper from its files."""

from __future__ import annotations

import logging
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path

import pandas as pd

from claimaudit.audit.claims.files import load, load_causes
from claimaudit.audit.judging.audit import Material, audit
from claimaudit.audit.judging.cases import Result
from claimaudit.papers.jobs import AuditJob
from claimaudit.papers.replies import load as load_replies
from claimaudit.results import read, read_record, sealed_json, verified
from claimaudit.verdicts import Levels, Verdict, Verdicts, adapter, coherent, plain

LOG = logging.getLogger(__name__)


def read_results(tables: Sequence[Path]) -> dict[str, Result]:
    """Read result tables, verified by the records beside them, by the experiment of whose name their files are."""
    return {path.stem: Result(read(path), tuple(read_record(path)["standin"])) for path in tables}


def directory_of(published: Sequence[Path]) -> Path:
    """Return the directory of the printed numbers of a paper, of which some or all files are given."""
    return published[0].parent if published else Path("published")


def judge_files(
    job: AuditJob,
    claims: Sequence[Path],
    replies: Sequence[Path],
    published: Sequence[Path],
    tables: Sequence[Path],
    searches: Sequence[Path],
) -> dict[str, bytes]:
    """Judge the claims on a paper, and return them as a file of ``verdicts``.

    Parameters
    ----------
    claims, replies
        The file of its claims, and that of replies, if there are any.
    published
        Its files of printed numbers.
    tables
        Its result tables (CSV), each with its record beside it.
    searches
        Tables of tried readings, by exhibit.

    Raises
    ------
    ValueError
        A claim cannot be judged as it is written, or a file is damaged.
    """
    tried = {path.stem: pd.read_csv(verified(path), dtype={"reading": str}) for path in searches}
    material = Material(job.evidence, read_results(tables), directory_of(published), tried)
    stated = [claim for path in claims for claim in load(path, job.context)]
    found = audit(job.paper, Levels(job.level, job.family_level), stated, material)
    ids = {verdict.id for verdict in found.claims}
    verdicts = coherent(
        replace(
            found,
            claims=tuple(_with_names(verdict, job.evidence.called) for verdict in found.claims),
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
    """Return a verdict with what pages call the settings of its evidence."""
    points = verdict.own_numbers.points
    settings = [item.worst for item in (*verdict.evidence, *([points] if points else []))]
    columns = [item.comparisons for item in verdict.evidence]
    used = [item for setting in settings for item in setting.items()]
    used += [(column, value) for found in columns for column, values in found.items() for value in values]
    names = {name for column, value in used for name in (column, *(value if isinstance(value, tuple) else (value,)))}
    return replace(verdict, called={name: words for name, words in called.items() if name in names})
