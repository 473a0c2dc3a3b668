"""Verdicts: what the evidence says of a claim as stated, as run and by the paper's own numbers, and in one word."""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any

from corrldp.audit.as_run import AsRun, Known, as_run
from corrldp.audit.cases import RUNS_COUNT, Case, plain
from corrldp.audit.evidence import Chance, Claim, Evidence, Levels, number
from corrldp.audit.kinds import CHECKS
from corrldp.audit.thresholds import intervals
from corrldp.audit.words import (
    ANSWERS,
    AS_RUN,
    CHANCE,
    CONTRADICTED,
    GLYPH,
    NO_DATA,
    NOT_REPRODUCED,
    READINGS,
    REPRODUCED,
    UNDECIDED,
    UNTESTED,
    WORD,
)
from corrldp.results import STRICT

SHOWN = 3
"""Readings named in a reason; the evidence has them all."""

COMPARED = 3
"""Standing readings, those that fit best, whose comparisons are listed besides those of the strict reading."""

UNCOUNTED = {"ours": "a check of ours", "definition": "it holds by construction"}
FOLLOWS = "it follows from another claim, beneath which it is shown"

DECIDES = {
    CHANCE: "more Monte-Carlo runs, ours or the paper's",
    WORD: "what the paper means by {word}",
    GLYPH: "{doubt}",
    READINGS: "the settings that were run",
}


UNKNOWABLE = "it cannot be recomputed from the text, which leaves choices open that we had to make"

TWO_LEVELS = "the second level is lower, because a paper has many checks, of which none should fail by chance"


@dataclass(frozen=True)
class Decision:
    """A verdict, why it is undecided, and the reason in a sentence."""

    verdict: str
    reason: str
    why: str = ""


def judge(
    case: Case,
    paper: str,
    levels: Levels,
    known: Known,
    words: Mapping[str, str],
    printed: Evidence | None = None,
    could_fail: bool = True,
) -> dict[str, Any]:
    """Judge one claim and return its record, in plain types, ready for JSON.

    Parameters
    ----------
    case
        The claim with its comparisons.
    paper
        Its paper.
    levels
        Significance levels. The record's ``level`` is the probability that a true claim fails by chance: 0 if the
        strict check is exact.
    known
        The readings that may stand behind it.
    words
        Readings of its table in words.
    printed
        What the paper's own points say.
    could_fail
        Whether some disturbance of the numbers makes the check fail.
    """
    claim = case.claim
    if case.stated is None:
        return _record(case, paper, Decision(NO_DATA, f"data unavailable: {case.gap}"), known, levels)
    stated = case.stated(levels)
    evidence = {name: test(levels) for name, test in case.run.items()}
    run = as_run(known, evidence)
    unsaid = _unsaid(stated, evidence, known)
    decision = decide(claim, stated, run, known, words, printed, unsaid)
    uncounted = _uncounted(claim)
    if not uncounted and not could_fail:
        uncounted = "no disturbance of its numbers makes the check fail"
    standing = known.readings if known.evidence else ()
    listed = {STRICT, *standing[:COMPARED]}
    others = [item for name, item in evidence.items() if name != STRICT]
    items = [
        _item(item, words, standing=item.reading in standing, listed=item.reading in listed)
        for item in (stated, *others)
    ]
    return _record(
        case,
        paper,
        decision,
        known,
        levels,
        effect=_effect(stated, run, decision, printed),
        counted=not uncounted,
        uncounted=uncounted,
        as_stated=stated_column(stated, unsaid, words, _unknowable(claim, known)),
        as_run=_run_column(run, known, words, claim),
        own_numbers=_own_column(claim, stated, printed),
        level=levels.failing if stated.simulated else 0.0,
        evidence=items,
        chance=_chance(stated, run, decision),
    )


def _chance(stated: Evidence, run: AsRun, decision: Decision) -> Chance | None:
    """Return how far a claim that chance leaves undecided is from an answer, as stated or else as run."""
    if decision.why != CHANCE:
        return None
    return next((item.chance for item in (stated, *run.open) if item.holds is None and item.chance), None)


def _unsaid(stated: Evidence, evidence: Mapping[str, Evidence], known: Known) -> tuple[Evidence, ...]:
    """Return what a claim's check says otherwise under readings that differ only in what the text does not state."""
    others = [evidence[name] for name in known.unstated if name in evidence]
    return tuple(item for item in others if item.holds is not None and item.holds != stated.holds)


def decide(
    claim: Claim,
    stated: Evidence,
    run: AsRun,
    known: Known,
    words: Mapping[str, str],
    printed: Evidence | None,
    unsaid: tuple[Evidence, ...] = (),
) -> Decision:
    """Combine the three columns into a verdict; see docs/verdicts.md.

    `unsaid` is the evidence that says otherwise under values that the text does not state.
    """
    decision = _decide(claim, stated, run, known, words, printed, unsaid)
    if "doubt" in claim and decision.verdict in (NOT_REPRODUCED, CONTRADICTED):
        return Decision(UNDECIDED, f"{decision.reason}; one character decides: {claim['doubt']}", GLYPH)
    return decision


