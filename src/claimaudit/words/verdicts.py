"""Verdicts and answers in words: how they are shown, what they rest on, and what would decide."""

from __future__ import annotations

import re
from dataclasses import dataclass

from claimaudit.results import STRICT
from claimaudit.verdicts import (
    ANSWERS,
    AS_RUN,
    CHANCE,
    CONTRADICTED,
    ERRORS,
    GLYPH,
    NO_DATA,
    NOT_REPRODUCED,
    READINGS,
    REPRODUCED,
    UNDECIDED,
    UNTESTED,
    WORD,
    Evidence,
    Names,
    Threshold,
    Uncounted,
    Verdict,
    Why,
)
from claimaudit.words import evidence
from claimaudit.words.names import RUN, STATED, alternatives, taken
from claimaudit.words.numbers import amount, listed, percent


@dataclass(frozen=True)
class Badge:
    """How a verdict or an answer is shown: its words, a name for style sheets and links, and a symbol.

    `gloss` goes on after its words where a few more are needed.
    """

    name: str
    slug: str
    symbol: str
    gloss: str = ""


# In the order of the scoreboard.
VERDICTS = {
    badge.name: badge
    for badge in (
        Badge(REPRODUCED, "reproduced", "✓"),
        Badge(AS_RUN, "as-run", "⇄", ": with settings other than the text's"),
        Badge(NOT_REPRODUCED, "not-reproduced", "✗"),
        Badge(CONTRADICTED, "contradicted", "≠", ": by its own numbers"),
        Badge(UNDECIDED, "undecided", "?"),
        Badge(NO_DATA, "no-data", "○"),
    )
}

# What a check answers in one of the three columns.
ANSWERED = {
    answer.name: answer
    for answer in (
        Badge(ANSWERS[True], "holds", "✓"),
        Badge(ANSWERS[False], "fails", "✗"),
        Badge(ANSWERS[None], "open", "?"),
        Badge(UNTESTED, "not-tested", "○"),
    )
}


def mark(verdict: Verdict) -> Badge:
    """Return how a claim is marked: a verdict on the paper, or in words, in a plain frame, what is no such verdict."""
    badge = VERDICTS[verdict.verdict]
    if verdict.origin == "ours":
        answer, run = ANSWERED[verdict.as_stated.answer], verdict.as_run.answer
        other = f" {STATED}, {run} {RUN}" if run not in (answer.name, UNTESTED) else ""
        return Badge(f"our question: {answer.name}{other}", "own", answer.symbol)
    if not verdict.counted:
        return Badge(f"not counted: {badge.name}", "uncounted", badge.symbol)
    if verdict.weight == "slip":
        return Badge(f"possible slip: {badge.name}", "slip", badge.symbol)
    return badge


COLUMNS = {
    "as_stated": (STATED, "with the settings that the text states"),
    "as_run": (RUN, "with the settings that the printed numbers allow"),
    "own_numbers": ("by the paper's own numbers", "by what the paper prints, whatever we compute"),
}
"""The columns in which every claim is judged, each with its heading and what it means."""


LACKING = {
    "optional": "needs the optional data set {}, which this run left out",
    "user": "needs data that only a user can supply: the data set {}",
}
"""Why a claim has no data, by what it would take."""

UNANSWERED = "needs data for which no source answered, so that a stand-in took their place:"


def lack(because: str, data: str, note: str | None = None) -> str:
    """Say why a claim may have no data; `because` is a key of `LACKING`."""
    return "; ".join(filter(None, [LACKING[because].format(data), note]))


def truth(value: bool | None) -> str:
    """Return the outcome of a check in words; None means that it cannot tell."""
    return {True: "yes", False: "no", None: "cannot tell"}[value]


OPEN: dict[Why, str] = {
    CHANCE: "chance",
    WORD: "a vague word",
    GLYPH: "characters that may be misread",
    READINGS: "settings that the text leaves open",
    ERRORS: "results without their errors",
}
"""What leaves claims undecided."""

UNCOUNTED: dict[Uncounted, str] = {
    "ours": "a check of ours",
    "definition": "it holds by construction",
    "follows": "it follows from another claim, beneath which it is shown",
    "cannot fail": "no disturbance of its numbers makes the check fail",
}
"""Why a claim does not count for or against the authors."""

UNKNOWABLE = "it cannot be recomputed from the text, which leaves choices open that we had to make"
TWO_LEVELS = "the second level is lower, because a paper has many checks, of which none should fail by chance"


