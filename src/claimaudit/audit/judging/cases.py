"""Cases: the numbers of a claim, compared under every reading and meaning, ready to be judged at any levels."""

from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field, replace
from functools import cache, partial

import numpy as np
import pandas as pd

from claimaudit import digits
from claimaudit.audit.arrays import NO_ROWS, Arrays, Result
from claimaudit.audit.checks.base import Check, OfQuantity, OfRows, at
from claimaudit.audit.checks.fits import PublishedCells
from claimaudit.audit.claims import Claim
from claimaudit.audit.fitting.exhibits import ExhibitFit
from claimaudit.results import STRICT
from claimaudit.verdicts import CHANCE, ERRORS, READINGS, WORD, Comparisons, Evidence, Levels, Why

Test = Callable[[Levels], Evidence]  # judges comparisons already made at the given levels


@dataclass(frozen=True)
class Meaning:
    """One meaning of a claim's sentence, the natural one (named ``""``) or another: its check, and numbers for it.

    These are the selected rows of its result table, and the printed numbers of the file that it names.
    """

    name: str
    check: Check
    rows: Arrays
    printed: pd.DataFrame | None = None
    on_other_data: bool = False


@dataclass(frozen=True)
class Case:
    """A claim whose numbers have been compared.

    `standins` are the data sets in place of those that could not be had. The most natural of `meanings` is the first
    one. `stated` tests under the strict reading (None if there is a gap: stand-ins, or data that only a user can supply
    and none did), `run` under each reading, with the number of runs that stands behind the exhibit.
    """

    claim: Claim
    standins: tuple[str, ...] = ()
    meanings: tuple[Meaning, ...] = ()
    stated: Test | None = None
    run: Mapping[str, Test] = field(default_factory=dict)


def prepare(
    claim: Claim, results: Mapping[str, Result], published: Mapping[str, pd.DataFrame], runs_factor: float = 1.0
) -> Case:
    """Compare the numbers of one claim under every reading and meaning, given those that are `published`, by file.

    `runs_factor` is how many runs stand behind the exhibit, relative to the stated number. A claim that cannot be
    checked as written (unknown names, no rows selected) is a ValueError.
    """
    meanings = tuple(
        Meaning(
            name,
            each.check,
            _rows(each, results),
            published[each.check.published] if isinstance(each.check, PublishedCells) else None,
            name in claim.on_other_data,
        )
        for name, each in claim.meanings
    )
    standins = tuple(_standins(meanings, results))
    if standins or (claim.lacking and not len(meanings[0].rows)):
        return Case(claim, standins)
    tests = run = tests_of(meanings)
    if runs_factor != 1 and claim.check.counts_runs:
        factor = {"runs_factor": runs_factor}
        run = tests_of([replace(each, check=each.check.model_copy(update=factor)) for each in meanings])
    return Case(claim, meanings=meanings, stated=tests[STRICT], run=run)


def tests_of(meanings: Sequence[Meaning]) -> dict[str, Test]:
    """Compare the numbers of all meanings of a claim and return a test for each reading, the strict one first."""
    found = [(meaning, _ends(meaning)) for meaning in meanings]
    readings = dict.fromkeys(reading for _, tests in found for reading in tests)
    return {
        reading: partial(_any_meaning, [(meaning, tests[reading]) for meaning, tests in found if reading in tests])
        for reading in readings
    }


def _ends(meaning: Meaning) -> dict[str, list[Test]]:
    """Compare the numbers of a meaning and return, by reading, tests at both ends of a vague word, else one test.

    Numbers without errors are compared as if they were exact.
    """
    rows, zeros = meaning.rows, np.zeros(len(meaning.rows))
    rows = rows if rows.measured else rows.assign(se=zeros, runs=zeros)
    strict, generous = at(meaning.check, "strict"), at(meaning.check, "generous")
    found: dict[str, list[Test]] = {}
    for check in (strict, generous) if strict != generous else (strict,):
        for each in check.compare(rows, meaning.printed).by_reading():
            found.setdefault(str(each["reading"][0]), []).append(cache(partial(check.judge, each)))
    return found


def _any_meaning(tests: Sequence[tuple[Meaning, Sequence[Test]]], levels: Levels) -> Evidence:
    """Judge a sentence with several meanings: if it fails in the natural one but holds in another, it is vague.

    If it holds on other data, which the text does not exclude, the data are open and not the sentence. Numbers without
    errors cannot tell.
    """
    first, *others = (combine_ends(*(test(levels) for test in ends)) for _, ends in tests)
    if not all(meaning.rows.measured for meaning, _ in tests):
        return replace(first, holds=None, why=ERRORS)
    if first.holds is False:
        for (meaning, _), other in zip(tests[1:], others, strict=True):
            if other.holds:
                why: Why = READINGS if meaning.on_other_data else WORD
                return replace(first, holds=None, why=why, meaning=meaning.name)
    return first