def _decide(
    claim: Claim,
    stated: Evidence,
    run: AsRun,
    known: Known,
    words: Mapping[str, str],
    printed: Evidence | None,
    unsaid: tuple[Evidence, ...],
) -> Decision:
    if CHECKS[claim["kind"]].by_the_paper and stated.holds is False:
        return Decision(CONTRADICTED, f"{stated.effect} ({stated.reason})")
    if printed is not None and printed.holds is False:
        return Decision(CONTRADICTED, f"by its own printed points: {printed.effect} ({printed.reason})")
    if stated.holds:
        # What the printed numbers reject was not run.
        left = tuple(item for item in unsaid if not known.evidence or item.reading in known.readings)
        if left:
            return Decision(UNDECIDED, _open(stated, left, words), READINGS)
        return Decision(REPRODUCED, stated.reason)
    if run.holds and known.evidence and known.circular:
        why = "the printed numbers that would confirm it are those that tell the setting"
        return Decision(UNDECIDED, f"as stated: {stated.effect}; as run: {run.holding[0].effect}; {why}", READINGS)
    if run.holds and known.evidence:
        open_ = f"undecided, {stated.effect} ({stated.reason})" if stated.holds is None else stated.effect
        return Decision(AS_RUN, f"as stated: {open_}; as run: {run.holding[0].effect}")
    if stated.holds is None:
        return Decision(UNDECIDED, f"{stated.effect} ({stated.reason})", stated.why or CHANCE)
    if known.source == "rejected" and printed is not None and printed.holds:
        unknown = "its own printed points agree with it, and no reading that we tried explains them"
        return Decision(UNDECIDED, f"fails as stated: {stated.effect}; {unknown}", READINGS)
    if _unknowable(claim, known):
        return Decision(UNDECIDED, f"no reading tried explains it: {stated.effect}; {UNKNOWABLE}", READINGS)
    if run.holds is False or not known.readings:
        return Decision(NOT_REPRODUCED, f"{stated.effect} ({stated.reason})")
    depends = _open(stated, unsaid, words) if unsaid else _sides(run, words)
    fails = stated.effect if unsaid else f"fails as stated: {stated.effect}"
    return Decision(UNDECIDED, f"{fails}; {depends}", run.why or READINGS)


def _unknowable(claim: Claim, known: Known) -> bool:
    """Return whether printed numbers rest on choices that the text leaves open, of which none tried explains them."""
    return known.source == "rejected" and known.open and claim["kind"] in RUNS_COUNT


def _open(stated: Evidence, unsaid: tuple[Evidence, ...], words: Mapping[str, str]) -> str:
    """Say that a claim hangs on values that the text does not state."""
    ours, theirs = ("holds", "fails") if stated.holds else ("fails", "holds")
    taken = f"{ours} with the values that we took, {theirs} with {_listed(unsaid, words)}"
    return f"the text does not state what decides: {taken}"


def _sides(run: AsRun, words: Mapping[str, str]) -> str:
    """Name the readings on each side of an undecided claim, or the meaning that decides under all of them."""
    meanings = {item.meaning for item in (*run.holding, *run.failing, *run.open)}
    if len(meanings) == 1 and meanings != {""}:
        return f"holds if it means: {meanings.pop()}"
    sides = (("holds with", run.holding), ("fails with", run.failing), ("cannot tell with", run.open))
    return "; ".join(f"{verb} {_listed(items, words)}" for verb, items in sides if items)


def _listed(items: tuple[Evidence, ...], words: Mapping[str, str]) -> str:
    named = [words.get(item.reading, item.reading) for item in items[:SHOWN]]
    more = [f"{len(items) - SHOWN} more"] if len(items) > SHOWN else []
    return "; or ".join(named + more)


def _effect(stated: Evidence, run: AsRun, decision: Decision, printed: Evidence | None) -> str:
    """Return the numbers that the verdict rests on, the strict reading's first."""
    if decision.verdict == CONTRADICTED and printed is not None and printed.holds is False:
        return f"printed: {printed.effect}"
    if decision.verdict == AS_RUN:
        return f"as stated: {stated.effect}; as run: {run.holding[0].effect}"
    return stated.effect


def stated_column(
    stated: Evidence, unsaid: tuple[Evidence, ...], words: Mapping[str, str], unknowable: bool
) -> dict[str, Any]:
    """Return the answer as stated, which is open if it rests on values that the text does not state."""
    if stated.holds is not None and unsaid:
        return {"answer": ANSWERS[None], "effect": stated.effect, "reason": _open(stated, unsaid, words)}
    if stated.holds is False and unknowable:
        return {"answer": ANSWERS[None], "effect": stated.effect, "reason": UNKNOWABLE}
    return {"answer": ANSWERS[stated.holds], "effect": stated.effect, "reason": stated.reason}


