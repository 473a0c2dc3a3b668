"""Standing readings: what the printed numbers of an exhibit, and of those that share its settings, do not reject.

An exhibit without printed numbers inherits the standing readings of the exhibits that share its settings by the
paper. *Rivals* are settings that guide words propose, that no experiment runs, and that explain a pool as standing ones
do.
"""

import json
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from pathlib import Path

import numpy as np
import pandas as pd

from claimaudit import verdicts
from claimaudit.audit.arrays import Result
from claimaudit.audit.fitting.exhibits import ExhibitFit, compare, known, score
from claimaudit.audit.fitting.likelihood import RunsRatio, estimate_runs
from claimaudit.audit.fitting.pools import ERRORS, FAR, Pools
from claimaudit.audit.fitting.settings import CLOSE, FittedPool, Values, Variables, axis_of
from claimaudit.papers.jobs import Outline, PaperExhibit, Shared
from claimaudit.published import read_files
from claimaudit.results import STRICT, axes_of, read, read_record, verified
from claimaudit.verdicts import EVIDENCED, LEVEL, Choice, Fit, GuideWord, Pool, Source, StandingReading

FEW, FINAL = "few runs", "final"
"""The stages of a search; only the likelihoods of the final one decide that a setting fits."""

NOT_REACHED = "not reached"
"""Why a proposal was not tried, if the budget did not suffice."""


@dataclass(frozen=True)
class Standing:
    """The standing readings of one exhibit.

    The first of `readings` is the one to name, see `claimaudit.audit.fitting.settings.FittedPool`. If nothing says what
    was run, they are those of the experiment. The settings of `pools` stand for it: of its own, or of those from which
    it inherits.
    """

    exhibit: PaperExhibit
    readings: tuple[str, ...]
    record: verdicts.Exhibit
    fit: ExhibitFit | None = None
    pools: tuple[FittedPool, ...] = ()

    @property
    def evidence(self) -> bool:
        """Whether printed numbers say what was run."""
        return self.record.source in EVIDENCED


@dataclass(frozen=True)
class Material:
    """All that the verdicts on a paper rest on, and what it says of the readings behind the paper's exhibits.

    `results` are by experiment, `published` are the printed numbers of the paper by file, and `search` is the table of
    what `claimaudit.audit.search` tried, if it did.
    """

    outline: Outline
    results: Mapping[str, Result]
    published: Mapping[str, pd.DataFrame]
    search: pd.DataFrame | None = None

    @classmethod
    def read(
        cls,
        outline: Outline,
        published: Sequence[Path],
        tables: Sequence[Path],
        search: pd.DataFrame | None = None,
    ) -> "Material":
        """Read printed numbers, and result tables with the records beside them; files have the names of both."""
        results = {path.stem: Result(read(path), tuple(read_record(path)["standin"])) for path in tables}
        return cls(outline, results, read_files(published), search)

    @cached_property
    def tables(self) -> dict[str, pd.DataFrame]:
        return {name: result.table for name, result in self.results.items()}

    @cached_property
    def readings(self) -> Mapping[str, Mapping[str, Values]]:
        """The values of the readings of each experiment, by name."""
        return {name: readings_of(table) for name, table in self.tables.items()}

    @cached_property
    def exhibits(self) -> list[PaperExhibit]:
        """The exhibits whose data are no stand-ins, and whose results have their errors."""
        results = self.results
        return [
            item
            for item in self.outline.exhibits
            if not results[item.experiment].standins and results[item.experiment].rows.measured
        ]

    @cached_property
    def cells(self) -> dict[str, pd.DataFrame]:
        """The printed numbers of exhibits that have some, compared with ours."""
        return {
            item.name: compare(item, self.tables[item.experiment], self.published[item.published])
            for item in self.exhibits
            if item.published is not None
        }

    @cached_property
    def runs(self) -> dict[str, RunsRatio]:
        """How many runs stand behind each exhibit that has printed numbers, or whose runs others share."""
        return runs_of_all(self.cells, self.outline.shared)

    @cached_property
    def fits(self) -> dict[str, ExhibitFit]:
        """How the readings of exhibits fit their printed numbers, if they have some."""
        return {name: score(table, self.runs[name]) for name, table in self.cells.items()}

    @cached_property
    def pools(self) -> Pools:
        readings = {item.name: self.readings[item.experiment] for item in self.exhibits}
        return Pools(Variables(self.outline, readings, self.fits))

    @cached_property
    def records(self) -> Mapping[tuple[str, ...], Pool]:
        """What is found of each pool, by its exhibits, with what guide words propose beside its settings."""
        return {pool.record.exhibits: with_rivals(pool, self.search) for pool in self.pools.all}

    @cached_property
    def standing(self) -> dict[str, Standing]:
        """The standing readings of every exhibit, but for those that `exhibits` leaves out."""
        return {exhibit.name: self._standing(exhibit) for exhibit in self.exhibits}

    def _standing(self, exhibit: PaperExhibit) -> Standing:
        """Find the standing readings of one exhibit: those that agree with a standing setting of its pool.

        One without printed numbers inherits from the pools with which it shares most axes by the text.
        """
        name, readings, fit = exhibit.name, self.readings[exhibit.experiment], self.fits.get(exhibit.name)
        telling = self.pools.of(name)
        pools = tuple(pool for parts in telling for pool in parts)
        source: Source
        if fit is not None:
            stand = tuple(dict.fromkeys(one for pool in pools for one in self.pools.fitting(name, pool)))
            source = "own" if stand else "rejected"
        else:
            agreeing = [self.pools.agreeing(name, parts) for parts in telling]
            first = agreeing[0] if agreeing else readings
            stand = tuple(one for one in first if all(one in others for others in agreeing))
            source = "inferred" if len(stand) < len(readings) else "none"
        broken, open_ = self.outline.broken(name), self.outline.unstated.get(exhibit.experiment, ())
        found = [self.records[pool.record.exhibits] for pool in pools if fit is not None]
        competed = len(readings) + sum(pool.proposed for pool in found)
        not_run = sum(len(pool.rivals) for pool in found)
        if source == "rejected" and not pools and self.search is not None:
            alone = of_pool(self.search, [name])
            competed, not_run = competed + int(new(alone).sum()), int((new(alone) & fits(alone)).sum())
        named = {one: fit.under(one) if fit else Fit(None, None) for one in stand} if source in EVIDENCED else {}
        record = verdicts.Exhibit(
            experiment=exhibit.experiment,
            published=exhibit.published,
            source=source,
            pooled=tuple(other for pool in pools for other in pool.record.exhibits if other != name),
            apart=tuple(dict.fromkeys(other for pool in pools for other in pool.record.apart)),
            competed=competed,
            not_run=not_run,
            readings=tuple(
                StandingReading(one, one not in broken, broken.get(one, ""), one in open_, own.p_value, own.inside)
                for one, own in named.items()
            ),
            numbers=int(fit.cells["reading"].eq(STRICT).sum()) if fit else None,
            strict=fit.under(STRICT) if fit else None,
            runs=fit.runs.of(fit.cells["stated"].max()) if fit else None,
        )
        return Standing(exhibit, stand, record, fit, pools)


