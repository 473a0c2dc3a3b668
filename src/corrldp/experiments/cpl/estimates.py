"""Statistical estimates of CPL against Algorithms 1 and 2 (Tables I and II)."""

from __future__ import annotations

from itertools import product
from typing import Any

import numpy as np
import pandas as pd

from corrldp.experiments.command import Experiment, main
from corrldp.experiments.cpl.data import Data, datasets
from corrldp.experiments.cpl.mechanisms import bound, inferred_channel, inferred_leakage, report_leakage
from corrldp.experiments.rows import row
from corrldp.leakage.benchmark import nmse, off_diagonal
from corrldp.leakage.empirical import estimated_leakage, sampled_tables
from corrldp.leakage.tables import stacked
from corrldp.metrics import mean_and_se


def run(experiment: Experiment) -> pd.DataFrame:
    """Return NMSE-CPL (Eq. 29) of every mechanism on every data set; one run is one pass over the expanded data.

    `nmse_algorithm_1` and `nmse_algorithm_2` compare the statistical estimates with Algorithm 1 on the effective
    channel and with Algorithm 2. `nmse_inferred` and `nmse_reports` compare exact leakages, of the inferred values and
    of the reports, with Algorithm 2: no sampling error. An estimate that would be infinite, since a value was never
    inferred, leaves that value out; `infinite_share` is the share of such pairs.
    """
    rows = []
    for reading in experiment.all_readings():
        rappor = reading[1]["rappor"]
        for data, epsilon in product(datasets(experiment, reading[1]), experiment.setting["epsilon"]):
            reference = off_diagonal(bound(data, epsilon))
            for name in experiment.setting["mechanisms"]:
                if rappor != "constants" and name != "RAPPOR":
                    continue
                point = {"dataset": data.name, "epsilon": epsilon}
                inferred = off_diagonal(inferred_leakage(data, name, epsilon, rappor))
                reports = off_diagonal(report_leakage(data, name, epsilon, rappor))
                for metric, values in (("nmse_inferred", inferred), ("nmse_reports", reports)):
                    rows.append(row(point, reading, name, metric, nmse(values, reference), standin=data.standin))
                estimates, infinite = _estimates(experiment, data, name, epsilon, reading[1])
                measured = {
                    "nmse_algorithm_1": [nmse(off_diagonal(found), inferred) for found in estimates],
                    "nmse_algorithm_2": [nmse(off_diagonal(found), reference) for found in estimates],
                    "infinite_share": [off_diagonal(found).mean() for found in infinite],
                }
                for metric, per_run in measured.items():
                    mean, se = mean_and_se(per_run)
                    rows.append(
                        row(point, reading, name, metric, mean, se=se, runs=experiment.runs, standin=data.standin)
                    )
    return pd.DataFrame(rows)


def _estimates(
    experiment: Experiment, data: Data, name: str, epsilon: float, axes: dict[str, Any]
) -> tuple[np.ndarray, np.ndarray]:
    """Return the estimated leakages (runs, d, d) and whether each would be infinite, pairs of equal shape at once."""
    shape = (experiment.runs, len(data.sizes), len(data.sizes))
    found, infinite = np.zeros(shape), np.zeros(shape)
    rng = experiment.rng(dataset=data.name, epsilon=epsilon, mechanism=name)
    for (about, by), counts in stacked(data.tables):
        channel = inferred_channel(name, epsilon, counts.shape[-1], axes["rappor"])
        tables = sampled_tables(counts, channel, axes["expansion"], experiment.runs, rng)
        found[:, about, by] = estimated_leakage(tables, "skip")
        infinite[:, about, by] = np.isinf(estimated_leakage(tables, "infinite"))
    return found, infinite


if __name__ == "__main__":
    main(run)