def _run_column(run: AsRun, known: Known, words: Mapping[str, str], claim: Claim) -> dict[str, Any]:
    """Return the answer as run; without evidence on what was run, it is an answer only if all readings agree."""
    answer = ANSWERS[run.holds] if known.readings else UNTESTED
    runs = ""
    if known.runs_factor != 1 and claim["kind"] in RUNS_COUNT:
        runs = f", with {100 * known.runs_factor:.0f} % of the stated number of runs"
    deciding = (*run.holding, *run.failing, *run.open)
    return {
        "answer": answer,
        "source": known.source,
        "readings": list(known.readings) if known.evidence else [],
        "words": [words.get(name, name) + runs for name in known.readings] if known.evidence else [],
        "exhibits": list(known.exhibits),
        "effect": deciding[0].effect if deciding and known.evidence else "",
        "depends": _sides(run, words) if run.holds is None else "",
    }


def _own_column(claim: Claim, stated: Evidence, printed: Evidence | None) -> dict[str, Any]:
    """Return what the paper's own numbers say."""
    if CHECKS[claim["kind"]].by_the_paper:
        return {"answer": ANSWERS[stated.holds], "effect": stated.effect}
    if printed is None:
        return {"answer": UNTESTED, "effect": ""}
    return {"answer": ANSWERS[printed.holds], "effect": printed.effect}


def _item(item: Evidence, words: Mapping[str, str], *, standing: bool, listed: bool) -> dict[str, Any]:
    """Return evidence as plain data, with its comparisons if they are `listed`."""
    shown = item if listed else replace(item, comparisons={})
    content = {name: value for name, value in vars(shown).items() if name != "chance"}
    return {**content, "words": words.get(item.reading, item.reading), "standing": standing}


def _record(
    case: Case,
    paper: str,
    decision: Decision,
    known: Known,
    levels: Levels,
    chance: Chance | None = None,
    **more: Any,  # noqa: ANN401
) -> dict[str, Any]:
    claim = case.claim
    empty = {"answer": UNTESTED, "effect": ""}
    decides = ""
    if decision.why:
        usual = DECIDES[decision.why].format(word=_word(claim), doubt=claim.get("doubt", ""))
        decides = claim.get("decides", f"{usual} ({chance.words})" if chance else usual)
    record = {
        "id": claim["id"],
        "paper": paper,
        **{name: claim.get(name, "") for name in ("where", "states", "checked", "kind")},
        "thresholds": thresholds(claim, levels),
        "origin": claim.get("origin", "paper"),
        "weight": claim.get("weight", "result"),
        **{name: claim.get(name, "") for name in ("refines", "follows", "cause", "table", "figure", "note", "doubt")},
        "verdict": decision.verdict,
        "why": decision.why,
        "reason": decision.reason,
        "decides": decides,
        "effect": "",
        "counted": not _uncounted(claim),
        "uncounted": _uncounted(claim),
        "as_stated": {**empty, "reason": ""},
        "as_run": {**empty, "source": known.source, "readings": [], "words": [], "exhibits": [], "depends": ""},
        "own_numbers": empty,
        "level": 0.0,
        "chance": vars(chance) if chance else None,
        "evidence": [],
        "printed": claim.get("printed"),
        "check": {name: claim[name] for name in CHECKS[claim["kind"]].fields if name in claim and name != "printed"},
    }
    return plain({**record, **more})


def _uncounted(claim: Claim) -> str:
    """Return why a claim does not count for or against the authors; empty if it does."""
    return UNCOUNTED.get(claim.get("origin", "paper"), FOLLOWS if "follows" in claim else "")


def _word(claim: Claim) -> str:
    """Return the vague word of a claim, quoted, or "the sentence" if none is named."""
    return f'"{claim["word"]}"' if "word" in claim else "the sentence"


def thresholds(claim: Claim, levels: Levels) -> str:
    """Say between which thresholds a vague word was taken, or when printed numbers are ours; empty if neither."""
    if claim["kind"] == "cells":
        passing, failing = number(levels.passing, "percent"), number(levels.failing, "percent")
        agreeing = f"We took the numbers as agreeing if they are not rejected at {passing}"
        return f"{agreeing}, and as disagreeing if they are at {failing}; {TWO_LEVELS}."
    fields = sorted(claim, key="share".__eq__)
    ends = [_ends(claim, name, *interval) for name in fields for interval in intervals({name: claim[name]})]
    return f"We took {_word(claim)} as {', in '.join(ends)}." if ends else ""


def _ends(claim: Claim, field: str, strict: float | str, generous: float | str) -> str:
    """Name both ends of an interval of thresholds; shares and tolerances are relative, whatever the claim's unit."""
    unit = "percent" if field in ("share", "tolerance", "printed") else claim.get("unit", "")
    least, most = (end if isinstance(end, str) else number(end, unit) for end in (strict, generous))
    if field == "printed":
        return f"within {least} (strict) or {most} (generous) of the printed number"
    ends = f"{least} (strict) to {most} (generous)"
    if claim["kind"] == "flat":
        return f"within {ends} of the mean, weighted by precision"
    return f"{next(iter(claim['share'])).replace('_', ' ')} {ends} of the cases" if field == "share" else ends
