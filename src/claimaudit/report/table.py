"""A table of a paper and, if it has printed numbers, each as printed, as stated, and as it seems to have been run."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from typing import Any

import pandas as pd

from claimaudit import expressions, results
from claimaudit import verdicts as audited
from claimaudit.audit.fitting import exhibits
from claimaudit.audit.fitting.likelihood import RunsRatio
from claimaudit.audit.statistics import INSIDE
from claimaudit.papers.jobs import PaperExhibit, TableJob
from claimaudit.published import read_published
from claimaudit.report.sheets import MARK, Sheet, pivot, sheet
from claimaudit.results import STRICT
from claimaudit.styles import SettingError, TableStyle, cell_keys, select
from claimaudit.words.names import PRINTED, STATED
from claimaudit.words.runs import called, notes_on_table

NUMBERS, MISFIT = "numbers", "misfit"

MEAN = "mean"
"""What printed numbers say in place of a setting over which they are averaged."""

STAND_INS = audited.Exhibit("", None, "none")
"""What is known of an exhibit whose data are stand-ins: the audit says nothing of it."""


@dataclass(frozen=True)
class Comparison:
    """What a table with printed numbers shows.

    `tables` has the results of its experiment and of its exhibits, whose printed numbers the audit compared; of several
    that hold a number, the last one judges it. `printed` has setting columns, ``mechanism``, ``metric``, ``value``,
    ``runs``.
    """

    job: TableJob
    tables: Mapping[str, pd.DataFrame]
    printed: pd.DataFrame
    verdicts: audited.Verdicts

    @property
    def known(self) -> list[audited.Exhibit]:
        """What the audit found of its exhibits."""
        return [self.verdicts.exhibits.get(exhibit.name, STAND_INS) for exhibit in self.job.exhibits]

    @property
    def key(self) -> list[str]:
        """Columns that name a number."""
        return [*self.job.style.index, *self.job.style.columns, NUMBERS]


@dataclass(frozen=True)
class _Part:
    """Rows of a result table under one reading, its label in the table, and who judges them: the last one that can."""

    label: str
    rows: pd.DataFrame
    judges: tuple[tuple[PaperExhibit, RunsRatio], ...]


def compare(table: Comparison) -> Sheet:
    """Lay out a table with printed numbers.

    Each number appears as printed, as stated, under further readings of the style and, where a standing reading gives
    another number than the text, as run: one below the other or, if the style has no columns, side by side.

    A column ``numbers`` says whose they are. Those whose 95 % interval lacks the printed number are marked. Notes say
    what was run and how many printed numbers misfit.
    """
    parts = list(_parts(table))
    ours = [_with_means(part.rows.assign(**{NUMBERS: part.label}), table) for part in parts]
    numbers = pd.concat([_printed(table, pd.concat(ours)), *ours], ignore_index=True)
    numbers = numbers.drop_duplicates(table.key, keep="last", ignore_index=True)
    cells = pd.concat([_judged(table, part, *judge) for part in parts for judge in part.judges], ignore_index=True)
    misfits = dict(zip(cell_keys(cells, table.key), cells["z"].abs() > INSIDE, strict=True))
    numbers[MISFIT] = [misfits.get(key, False) for key in cell_keys(numbers, table.key)]
    return _laid_out(numbers, table.job.style, [*_what_ran(table, parts), *_score(misfits, table.job.style)])


def _parts(table: Comparison) -> Iterator[_Part]:
    """Yield the numbers of the table's experiment as stated and under further readings, then those of its exhibits."""
    alone = (PaperExhibit("table", table.job.experiment), RunsRatio())  # judges what no exhibit of the paper holds
    rows = _rows(table, table.job.experiment)
    for reading in dict.fromkeys([STRICT, *table.job.style.reading]):
        yield _Part(STATED if reading == STRICT else reading, rows[rows["reading"] == reading], (alone,))
    for exhibit, known in zip(table.job.exhibits, table.known, strict=True):
        rows, judge = _rows(table, exhibit.experiment, exhibit.rows), (exhibit, _runs(known))
        yield _Part(STATED, rows[rows["reading"] == STRICT], (judge,))
        if run := exhibits.run_of(known):
            yield _Part(called(known), _different(rows, run, table.job.style), (alone, judge))


def _rows(table: Comparison, experiment: str, condition: str | None = None) -> pd.DataFrame:
    """Return the rows of a result table that belong in the table, with the expectation as ``value``."""
    rows = expressions.select(select(table.tables[experiment], table.job.style.where, {}), condition)
    return rows.assign(value=rows["theory"].fillna(rows["mean"]))


def _printed(table: Comparison, ours: pd.DataFrame) -> pd.DataFrame:
    """Return the printed numbers, their settings written as in ours."""
    printed = select(table.printed, table.job.style.where, {})
    for name in (*table.job.style.index, *table.job.style.columns):
        if name not in printed:
            raise SettingError(f"the printed numbers lack the column {name!r}, which names rows or columns")
        known = dict(zip(cell_keys(ours, [name]), ours[name], strict=True))
        written = [known.get(key, value) for key, value in zip(cell_keys(printed, [name]), printed[name], strict=True)]
        printed[name] = pd.Series(written, dtype=object).infer_objects()
    return printed.assign(standin=False, **{NUMBERS: PRINTED})


