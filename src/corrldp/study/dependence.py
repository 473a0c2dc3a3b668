"""How strongly every two columns of a table depend on each other, with p-values corrected for their number."""

from __future__ import annotations

from itertools import combinations
from typing import Any

import numpy as np
import pandas as pd
from scipy.stats import chi2, false_discovery_control

from corrldp.arrays import Floats, Integers
from corrldp.data.table import Table
from corrldp.dependence import cramers_v, nmi
from corrldp.leakage.empirical import holm, p_values, surrogate_tables
from corrldp.randomness import generator
from corrldp.study.output import frame
from corrldp.study.progress import SILENT, Silent
from corrldp.study.settings import StudySettings

FEWEST, MOST = 999, 9_999  # surrogates of a table
LARGEST_DRAW = 2 * 10**7  # cells of all surrogates together
RARE, MOST_RARE = 5, 0.2
"""Cochran's rule: the chi-squared law holds if few expected counts are below 5, and none below 1."""


def measure(table: Table, settings: StudySettings, progress: Silent = SILENT) -> pd.DataFrame:
    """Return Cramer's V and NMI of every two columns, the strongest first.

    Columns `one, other, cramers_v, nmi, p_value, test, holm, fdr`. The p-value is that of Pearson's statistic: from the
    chi-squared law where Cochran's rule allows it, else from random tables with the same margins: so many that Holm's
    correction can reach the level, unless the pairs or cells are too many. `holm` bounds the chance of
    any false discovery, `fdr` (Benjamini and Hochberg) their expected share.
    """
    pairs = list(combinations(table.names, 2))
    wanted = int(np.clip(2 * len(pairs) / settings.level, FEWEST, MOST))
    rows = [_row(table, one, other, wanted, settings.seed) for one, other in progress.track("dependence", pairs)]
    found = frame("dependence", rows)
    if not rows:
        return found
    found["holm"] = holm(found["p_value"])
    found["fdr"] = false_discovery_control(found["p_value"])
    return found.sort_values(["cramers_v", "one", "other"], ascending=[False, True, True], ignore_index=True)


def _row(table: Table, one: str, other: str, wanted: int, seed: int) -> dict[str, Any]:
    counts = table.counts((one, other))
    occurring = counts[counts.any(axis=1)][:, counts.any(axis=0)]
    p_value, test = 1.0, "none: one value only"
    if min(occurring.shape) > 1:
        expected = np.outer(occurring.sum(axis=1), occurring.sum(axis=0)) / occurring.sum()
        few = (expected < RARE).mean() <= MOST_RARE and expected.min() >= 1
        if few:
            p_value, test = float(chi2.sf(_statistic(occurring), (np.array(occurring.shape) - 1).prod())), "chi-squared"
        else:
            number = min(wanted, max(FEWEST, LARGEST_DRAW // occurring.size))
            surrogates = surrogate_tables(occurring, number, generator(seed, "study", "surrogates", one, other))
            p_value, test = float(p_values(_statistic(occurring), _statistic(surrogates))), f"{number:,} surrogates"
    return {
        "one": one,
        "other": other,
        "cramers_v": float(np.nan_to_num(cramers_v(counts))),
        "nmi": float(np.nan_to_num(nmi(counts, "max"))),
        "p_value": p_value,
        "test": test,
    }


def _statistic(counts: Integers) -> Floats:
    """Pearson's statistic (...) of tables (..., m, t) all of whose rows and columns occur."""
    n = counts.sum(axis=(-2, -1))
    return n * (min(counts.shape[-2:]) - 1) * cramers_v(counts, "domain") ** 2
