"""Cases: the numbers of a claim, compared under every reading and meaning, ready to be judged at any levels."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from functools import cache, partial

import numpy as np
import pandas as pd

from claimaudit import digits
from claimaudit.audit.arrays import NO_ROWS, Arrays, Result
from claimaudit.audit.checks.base import Check, OfQuantity, OfRows, at
from claimaudit.audit.checks.cells import PublishedCells
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
    if not all(each.rows.measured for each in meanings):
        tests = _without_errors(meanings)
        return Case(claim, meanings=meanings, stated=tests[STRICT], run=tests)
    tests = run = tests_of(meanings)
    if runs_factor != 1 and claim.check.counts_runs:
        factor = {"runs_factor": runs_factor}
        changed = (replace(each, check=each.check.model_copy(update=factor)) for each in meanings)
        run = tests_of(tuple(changed))
    return Case(claim, meanings=meanings, stated=tests[STRICT], run=run)


def tests_of(meanings: tuple[Meaning, ...]) -> dict[str, Test]:
    """Compare the numbers of all meanings of a claim and return a test for each reading, the strict one first."""
    found = [(meaning, _of_meaning(meaning)) for meaning in meanings]
    readings = dict.fromkeys(reading for _, tests in found for reading in tests)
    return {
        reading: partial(_any_meaning, [(meaning, tests[reading]) for meaning, tests in found if reading in tests])
        for reading in readings
    }


def _without_errors(meanings: tuple[Meaning, ...]) -> dict[str, Test]:
    """Return tests that compare numbers as if they were exact, and cannot tell."""
    zeros = [np.zeros(len(each.rows)) for each in meanings]
    bare = tuple(
        replace(each, rows=each.rows.assign(se=zero, runs=zero)) for each, zero in zip(meanings, zeros, strict=True)
    )
    tests = tests_of(bare)

    def open_test(test: Test, levels: Levels) -> Evidence:
        return replace(test(levels), holds=None, why=ERRORS)

    return {reading: partial(open_test, test) for reading, test in tests.items()}


def _any_meaning(tests: list[tuple[Meaning, Test]], levels: Levels) -> Evidence:
    """Judge a sentence with several meanings: if it fails in the natural one but holds in another, it is vague.

    If it holds on other data, which the text does not exclude, the data are open and not the sentence.
    """
    (_, natural), *others = tests
    first = natural(levels)
    if first.holds is False:
        for meaning, test in others:
            if test(levels).holds:
                why: Why = READINGS if meaning.on_other_data else WORD
                return replace(first, holds=None, why=why, meaning=meaning.name)
    return first


def _of_meaning(meaning: Meaning) -> dict[str, Test]:
    check = meaning.check
    if not any(check.intervals()):
        return _compared(check, meaning)
    strict, generous = _compared(at(check, "strict"), meaning), _compared(at(check, "generous"), meaning)
    return {reading: partial(_between, strict[reading], generous[reading]) for reading in strict}


def _between(strict: Test, generous: Test, levels: Levels) -> Evidence:
    return combine_ends(strict(levels), generous(levels))


def combine_ends(strict: Evidence, generous: Evidence) -> Evidence:
    """Combine what both ends of an interval say: it holds at the strict end, fails at the generous one, or neither.

    More runs would leave it undecided if it fails at the one and holds at the other: of comparisons that must all hold
    (they have a p-value), if the worst estimate violates the strict end and satisfies the generous one.
    """
    if strict.holds:
        return strict
    if generous.holds is False:
        return generous
    word = generous.holds is True
    if isinstance(strict.found, Comparisons) and strict.p_value is not None:
        word = (strict.statistic or 0) < 0 < (generous.statistic or 0)
    return replace(strict, holds=None, why=WORD if word else CHANCE)


def _compared(check: Check, of: Meaning) -> dict[str, Test]:
    compared = check.compare(of.rows, of.printed)
    return {str(each["reading"][0]): cache(partial(check.judge, each)) for each in compared.by_reading()}


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
    names: set[str] = set()
    for meaning in meanings:
        if isinstance(meaning.check, OfRows) and meaning.rows["standin"].any():
            table = meaning.check.table
            names |= set(results[table].standins or (table,))
    return sorted(names)


def can_fail(case: Case, levels: Levels) -> bool:
    """Return whether some disturbance of the numbers behind a claim that holds makes its check no longer hold."""
    first = case.meanings[0]
    disturbed = first.check.disturbed(first.rows.take(first.rows["reading"] == STRICT))
    return any(not _holds(Meaning("", *changed, first.printed), levels) for changed in disturbed)


def _holds(meaning: Meaning, levels: Levels) -> bool:
    try:
        return bool(tests_of((meaning,))[STRICT](levels).holds)
    except ValueError:
        return True  # the disturbed table cannot be judged, which shows nothing


PRINTED = "printed"  # name of the evidence from printed points, in place of a reading


def by_the_paper(case: Case, fit: ExhibitFit, reading: str, levels: Levels) -> Evidence | None:
    """Judge a claim by the printed points of its exhibit.

    Points may refute a sentence about more settings than they show; they confirm it only if they show all. A number
    that is printed twice does not confirm itself. Their noise is the standard deviation of one run under `reading`.

    It is None if the points cannot answer, as where a meaning of the sentence is judged by another table.
    """
    checks = [meaning.check for meaning in case.meanings if isinstance(meaning.check, OfQuantity)]
    if case.stated is None or len(checks) < len(case.meanings) or len({check.table for check in checks}) > 1:
        return None
    stated = case.stated(levels)
    meanings = []
    for meaning, check in zip(case.meanings, checks, strict=True):
        try:
            columns = (*meaning.rows.places.values, *meaning.rows.numbers)
            rows = _as_rows(fit, reading, columns).select(check.where)
        except ValueError:
            return None
        if not len(rows):
            return None
        meanings.append(Meaning(meaning.name, check.model_copy(update={"basis": None}), rows))
    try:
        found = tests_of(tuple(meanings))[STRICT](levels)
    except ValueError:
        return None
    partial = found.rows < stated.rows
    if partial and not (case.claim.check.universal and found.holds is False):
        return None
    own = [] if found.estimate is None else [found.estimate]
    if found.holds and case.claim.check.repeats(None, own):
        return None
    return replace(found, reading=PRINTED)


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
