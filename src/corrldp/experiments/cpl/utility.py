"""The benchmark of utility against leakage (Figure 7)."""

from __future__ import annotations

from itertools import product
from typing import Any

import numpy as np
import pandas as pd

from corrldp.experiments.command import Experiment, main
from corrldp.experiments.cpl.data import Data, datasets
from corrldp.experiments.cpl.mechanisms import NAMES, bound, build, inferred_channel, inferred_leakage, report_leakage
from corrldp.experiments.rows import row
from corrldp.leakage.benchmark import nmse, normalised_total
from corrldp.metrics import mean_and_se
from corrldp.protocols.postprocess import postprocess


def run(experiment: Experiment) -> pd.DataFrame:
    """Return normalised TCPL (Eq. 22), frequency error (Eq. 23) and 0-1 error (Eq. 24) of every mechanism.

    `tcpl` is that of the inferred values, `tcpl_reports` that of the reports; both are exact, and so is the expected
    0-1 error of the attack.
    """
    rows = []
    for reading in experiment.all_readings():
        rappor = reading[1]["rappor"]
        for data, epsilon in product(datasets(experiment, reading[1]), experiment.setting["epsilon"]):
            reference = bound(data, epsilon)
            frequencies = [
                np.bincount(codes, minlength=k) / codes.size for codes, k in zip(data.codes.T, data.sizes, strict=True)
            ]
            for name in NAMES:
                if rappor != "constants" and name != "RAPPOR":
                    continue
                point = {"dataset": data.name, "epsilon": epsilon}
                exact = {
                    "tcpl": normalised_total(inferred_leakage(data, name, epsilon, rappor), reference),
                    "tcpl_reports": normalised_total(report_leakage(data, name, epsilon, rappor), reference),
                    "zero_one_error": np.mean(
                        [
                            1 - frequency @ inferred_channel(name, epsilon, frequency.size, rappor).diagonal()
                            for frequency in frequencies
                        ]
                    ),
                }
                rows += [
                    row(point, reading, name, metric, value, standin=data.standin) for metric, value in exact.items()
                ]
                per_run, theory = _frequency_error(experiment, data, frequencies, name, epsilon, reading[1])
                mean, se = mean_and_se(per_run)
                estimate = {"se": se, "runs": experiment.runs, "theory": theory, "standin": data.standin}
                rows.append(row(point, reading, name, "frequency_error", mean, **estimate))
    return pd.DataFrame(rows)


def _frequency_error(
    experiment: Experiment, data: Data, frequencies: list[np.ndarray], name: str, epsilon: float, axes: dict[str, Any]
) -> tuple[np.ndarray, float]:
    """Return the error of all attributes' frequencies together in each run (runs,), and its expectation if known."""
    rng = experiment.rng(dataset=data.name, epsilon=epsilon, mechanism=name)
    n, estimates, variance = len(data.codes), [], 0.0
    for frequency in frequencies:
        mechanism = build(name, epsilon, frequency.size, axes["rappor"])
        counts = np.rint(frequency * n).astype(np.int64)
        raw = mechanism.unbias(mechanism.simulate(counts, experiment.runs, rng), n)
        estimates.append(postprocess(raw, axes["postprocess"]))
        variance += mechanism.variance(frequency, n).sum()
    truth = np.concatenate(frequencies)
    theory = variance / (truth**2).sum() if axes["postprocess"] == "none" else np.nan
    return nmse(np.concatenate(estimates, axis=1), truth), float(theory)


if __name__ == "__main__":
    main(run)
