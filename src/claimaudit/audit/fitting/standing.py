"""Standing readings: what the printed numbers of an exhibit, and of those that share its settings, do not reject.

An exhibit without printed numbers inherits the standing readings of the exhibits that share its settings by the
paper.
"""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path

import pandas as pd

from claimaudit import verdicts
from claimaudit.audit.arrays import Result
from claimaudit.audit.fitting.exhibits import ExhibitFit, compare, known, score
from claimaudit.audit.fitting.likelihood import RunsRatio, estimate_runs
from claimaudit.audit.fitting.pools import Pools
from claimaudit.audit.fitting.rivals import fits, new, of_pool, with_rivals
from claimaudit.audit.fitting.settings import FittedPool, Values, Variables
from claimaudit.papers.jobs import Outline, PaperExhibit, Shared
from claimaudit.published import read_files
from claimaudit.results import STRICT, axes_of, read, read_record
from claimaudit.verdicts import EVIDENCED, Fit, Source, StandingReading


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
    def records(self) -> Mapping[tuple[str, ...], verdicts.Pool]:
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
