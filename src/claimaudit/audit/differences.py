"""How printed numbers differ from ours: as the text states the setting, and as it seems to have been run."""

from collections.abc import Sequence
from pathlib import Path

import numpy as np
import pandas as pd

from claimaudit.audit.fitting.exhibits import run_of
from claimaudit.audit.predictions import FIRST, LAST
from claimaudit.plots import difference
from claimaudit.results import STRICT, read_numbers, verified
from claimaudit.storage import remembered
from claimaudit.styles import DifferenceJob
from claimaudit.verdicts import Exhibit, read
from claimaudit.words.names import RUN
from claimaudit.words.runs import called


def differences(name: str, predictions: pd.DataFrame, known: Exhibit | None) -> pd.DataFrame:
    """Compare the printed numbers of an exhibit with their predictions, see docs/predictions.md.

    There is a row for each printed number and each of the two settings, the stated one first: the settings,
    ``reading``, ``mechanism``, ``metric``, ``published``, ``ours``, and ``mean``: printed over ours or, if some number
    is not positive, printed minus ours, which ``unit`` says. ``low`` and ``high`` are the ends of its 95 % interval,
    and ``fits`` says whether that of ours has the printed number. No rows if ours rest on stand-in data.
    """
    rows = predictions[(predictions["exhibit"] == name) & predictions["printed"].notna()]
    rows = rows[rows["reading"].isin([STRICT, known and run_of(known)])]
    rows = rows.sort_values("reading", key=lambda names: names != STRICT, kind="stable", ignore_index=True)
    settings = [str(one) for one in rows if one not in {"paper", "exhibit", *FIRST, *LAST} and rows[one].notna().any()]
    printed, ours, low, high = (rows[one] for one in ("printed", "value", "low", "high"))
    ratio = bool((printed > 0).all() and (ours > 0).all())
    return rows[["reading", *settings, "mechanism", "metric"]].assign(
        published=printed,
        ours=ours,
        unit="ratio" if ratio else "difference",
        mean=printed / ours if ratio else printed - ours,
        low=printed / high if ratio else printed - high,
        high=(printed / low).where(low > 0, np.inf) if ratio else printed - low,
        runs=rows["their_runs"],
        theory=np.nan,
        fits=printed.between(low, high),
        standin=False,
    )


def difference_files(job: DifferenceJob, predictions: Sequence[Path], verdicts: Sequence[Path]) -> dict[str, bytes]:
    """Draw how an exhibit's printed numbers differ from ours; return the contents of files by their suffixes."""
    (predicted,), (audited,) = predictions, verdicts
    known = _verdicts(audited).exhibits.get(job.exhibit)
    run = called(known) if known and known.readings else RUN
    return difference.draw_files(job, differences(job.exhibit, _predictions(predicted), known), run)


# Figures of a paper are drawn in one process.
_verdicts = remembered(read)
_predictions = remembered(lambda path: read_numbers(verified(path)))