def effect(verdict: Verdict) -> str:
    """Return the numbers that a verdict rests on, those of the strict reading first; empty if there are none."""
    if not verdict.evidence:
        return ""
    stated = evidence.effect(verdict, verdict.stated)
    if verdict.because == "points" and verdict.verdict == CONTRADICTED and verdict.own_numbers.points is not None:
        return f"printed: {evidence.effect(verdict, verdict.own_numbers.points)}"
    return f"{STATED}: {stated}; {RUN}: {effect_as_run(verdict)}" if shows_both(verdict) else stated


def shows_both(verdict: Verdict) -> bool:
    """Return whether a verdict rests on other numbers as run than on those as stated.

    A claim that fails does, if the printed numbers reject the setting with which it was computed as stated.
    """
    run = verdict.as_run
    if verdict.because != "fails" or not run.readings or STRICT in run.readings:
        return verdict.verdict == AS_RUN
    return effect_as_run(verdict) != evidence.effect(verdict, verdict.stated)


def effect_as_run(verdict: Verdict) -> str:
    """Return the numbers that decide under the readings that may have been run; empty if nothing says which."""
    deciding = verdict.as_run.deciding
    return evidence.effect(verdict, verdict.under(deciding)) if deciding else ""


def effect_of_own_numbers(verdict: Verdict) -> str:
    """Return what the paper's own numbers say; empty if they say nothing."""
    if verdict.own_numbers.answer == UNTESTED:
        return ""
    return evidence.effect(verdict, verdict.own_numbers.points or verdict.stated)


def reason_as_stated(verdict: Verdict, names: Names) -> str:
    """Return why a claim holds, fails or is open as stated, where its numbers do not show that."""
    if verdict.as_stated.unstated or verdict.as_stated.rejected:
        return _unstated(verdict, names)
    if verdict.as_stated.unknowable:
        return UNKNOWABLE
    return evidence.reason(verdict, verdict.stated) if verdict.evidence else ""


def reason(verdict: Verdict, names: Names) -> str:
    """Return the reason for a verdict in a sentence."""
    words = _reason(verdict, names)
    return f"{words}; what may be misread: {verdict.doubt}" if verdict.why == GLYPH else words


def _reason(verdict: Verdict, names: Names) -> str:
    if verdict.because == "no data":
        return f"{UNANSWERED} {listed([*verdict.standins])}" if verdict.standins else verdict.lacking
    stated, run = evidence.effect(verdict, verdict.stated), effect_as_run(verdict)
    shown = _with_reason(verdict, verdict.stated)
    match verdict.because:
        case "stated":
            return evidence.reason(verdict, verdict.stated) or stated
        case "points":
            points = verdict.own_numbers.points or verdict.stated
            return f"by its own printed points: {_with_reason(verdict, points)}"
        case "unstated":
            unstated = _unstated(verdict, names)
            return f"{stated}; {unstated}" if verdict.stated.holds is False else unstated
        case "circular":
            same = "the printed numbers that would confirm it are those that tell the setting"
            return f"{STATED}: {stated}; {RUN}: {run}; {same}"
        case "run":
            return f"{STATED}: {f'undecided, {shown}' if verdict.stated.holds is None else stated}; {RUN}: {run}"
        case "fails" if shows_both(verdict):
            return f"{STATED}: {shown}; {RUN}: {_with_reason(verdict, verdict.under(verdict.as_run.deciding))}"
        case "points agree":
            unknown = "its own printed points agree with it, and no setting that we tried explains them"
            return f"fails {STATED}: {stated}; {unknown}"
        case "unknowable":
            return f"{_unexplained(verdict, names)}: {stated}; {UNKNOWABLE}"
        case "depends":
            return "; ".join([f"{ANSWERS[verdict.stated.holds]} {STATED}: {stated}", *sides(verdict, names)])
    return shown


def _with_reason(verdict: Verdict, item: Evidence) -> str:
    found, because = evidence.effect(verdict, item), evidence.reason(verdict, item)
    return f"{found} ({because})" if because else found


def _unstated(verdict: Verdict, names: Names) -> str:
    """Say that a claim depends on values that the text does not state."""
    unstated = verdict.as_stated.unstated
    found = [_with(taken(names, verdict.table, unstated), verdict.stated.holds)]
    if verdict.as_stated.rejected:
        found[0] += ", but the printed numbers rule that out"
    for holds in (True, False, None):
        readings = [name for name in unstated if verdict.under(name).holds is holds]
        if readings:
            found.append(_with("; or ".join(alternatives(names, verdict.table, readings)), holds))
    if not unstated:
        found.append("what they leave was not run")
    return f"the text does not state what decides: {'; '.join(found)}"


