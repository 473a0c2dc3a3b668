"""Verdicts: what the evidence says of a claim as stated, as run and by the paper's own numbers, and in one word.

A claim is judged as run under the readings that stand for the exhibits of which its sentence speaks.
"""

from collections.abc import Collection, Mapping
from dataclasses import dataclass, fields, replace
from functools import cached_property

from claimaudit.audit.claims import Claim
from claimaudit.audit.fitting.settings import Values
from claimaudit.audit.fitting.standing import Standing, agree
from claimaudit.audit.judging.cases import Case
from claimaudit.papers.jobs import Outline
from claimaudit.results import STRICT
from claimaudit.verdicts import (
    ANSWERS,
    AS_RUN,
    CHANCE,
    CONTRADICTED,
    EVIDENCED,
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
    Source,
    Stated,
    Uncounted,
    Verdict,
    VerdictName,
    Why,
)

COMPARED = 3  # standing readings, those that fit best, whose comparisons are listed besides those of the strict reading

SAID = ("word", "measure", "unit", "printed")  # the fields of its check that have a place of their own in the verdict


@dataclass(frozen=True)
class Known:
    """What is known of the reading behind a claim.

    `readings` are the admissible ones that may have been run, in the claim's own table, and `source` and `exhibits` say
    so; `runs_factor` is how many runs stand behind these, relative to the number that the paper states. `texts` have
    the text's values and, where it states none, those of one of `readings`. The table is `open` if it rests on any
    choice that the text does not state, and the claim `circular` if the numbers that it is about are those that tell
    the reading, too few to be a test of it.
    """

    readings: tuple[str, ...]
    source: Source
    exhibits: tuple[str, ...] = ()
    runs_factor: float = 1.0
    texts: tuple[str, ...] = (STRICT,)
    open: bool = False
    circular: bool = False

    @property
    def evidence(self) -> bool:
        return self.source in EVIDENCED


def known_readings(
    claim: Claim, standing: Mapping[str, Standing], readings: Mapping[str, Mapping[str, Values]], outline: Outline
) -> Known:
    """Find the readings that may stand behind a claim, given those of all experiments; cited work has none."""
    open_choices = claim.table in outline.open
    if claim.table not in readings or claim.cited:
        return Known((), "none", open=open_choices)
    names, unstated = readings[claim.table], outline.unstated.get(claim.table, ())
    admissible = tuple(name for name in names if name not in outline.inadmissible.get(claim.table, ()))
    spoken = [standing[name] for name in claim.exhibits if name in standing]
    evident = [item for item in spoken if item.evidence]
    found = [name for item in evident for name in _matching(item, claim.table, readings, {})]
    sound = [name for item in evident for name in _matching(item, claim.table, readings, outline.inadmissible)]
    stand = tuple(name for name in dict.fromkeys(sound) if name in admissible)
    possible = stand or admissible
    # Readings that break a condition may confirm our values where the text states none, not replace them.
    confirmed = _texts(names, found, unstated)
    return Known(
        readings=possible,
        source=_source({item.record.source for item in spoken}, bool(found), bool(stand)),
        exhibits=tuple(item.exhibit.name for item in spoken),
        runs_factor=next((item.fit.runs.factor for item in spoken if item.fit is not None), 1.0),
        texts=confirmed if not stand and STRICT in confirmed else _texts(names, possible, unstated),
        open=open_choices,
        circular=any(_selects(item, claim) for item in spoken),
    )


def _texts(names: Mapping[str, Values], possible: Collection[str], unstated: Collection[str]) -> tuple[str, ...]:
    """Return the readings that have the text's values and, where it states none, those of a possible reading."""
    strict = names[STRICT]
    texts = [STRICT, *(name for name in names if name in unstated)]
    axes = {axis for name in texts for axis, value in names[name].items() if str(value) != str(strict[axis])}
    return tuple(name for name in texts if any(agree(names[name], names[other], axes) for other in possible))


def _source(sources: Collection[str], found: bool, stand: bool) -> Source:
    """Return where the readings of a claim come from, given whether any were found and any admissible one stands."""
    if found and not stand:
        return "inadmissible"
    telling: tuple[Source, ...] = EVIDENCED if stand else ("rejected",)
    return next((source for source in telling if source in sources), "none")


def _selects(item: Standing, claim: Claim) -> bool:
    """Return whether a claim is about printed numbers that tell the setting but are too few to test it as well.

    They are too few if no more numbers than settings competed for the pool.
    """
    fit, pools = item.fit, [pool.record for pool in item.pools]
    if fit is None or item.record.source != "own" or any(pool.numbers > pool.competed for pool in pools):
        return False
    return claim.check.repeats(item.exhibit.published, fit.cells["value"])


