"""Significance of the estimated leakages by surrogate data (Section III-B)."""

from __future__ import annotations

import numpy as np
import pandas as pd
from scipy.stats import false_discovery_control

from corrldp.experiments.command import Experiment, main
from corrldp.experiments.cpl.data import Data, datasets
from corrldp.experiments.rows import row
from corrldp.leakage.empirical import estimated_leakage, holm, p_values, sampled_tables, surrogate_tables
from corrldp.mechanisms.grr import GRR

LEVEL = 0.05


def run(experiment: Experiment) -> pd.DataFrame:
    """Return the share of ordered pairs whose leakage under GRR is significant at 5 %, with and without correction.

    One perturbed data set of `expansion` copies of each record, and `surrogates` permutations of it, as in the paper.
    """
    setting, rows = experiment.setting, []
    for reading in experiment.all_readings():
        for data in datasets(experiment, reading[1]):
            for case in setting["cases"]:
                p = _p_values(experiment, data, **case)
                measured = {
                    "share_significant": np.mean(p < LEVEL),
                    "share_significant_fdr": np.mean(false_discovery_control(p) < LEVEL),
                    "share_significant_holm": np.mean(holm(p) < LEVEL),
                    "pairs": len(p),
                }
                point = {"dataset": data.name, **case}
                rows += [
                    row(point, reading, "GRR", metric, value, standin=data.standin)
                    for metric, value in measured.items()
                ]
    return pd.DataFrame(rows)


def _p_values(experiment: Experiment, data: Data, epsilon: float, expansion: int) -> np.ndarray:
    """Return the p-value of every ordered pair."""
    rng = experiment.rng(dataset=data.name, epsilon=epsilon, expansion=expansion)
    found = []
    for counts in data.tables.values():
        occurring = counts[counts.sum(axis=1) > 0]
        [table] = sampled_tables(occurring, GRR(epsilon, counts.shape[-1]).channel(), expansion, 1, rng)
        surrogates = surrogate_tables(table, experiment.setting["surrogates"], rng)
        found.append(p_values(estimated_leakage(table, "skip"), estimated_leakage(surrogates, "skip")))
    return np.array(found)


if __name__ == "__main__":
    main(run)
