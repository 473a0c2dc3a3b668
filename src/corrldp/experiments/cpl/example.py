"""The example of Appendix K and Table III: largest leakage under a weak correlation."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np
import pandas as pd

from corrldp.dependence import cramers_v, nmi, pcc
from corrldp.experiments.command import Experiment, main
from corrldp.experiments.rows import row
from corrldp.leakage.cpl import conditional, leakage_bound, leakage_of_channel
from corrldp.leakage.empirical import estimated_leakage, sampled_tables
from corrldp.leakage.printed import algorithm_2
from corrldp.mechanisms.grr import GRR
from corrldp.metrics import mean_and_se

DIRECTIONS = ("X^ -> Xk", "Xk -> X^")


def run(experiment: Experiment) -> pd.DataFrame:
    """Return leakages in both directions and measures of dependence, of the law (28) and of records drawn from it.

    `cpl` and `dependence` are exact; `cpl_of_sample`, `cpl_estimated` and `nmi_of_sample` are those of `n` records in
    each run, the second after perturbing their expansion.
    """
    rows = []
    for reading in experiment.all_readings():
        for point, mechanism, metric, value in _exact(experiment.setting, reading[1]):
            rows.append(row(point, reading, mechanism, metric, value))
        for point, mechanism, metric, per_run in _sampled(experiment, reading[1]):
            mean, se = mean_and_se(per_run)
            rows.append(row(point, reading, mechanism, metric, mean, se=se, runs=experiment.runs))
    return pd.DataFrame(rows)


def _exact(setting: dict[str, Any], axes: dict[str, Any]) -> Iterator[tuple[dict[str, Any], str, str, float]]:
    law = np.array(setting["law"])
    for direction, joint in zip(DIRECTIONS, (law, law.T), strict=True):
        given = conditional(joint)
        for epsilon in setting["epsilon"]:
            point = {"direction": direction, "epsilon": epsilon}
            yield point, "GRR", "cpl", leakage_of_channel(given, GRR(epsilon, given.shape[-1]).channel())
            yield point, "Algorithm 2", "cpl", leakage_bound(given, epsilon)
            yield point, "Algorithm 2 as printed", "cpl", algorithm_2(given, epsilon)[0]
    point = {"direction": "both", "epsilon": np.nan}
    yield point, "data", "nmi", nmi(law, axes["normalisation"])
    yield point, "data", "pcc", pcc(law)
    yield point, "data", "cramers_v", cramers_v(law)


def _sampled(experiment: Experiment, axes: dict[str, Any]) -> Iterator[tuple[dict[str, Any], str, str, np.ndarray]]:
    setting, law = experiment.setting, np.array(experiment.setting["law"])
    rng = experiment.rng(n=setting["n"])
    records = rng.multinomial(setting["n"], law.ravel(), size=experiment.runs).reshape(-1, *law.shape)
    for direction, counts in zip(DIRECTIONS, (records, records.swapaxes(1, 2)), strict=True):
        for epsilon in setting["epsilon"]:
            point = {"direction": direction, "epsilon": epsilon}
            yield point, "Algorithm 2", "cpl_of_sample", leakage_bound(conditional(counts), epsilon)
            channel = GRR(epsilon, counts.shape[-1]).channel()
            [tables] = sampled_tables(counts, channel, axes["expansion"], 1, rng)
            yield point, "GRR", "cpl_estimated", estimated_leakage(tables, "skip")
    point = {"direction": "both", "epsilon": np.nan}
    yield point, "data", "nmi_of_sample", nmi(records, axes["normalisation"])
    yield point, "data", "pcc_of_sample", pcc(records)


if __name__ == "__main__":
    main(run)
