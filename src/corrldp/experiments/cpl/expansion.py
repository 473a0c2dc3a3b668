"""What repeating the records does to the test of significance: its rate of false alarms on independent attributes."""

from __future__ import annotations

from itertools import product

import numpy as np
import pandas as pd

from corrldp.experiments.command import Experiment, main
from corrldp.experiments.rows import STRICT, row
from corrldp.leakage.empirical import estimated_leakage, p_values, sampled_tables, surrogate_tables
from corrldp.mechanisms.grr import GRR
from corrldp.metrics import mean_and_se

LEVEL = 0.05


def run(experiment: Experiment) -> pd.DataFrame:
    """Return the share of data sets with two independent attributes that the test at 5 % calls dependent."""
    setting, rows = experiment.setting, []
    for n, k, epsilon in product(setting["n"], setting["k"], setting["epsilon"]):
        rng = experiment.rng(n=n, k=k, epsilon=epsilon)
        counts = rng.multinomial(n, np.full(k * k, 1 / k**2), size=experiment.runs).reshape(-1, k, k)
        for expansion in setting["expansion"]:
            [tables] = sampled_tables(counts, GRR(epsilon, k).channel(), expansion, 1, rng)
            surrogates = surrogate_tables(tables, setting["surrogates"], rng)
            p = p_values(estimated_leakage(tables, "skip"), estimated_leakage(surrogates, "skip"))
            mean, se = mean_and_se(p <= LEVEL)
            point = {"n": n, "k": k, "epsilon": epsilon, "expansion": expansion}
            rows.append(row(point, STRICT, "GRR", "false_alarms", mean, se=se, runs=experiment.runs))
    return pd.DataFrame(rows)


if __name__ == "__main__":
    main(run)
