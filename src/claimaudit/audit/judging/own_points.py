"""What a paper's own printed points say of its sentences, with their own noise and whatever we compute."""

from dataclasses import replace
from pathlib import Path

import numpy as np
import pandas as pd

from claimaudit import digits
from claimaudit.audit.checks.base import OfQuantity
from claimaudit.audit.fitting.exhibits import ExhibitFit
from claimaudit.audit.judging.cases import Case, Meaning, tests_of
from claimaudit.expressions import select
from claimaudit.results import STRICT
from claimaudit.verdicts import Evidence, Levels

PRINTED = "printed"
"""Name of the evidence from printed points, in place of a reading."""


def by_the_paper(case: Case, fit: ExhibitFit, reading: str, published_dir: Path, levels: Levels) -> Evidence | None:
    """Judge a claim by the printed points of its exhibit.

    Points may refute a sentence about more settings than they show; they confirm it only if they show all. A number
    that is printed twice does not confirm itself.

    Parameters
    ----------
    case
        The claim, with its rows.
    fit
        The printed points, and the number of runs behind them.
    reading
        The reading whose standard deviation of one run is the points' noise.
    published_dir, levels
        As for any check.

    Returns
    -------
    Evidence or None
        None if the points cannot answer, as where a meaning of the sentence is judged by another table.
    """
    checks = [meaning.check for meaning in case.meanings if isinstance(meaning.check, OfQuantity)]
    if case.stated is None or len(checks) < len(case.meanings) or len({check.table for check in checks}) > 1:
        return None
    stated = case.stated(levels)
    meanings = []
    for meaning, check in zip(case.meanings, checks, strict=True):
        try:
            rows = select(_as_rows(fit, reading, meaning.rows), check.where)
        except ValueError:
            return None
        if rows.empty:
            return None
        meanings.append(Meaning(meaning.name, check.model_copy(update={"basis": None}), rows))
    try:
        found = tests_of(tuple(meanings), published_dir)[STRICT](levels)
    except ValueError:
        return None
    partial = found.rows < stated.rows
    if partial and not (case.claim.check.universal and found.holds is False):
        return None
    own = [] if found.estimate is None else [found.estimate]
    if found.holds and case.claim.check.repeats(None, own):
        return None
    return replace(found, reading=PRINTED)


def _as_rows(fit: ExhibitFit, reading: str, rows: pd.DataFrame | None) -> pd.DataFrame:
    """Return printed points in the format of a result table, with the noise of the runs behind them."""
    if rows is None:
        raise ValueError("the claim has no table")
    cells = fit.cells[fit.cells["reading"] == reading]
    stated = cells["stated"].fillna(1) * fit.runs.factor
    spread = np.where(cells["run_sd"] > 0, cells["run_sd"] / np.sqrt(stated), 0.0)
    points = cells.assign(
        reading=STRICT,
        mean=cells["value"],
        se=np.sqrt(spread**2 + cells["digitised"] ** 2 + digits.error(cells["digit"]) ** 2),
        runs=np.maximum(stated, 1).round().astype(int),
        theory=np.nan,
    )
    return points[list(rows.columns)]