def _with(choices: str, holds: bool | None) -> str:
    return f"with {choices} {'we cannot tell' if holds is None else 'it holds' if holds else 'it fails'}"


def _unexplained(verdict: Verdict, names: Names) -> str:
    """Say that no reading explains printed numbers, or which one would if it explained those beside them as well."""
    held = "; or ".join(alternatives(names, verdict.table, verdict.as_run.holding))
    return f"explained only with {held}, which other printed numbers reject" if held else "no setting tried explains it"


def sides(verdict: Verdict, names: Names) -> list[str]:
    """Return the readings on each side of an undecided claim, or the meaning that decides under all of them."""
    run = verdict.as_run
    meanings = {evidence.meaning(verdict.under(name)) for name in (*run.holding, *run.failing, *run.open)}
    if len(meanings) == 1 and meanings != {""}:
        return [meanings.pop()]
    found = []
    for verb, readings in (("holds", run.holding), ("fails", run.failing), ("cannot tell", run.open)):
        if readings:
            named = alternatives(names, verdict.table, readings)
            found.append(f"{verb} with{':' if len(named) > 1 else ''} {'; or '.join(named)}")
    return found


def decides(verdict: Verdict) -> str:
    """Return what would decide an undecided claim; empty if it is decided."""
    if not verdict.why:
        return ""
    if verdict.decides:
        return verdict.decides
    usual = {
        CHANCE: "more Monte-Carlo runs, ours or the paper's",
        WORD: f"what the paper means by {_word(verdict)}",
        GLYPH: verdict.doubt,
        READINGS: "the settings that were run",
        ERRORS: "the standard error and the number of runs of each result, or that the results are exact",
    }[verdict.why]
    return f"{usual} ({evidence.chance(verdict.chance)})" if verdict.chance else usual


def with_runs(factor: float) -> str:
    """Say with how many runs a reading is taken, if not the stated number."""
    return "" if factor == 1 else f", with {percent(factor)} of the stated number of runs"


def why_open(verdict: Verdict) -> str:
    """Say why a claim is undecided and what would decide it; empty if it is decided."""
    if not verdict.why:
        return ""
    why = OPEN[verdict.why]
    return f"{why}: {verdict.doubt}" if verdict.why == GLYPH else f"{why}; {decides(verdict)} would decide it"


def why_undecided(verdict: Verdict, names: Names) -> str:
    """Say why a claim is undecided, maybe as run only, with the settings that disagree; empty if it is decided."""
    if verdict.why == READINGS:
        return f"Undecided: the text leaves open what decides. It {'; it '.join(sides(verdict, names))}."
    if verdict.why:
        return sentence(f"undecided: {why_open(verdict)}")
    run = verdict.as_run.answer
    return f"{RUN.capitalize()}, it {'; it '.join(sides(verdict, names))}." if run == UNDECIDED else ""


def _word(verdict: Verdict) -> str:
    return f'"{verdict.word}"' if verdict.word else "the sentence"


def thresholds(verdict: Verdict) -> str:
    """Say between which thresholds a vague word was taken, or when printed numbers are ours; empty if neither."""
    ends = [_ends(each, verdict.unit) for each in verdict.thresholds]
    if verdict.thresholds and verdict.thresholds[0].of == "p_value":
        return ends[0]
    return f"We took {_word(verdict)} as {', in '.join(ends)}." if ends else ""


def remark_on_thresholds(verdict: Verdict) -> str:
    """Return `thresholds` unless the claim's remark on its check says them itself."""
    return "" if verdict.thresholds_in_note else thresholds(verdict)


def _ends(each: Threshold, unit: str) -> str:
    """Name both ends of an interval of thresholds; shares and tolerances are relative, whatever the claim's unit."""
    unit = unit if each.of == "against" else "percent"
    least, most = (end if isinstance(end, str) else amount(end, unit) for end in (each.strict, each.generous))
    ends = f"{least} (strict) to {most} (generous)"
    match each.of:
        case "p_value":
            return f"The numbers agree if p is at least {least}, and disagree if it is below {most}; {TWO_LEVELS}."
        case "printed":
            return f"within {least} (strict) or {most} (generous) of the number"
        case "tolerance":
            return f"within {ends} of the mean, weighted by precision"
        case "at_least" | "at_most":
            return f"{each.of.replace('_', ' ')} {ends} of the cases"
    return ends


def sentence(text: str) -> str:
    """Return a text with a capital, unless it starts with a name or a formula, and a full stop."""
    start = text[:1].upper() if re.match(r"[a-z]{2,} (?![=<>≤≥+*/^-])|[a-z]+:", text) else text[:1]
    return f"{start}{text[1:].removesuffix('.')}."