def _matching(
    item: Standing, table: str, readings: Mapping[str, Mapping[str, Values]], broken: Mapping[str, Collection[str]]
) -> list[str]:
    """Return the readings of the claim's table that agree with one that stands for an exhibit.

    One that breaks a condition is no evidence for the rest of its values: the table of the claim may lack the axis that
    breaks it.
    """
    experiment, names = item.exhibit.experiment, readings[table]
    stand = [name for name in item.readings if name not in broken.get(experiment, ())]
    if experiment == table:
        return stand
    values = [readings[experiment][name] for name in stand]
    return [name for name, own in names.items() if any(agree(own, other, own) for other in values)]


@dataclass(frozen=True)
class Decision:
    """A verdict, the rule that led to it, and why it is undecided."""

    verdict: VerdictName
    because: Because
    why: Why = ""


@dataclass(frozen=True)
class ClaimFindings:
    """All that is found of a claim, and what follows from it.

    `stated` is the evidence under the strict reading, with the stated number of runs, and `evidence` that under each
    reading, with the number that stands behind the exhibit; `printed` is what the paper's own points say.
    """

    claim: Claim
    known: Known
    stated: Evidence
    evidence: Mapping[str, Evidence]
    printed: Evidence | None = None

    @cached_property
    def run(self) -> list[Evidence]:
        """The evidence under the readings that may have been run."""
        return [self.evidence[name] for name in self.known.readings if name in self.evidence]

    @cached_property
    def run_holds(self) -> bool | None:
        """The answer on which all of these agree."""
        answers = {item.holds for item in self.run}
        return answers.pop() if len(answers) == 1 else None

    @property
    def _why_run(self) -> Why:
        """Why they do not answer, if they do not."""
        if self.run_holds is not None:
            return ""
        both = {True, False} <= {item.holds for item in self.run}
        return READINGS if both else next((item.why for item in self.run if item.holds is None and item.why), CHANCE)

    @cached_property
    def others(self) -> tuple[Evidence, ...]:
        """The evidence under the text with other values than ours where it states none."""
        names = (name for name in self.known.texts if name != STRICT and name in self.evidence)
        return tuple(self.evidence[name] for name in names)

    @cached_property
    def opposed(self) -> tuple[Evidence, ...]:
        """The evidence that opposes the text with our values."""
        return tuple(item for item in self.others if item.holds not in (None, self.stated.holds))

    @cached_property
    def text(self) -> bool | None:
        """The answer of the text, whose unstated values are any that may have been run; None if it depends on them.

        If the printed numbers do not say which of them were run, ours count as long as every standing reading agrees.
        """
        holds = self.stated.holds
        known = STRICT in self.known.texts or any(item.holds is holds for item in self.others)
        return holds if not self.opposed and (known or self.run_holds is holds) else None

    @property
    def depends(self) -> bool:
        """Whether values that the text does not state decide both ways, so that more runs with ours decide nothing."""
        return {True, False} <= {item.holds for item in self.others}

    @property
    def unknowable(self) -> bool:
        """Whether printed numbers rest on choices that the text leaves open, of which none tried explains them."""
        return self.known.source == "rejected" and self.known.open and self.claim.check.counts_runs

    def decision(self) -> Decision:
        """Combine the three answers into a verdict by the first rule of docs/verdicts.md that applies.

        A character of the text that may be misread leaves undecided what would otherwise fail. A slip of the pen is a
        misprint, and not said to be contradicted.
        """
        decision = self._by_rule()
        if self.claim.weight == "slip" and decision.verdict == CONTRADICTED:
            decision = replace(decision, verdict=NOT_REPRODUCED)
        if self.claim.doubt and decision.verdict in (NOT_REPRODUCED, CONTRADICTED):
            return replace(decision, verdict=UNDECIDED, why=GLYPH)
        return decision

    def _by_rule(self) -> Decision:
        known, stated, printed, run_holds = self.known, self.stated, self.printed, self.run_holds
        if self.claim.check.by_the_paper and stated.holds is False:
            return Decision(CONTRADICTED, "relation")
        if printed is not None and printed.holds is False:
            return Decision(CONTRADICTED, "points")
        if self.text:
            # What the authors seem to have run refutes the sentence about it, however true it is of the text.
            if run_holds is False and known.evidence:
                return Decision(UNDECIDED, "depends", READINGS)
            return Decision(REPRODUCED, "stated")
        if run_holds and known.evidence:
            # The numbers that would confirm a circular claim are those that tell the setting.
            return Decision(UNDECIDED, "circular", READINGS) if known.circular else Decision(AS_RUN, "run")
        if stated.holds or (stated.holds is None and self.depends):
            return Decision(UNDECIDED, "unstated", self._why_unstated())
        if stated.holds is None:
            return Decision(UNDECIDED, "open", stated.why or CHANCE)
        if known.source == "rejected" and printed is not None and printed.holds:
            return Decision(UNDECIDED, "points agree", READINGS)
        if self.unknowable:
            return Decision(UNDECIDED, "unknowable", READINGS)
        if not known.readings or (run_holds is False and self.text is False):
            return Decision(NOT_REPRODUCED, "fails")
        if self.text is None:
            return Decision(UNDECIDED, "unstated", self._why_unstated())
        return Decision(UNDECIDED, "depends", self._why_run or READINGS)

    def _why_unstated(self) -> Why:
        if self.opposed:
            return READINGS
        return self._why_run or next((item.why or CHANCE for item in self.others), READINGS)

    def as_stated(self) -> AsStated:
        """Return the answer as stated, which is open if it rests on values that the text does not state."""
        holds = self.stated.holds
        if self.depends or (holds is not None and self.text is None):
            open_ = self.opposed or tuple(item for item in self.others if item.holds is not holds)
            return AsStated(ANSWERS[None], tuple(item.reading for item in open_), STRICT not in self.known.texts)
        if holds is False and self.unknowable:
            return AsStated(ANSWERS[None], unknowable=True)
        return AsStated(ANSWERS[holds])

    def as_run(self) -> AsRun:
        """Return the answer as run; without evidence on what was run, it is an answer only if all readings agree."""
        known = self.known
        sides = (tuple(item.reading for item in self.run if item.holds is holds) for holds in (True, False, None))
        return AsRun(
            ANSWERS[self.run_holds] if known.readings else UNTESTED,
            known.source,
            known.exhibits,
            known.readings if known.evidence else (),
            known.runs_factor if self.claim.check.counts_runs else 1.0,
            *sides,
        )

    def own_numbers(self) -> OwnNumbers:
        """Return what the paper's own numbers say."""
        if self.claim.check.by_the_paper:
            return OwnNumbers(ANSWERS[self.stated.holds])
        if self.printed is None:
            return OwnNumbers(UNTESTED)
        return OwnNumbers(ANSWERS[self.printed.holds], self.printed)

    def chance(self) -> Chance | None:
        """Return how far a claim that chance leaves undecided is from an answer, as stated or else as run."""
        if self.decision().why != CHANCE:
            return None
        open_ = (item for item in (self.stated, *self.run) if item.holds is None)
        return next((item.chance for item in open_ if item.chance), None)

    def listed(self) -> tuple[Evidence, ...]:
        """Return the evidence, the strict one first, with the comparisons of it and of the first standing readings."""
        standing = self.known.readings if self.known.evidence else ()
        compared = {STRICT, *standing[:COMPARED]}
        items = (self.stated, *(item for name, item in self.evidence.items() if name != STRICT))
        return tuple(
            replace(
                item,
                standing=item.reading in standing,
                comparisons=item.comparisons if item.reading in compared else {},
            )
            for item in items
        )