def runs_of_all(cells: Mapping[str, pd.DataFrame], shared: Sequence[Shared]) -> dict[str, RunsRatio]:
    """Estimate the number of runs behind every exhibit from its compared cells; those that share it pool them.

    One without printed numbers has what the first exhibits that share it have together.
    """
    evidence = {name: known(table) for name, table in cells.items()}
    runs = {name: estimate_runs(table) for name, table in evidence.items()}
    for group in shared:
        members = {name: evidence[name] for name in group.exhibits if name in cells}
        if not group.runs or not members:
            continue
        together = pooled_runs(members)
        for name in group.exhibits:
            if name not in members:
                runs.setdefault(name, together)
            elif len(members) > 1 and _agree_on_runs(runs[name], together):
                runs[name] = together
    return runs


def pooled_runs(members: Mapping[str, pd.DataFrame]) -> RunsRatio:
    """Estimate the number of runs behind several exhibits together, without those whose own numbers contradict it.

    `members` are the numbers of each exhibit that tell its number of runs, as `known` returns them.
    """
    together = estimate_runs(pd.concat(members.values()))
    agreeing = {name: cells for name, cells in members.items() if _agree_on_runs(estimate_runs(cells), together)}
    return pooled_runs(agreeing) if 0 < len(agreeing) < len(members) else together


def _agree_on_runs(own: RunsRatio, together: RunsRatio) -> bool:
    return not own.low > together.estimate and not own.high < together.estimate


def readings_of(table: pd.DataFrame) -> dict[str, Values]:
    """Return the values of the axes that an experiment varies, by the name of the reading."""
    _, axes = axes_of(table)
    distinct = table[["reading", *axes]].drop_duplicates("reading")
    return {str(row["reading"]): {axis: row[axis] for axis in axes} for row in distinct.to_dict("records")}


def agree(values: Values, others: Values, axes: Collection[str]) -> bool:
    """Return whether two readings agree in those of some axes that both have."""
    return all(str(values[axis]) == str(others[axis]) for axis in axes if axis in values and axis in others)


def read_search(path: Path) -> pd.DataFrame:
    """Read the table of the settings that were tried, verified by the record beside it."""
    empty = ("stage", "runs", "p_value", "log_likelihood", "error")
    return pd.read_csv(verified(path), keep_default_na=False, na_values={name: [""] for name in empty})


def of_pool(search: pd.DataFrame, exhibits: Sequence[str]) -> pd.DataFrame:
    """Return the rows of a pool in the table of a search."""
    return search[search["pool"] == " ".join(exhibits)]


