"""A table of a paper, beside its printed numbers if there are any, as CSV (raw), Markdown (formatted), JSON (both)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict
from pathlib import Path

import pandas as pd

from claimaudit import results
from claimaudit.papers.jobs import TableJob
from claimaudit.published import read_published
from claimaudit.report.comparison import Comparison, compare
from claimaudit.report.layout import pivot, sheet
from claimaudit.report.sheets import Sheet
from claimaudit.selection import select
from claimaudit.verdicts import Verdicts, read


def laid_out(
    job: TableJob, tables: dict[str, pd.DataFrame], printed: Sequence[pd.DataFrame], verdicts: Verdicts
) -> Sheet:
    """Return a table as it is shown, from result tables by experiment, printed numbers and verdicts on its paper."""
    style = job.style
    if printed:
        numbers = pd.concat(printed, ignore_index=True)
        known, names = verdicts.exhibits, verdicts.names
        return compare(Comparison(style, job.experiment, tables, numbers, job.exhibits, known, names))
    rows = select(tables[job.experiment], style.where, {**style.show, "reading": style.reading})
    return sheet(pivot(rows, style), style)


def table_files(
    job: TableJob, tables: Sequence[Path], published: Sequence[Path] = (), verdicts: Sequence[Path] = ()
) -> dict[str, bytes]:
    """Lay a table out from result tables, printed numbers and verdicts; return the contents of files by suffix."""
    table = laid_out(
        job,
        {path.stem: results.read(path) for path in tables},
        [read_published(path) for path in published],
        next(map(read, verdicts), Verdicts(())),
    )
    return {
        "csv": table.to_csv().encode(),
        "md": table.to_markdown(job.title, job.caption).encode(),
        "json": results.sealed_json(asdict(table)),
    }