def _judged(table: Comparison, part: _Part, exhibit: PaperExhibit, runs: RunsRatio) -> pd.DataFrame:
    """Return the score ``z`` of each printed number of an exhibit under the reading of a part; none for stand-ins."""
    rows = part.rows[~part.rows["standin"]].drop(columns="value")
    printed = expressions.select(select(table.printed, table.job.style.where, {}), exhibit.rows)
    keys = [str(name) for name in printed if name in rows and name != "runs"]
    known = set(cell_keys(rows, keys))
    printed = printed[pd.Series([key in known for key in cell_keys(printed, keys)], printed.index, dtype=bool)]
    if printed.empty:
        return pd.DataFrame(columns=[*table.key, "z"])
    printed = printed.astype({name: rows[name].dtype for name in keys})
    cells = exhibits.compare(replace(exhibit, rows=None), rows, printed)
    return exhibits.score(cells, runs).cells.assign(**{NUMBERS: part.label})[[*table.key, "z"]]


def _different(rows: pd.DataFrame, reading: str, style: TableStyle) -> pd.DataFrame:
    """Return the rows under a reading that share a row of the table with a number that is not the strict one."""
    named = [*style.index, *style.columns]
    stated, run = (rows[rows["reading"] == name] for name in (STRICT, reading))
    known = dict(zip(cell_keys(stated, named), stated["value"], strict=True))
    values = zip(cell_keys(run, named), run["value"], strict=True)
    other = pd.Series([known.get(key) != value for key, value in values], run.index, dtype=bool)
    return run[other.groupby([run[name] for name in style.index]).transform("any")]


def _runs(known: audited.Exhibit) -> RunsRatio:
    """Return the number of runs behind an exhibit, relative to the stated one, if its printed numbers tell."""
    runs = known.runs
    if runs is None or runs.estimate is None or runs.stated is None:
        return RunsRatio()
    return RunsRatio(runs.estimate / runs.stated, rejected=runs.rejected)


def _with_means(rows: pd.DataFrame, table: Comparison) -> pd.DataFrame:
    """Add the average over a setting, if the printed numbers have one: a value ``mean`` of the setting."""
    printed = {name: table.printed[name] for name in table.key if name in table.printed}
    over = next((name for name, values in printed.items() if (values == MEAN).any()), None)
    if over is None or rows.empty:
        return rows
    rest = [name for name in table.key if name != over]
    means = rows.groupby(rest, as_index=False, sort=False).agg(value=("value", "mean"), standin=("standin", "any"))
    return pd.concat([rows, means.assign(**{over: MEAN})], ignore_index=True)


def _laid_out(numbers: pd.DataFrame, style: TableStyle, notes: Sequence[str]) -> Sheet:
    whose = {"index": (*style.index, NUMBERS)} if style.columns else {"columns": (NUMBERS,)}
    wide = style.model_copy(update={"values": ("value",), **whose})
    marks = pivot(numbers.assign(standin=False), wide.model_copy(update={"values": (MISFIT,)}))
    return sheet(pivot(numbers, wide), style, marks.drop(columns=list(wide.index)).eq(True), notes)


def _what_ran(table: Comparison, parts: Sequence[_Part]) -> list[str]:
    """Name in words the setting behind the numbers as run, and say where none is known."""
    running = [table.verdicts.exhibits[part.judges[-1][0].name] for part in parts if part.judges[1:] and len(part.rows)]
    return notes_on_table(table.known, running, table.verdicts.names)


def _score(misfits: Mapping[tuple[Any, ...], bool], style: TableStyle) -> list[str]:
    """Say what the sign means, and how many printed numbers misfit; nothing if none was compared."""
    if not misfits:
        return []
    counts = []
    for name in dict.fromkeys(key[-1] for key in misfits):
        found = [misfit for key, misfit in misfits.items() if key[-1] == name]
        counts.append(f"{style.labels.get(name, name)}, {sum(found)} of {len(found)}")
    return [
        f"{MARK} The printed number does not fit: it lies outside the 95 % interval of this one or, where both are "
        f"exact, is not what this one gives, rounded or cut off (misfits: {'; '.join(counts)})."
    ]


def table_files(
    job: TableJob, tables: Sequence[Path], published: Sequence[Path] = (), verdicts: Sequence[Path] = ()
) -> dict[str, bytes]:
    """Lay a table out from result tables, printed numbers and verdicts; return the contents of files by suffix."""
    found = {path.stem: results.read(path) for path in tables}
    printed = [read_published(path) for path in published]
    if printed:
        known = next(map(audited.read, verdicts), audited.Verdicts(()))
        table = compare(Comparison(job, found, pd.concat(printed, ignore_index=True), known))
    else:
        rows = select(found[job.experiment], job.style.where, {**job.style.show, "reading": job.style.reading})
        table = sheet(pivot(rows, job.style), job.style)
    return {
        "csv": table.to_csv().encode(),
        "md": table.to_markdown(job.title, job.caption).encode(),
        "json": results.sealed_json(asdict(table)),
    }
