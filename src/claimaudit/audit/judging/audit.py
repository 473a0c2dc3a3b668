"""The audit of one paper: first which readings stand for its exhibits, then a verdict on each claim."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from functools import cached_property
from pathlib import Path

import pandas as pd

from claimaudit import verdicts as record
from claimaudit.audit.claim import Claim
from claimaudit.audit.fitting.exhibits import Fit, score
from claimaudit.audit.fitting.likelihood import Runs
from claimaudit.audit.fitting.settings import Pool, Setting, Tally, Values, joint_p_values
from claimaudit.audit.fitting.standing import Reconstruction, Standing, readings_of
from claimaudit.audit.judging.as_run import Known, known_readings
from claimaudit.audit.judging.cases import Case, Result, can_fail, named, prepare
from claimaudit.audit.judging.decide import judge
from claimaudit.audit.judging.meetings import meetings
from claimaudit.audit.judging.own_points import by_the_paper
from claimaudit.names import ConfigurationError, require_known
from claimaudit.papers.jobs import Evidence
from claimaudit.published import read_published
from claimaudit.results import STRICT
from claimaudit.verdicts import LEVEL, Levels, Verdict, Verdicts


@dataclass(frozen=True)
class Material:
    """All that the verdicts on a paper rest on.

    Attributes
    ----------
    evidence
        Its exhibits and readings.
    results
        Result tables by experiment.
    published
        Directory of the paper's printed numbers.
    searches
        By exhibit, the combinations of open choices that `claimaudit.audit.search` tried.
    """

    evidence: Evidence
    results: Mapping[str, Result]
    published: Path
    searches: Mapping[str, pd.DataFrame] = field(default_factory=dict)

    @cached_property
    def tables(self) -> dict[str, pd.DataFrame]:
        """Result tables by experiment."""
        return {name: result.table for name, result in self.results.items()}

    @cached_property
    def readings(self) -> Mapping[str, Mapping[str, Values]]:
        """Values of the readings of every experiment, by name."""
        return {name: readings_of(table) for name, table in self.tables.items()}

    def experiment_of(self, exhibit: str) -> str:
        """Return the experiment that repeats an exhibit."""
        return next(item.experiment for item in self.evidence.exhibits if item.name == exhibit)

    @cached_property
    def standing(self) -> dict[str, Standing]:
        """The standing readings of each exhibit, unless its data are stand-ins or its results lack their errors."""
        return self.reconstruction.all()

    @cached_property
    def reconstruction(self) -> Reconstruction:
        """How readings fit the printed numbers of the exhibits; see `standing` for the exceptions."""
        real = tuple(
            item
            for item in self.evidence.exhibits
            if not self.results[item.experiment].standins and self.results[item.experiment].measured
        )
        printed = {item.published for item in real if item.published is not None}
        numbers = {name: read_published(self.published / f"{name}.csv") for name in printed}
        return Reconstruction.fit(real, self.evidence.shared, self.tables, numbers)


LISTED = 20
"""Settings of a pool that its record lists, the standing ones first."""


def audit(paper: str, levels: Levels, claims: list[Claim], material: Material) -> Verdicts:
    """Judge all claims of a paper, in order, and describe the standing readings of its exhibits.

    ``levels.failing`` bounds the probability that any claim that is true under the strict reading fails by chance. It
    is divided evenly among the claims that can fail by chance: those whose strict check rests on simulation
    (Bonferroni).
    """
    for name, level in (("level", levels.passing), ("family_level", levels.failing)):
        if not 0 < level < 0.5:
            raise ValueError(f"{name} is {level}; it must lie between 0 and 0.5")
    prepared = _prepared(claims, material)
    simulated = sum(case.rests_on_simulation() for case, _ in prepared)
    each = Levels(levels.passing, min(levels.passing, levels.failing / max(simulated, 1)))
    verdicts = tuple(_judged(case, known, paper, each, material) for case, known in prepared)
    pools = material.reconstruction.pools
    return Verdicts(
        claims=verdicts,
        exhibits={name: describe(item, material) for name, item in material.standing.items()},
        pools=tuple(pooled(pool, material) for pool in pools.all),
        meetings=tuple(meetings(verdicts, pools, material.readings, material.evidence.inadmissible)),
        names=material.evidence.names,
    )


def _prepared(claims: list[Claim], material: Material) -> list[tuple[Case, Known]]:
    """Prepare all claims; the error has one line for each claim that cannot be checked."""
    prepared, errors = [], []
    for claim in claims:
        try:
            prepared.append(_case(claim, material))
        except ConfigurationError as error:
            errors.append(str(error))
    if errors:
        raise ConfigurationError("\n".join(errors))
    return prepared


def _case(claim: Claim, material: Material) -> tuple[Case, Known]:
    with named(claim):
        for name in claim.exhibits or ():
            require_known(name, [exhibit.name for exhibit in material.evidence.exhibits], "exhibit")
        known = known_readings(
            claim,
            material.standing,
            material.readings,
            broken=material.evidence.inadmissible,
            unstated=material.evidence.unstated.get(claim.table, ()),
            open_choices=claim.table in material.evidence.open,
        )
    return prepare(claim, material.results, material.published, known.runs_factor), known


def _judged(case: Case, known: Known, paper: str, levels: Levels, material: Material) -> Verdict:
    if case.stated is None:
        return judge(case, paper, levels, known)
    could_fail = not case.stated(levels).holds or can_fail(case, material.published, levels)
    return judge(case, paper, levels, known, _by_the_paper(case, known, levels, material), could_fail)


def _by_the_paper(case: Case, known: Known, levels: Levels, material: Material) -> record.Evidence | None:
    """Judge a claim by the printed points of the exhibits of its table, as far as they can answer."""
    answers = []
    for name in known.exhibits:
        item = material.standing[name]
        if item.fit is None or item.exhibit.experiment != case.claim.table:
            continue
        reading = item.readings[0] if item.readings else STRICT
        answers.append(by_the_paper(case, item.fit, reading, material.published, levels))
    found = [answer for answer in answers if answer is not None]
    return next((answer for answer in found if answer.holds is False), found[0] if found else None)


def describe(item: Standing, material: Material) -> record.Exhibit:
    """Return what is known of an exhibit."""
    experiment = item.exhibit.experiment
    broken, open_ = material.evidence.inadmissible.get(experiment, {}), material.evidence.unstated.get(experiment, ())
    competed, not_run = tried(item, material)
    known = record.Exhibit(
        experiment=experiment,
        published=item.exhibit.published,
        source=item.source,
        pooled=item.pooled,
        apart=item.apart,
        competed=competed,
        not_run=not_run,
        readings=tuple(
            record.StandingReading(
                reading=name,
                admissible=name not in broken,
                condition=broken.get(name, ""),
                open=name in open_,
                p_value=item.fit.p_values[name] if item.fit else None,
                inside=item.fit.inside(name) if item.fit else None,
            )
            for name in (item.readings if item.evidence else ())
        ),
    )
    if item.fit is None:
        return known
    runs, stated = item.fit.runs, item.fit.cells["stated"].max()
    return replace(
        known,
        numbers=int(item.fit.cells["reading"].eq(STRICT).sum()),
        strict=record.Fit(item.fit.p_values[STRICT], item.fit.inside(STRICT)),
        runs=record.Runs(stated, stated * runs.estimate, stated * runs.low, stated * runs.high, runs.rejected),
    )


def tried(item: Standing, material: Material) -> tuple[int, int]:
    """Count the readings that competed for an exhibit, and those that fit it but that the experiment does not run.

    Combinations that make no difference to the printed numbers count as one; those that depart from every standing
    setting of its pool in what the exhibits share are not counted as fitting.
    """
    search = material.searches.get(item.exhibit.name)
    if search is None:
        return item.competed, 0
    run = search.loc[search["reading"].notna(), "same"]
    others = search[~search["same"].isin(run)].drop_duplicates("same")
    fitting = others[(others["stage"] == search["stage"].max()) & (others["p_value"] >= LEVEL)]
    axes = list(search.columns[: search.columns.get_loc("reading")])
    values = {str(row): content for row, content in fitting[axes].to_dict("index").items()}
    pools = material.reconstruction.pools
    return item.competed + len(others), len(pools.agreeing(item.exhibit.name, item.pools, values))


def pooled(pool: Pool, material: Material) -> record.Pool:
    """Return what is known of a pool."""
    inferred = (name for name, item in material.standing.items() if item.source == "inferred" and pool in item.pools)
    variables = material.reconstruction.pools.variables
    axes, first = variables.axes, pool.settings[0]
    return record.Pool(
        exhibits=pool.exhibits,
        inferred=tuple(inferred),
        apart=pool.apart,
        together=pool.together,
        numbers=pool.numbers,
        competed=len(pool.settings),
        standing=len(pool.standing),
        as_stated=next((_likelihood(one) for one in pool.settings if not one.departures), None),
        demanded=tuple(axes[name] for name in pool.demanded()),
        untold=tuple(axes[name] for name in pool.untold()),
        axes=tuple(
            record.PoolAxis(
                axis=axes[name],
                stated=pool.strict[name],
                is_stated=axes[name] not in material.evidence.not_stated,
                standing=first.values[name] if first.stands else "",
                departs=first.stands and name in first.departures,
                exhibits=tuple(each for each in pool.exhibits if variables.names.get((each, axes[name])) == name),
            )
            for name in pool.axes
        ),
        settings=tuple(
            record.PoolSetting(
                departures=tuple(record.Choice(axes[name], setting.values[name]) for name in setting.departures),
                fit=_likelihood(setting),
                stands=setting.stands,
                about_as_likely=setting.about_as_likely,
                admissible=not any(
                    reading in material.evidence.inadmissible.get(material.experiment_of(name), {})
                    for name, reading in setting.readings.items()
                ),
            )
            for setting in pool.settings[:LISTED]
        ),
        with_stated_runs=_with_stated_runs(pool, material.reconstruction.fits),
    )


def _with_stated_runs(pool: Pool, fits: Mapping[str, Fit]) -> float | None:
    """Return the p-value of the named setting with the stated number of runs, if the numbers reject that number."""
    first = pool.settings[0]
    if not first.stands or not any(fits[name].runs.rejected for name in pool.exhibits):
        return None
    tallies = {name: Tally(score(fits[name].cells, Runs())) for name in pool.exhibits}
    return float(joint_p_values(tallies, {name: [first.readings[name]] for name in pool.exhibits})[0])


def _likelihood(setting: Setting) -> record.Likelihood:
    return record.Likelihood(setting.p_value, setting.log_likelihood, setting.error)
