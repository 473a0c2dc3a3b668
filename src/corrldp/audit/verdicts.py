"""Verdicts: the evidence of a claim, over all readings, becomes one word with its reason."""

import math
from collections.abc import Callable, Mapping
from dataclasses import asdict, dataclass, replace
from functools import partial
from pathlib import Path

import numpy as np
import pandas as pd

from corrldp.audit.claims import ClaimError, variants
from corrldp.audit.comparisons import monotone, ordering
from corrldp.audit.evidence import Evidence
from corrldp.audit.fits import agreement, cells, flat
from corrldp.audit.printed import contradiction, value
from corrldp.audit.quantities import select
from corrldp.results import STRICT, read_numbers

REPRODUCED = "reproduced"
OTHER_READING = "reproduced under another reading"
NOT_REPRODUCED = "not reproduced"
CONTRADICTORY = "self-contradictory"
UNTESTED = "untested"
NAMED = 8  # readings that a reason lists; the evidence has them all
VERDICTS = (REPRODUCED, OTHER_READING, NOT_REPRODUCED, CONTRADICTORY, UNTESTED)

Check = Callable[[dict, pd.DataFrame, float], Evidence]
CHECKS: dict[str, Check] = {
    "value": value,
    "ordering": ordering,
    "monotone": monotone,
    "flat": flat,
    "agreement": agreement,
}


@dataclass(frozen=True)
class Result:
    """A result table and the names of the stand-in data sets behind it."""

    table: pd.DataFrame
    standins: tuple[str, ...] = ()


def judge(claim: dict, paper: str, level: float, results: Mapping[str, Result], published_dir: Path) -> dict:
    """Check one claim under every reading and alternative.

    Returns
    -------
    dict
        The verdict record: plain types, ready for JSON.

    Raises
    ------
    ClaimError
        If the claim cannot be checked as written: unknown table, column or variable, or no rows selected.
    """
    if _absent(claim, results):
        return _record(
            claim, paper, level, UNTESTED, f"data unavailable: {claim['optional']} was not asked for", [], []
        )
    try:
        standins = _standins(claim, results)
        evidence = [] if standins else _evidence(claim, level, results, published_dir)
    except ValueError as error:
        raise ClaimError(f"claim {claim['id']}: {error}") from error
    if standins:
        return _record(claim, paper, level, UNTESTED, f"data unavailable: stand-in for {', '.join(standins)}", [], [])
    verdict, resting, reason = combine(claim["kind"], evidence)
    return _record(claim, paper, level, verdict, reason, resting, evidence)


def _record(
    claim: dict,
    paper: str,
    level: float,
    verdict: str,
    reason: str,
    resting: list[Evidence],
    evidence: list[Evidence],
) -> dict:
    """Return the verdict record of a claim from the evidence that its verdict rests on and all evidence."""
    record = {
        "id": claim["id"],
        "paper": paper,
        **{key: claim.get(key, "") for key in ("where", "states", "kind", "table", "figure", "note")},
        "verdict": verdict,
        "reason": reason,
        "reading": " or ".join(item.reading for item in resting),
        "effect": resting[0].effect if resting else "",
        "level": level,
        "evidence": [asdict(item) for item in evidence],
        "printed": claim.get("printed"),
    }
    return plain(record)


def combine(kind: str, evidence: list[Evidence]) -> tuple[str, list[Evidence], str]:
    """Combine evidence (the strict reading first) into a verdict, the evidence it rests on, and the reason.

    The strict reading decides if it holds or cannot tell. If it fails, the claim is reproduced under all
    other readings that hold; not reproduced if every reading fails; and untested if a remaining reading
    cannot tell.
    """
    strict, others = evidence[0], evidence[1:]
    holding = [item for item in others if item.holds]
    undecided = [item for item in others if item.holds is None]
    failing = [item for item in others if item.holds is False]
    unresolved = _sentence("cannot tell under", undecided) + _sentence("fails under", failing)
    if strict.holds is None:
        also = _sentence("holds under", holding)
        return UNTESTED, [strict], f"cannot tell: {strict.reason}{also}{unresolved}"
    if strict.holds:
        also = _ambiguity(kind, [strict, *holding]) or _sentence("also holds under", holding)
        return REPRODUCED, [strict], strict.reason + also + unresolved
    if holding:
        fails = f"fails under the strict reading ({strict.effect})"
        found = _ambiguity(kind, holding) or _sentence("holds under", holding)
        return OTHER_READING, holding, f"{fails}{found}{unresolved}"
    if undecided:
        reason = f"cannot tell: fails under the strict reading ({strict.effect}){unresolved}"
        return UNTESTED, undecided, reason
    if kind == "contradiction":
        return CONTRADICTORY, [strict], strict.reason + unresolved
    return NOT_REPRODUCED, [strict], f"{strict.effect} ({strict.reason}){unresolved}"


