"""Verdicts: combine the evidence on a claim, over all readings, into a verdict with its reason."""

import math
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import asdict, dataclass, field, replace
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd

from corrldp.audit.checks import Check
from corrldp.audit.claims import ClaimError, variants
from corrldp.audit.evidence import Claim, Evidence, Levels
from corrldp.audit.kinds import CHECKS
from corrldp.audit.quantities import select
from corrldp.audit.readings import Reading
from corrldp.audit.words import CONTRADICTORY, OTHER_READING, REPRODUCED, UNTESTED
from corrldp.results import STRICT, read_numbers

NAMED = 8  # readings listed in a reason; the evidence has them all

Test = Callable[[Levels], Evidence]
"""Judges comparisons already made at the given levels."""


@dataclass(frozen=True)
class Result:
    """A result table, the names of the stand-in data sets behind it, and descriptions of its readings by name."""

    table: pd.DataFrame
    standins: tuple[str, ...] = ()
    words: Mapping[str, str] = field(default_factory=dict)


@dataclass(frozen=True)
class Variant:
    """The claim as stated (named ``""``) or an alternative, and the rows it selects; None if it needs no table."""

    name: str
    claim: Claim
    rows: pd.DataFrame | None


@dataclass(frozen=True)
class Case:
    """A claim whose numbers have been compared, ready to be judged at any levels.

    Attributes
    ----------
    claim
        The claim, with its alternatives.
    gap
        Why there are no numbers to compare; empty if there are.
    tests
        One for each alternative and reading; the first is for the claim as stated under the strict reading.
    """

    claim: Claim
    gap: str
    tests: list[Test]

    def rests_on_simulation(self) -> bool:
        """Return whether the strict check compares Monte-Carlo numbers and may thus fail by chance alone."""
        levels = Levels(0.5, 0.5)  # any levels give the same number of simulated comparisons
        return bool(self.tests) and self.tests[0](levels).simulated > 0


def prepare(claim: Claim, results: Mapping[str, Result], published_dir: Path) -> Case:
    """Compare the numbers of one claim under every reading and alternative.

    Raises
    ------
    ClaimError
        If the claim cannot be checked as written: unknown table, column or variable, or no rows selected.
    """
    with _named(claim):
        selected = [Variant(name, complete, _rows(complete, results)) for name, complete in variants(claim)]
        gap = _gap(selected, results)
        tests = [] if gap else [test for variant in selected for test in _tests(variant, results, published_dir)]
    return Case(claim, gap, tests)


def judge(case: Case, paper: str, levels: Levels) -> dict[str, Any]:
    """Judge one claim under every reading and alternative, each check at the same `levels`.

    Returns
    -------
    dict
        The verdict record: plain types, ready for JSON. Its ``level`` is the probability that a true claim fails by
        chance: 0 if the strict check is exact.
    """
    claim = case.claim
    evidence = [test(levels) for test in case.tests]
    if case.gap:
        verdict, reading, words, effect, reason = UNTESTED, "", "", "", f"data unavailable: {case.gap}"
    else:
        verdict, resting, reason = combine(claim["kind"], evidence)
        reading = " or ".join(item.reading for item in resting)
        words = " or ".join(item.words or item.reading for item in resting)
        effect = resting[0].effect
    record = {
        "id": claim["id"],
        "paper": paper,
        **{key: claim.get(key, "") for key in ("where", "states", "kind")},
        "origin": claim.get("origin", "paper"),
        **{key: claim.get(key, "") for key in ("refines", "cause", "table", "figure", "note")},
        "verdict": verdict,
        "reason": reason,
        "reading": reading,
        "words": words,
        "effect": effect,
        "level": levels.failing if evidence and evidence[0].simulated else 0.0,
        "evidence": [asdict(item) for item in evidence],
        "printed": claim.get("printed"),
    }
    return plain(record)


