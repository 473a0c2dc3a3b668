"""The benchmark of algorithms that estimate CPL (Figure 6)."""

from __future__ import annotations

from itertools import product
from typing import Any

import numpy as np
import pandas as pd

from corrldp.dependence import pcc
from corrldp.experiments.command import Experiment, main
from corrldp.experiments.cpl.data import Data, datasets
from corrldp.experiments.cpl.mechanisms import bound, inferred_leakage, report_leakage
from corrldp.experiments.rows import row
from corrldp.leakage.baselines import cbp, cbp_of_correlation, grf, its, spl_anl
from corrldp.leakage.benchmark import off_diagonal, overshoot, undershoot
from corrldp.leakage.cpl import conditional
from corrldp.leakage.tables import leakage_matrix


def run(experiment: Experiment) -> pd.DataFrame:
    """Return normalised undershoot and overshoot (Eq. 21) of every algorithm.

    Each is held to a `truth`: "Algorithm 2", "GRR" (by Algorithm 1), "OUE" (its inferred values) or "OUE reports".
    """
    rows = []
    for reading in experiment.all_readings():
        for data, epsilon in product(datasets(experiment, reading[1]), experiment.setting["epsilon"]):
            estimates = _estimates(data, epsilon, experiment.setting["thresholds"], reading[1])
            for (reference, matrix), (name, estimate) in product(_references(data, epsilon).items(), estimates.items()):
                point = {"dataset": data.name, "truth": reference, "epsilon": epsilon}
                pair = off_diagonal(estimate), off_diagonal(matrix)
                measured = {"undershoot": undershoot(*pair, epsilon), "overshoot": overshoot(*pair, epsilon)}
                rows += [
                    row(point, reading, name, metric, _clean(value), standin=data.standin)
                    for metric, value in measured.items()
                ]
    return pd.DataFrame(rows)


def _references(data: Data, epsilon: float) -> dict[str, np.ndarray]:
    return {
        "Algorithm 2": bound(data, epsilon),
        "GRR": inferred_leakage(data, "GRR", epsilon),
        "OUE": inferred_leakage(data, "OUE", epsilon),
        "OUE reports": report_leakage(data, "OUE", epsilon),
    }


def _estimates(data: Data, epsilon: float, thresholds: dict[str, float], axes: dict[str, Any]) -> dict[str, np.ndarray]:
    """Return the matrix (d, d) of every algorithm; what CBP and GRF do is read as `axes` says."""
    correlations = leakage_matrix(data.tables, pcc)
    grr = inferred_leakage(data, "GRR", epsilon)
    symmetric = axes["symmetric"]
    return {
        "SPL-ANL": spl_anl(len(data.sizes), epsilon),
        **{name: grf(correlations, epsilon, threshold, axes["linked"]) for name, threshold in thresholds.items()},
        "ITS": leakage_matrix(data.tables, lambda joint: its(conditional(joint), epsilon)),
        "CBP": cbp_of_correlation(correlations, epsilon) if symmetric == "covariance" else cbp(grr, symmetric),
        "GRR-ANL": grr,
        "EXP-ANL": inferred_leakage(data, "EXP", epsilon),
    }


def _clean(value: float) -> float:
    """Return 0 for what is 0 up to rounding, so that a point on an axis lies on it."""
    return 0.0 if value < 1e-12 else value


if __name__ == "__main__":
    main(run)
