"""Verdicts: what the evidence says of a claim as stated, as run and by the paper's own numbers, and in one word."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace

from corrldp.audit.checks.registry import CHECKS
from corrldp.audit.claim import Claim
from corrldp.audit.judging.as_run import Answered, Known, as_run
from corrldp.audit.judging.cases import Case
from corrldp.results import STRICT
from corrldp.verdicts import (
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
    AsRun,
    AsStated,
    Because,
    Chance,
    Evidence,
    Levels,
    OwnNumbers,
    Uncounted,
    Verdict,
    VerdictName,
    Why,
)

COMPARED = 3
"""Standing readings, those that fit best, whose comparisons are listed besides those of the strict reading."""

STATED = (
    *("id", "where", "states", "kind", "checked", "origin", "weight", "refines", "follows", "cause", "table", "figure"),
    *("note", "doubt", "word", "measure", "unit", "decides", "lacking"),
)
"""The fields of a claim that its verdict repeats."""


@dataclass(frozen=True)
class Decision:
    """A verdict, the rule that led to it, and why it is undecided."""

    verdict: VerdictName
    because: Because
    why: Why = ""


def judge(
    case: Case,
    paper: str,
    levels: Levels,
    known: Known,
    printed: Evidence | None = None,
    could_fail: bool = True,
) -> Verdict:
    """Judge one claim.

    Parameters
    ----------
    case
        The claim with its comparisons.
    paper
        Its paper.
    levels
        Significance levels. The verdict's ``level`` is the probability that a true claim fails by chance: 0 if the
        strict check is exact.
    known
        The readings that may stand behind it.
    printed
        What the paper's own points say.
    could_fail
        Whether some disturbance of the numbers makes the check fail.
    """
    claim = case.claim
    check = CHECKS[claim.kind]
    uncounted = _uncounted(claim)
    verdict = Verdict(
        **{name: getattr(claim, name) for name in STATED},
        paper=paper,
        verdict=NO_DATA,
        because="no data",
        counted=not uncounted,
        uncounted=uncounted,
        printed=None if claim.printed is None else dict(claim.printed),
        check={name: value for name, value in claim.set_fields().items() if name in check.fields and name != "printed"},
        levels=levels,
        thresholds=check.thresholds(claim, levels),
        standins=case.standins,
        as_stated=AsStated(UNTESTED),
        as_run=AsRun(UNTESTED, known.source),
        own_numbers=OwnNumbers(UNTESTED),
    )
    if case.stated is None:
        return verdict
    stated = case.stated(levels)
    evidence = {name: test(levels) for name, test in case.run.items()}
    run = as_run(known, evidence)
    unsaid = _unsaid(stated, evidence, known)
    decision = decide(claim, stated, run, known, printed, unsaid)
    uncounted = uncounted or ("" if could_fail else "cannot fail")
    items = (stated, *(item for name, item in evidence.items() if name != STRICT))
    return replace(
        verdict,
        verdict=decision.verdict,
        why=decision.why,
        because=decision.because,
        counted=not uncounted,
        uncounted=uncounted,
        as_stated=stated_answer(stated, unsaid, _unknowable(claim, known)),
        as_run=_run_answer(run, known, claim),
        own_numbers=_own_answer(claim, stated, printed),
        level=levels.failing if stated.simulated else 0.0,
        chance=_chance(stated, run, decision),
        evidence=_listed(items, known.readings if known.evidence else ()),
    )


def _listed(items: tuple[Evidence, ...], standing: tuple[str, ...]) -> tuple[Evidence, ...]:
    """Return evidence that says which readings stand, with the comparisons of the first of them only."""
    listed = {STRICT, *standing[:COMPARED]}
    return tuple(
        replace(
            item,
            standing=item.reading in standing,
            comparisons=item.comparisons if item.reading in listed else {},
        )
        for item in items
    )


def _chance(stated: Evidence, run: Answered, decision: Decision) -> Chance | None:
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
    run: Answered,
    known: Known,
    printed: Evidence | None,
    unsaid: tuple[Evidence, ...] = (),
) -> Decision:
    """Combine the three answers into a verdict by the first rule of docs/verdicts.md that applies.

    `unsaid` is the evidence that says otherwise under values that the text does not state. A character of the text that
    may be misread leaves undecided what would otherwise fail.
    """
    decision = _by_rule(claim, stated, run, known, printed, unsaid)
    if claim.doubt and decision.verdict in (NOT_REPRODUCED, CONTRADICTED):
        return replace(decision, verdict=UNDECIDED, why=GLYPH)
    return decision


def _by_rule(
    claim: Claim,
    stated: Evidence,
    run: Answered,
    known: Known,
    printed: Evidence | None,
    unsaid: tuple[Evidence, ...],
) -> Decision:
    if CHECKS[claim.kind].by_the_paper and stated.holds is False:
        return Decision(CONTRADICTED, "relation")
    if printed is not None and printed.holds is False:
        return Decision(CONTRADICTED, "points")
    if stated.holds:
        # What the printed numbers reject was not run.
        if any(not known.evidence or item.reading in known.readings for item in unsaid):
            return Decision(UNDECIDED, "unstated", READINGS)
        return Decision(REPRODUCED, "stated")
    if run.holds and known.evidence:
        # The numbers that would confirm a circular claim are those that tell the setting.
        return Decision(UNDECIDED, "circular", READINGS) if known.circular else Decision(AS_RUN, "run")
    if stated.holds is None:
        return Decision(UNDECIDED, "open", stated.why or CHANCE)
    if known.source == "rejected" and printed is not None and printed.holds:
        return Decision(UNDECIDED, "points agree", READINGS)
    if _unknowable(claim, known):
        return Decision(UNDECIDED, "unknowable", READINGS)
    if run.holds is False or not known.readings:
        return Decision(NOT_REPRODUCED, "fails")
    return Decision(UNDECIDED, "unstated" if unsaid else "depends", run.why or READINGS)


def _unknowable(claim: Claim, known: Known) -> bool:
    """Return whether printed numbers rest on choices that the text leaves open, of which none tried explains them."""
    return known.source == "rejected" and known.open and CHECKS[claim.kind].counts_runs


def stated_answer(stated: Evidence, unsaid: tuple[Evidence, ...], unknowable: bool) -> AsStated:
    """Return the answer as stated, which is open if it rests on values that the text does not state."""
    if stated.holds is not None and unsaid:
        return AsStated(ANSWERS[None], unstated=tuple(item.reading for item in unsaid))
    if stated.holds is False and unknowable:
        return AsStated(ANSWERS[None], unknowable=True)
    return AsStated(ANSWERS[stated.holds])


def _run_answer(run: Answered, known: Known, claim: Claim) -> AsRun:
    """Return the answer as run; without evidence on what was run, it is an answer only if all readings agree."""
    holding, failing, open_ = (tuple(item.reading for item in side) for side in (run.holding, run.failing, run.open))
    return AsRun(
        answer=ANSWERS[run.holds] if known.readings else UNTESTED,
        source=known.source,
        exhibits=known.exhibits,
        readings=known.readings if known.evidence else (),
        runs_factor=known.runs_factor if CHECKS[claim.kind].counts_runs else 1.0,
        holding=holding,
        failing=failing,
        open=open_,
    )


def _own_answer(claim: Claim, stated: Evidence, printed: Evidence | None) -> OwnNumbers:
    """Return what the paper's own numbers say."""
    if CHECKS[claim.kind].by_the_paper:
        return OwnNumbers(ANSWERS[stated.holds])
    if printed is None:
        return OwnNumbers(UNTESTED)
    return OwnNumbers(ANSWERS[printed.holds], printed)


def _uncounted(claim: Claim) -> Uncounted:
    """Return why a claim does not count for or against the authors; empty if it does."""
    if claim.origin != "paper":
        return claim.origin
    return "follows" if claim.follows else ""