def combine(kind: str, evidence: list[Evidence]) -> tuple[str, list[Evidence], str]:
    """Combine evidence (the strict reading first) into a verdict, the evidence it rests on, and the reason.

    The strict reading decides if it holds or cannot tell. If it fails, the claim is reproduced under the other readings
    that hold, not reproduced if every reading fails, and untested if none holds and some cannot tell.
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
    failed = CHECKS[kind].failed
    reason = strict.reason if failed == CONTRADICTORY else f"{strict.effect} ({strict.reason})"
    return failed, [strict], reason + unresolved


def _sentence(words: str, items: list[Evidence]) -> str:
    """Return a further part of a reason that names readings; empty if there are none."""
    if not items:
        return ""
    named = [item.named for item in items[:NAMED]]
    more = [f"and {len(items) - NAMED} more"] if len(items) > NAMED else []
    return f"; {words} {', '.join(named + more)}"


def _ambiguity(kind: str, fitting: list[Evidence]) -> str:
    """Name the readings between which published numbers cannot distinguish; empty if there is no ambiguity."""
    if not CHECKS[kind].distinguishes or len(fitting) < 2:
        return ""
    return f"; cannot tell between {', '.join(item.named for item in fitting)}"


@contextmanager
def _named(claim: Claim) -> Iterator[None]:
    """Add the claim's id to errors."""
    try:
        yield
    except ValueError as error:
        raise ClaimError(f"claim {claim['id']}: {error}") from error


def _rows(claim: Claim, results: Mapping[str, Result]) -> pd.DataFrame | None:
    """Return the rows of the result table that a claim selects; none under the strict reading is an error."""
    if "table" not in CHECKS[claim["kind"]].fields:
        return None
    if claim["table"] not in results:
        raise ValueError(f"there is no result table {claim['table']}; there are: {', '.join(sorted(results))}")
    rows = select(results[claim["table"]].table, claim.get("rows"))
    if not (rows["reading"] == STRICT).any() and "lacking" not in claim:
        raise ValueError(f"rows {claim.get('rows')!r} select nothing from {claim['table']}")
    return rows


def _gap(selected: list[Variant], results: Mapping[str, Result]) -> str:
    """Explain why a claim has no evidence: its data are stand-ins, or only a user can supply them and none did."""
    standins = _standins(selected, results)
    if standins:
        return f"stand-in for {', '.join(standins)}"
    stated = selected[0]
    lacks = stated.rows is not None and stated.rows.empty
    return stated.claim.get("lacking", "") if lacks else ""


def _standins(selected: list[Variant], results: Mapping[str, Result]) -> list[str]:
    """Return the names of the stand-in data sets behind the selected rows."""
    names: set[str] = set()
    for variant in selected:
        if variant.rows is not None and variant.rows["standin"].any():
            table = variant.claim["table"]
            names |= set(results[table].standins or (table,))
    return sorted(names)


def _tests(variant: Variant, results: Mapping[str, Result], published_dir: Path) -> list[Test]:
    """Compare the numbers of a variant under every reading in its rows, the strict one first."""
    claim, rows, check = variant.claim, variant.rows, CHECKS[variant.claim["kind"]]
    if rows is not None and rows.empty:
        return []
    printed = {"published": _published(claim["published"], published_dir)} if "published" in check.fields else {}
    words = {} if rows is None else results[claim["table"]].words
    tests: list[Test] = []
    for reading in check.compare(claim, rows, **printed):
        named = replace(reading, name=_name(reading.name, variant.name))
        worded = _name(words.get(reading.name, reading.name), variant.name, strict=words.get(STRICT, STRICT))
        tests.append(partial(_judged, check, claim, named, worded))
    return tests


def _judged(check: Check, claim: Claim, reading: Reading, words: str, levels: Levels) -> Evidence:
    return replace(check.judge(claim, reading, levels), words=words)


def _published(name: str, published_dir: Path) -> pd.DataFrame:
    """Read published numbers."""
    path = published_dir / f"{name}.csv"
    if not path.exists():
        raise ValueError(f"there are no published numbers at {path}")
    published = read_numbers(path)
    missing = [name for name in ("mechanism", "metric", "value", "runs") if name not in published.columns]
    if missing:
        raise ValueError(f"{path} has no column {', '.join(missing)}")
    return published


def _name(reading: str, alternative: str, strict: str = STRICT) -> str:
    """Combine the name, or the words, of a reading with an alternative of the claim."""
    if not alternative:
        return reading
    return alternative if reading == strict else f"{reading}; {alternative}"


def plain(content: Any) -> Any:  # noqa: ANN401
    """Convert to plain JSON types: nine significant digits (on which machines agree), None for non-finite numbers."""
    if isinstance(content, Mapping):
        return {key: plain(entry) for key, entry in content.items()}
    if isinstance(content, list | tuple):
        return [plain(entry) for entry in content]
    if isinstance(content, np.generic):
        content = content.item()
    if isinstance(content, float):
        return float(f"{content:.9g}") if math.isfinite(content) else None
    return content
