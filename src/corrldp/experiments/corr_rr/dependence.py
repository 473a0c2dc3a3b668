"""Pairwise correlations of the synthetic data (Table 2 of the PETS version)."""

from __future__ import annotations

from itertools import combinations

import numpy as np
import pandas as pd

from corrldp.experiments.command import Experiment, main
from corrldp.experiments.corr_rr.correlation import correlations
from corrldp.experiments.corr_rr.population import points, records
from corrldp.experiments.rows import row
from corrldp.metrics import mean_and_se


def run(experiment: Experiment) -> pd.DataFrame:
    """Return the mean correlation of every pair of attributes over independent data sets, and the pairs' average.

    The paper prints one data set, whose error is the standard deviation of a run: in SynB it covers the draw of the
    tree, which differs from one data set to the next.
    """
    rows = []
    for reading in experiment.all_readings():
        for point in points(experiment.setting, reading[1]):
            found = np.concatenate([correlations(table) for table in records(experiment, point, reading[1])])
            pairs = {f"{i + 1}-{j + 1}": found[:, i, j] for i, j in combinations(range(point["d"]), 2)}
            pairs["average"] = np.mean(list(pairs.values()), axis=0)
            for pair, values in pairs.items():
                mean, se = mean_and_se(values)
                rows.append(
                    row({**point, "pair": pair}, reading, "data", "correlation", mean, se=se, runs=experiment.runs)
                )
    return pd.DataFrame(rows)


if __name__ == "__main__":
    main(run)
