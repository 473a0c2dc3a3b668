"""The verdicts on a paper from its files."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

import pandas as pd

from claimaudit.audit.claims.files import Context, load, load_causes
from claimaudit.audit.judging.audit import Material, audit
from claimaudit.audit.judging.cases import Result
from claimaudit.papers.replies import FILE as REPLIES
from claimaudit.papers.replies import load as load_replies
from claimaudit.results import read, read_record, verified
from claimaudit.verdicts import Levels, Verdict, Verdicts, coherent


def read_results(tables: Iterable[Path]) -> dict[str, Result]:
    """Read result tables, verified by the records beside them, by the experiment of whose name their files are."""
    return {path.stem: Result(read(path), tuple(read_record(path)["standin"])) for path in tables}


def judge_files(
    setting: Mapping[str, Any], claims: Path, tables: Iterable[Path], searches: Iterable[Path] = ()
) -> Verdicts:
    """Judge the claims on a paper.

    Parameters
    ----------
    setting
        ``paper``, ``level`` and ``family_level``, with what `claimaudit.papers.paper.Paper.evidence` returns, and
        ``context``, what `context` of a paper returns (without it, claims are of experiments).
    claims
        Its claims, with the directory ``published`` of its printed numbers beside them, and the replies, if any.
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
    material = Material.load(setting, read_results(tables), claims.parent / "published", tried)
    levels = Levels(setting["level"], setting["family_level"])
    verdicts = audit(setting["paper"], levels, load(claims, Context(**setting.get("context", {}))), material)
    replies = load_replies(claims.parent / REPLIES, {verdict.id for verdict in verdicts.claims})
    judged = tuple(_with_names(verdict, setting.get("called", {})) for verdict in verdicts.claims)
    return coherent(replace(verdicts, claims=judged, causes=load_causes(claims), replies=replies))


def _with_names(verdict: Verdict, called: Mapping[str, str]) -> Verdict:
    """Return a verdict with what pages call the settings of its evidence."""
    points = verdict.own_numbers.points
    settings = [item.worst for item in (*verdict.evidence, *([points] if points else []))]
    columns = [item.comparisons for item in verdict.evidence]
    used = [item for setting in settings for item in setting.items()]
    used += [(column, value) for found in columns for column, values in found.items() for value in values]
    names = {name for column, value in used for name in (column, *(value if isinstance(value, tuple) else (value,)))}
    return replace(verdict, called={name: words for name, words in called.items() if name in names})
