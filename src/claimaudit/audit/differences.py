"""How printed numbers differ from ours: as the text states the setting, and as it seems to have been run."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import numpy as np
import pandas as pd

from claimaudit import expressions, results
from claimaudit.audit.fitting import exhibits
from claimaudit.audit.fitting.likelihood import RunsRatio
from claimaudit.audit.statistics import INSIDE
from claimaudit.papers.jobs import DifferenceJob
from claimaudit.plots import difference
from claimaudit.published import read_published
from claimaudit.results import STRICT
from claimaudit.verdicts import Exhibit, read


def run_of(known: Exhibit) -> str | None:
    """Return the standing reading that is named first for an exhibit; None if there is none, or it is the text."""
    name = known.readings[0].reading if known.readings else STRICT
    return None if name == STRICT else name


def runs_of(known: Exhibit) -> RunsRatio:
    """Return the number of runs behind an exhibit, relative to the stated one, if its printed numbers tell."""
    runs = known.runs
    if runs is None or runs.estimate is None or runs.stated is None:
        return RunsRatio()
    return RunsRatio(runs.estimate / runs.stated, rejected=runs.rejected)


def differences(job: DifferenceJob, table: pd.DataFrame, printed: pd.DataFrame, known: Exhibit | None) -> pd.DataFrame:
    """Return a row for each printed number of an exhibit and each of the two settings under which it is compared.

    Returns
    -------
    DataFrame
        The settings, ``reading``, ``mechanism``, ``metric``, ``published``, ``ours``, and ``mean``: printed over ours
        or, if some number is not positive, printed minus ours, which ``unit`` says. ``se`` is the error of ``mean``
        from both sides, and ``fits`` whether the 95 % interval of ours has the printed number.
    """
    rows = expressions.select(table, job.exhibit.rows)
    printed = printed.astype({name: rows[name].dtype for name in printed if name in rows and name != "runs"})
    rows = rows[rows["reading"].isin([STRICT, known and run_of(known)])]
    cells = exhibits.compare(job.exhibit, rows, printed)
    cells = exhibits.score(cells, runs_of(known) if known else RunsRatio()).cells
    ratio = bool((cells[["value", "ours"]] > 0).all(axis=None))
    settings = [name for name in printed if name in rows and name not in ("mechanism", "metric", "runs")]
    return cells[["reading", *settings, "mechanism", "metric"]].assign(
        published=cells["value"],
        ours=cells["ours"],
        unit="ratio" if ratio else "difference",
        mean=cells["value"] / cells["ours"] if ratio else cells["value"] - cells["ours"],
        se=cells["se"] / cells["ours"] if ratio else cells["se"],
        runs=cells["stated"],
        theory=np.nan,
        fits=cells["z"].abs() <= INSIDE,
        standin=cells["standin"],
    )


def difference_files(
    job: DifferenceJob, table: Sequence[Path], published: Sequence[Path], verdicts: Sequence[Path]
) -> dict[str, bytes]:
    """Draw how an exhibit's printed numbers differ from ours; return the contents of files by their suffixes."""
    (result,), (file,), (audited,) = table, published, verdicts
    known = read(audited).exhibits.get(job.exhibit.name)
    return difference.draw_files(job, differences(job, results.read(result), read_published(file), known))