def new(rows: pd.DataFrame) -> pd.Series:
    """Return which rows are settings that were tried, that change a number, and that no experiment runs."""
    return rows["stage"].notna() & (rows["differ"] != "") & (rows["run"].astype(str) == "False")


def fits(rows: pd.DataFrame) -> pd.Series:
    """Return which rows are settings that the printed numbers do not reject."""
    return (rows["stage"] == FINAL) & (rows["p_value"] >= LEVEL)


def undecided(rows: pd.DataFrame) -> pd.Series:
    """Return which rows are settings that change a number and that few runs, all that they had, do not reject."""
    return (rows["stage"] == FEW) & (rows["differ"] != "") & (rows["p_value"] >= LEVEL) & _near(rows)


def _near(rows: pd.DataFrame) -> pd.Series:
    return rows["log_likelihood"] >= -FAR - ERRORS * rows["error"]


def with_rivals(pool: FittedPool, search: pd.DataFrame | None) -> Pool:
    """Return the record of a pool with its rivals in the table of a search; what they do without is not demanded.

    A rival is not rejected, and as close to the named setting in log-likelihood as standing ones are. One that only
    departs further must be likelier, by the price of its departures and beyond our error; if it is about as likely, the
    numbers cannot tell what it changes, either.
    """
    if search is None:
        return pool.record
    rows = of_pool(search, pool.record.exhibits)
    missed = int((rows["reason"] == NOT_REACHED).sum())
    few = int((new(rows) & undecided(rows)).sum())
    record = replace(pool.record, proposed=int(new(rows).sum()), undecided=few, not_reached=missed)
    if rows.empty or not pool.settings[0].record.stands:
        return record
    departures = rows["departures"].map(lambda text: json.loads(text or "{}"))
    named, size = departures.iloc[0], departures.map(len)
    far = -FAR - pool.price * np.maximum(len(named) - size, 0) - ERRORS * rows["error"]
    earned = pool.price * (size - len(named)) + ERRORS * rows["error"]
    further = departures.map(lambda own: named.items() < own.items())
    close = rows["log_likelihood"] >= np.where(further, earned, far)
    rows = rows.assign(own=departures, close=close)[new(rows) & fits(rows)]
    likely = rows.loc[rows["log_likelihood"] >= -np.maximum(CLOSE, rows["error"]), "own"]
    changed = {axis_of(name) for own in likely for name, _ in {*named.items()} ^ {*own.items()}}
    open_ = tuple(axis.axis for axis in record.axes if axis.axis in changed.union(record.undetermined))
    rivals, demanded = [], list(record.demanded)
    for _, row in rows[rows["close"]].sort_values("log_likelihood", ascending=False, kind="stable").iterrows():
        own = {axis_of(name): value for name, value in row["own"].items()}
        fit = verdicts.Likelihood(*(float(row[name]) for name in ("p_value", "log_likelihood", "error")))
        choices = tuple(Choice(axis, value) for axis, value in own.items())
        rivals.append(verdicts.Rival(choices, tuple(json.loads(row["setting"])), tuple(row["differ"].split()), fit))
        demanded = [axis for axis in demanded if axis in own]
    return replace(record, rivals=tuple(rivals), demanded=tuple(demanded), undetermined=open_)


def words_asked(search: pd.DataFrame, pools: Pools) -> tuple[GuideWord, ...]:
    """Return what came of each guide word at each choice point of a text, alone.

    Of a setting that competed in its pool, that decides; a search compares few runs of it.
    """
    single = search[(search["word"] != "") & ~search["word"].str.contains(" & ", regex=False)]
    stands = {
        (" ".join(pool.record.exhibits), frozenset(one.record.departures)): one.record.stands
        for pool in pools.all
        for one in pool.settings
    }
    departures = [
        frozenset(Choice(axis_of(name), value) for name, value in json.loads(text or "{}").items())
        for text in single["departures"]
    ]
    settings = zip(single["pool"], departures, strict=True)
    competed = pd.Series(map(stands.get, settings), single.index, dtype="boolean")
    likely = competed.fillna(fits(single) & _near(single)) & (single["differ"] != "")
    few = undecided(single) & competed.isna()
    single = single.assign(likely=likely, undecided=few, rejected=single["stage"].notna())
    found = []
    for (point, kind, word), rows in single.groupby(["point", "kind", "word"], sort=False):
        best = rows.sort_values(["likely", "undecided", "rejected"], ascending=False, kind="stable").iloc[0]
        told = "fits" if best["likely"] else "undecided" if best["undecided"] else ""
        outcome = told or str(best["reason"]) or "rejected"
        found.append(GuideWord(str(point), str(kind), str(word), tuple(dict.fromkeys(rows["words"])), outcome))
    excluded = search[(search["point"] != "") & (search["word"] == "")]
    found += [
        GuideWord(str(row["point"]), str(row["kind"]), "", (), str(row["reason"]))
        for row in excluded.drop_duplicates(["point", "reason"]).to_dict("records")
    ]
    return tuple(found)
