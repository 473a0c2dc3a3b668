"""The audit of one paper: first which readings stand for its exhibits, then a verdict on each claim."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path
from typing import Any

import pandas as pd

from corrldp.audit.as_run import Known, known_readings
from corrldp.audit.cases import Case, Result, named, plain, prepare
from corrldp.audit.disturbances import can_fail
from corrldp.audit.evidence import Claim, Levels
from corrldp.audit.exhibits import LEVEL, Exhibit
from corrldp.audit.meetings import meetings
from corrldp.audit.own_points import by_the_paper
from corrldp.audit.pools import Pool, Setting, Shared, axis_of
from corrldp.audit.standing import Reconstruction, Standing, Values, readings_of
from corrldp.audit.verdicts import judge
from corrldp.names import ConfigurationError, require_known
from corrldp.published import read_published
from corrldp.results import STRICT


@dataclass(frozen=True)
class Evidence:
    """All that the verdicts on a paper rest on.

    Attributes
    ----------
    results
        Result tables by experiment.
    published
        Directory of the paper's printed numbers.
    exhibits, shared
        Its exhibits, and the settings that they share.
    words, inadmissible
        By experiment and reading: the reading in words, and why it breaks a condition of the paper.
    phrases
        By axis and value, both as text: the value in words.
    unstated
        By experiment, the readings that differ from the strict one only in what the text does not state.
    not_stated
        The axes whose strict values the text does not state.
    open
        The experiments that rest on a choice that the text does not state.
    searches
        By exhibit, the combinations of open choices that `corrldp.audit.search` tried.
    """

    results: Mapping[str, Result]
    published: Path
    exhibits: tuple[Exhibit, ...] = ()
    shared: tuple[Shared, ...] = ()
    words: Mapping[str, Mapping[str, str]] = field(default_factory=dict)
    inadmissible: Mapping[str, Mapping[str, str]] = field(default_factory=dict)
    phrases: Mapping[str, Mapping[str, str]] = field(default_factory=dict)
    unstated: Mapping[str, Collection[str]] = field(default_factory=dict)
    not_stated: Collection[str] = ()
    open: Collection[str] = ()
    searches: Mapping[str, pd.DataFrame] = field(default_factory=dict)

    @classmethod
    def load(
        cls,
        setting: Mapping[str, Any],
        results: Mapping[str, Result],
        published: Path,
        searches: Mapping[str, pd.DataFrame] | None = None,
    ) -> Evidence:
        """Build the evidence from a setting, as `corrldp.papers.paper.Paper.evidence` makes it."""
        exhibits, shared = Exhibit.load(setting), Shared.load(setting)
        more = {name: setting.get(name, {}) for name in ("words", "inadmissible", "phrases", "unstated")}
        lists = {name: setting.get(name, ()) for name in ("not_stated", "open")}
        return cls(results, published, exhibits, shared, **more, **lists, searches=searches or {})

    @cached_property
    def tables(self) -> dict[str, pd.DataFrame]:
        """Result tables by experiment."""
        return {name: result.table for name, result in self.results.items()}

    @cached_property
    def readings(self) -> Mapping[str, Mapping[str, Values]]:
        """Values of the readings of every experiment, by name."""
        return {name: readings_of(table) for name, table in self.tables.items()}

    def phrase(self, name: str, value: str) -> str:
        """Return the value of an axis, by its name in a pool, in words."""
        axis = axis_of(name)
        return self.phrases.get(axis, {}).get(value, f"{axis} = {value}")

    def experiment_of(self, exhibit: str) -> str:
        """Return the experiment that repeats an exhibit."""
        return next(item.experiment for item in self.exhibits if item.name == exhibit)

    @cached_property
    def standing(self) -> dict[str, Standing]:
        """What stands for each exhibit, except those whose data are stand-ins."""
        return self.reconstruction.all()

    @cached_property
    def reconstruction(self) -> Reconstruction:
        """How readings fit the printed numbers of the exhibits, except those whose data are stand-ins."""
        real = tuple(item for item in self.exhibits if not self.results[item.experiment].standins)
        printed = {item.published for item in real if item.published is not None}
        numbers = {name: read_published(self.published / f"{name}.csv") for name in printed}
        return Reconstruction.fit(real, self.shared, self.tables, numbers)


LISTED = 20
"""Settings of a pool that its record lists, the standing ones first."""


def audit(paper: str, levels: Levels, claims: list[Claim], evidence: Evidence) -> dict[str, Any]:
    """Judge all claims of a paper, in order, and describe the standing readings of its exhibits.

    ``levels.failing`` bounds the probability that any claim that is true under the strict reading fails by chance. It
    is divided evenly among the claims that can fail by chance: those whose strict check rests on simulation
    (Bonferroni).

    Returns
    -------
    dict
        ``claims``, a list of records; ``exhibits``, by name; ``pools`` and ``meetings``, lists.
    """
    for name, level in (("level", levels.passing), ("family_level", levels.failing)):
        if not 0 < level < 0.5:
            raise ValueError(f"{name} is {level}; it must lie between 0 and 0.5")
    prepared = _prepared(claims, evidence)
    simulated = sum(case.rests_on_simulation() for case, _ in prepared)
    each = Levels(levels.passing, min(levels.passing, levels.failing / max(simulated, 1)))
    records = [_judged(case, known, paper, each, evidence) for case, known in prepared]
    return {
        "claims": records,
        "exhibits": {name: describe(item, evidence) for name, item in evidence.standing.items()},
        "pools": [pooled(pool, evidence) for pool in evidence.reconstruction.pools.all],
        "meetings": met(records, evidence),
    }


def met(records: list[dict[str, Any]], evidence: Evidence) -> list[dict[str, Any]]:
    """Return the pairs of claims that no one setting makes true together, as plain data."""
    tables = {record["id"]: record["table"] for record in records}
    found = meetings(records, evidence.reconstruction.pools, evidence.readings, evidence.inadmissible)
    return [
        {
            "claims": list(pair.claims),
            "axes": [axis_of(name) for name in pair.axes],
            "words": [
                evidence.words.get(tables[claim], {}).get(reading, reading)
                for claim, reading in zip(pair.claims, pair.readings, strict=True)
            ],
        }
        for pair in found
    ]


def _prepared(claims: list[Claim], evidence: Evidence) -> list[tuple[Case, Known]]:
    """Prepare all claims; the error has one line for each claim that cannot be checked."""
    prepared, errors = [], []
    for claim in claims:
        try:
            prepared.append(_case(claim, evidence))
        except ConfigurationError as error:
            errors.append(str(error))
    if errors:
        raise ConfigurationError("\n".join(errors))
    return prepared


def _case(claim: Claim, evidence: Evidence) -> tuple[Case, Known]:
    with named(claim):
        for name in claim.get("exhibits", []):
            require_known(name, [exhibit.name for exhibit in evidence.exhibits], "exhibit")
        name = claim.get("table", "")
        known = known_readings(
            claim,
            evidence.standing,
            evidence.readings,
            broken=evidence.inadmissible.get(name, ()),
            unstated=evidence.unstated.get(name, ()),
            open_choices=name in evidence.open,
        )
    return prepare(claim, evidence.results, evidence.published, known.runs_factor), known


def _judged(case: Case, known: Known, paper: str, levels: Levels, evidence: Evidence) -> dict[str, Any]:
    if case.stated is None:
        return judge(case, paper, levels, known, {})
    holds = case.stated(levels).holds
    could_fail = not holds or can_fail(case, evidence.published, levels)
    words = evidence.words.get(case.claim.get("table", ""), {})
    return judge(case, paper, levels, known, words, _by_the_paper(case, known, levels, evidence), could_fail)


def _by_the_paper(case: Case, known: Known, levels: Levels, evidence: Evidence) -> Any:  # noqa: ANN401
    """Judge a claim by the printed points of the exhibits of its table, as far as they can answer."""
    answers = []
    for name in known.exhibits:
        item = evidence.standing[name]
        if item.fit is None or item.exhibit.experiment != case.claim["table"]:
            continue
        reading = item.readings[0] if item.readings else STRICT
        answers.append(by_the_paper(case, item.fit, reading, evidence.published, levels))
    found = [answer for answer in answers if answer is not None]
    return next((answer for answer in found if answer.holds is False), found[0] if found else None)


def describe(item: Standing, evidence: Evidence) -> dict[str, Any]:
    """Return what stands for an exhibit as plain data."""
    words = evidence.words.get(item.exhibit.experiment, {})
    broken = evidence.inadmissible.get(item.exhibit.experiment, {})
    content: dict[str, Any] = {
        "experiment": item.exhibit.experiment,
        "published": item.exhibit.published,
        "source": item.source,
        "pooled": list(item.pooled),
        "apart": list(item.apart),
        **tried(item, evidence),
        "readings": [
            {
                "reading": name,
                "words": words.get(name, name),
                "admissible": name not in broken,
                "condition": broken.get(name, ""),
                "open": name in evidence.unstated.get(item.exhibit.experiment, ()),
                "p_value": item.fit.p_values[name] if item.fit else None,
                "inside": item.fit.inside(name) if item.fit else None,
            }
            for name in (item.readings if item.evidence else ())
        ],
    }
    if item.fit is not None:
        runs, stated = item.fit.runs, item.fit.cells["stated"].max()
        content |= {
            "numbers": int(item.fit.cells["reading"].eq(STRICT).sum()),
            "strict": {"p_value": item.fit.p_values[STRICT], "inside": item.fit.inside(STRICT)},
            "runs": {
                "stated": stated,
                **{name: stated * getattr(runs, name) for name in ("estimate", "low", "high")},
                "rejected": runs.rejected,
            },
        }
    return plain(content)


def _numbers(setting: Setting) -> dict[str, float]:
    """Return how the printed numbers of a pool fit a setting."""
    return {name: getattr(setting, name) for name in ("p_value", "log_likelihood", "error")}


def tried(item: Standing, evidence: Evidence) -> dict[str, int]:
    """Count the readings that competed for an exhibit, and those that fit it but that the experiment does not run.

    Combinations that make no difference to the printed numbers count as one; those that depart from every standing
    setting of its pool in what the exhibits share are not counted as fitting.
    """
    search = evidence.searches.get(item.exhibit.name)
    if search is None:
        return {"competed": item.competed, "not_run": 0}
    run = search.loc[search["reading"].notna(), "same"]
    others = search[~search["same"].isin(run)].drop_duplicates("same")
    fitting = others[(others["stage"] == search["stage"].max()) & (others["p_value"] >= LEVEL)]
    axes = list(search.columns[: search.columns.get_loc("reading")])
    values = {str(row): content for row, content in fitting[axes].to_dict("index").items()}
    pools = evidence.reconstruction.pools
    return {
        "competed": item.competed + len(others),
        "not_run": len(pools.agreeing(item.exhibit.name, item.pools, values)),
    }


def pooled(pool: Pool, evidence: Evidence) -> dict[str, Any]:
    """Return what is said of a pool as plain data."""
    inferred = [name for name, item in evidence.standing.items() if item.source == "inferred" and pool in item.pools]
    broken = evidence.inadmissible
    first = pool.settings[0]
    return plain(
        {
            "exhibits": list(pool.exhibits),
            "inferred": inferred,
            "apart": list(pool.apart),
            "together": pool.together,
            "numbers": pool.numbers,
            "competed": len(pool.settings),
            "standing": len(pool.standing),
            "as_stated": next((_numbers(one) for one in pool.settings if not one.departures), None),
            "demanded": [axis_of(name) for name in pool.demanded()],
            "untold": [axis_of(name) for name in pool.untold()],
            "values": [
                {
                    "axis": axis_of(name),
                    "stated": evidence.phrase(name, pool.strict[name]),
                    "is_stated": axis_of(name) not in evidence.not_stated,
                    "standing": evidence.phrase(name, first.values[name]) if first.stands else "",
                    "departs": first.stands and name in first.departures,
                }
                for name in pool.axes
            ],
            "settings": [
                {
                    "words": [evidence.phrase(name, setting.values[name]) for name in setting.departures],
                    **_numbers(setting),
                    "stands": setting.stands,
                    "about_as_likely": setting.about_as_likely,
                    "admissible": not any(
                        reading in broken.get(evidence.experiment_of(name), {})
                        for name, reading in setting.readings.items()
                    ),
                }
                for setting in pool.settings[:LISTED]
            ],
        }
    )