def _sentence(words: str, items: list[Evidence]) -> str:
    """Word a further part of a reason that names readings; empty if there are none."""
    if not items:
        return ""
    named = [item.reading for item in items[:NAMED]]
    more = [f"and {len(items) - NAMED} more"] if len(items) > NAMED else []
    return f"; {words} {', '.join(named + more)}"


def _ambiguity(kind: str, fitting: list[Evidence]) -> str:
    """Say of published cells which readings they cannot tell apart."""
    if kind != "cells" or len(fitting) < 2:
        return ""
    return f"; cannot tell between {', '.join(item.reading for item in fitting)}"


def _evidence(claim: dict, level: float, results: Mapping[str, Result], published_dir: Path) -> list[Evidence]:
    """Check every alternative under every reading; the claim as stated, read strictly, comes first."""
    evidence = []
    for name, complete in variants(claim):
        if complete["kind"] == "contradiction":
            found = [contradiction(complete)]
        else:
            rows = _rows(complete, results)
            check = _check(complete, published_dir)
            found = [check(complete, rows[rows["reading"] == reading], level) for reading in _readings(rows)]
        evidence += [replace(item, reading=_name(item.reading, name)) for item in found]
    return evidence


def _check(claim: dict, published_dir: Path) -> Check:
    """Choose the check of a claim's kind."""
    if claim["kind"] != "cells":
        return CHECKS[claim["kind"]]
    path = published_dir / f"{claim['published']}.csv"
    if not path.exists():
        raise ValueError(f"there are no published numbers {path}")
    published = read_numbers(path)
    missing = [name for name in ("mechanism", "metric", "value", "runs") if name not in published.columns]
    if missing:
        raise ValueError(f"{path} has no column {', '.join(missing)}")
    return partial(cells, published=published)


def _rows(claim: dict, results: Mapping[str, Result]) -> pd.DataFrame:
    """Rows of the result table that a claim selects; none under the strict reading is an error."""
    if claim["table"] not in results:
        raise ValueError(f"there is no result table {claim['table']}; there are: {', '.join(sorted(results))}")
    rows = select(results[claim["table"]].table, claim.get("rows"))
    if not (rows["reading"] == STRICT).any():
        raise ValueError(f"rows {claim.get('rows')!r} select nothing from {claim['table']}")
    return rows


def _readings(rows: pd.DataFrame) -> list[str]:
    """List the readings present, the strict one first."""
    return sorted(rows["reading"].unique(), key=lambda reading: (reading != STRICT, reading))


def _name(reading: str, alternative: str) -> str:
    """Word a reading combined with an alternative of the claim."""
    if not alternative:
        return reading
    return alternative if reading == STRICT else f"{reading}; {alternative}"


def _absent(claim: dict, results: Mapping[str, Result]) -> bool:
    """Whether a claim rests on an optional view that its experiment did not read, so that it has no rows."""
    return "optional" in claim and select(results[claim["table"]].table, claim.get("rows")).empty


def _standins(claim: dict, results: Mapping[str, Result]) -> list[str]:
    """Names of the stand-in data sets that touched a selected row."""
    names: set[str] = set()
    for _, complete in variants(claim):
        if complete["kind"] != "contradiction" and _rows(complete, results)["standin"].any():
            names |= set(results[complete["table"]].standins or (complete["table"],))
    return sorted(names)


def plain(content: object) -> object:
    """Plain JSON types: nine significant digits (what machines agree on), and None for what is not finite."""
    if isinstance(content, Mapping):
        return {key: plain(entry) for key, entry in content.items()}
    if isinstance(content, list | tuple):
        return [plain(entry) for entry in content]
    if isinstance(content, np.generic):
        content = content.item()
    if isinstance(content, float):
        return float(f"{content:.9g}") if math.isfinite(content) else None
    return content