def combine_ends(strict: Evidence, generous: Evidence | None = None) -> Evidence:
    """Combine what both ends of an interval say: it holds at the strict end, fails at the generous one, or neither.

    More runs would leave it undecided if it fails at the one and holds at the other: of comparisons that must all hold
    (they have a p-value), if the worst estimate violates the strict end and satisfies the generous one.
    """
    if strict.holds or generous is None:
        return strict
    if generous.holds is False:
        return generous
    word = generous.holds is True
    if isinstance(strict.found, Comparisons) and strict.p_value is not None:
        word = (strict.statistic or 0) < 0 < (generous.statistic or 0)
    return replace(strict, holds=None, why=WORD if word else CHANCE)


def _rows(claim: Claim, results: Mapping[str, Result]) -> Arrays:
    """Return the rows of the result table, if it has one, that a claim selects; none as stated is an error."""
    check = claim.check
    if not isinstance(check, OfRows):
        return NO_ROWS
    if check.table not in results:
        raise ValueError(f"there is no result table {check.table}; there are: {', '.join(sorted(results))}")
    rows = results[check.table].rows.select(check.where)
    if not (rows["reading"] == STRICT).any() and not claim.lacking:
        raise ValueError(f"where {check.where!r} selects nothing from {check.table}")
    return rows


def _standins(meanings: tuple[Meaning, ...], results: Mapping[str, Result]) -> list[str]:
    checks = (each.check for each in meanings if each.rows["standin"].any())
    tables = [check.table for check in checks if isinstance(check, OfRows)]
    return sorted({name for table in tables for name in results[table].standins or (table,)})


def can_fail(case: Case, levels: Levels) -> bool:
    """Return whether a claim does not hold, or some disturbance of its numbers makes its check no longer hold."""
    if case.stated is None or not case.stated(levels).holds:
        return True
    first = case.meanings[0]
    for check, rows in first.check.disturbed(first.rows.take(first.rows["reading"] == STRICT)):
        with suppress(ValueError):  # a disturbed table that cannot be judged shows nothing
            if not tests_of([Meaning("", check, rows, first.printed)])[STRICT](levels).holds:
                return True
    return False


def by_the_paper(case: Case, fit: ExhibitFit, reading: str, levels: Levels) -> Evidence | None:
    """Judge a claim by the printed points of its exhibit.

    Points may refute a sentence about more settings than they show; they confirm it only if they show all. A number
    that is printed twice does not confirm itself. Their noise is the standard deviation of one run under `reading`.

    It is None if the points cannot answer, as where a meaning of the sentence is judged by another table.
    """
    checks = [meaning.check for meaning in case.meanings if isinstance(meaning.check, OfQuantity)]
    if case.stated is None or len(checks) < len(case.meanings) or len({check.table for check in checks}) > 1:
        return None
    meanings = []
    try:
        for meaning, check in zip(case.meanings, checks, strict=True):
            columns = (*meaning.rows.places.values, *meaning.rows.numbers)
            rows = _as_rows(fit, reading, columns).select(check.where)
            if not len(rows):
                return None
            meanings.append(Meaning(meaning.name, check.model_copy(update={"basis": None}), rows))
        found = tests_of(meanings)[STRICT](levels)
    except ValueError:
        return None
    some = found.rows < case.stated(levels).rows
    if some and not (case.claim.check.universal and found.holds is False):
        return None
    own = [] if found.estimate is None else [found.estimate]
    if found.holds and case.claim.check.repeats(None, own):
        return None
    return replace(found, reading="printed")


@cache
def _as_rows(fit: ExhibitFit, reading: str, columns: tuple[str, ...]) -> Arrays:
    """Return printed points with the columns of a result table, and the noise of the runs behind them."""
    cells = fit.cells[fit.cells["reading"] == reading]
    stated = cells["stated"].fillna(1) * fit.runs.factor
    spread = np.where(cells["run_sd"] > 0, cells["run_sd"] / np.sqrt(stated), 0.0)
    points = cells.assign(
        reading=STRICT,
        mean=cells["value"],
        se=np.sqrt(spread**2 + cells["digitised"] ** 2 + (digits.ERROR * cells["digit"]) ** 2),
        runs=np.maximum(stated, 1).round().astype(int),
        theory=np.nan,
    )
    return Arrays.of(points[[*columns]])
