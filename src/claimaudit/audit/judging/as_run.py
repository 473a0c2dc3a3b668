"""Which readings may stand behind a claim: those that stand for the exhibits of which its sentence speaks."""

from collections.abc import Collection, Mapping
from dataclasses import dataclass

from claimaudit.audit.claims import Claim
from claimaudit.audit.fitting.settings import Values
from claimaudit.audit.fitting.standing import Standing, agree
from claimaudit.papers.jobs import Outline
from claimaudit.results import STRICT
from claimaudit.verdicts import EVIDENCED, Source


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
