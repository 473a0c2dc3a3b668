"""What was run, in words: by an exhibit, and by exhibits that share settings."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace

from claimaudit.results import STRICT
from claimaudit.verdicts import LEVEL, Exhibit, Fit, GuideWord, Likelihood, Names, Pool, PoolAxis, Runs, StandingReading
from claimaudit.words.names import BROKEN, FITS_BROKEN, RUN, TEXT, choice, labels, reading
from claimaudit.words.numbers import listed, number, p_words, plural

FEW_NUMBERS = 2
"""Printed numbers of a pool of which a sentence says all."""


def answer(exhibit: Exhibit, names: Names) -> str:
    """Say in a few words what seems to have been run for an exhibit: the reading named first, and how many others."""
    if exhibit.source == "rejected":
        if exhibit.not_run:
            return f"no setting run in full fits its printed numbers, but {number(exhibit.not_run)} tried in a search"
        return f"none of {plural(exhibit.competed, 'setting')} tried fits all its printed numbers"
    if not exhibit.readings:
        return "unknown, since no printed number tells"
    # An open reading departs from nothing that the text states.
    not_text = "" if any(each.reading == STRICT or each.open for each in exhibit.readings) else f"not {TEXT}; "
    named = TEXT if exhibit.readings[0].reading == STRICT else _first(exhibit, names)
    return f"{not_text}{named}{_others(exhibit)}"


def _first(exhibit: Exhibit, names: Names) -> str:
    return reading(names, exhibit.experiment, exhibit.readings[0].reading)


def _others(exhibit: Exhibit) -> str:
    count = len(exhibit.readings) - 1
    more = f", or {plural(count, 'other setting')}" if count else ""
    return more + (" (from what shares its settings)" if exhibit.source == "inferred" else "")


def sentences(exhibit: Exhibit, names: Names) -> tuple[str, ...]:
    """Return the evidence on what was run for an exhibit, a sentence or two each."""
    return tuple(filter(None, (_fit(exhibit), on_runs(exhibit.runs), _pooled(exhibit, names))))


def _fit(exhibit: Exhibit) -> str:
    """Say how many printed numbers there are and how the strict reading fits them."""
    if exhibit.numbers is None or exhibit.strict is None:
        return f"No printed numbers of its own; {plural(exhibit.competed, 'setting')} tried."
    fit = exhibit.strict
    fits = (fit.p_value or 0.0) >= LEVEL
    ours = not fits and any(each.open for each in exhibit.readings)
    text = "The text with the values that we took where it states none" if ours else "The text as it stands"
    inside = f"{count_inside(fit, exhibit.numbers)} inside their 95 % interval"
    return (
        f"{plural(exhibit.numbers, 'printed number')}. {text} {'fits' if fits else 'is rejected'} "
        f"({p_words(fit.p_value)} for all numbers jointly; {inside}). "
        f"Of {plural(exhibit.competed, 'setting')} tried, {number(len(exhibit.readings))} may have been run."
    )


def count_inside(fit: Fit | StandingReading, numbers: int) -> str:
    """Return how many of the printed numbers lie inside their 95 % interval."""
    return f"{number(round((fit.inside or 0.0) * numbers))} of {number(numbers)}"


def fitting(inside: int, numbers: int, how: str) -> str:
    """Say how many of the printed numbers fit ours as stated, as run, or by what breaks a condition."""
    fit = "fit, but break a condition" if how == FITS_BROKEN else f"printed numbers fit {how}"
    return f"{inside} of {numbers} {fit}"


def called(exhibit: Exhibit) -> str:
    """Return what numbers under the reading named first are called."""
    return FITS_BROKEN if broken(exhibit) else RUN


def broken(exhibit: Exhibit) -> str:
    """Say that what fits best breaks a condition of the paper; empty if it does not."""
    return "" if not exhibit.readings or exhibit.readings[0].admissible else BROKEN


def on_runs(runs: Runs | None) -> str:
    """Say how many runs stand behind the printed numbers of an exhibit; empty if they do not tell."""
    if runs is None or runs.estimate is None:
        return ""
    stated = number(runs.stated)
    estimate, low, high = (
        number(None if each is None else round(each)) for each in (runs.estimate, runs.low, runs.high)
    )
    found = f"about {estimate} runs (95 % interval {low} to {high})"
    if runs.rejected:
        return f"The scatter of all numbers that share it fits {found}, not {stated}; all p-values assume {estimate}."
    scatter = "less" if runs.estimate > (runs.stated or 0.0) else "more"
    return (
        f"The numbers scatter {scatter} than {stated} runs would, as {found} would, but not enough to reject {stated}."
    )


def _pooled(exhibit: Exhibit, names: Names) -> str:
    if not exhibit.pooled:
        return ""
    return f"Judged together with {labels(exhibit.pooled, names)}, with which it shares settings by the text."


def departing(pool: Pool) -> list[PoolAxis]:
    """Return the axes on which the setting named first departs from the text."""
    return [axis for axis in pool.axes if axis.departs]


def answer_on_pool(pool: Pool, names: Names) -> str:
    """Say what seems to have been run for a pool: the departures from the text, or the text."""
    standing = [choice(names, axis.axis, axis.standing) for axis in departing(pool)]
    return listed(standing) if standing else TEXT


def beside_text(pool: Pool, names: Names) -> list[tuple[str, str, str]]:
    """Return a row for each departure from the text: the value in it or else ours, the standing one, and what tells."""
    found = []
    for axis in departing(pool):
        stated = choice(names, axis.axis, axis.stated)
        in_text = stated if axis.is_stated else f"not stated; we took {stated}"
        found.append((in_text, choice(names, axis.axis, axis.standing), _demand(axis, pool, names)))
    return found


def _demand(axis: PoolAxis, pool: Pool, names: Names) -> str:
    """Say what the printed numbers tell of an axis on which the named setting departs from the text."""
    if axis.axis not in pool.demanded:
        return "a setting without this departure fits as well"
    if axis.axis in pool.undetermined:
        return "no setting that we tried fits with the text's value; which other one, the numbers cannot tell"
    fits = f"fits {labels(axis.exhibits, names)}" if axis.exhibits and axis.exhibits != pool.exhibits else "fits"
    return f"no setting that we tried {fits} without it"


def sentences_on_pool(pool: Pool, names: Names) -> tuple[str, ...]:
    """Return the evidence on a pool, a sentence or two each."""
    competition = _agreeing(pool, names) if _is_small(pool) else _competition(pool)
    return tuple(filter(None, (competition, _undetermined(pool, names), _apart(pool, names))))


def _is_small(pool: Pool) -> bool:
    """Return whether a pool has so few printed numbers that a sentence says all, and a table of likelihoods nothing."""
    return pool.numbers <= FEW_NUMBERS


def _agreeing(pool: Pool, names: Names) -> str:
    standing = [setting for setting in pool.settings if setting.stands]
    departing = ([choice(names, each.axis, each.value) for each in one.departures] for one in standing)
    named = [listed(departures) if departures else TEXT for departures in departing]
    verb, what = ("agrees", "agree")[pool.standing != 1], ("it", "them")[pool.numbers > 1]
    rivals = "; or ".join(listed([*rival.setting]) or TEXT for rival in pool.rivals)
    also = f" So do, of {number(pool.proposed)} more that guide words propose: {rivals}." if rivals else ""
    return (
        f"{plural(pool.numbers, 'printed number')}; of {plural(pool.competed, 'setting')} tried, "
        f"{number(pool.standing)} {verb} with {what}: {'; or '.join(named)}.{also}{_not_reached(pool)}"
    )


def likely(pool: Pool, names: Names) -> list[tuple[str, Likelihood, str]]:
    """Return the likeliest settings: departures from the text, likelihood, and whether they may have been run.

    There are none for a pool of which a sentence says all.
    """
    if _is_small(pool):
        return []
    named = pool.settings[0]
    found = []
    for one in pool.settings:
        departures = "; ".join(choice(names, each.axis, each.value) for each in one.departures) or TEXT
        broken = "" if one.admissible else f" ({BROKEN})"
        found.append(
            (departures + broken, one.fit, "no" if not one.stands else f"yes{', named above' * (one is named)}")
        )
    for rival in pool.rivals:
        beyond = (rival.fit.log_likelihood or 0.0) + (named.fit.log_likelihood or 0.0)
        changes = f"{'; '.join(rival.setting) or TEXT} (changes {labels(rival.exhibits, names)})"
        found.append((changes, replace(rival.fit, log_likelihood=beyond), "yes, by guide words"))
    return sorted(found, key=lambda row: -(row[1].log_likelihood or 0.0))


def _proposed(pool: Pool) -> str:
    """Say how many settings guide words propose, and how many of them explain the numbers as standing ones do."""
    if not pool.proposed:
        return ""
    found = (
        f"{number(len(pool.rivals))} may have been run, too"
        if pool.rivals
        else "none that we compared in full fits as well without departing further"
    )
    few = f", and for {number(pool.undecided)}, too few runs were made to decide" if pool.undecided else ""
    proposed = f"{number(pool.proposed)} more, which guide words propose and a search tried"
    return f" Of {proposed}, {found}{few}.{_not_reached(pool)}"


def _not_reached(pool: Pool) -> str:
    every = plural(pool.proposed + pool.not_reached, "proposal")
    return f" The search did not reach {number(pool.not_reached)} of {every}." if pool.not_reached else ""


def _competition(pool: Pool) -> str:
    """Say how many settings competed for how many numbers, and how the text fares."""
    first, text = pool.settings[0].fit, pool.as_stated
    jointly = plural(pool.numbers, "different printed number") + " jointly" * (pool.numbers > 1)
    tried = f"of {plural(pool.competed, 'setting')} that we ran in full, {number(pool.standing)} may have been run"
    competed = f"{jointly}; {tried}."
    fits = f"The one named here fits with {p_words(first.p_value)}{_runs_behind(pool)}"
    if text is None or text.p_value == first.p_value:
        return f"{competed} {fits}.{_proposed(pool)}"
    axes = departing(pool)
    ours = bool(axes) and not any(axis.is_stated for axis in axes)
    named = "the values that we took" if ours else TEXT
    behind = round((first.log_likelihood or 0.0) - (text.log_likelihood or 0.0), 1)
    likely = f" (log-likelihood {number(abs(behind))} {'lower' if behind > 0 else 'higher'})" if behind else ""
    return f"{competed} {fits}, {named} with {p_words(text.p_value)}{likely}.{_proposed(pool)}"


def _runs_behind(pool: Pool) -> str:
    """Say that the named setting stands for the estimated number of runs only, if the stated one would reject it."""
    if pool.with_stated_runs is None or pool.with_stated_runs >= LEVEL:
        return ""
    return (
        " for the number of runs that is estimated from the scatter of these numbers (with the stated one, which they "
        f"reject, {p_words(pool.with_stated_runs)})"
    )


TOLD = {"rejected": "rejected alone", "undecided": "too few runs to decide"}


def asked(words: Iterable[GuideWord]) -> list[tuple[str, str]]:
    """Return a row for each choice point: what it is about, and what came of what each guide word proposed."""
    rows: dict[str, list[str]] = {}
    for each in words:
        outcome = TOLD.get(each.outcome, each.outcome)
        said = f"{each.word} ({listed([*each.proposed])}): {outcome}" if each.word else f"excluded: {each.outcome}"
        rows.setdefault(f"{each.point.replace('_', ' ')} ({each.kind})", []).append(said)
    return [(point, "; ".join(said)) for point, said in rows.items()]


def _undetermined(pool: Pool, names: Names) -> str:
    """Name the axes of which the numbers do not tell the value."""
    open_ = [choice(names, axis.axis, axis.standing) for axis in pool.axes if axis.axis in pool.undetermined]
    return f"Another value may have been run in place of: {'; '.join(open_)}." if open_ else ""


def _apart(pool: Pool, names: Names) -> str:
    """Say that no one setting explains these exhibits and others with which they share settings by the text."""
    if not pool.apart:
        return ""
    return (
        f"No setting tried explains these and {labels(pool.apart, names)}, although they share settings by the text: "
        f"at best, {p_words(pool.together)} for all their numbers jointly."
    )


def notes_on_table(exhibits: Iterable[Exhibit], running: Iterable[Exhibit], names: Names) -> list[str]:
    """Say what stands behind the numbers as run of a table, and where nothing does.

    `exhibits` are all of its exhibits that the audit knows, `running` those with numbers as run.
    """
    best = {each.readings[0].reading: each for each in running}
    notes = [f"{called(each).capitalize()}: {_first(each, names)}.{_more(each.readings)}" for each in best.values()]
    if any(each.source == "rejected" for each in exhibits):
        where = f"Numbers {RUN} are missing where no" if best else "No"
        notes.append(f"{where} setting of ours fits the printed numbers.")
    return notes


def _more(readings: Sequence[StandingReading]) -> str:
    first, *others = readings
    broken = "" if first.admissible else " It may explain the numbers, but supports no claim."
    return broken + (f" {plural(len(others), 'other setting fits', 'other settings fit')} as well." if others else "")