def judge(
    case: Case, paper: str, levels: Levels, known: Known, printed: Evidence | None = None, could_fail: bool = True
) -> Verdict:
    """Judge one claim.

    The verdict's ``level`` is the probability that a true claim fails by chance: 0 if the strict check is exact.
    `printed` is what the paper's own points say, and `could_fail` whether some disturbance of the numbers makes the
    check fail.
    """
    claim, origin = case.claim, case.claim.origin
    check = claim.check.model_dump(mode="json", exclude_defaults=True)
    uncounted: Uncounted = (
        origin if origin != "paper" else "follows" if claim.follows else "" if could_fail else "cannot fail"
    )
    verdict = Verdict(
        **{each.name: getattr(claim, each.name) for each in fields(Stated)},
        paper=paper,
        kind=claim.check.name,
        table=claim.table,
        verdict=NO_DATA,
        because="no data",
        counted=not uncounted,
        uncounted=uncounted,
        **{name: check.pop(name) for name in SAID if name in check},
        check=check,
        levels=levels,
        thresholds=claim.check.thresholds(levels),
        standins=case.standins,
        as_stated=AsStated(UNTESTED),
        as_run=AsRun(UNTESTED, known.source),
        own_numbers=OwnNumbers(UNTESTED),
    )
    if case.stated is None:
        return verdict
    stated = case.stated(levels)
    found = ClaimFindings(claim, known, stated, {name: test(levels) for name, test in case.run.items()}, printed)
    return replace(
        verdict,
        **vars(found.decision()),
        as_stated=found.as_stated(),
        as_run=found.as_run(),
        own_numbers=found.own_numbers(),
        level=levels.failing if stated.simulated else 0.0,
        chance=found.chance(),
        evidence=found.listed(),
    )
