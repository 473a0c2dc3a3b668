"""Cases: the numbers of a claim, compared under every reading and meaning, ready to be judged at any levels."""

import math
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd

from corrldp.audit.claims import variants
from corrldp.audit.evidence import Claim, Evidence, Levels
from corrldp.audit.kinds import CHECKS
from corrldp.audit.quantities import select
from corrldp.audit.thresholds import at_end, between, intervals
from corrldp.audit.words import WORD
from corrldp.names import ConfigurationError
from corrldp.published import read_published
from corrldp.results import STRICT

RUNS_COUNT = ("cells", "value")
"""Kinds of check in which the number of runs behind a printed number counts."""

Test = Callable[[Levels], Evidence]
"""Judges comparisons already made at the given levels."""


@dataclass(frozen=True)
class Result:
    """A result table, and the names of the stand-in data sets behind it."""

    table: pd.DataFrame
    standins: tuple[str, ...] = ()


@dataclass(frozen=True)
class Meaning:
    """One meaning of a claim's sentence: the claim (named ``""``) or an alternative, and the rows that it selects."""

    name: str
    claim: Claim
    rows: pd.DataFrame | None


@dataclass(frozen=True)
class Case:
    """A claim whose numbers have been compared.

    Attributes
    ----------
    claim
        The claim, with its alternatives.
    gap
        Why there are no numbers to compare; empty if there are.
    meanings
        The meanings of its sentence, the most natural one first.
    stated
        Test under the strict reading; None if there is a gap.
    run
        Test under each reading, with the number of runs that stands behind the exhibit.
    """

    claim: Claim
    gap: str
    meanings: tuple[Meaning, ...] = ()
    stated: Test | None = None
    run: Mapping[str, Test] = field(default_factory=dict)

    def rests_on_simulation(self) -> bool:
        """Return whether the strict check compares Monte-Carlo numbers and may thus fail by chance alone."""
        # Any levels give the same number of simulated comparisons.
        return self.stated is not None and self.stated(Levels(0.5, 0.5)).simulated > 0


def prepare(claim: Claim, results: Mapping[str, Result], published_dir: Path, runs_factor: float = 1.0) -> Case:
    """Compare the numbers of one claim under every reading and meaning.

    Parameters
    ----------
    claim
        The claim.
    results
        Result tables by experiment.
    published_dir
        Directory of the paper's printed numbers.
    runs_factor
        How many runs stand behind the exhibit, relative to the number that the paper states.

    Raises
    ------
    ConfigurationError
        If the claim cannot be checked as written: unknown table, column or variable, or no rows selected.
    """
    with named(claim):
        meanings = tuple(Meaning(name, complete, _rows(complete, results)) for name, complete in variants(claim))
        gap = _gap(meanings, results)
        if gap:
            return Case(claim, gap)
        tests = tests_of(meanings, published_dir)
        depends = runs_factor != 1 and claim["kind"] in RUNS_COUNT
        run = (
            tests_of(tuple(_with_runs(meaning, runs_factor) for meaning in meanings), published_dir)
            if depends
            else tests
        )
    return Case(claim, "", meanings, tests[STRICT], run)


def tests_of(meanings: tuple[Meaning, ...], published_dir: Path) -> dict[str, Test]:
    """Compare the numbers of all meanings of a claim and return a test for each reading, the strict one first."""
    found = [(meaning.name, _of_meaning(meaning, published_dir)) for meaning in meanings]
    readings = dict.fromkeys(reading for _, tests in found for reading in tests)
    return {
        reading: partial(_any_meaning, [(name, tests[reading]) for name, tests in found if reading in tests])
        for reading in readings
    }


def _any_meaning(tests: list[tuple[str, Test]], levels: Levels) -> Evidence:
    """Judge a sentence with several meanings: if it fails in the natural one but holds in another, it is vague."""
    (_, natural), *others = tests
    first = natural(levels)
    if first.holds is False:
        for name, test in others:
            other = test(levels)
            if other.holds:
                return replace(
                    first, holds=None, why=WORD, meaning=name, reason=f"{first.reason}; holds if it means: {name}"
                )
    return first


def _of_meaning(meaning: Meaning, published_dir: Path) -> dict[str, Test]:
    """Compare the numbers of one meaning at both ends of its vague words."""
    if not intervals(meaning.claim):
        return _compared(meaning.claim, meaning.rows, published_dir)
    strict, generous = (
        _compared(at_end(meaning.claim, end), meaning.rows, published_dir) for end in ("strict", "generous")
    )
    return {reading: partial(_between, strict[reading], generous[reading]) for reading in strict}


def _between(strict: Test, generous: Test, levels: Levels) -> Evidence:
    return between(strict(levels), generous(levels))


def _compared(claim: Claim, rows: pd.DataFrame | None, published_dir: Path) -> dict[str, Test]:
    """Compare the numbers of a claim without vague words."""
    check = CHECKS[claim["kind"]]
    printed = (
        {"published": read_published(published_dir / f"{claim['published']}.csv")}
        if "published" in check.fields
        else {}
    )
    return {reading.name: partial(check.judge, claim, reading) for reading in check.compare(claim, rows, **printed)}


def _with_runs(meaning: Meaning, factor: float) -> Meaning:
    """Return a meaning whose printed numbers rest on `factor` times the stated number of runs."""
    claim = meaning.claim
    if claim["kind"] == "cells":
        return replace(meaning, claim={**claim, "runs_factor": factor})
    return replace(meaning, claim={**claim, "runs": claim["runs"] * factor}) if "runs" in claim else meaning


@contextmanager
def named(claim: Claim) -> Iterator[None]:
    """Add the claim's id to errors."""
    try:
        yield
    except ValueError as error:
        raise ConfigurationError(f"claim {claim['id']}: {error}") from error


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


def _gap(meanings: tuple[Meaning, ...], results: Mapping[str, Result]) -> str:
    """Explain why a claim has no evidence: its data are stand-ins, or only a user can supply them and none did."""
    standins = _standins(meanings, results)
    if standins:
        return f"stand-in for {', '.join(standins)}"
    stated = meanings[0]
    lacks = stated.rows is not None and stated.rows.empty
    return stated.claim.get("lacking", "") if lacks else ""


def _standins(meanings: tuple[Meaning, ...], results: Mapping[str, Result]) -> list[str]:
    """Return the names of the stand-in data sets behind the selected rows."""
    names: set[str] = set()
    for meaning in meanings:
        if meaning.rows is not None and meaning.rows["standin"].any():
            table = meaning.claim["table"]
            names |= set(results[table].standins or (table,))
    return sorted(names)


def plain(content: Any) -> Any:  # noqa: ANN401
    """Convert to plain JSON types: nine significant digits (on which machines agree), None for non-finite numbers."""
    if isinstance(content, dict):
        return {key: plain(entry) for key, entry in content.items()}
    if isinstance(content, list | tuple):
        return [plain(entry) for entry in content]
    if isinstance(content, np.generic):
        content = content.item()
    if isinstance(content, float):
        return float(f"{content:.9g}") if math.isfinite(content) else None
    return content
