"""Percentiles of the averaged relative error over runs (Figure 2 of the JRR paper)."""

from __future__ import annotations

from functools import cache

import numpy as np
import pandas as pd
from scipy.stats.mstats import mjci

from corrldp.experiments.command import Experiment, main
from corrldp.experiments.jrr.errors import simulate
from corrldp.experiments.rows import row
from corrldp.metrics import are
from corrldp.protocols.jrr.binary import JointRandomizedResponse
from corrldp.protocols.jrr.exact import law_of_ones


def run(experiment: Experiment) -> pd.DataFrame:
    """Return simulated percentiles of the ARE with standard errors (Maritz and Jarrett, 1978) and exact ones."""
    percentiles = tuple(experiment.setting["percentile"])
    rows = []
    for point, reading, mechanism, errors in simulate(experiment):
        values = np.percentile(errors.are, percentiles)
        spread = mjci(errors.are, prob=np.divide(percentiles, 100))
        exact = exact_percentiles(errors.protocol, point["n1"], point["n"], percentiles)
        for at, value, se, theory in zip(percentiles, values, spread, exact, strict=True):
            at_percentile = {**point, "percentile": at}
            rows.append(
                row(at_percentile, reading, mechanism, "are", value, se=se, runs=experiment.runs, theory=theory)
            )
    return pd.DataFrame(rows)


@cache
def exact_percentiles(protocol: JointRandomizedResponse, n1: int, n: int, percentiles: tuple[float, ...]) -> np.ndarray:
    """Return the percentiles of the ARE by the exact law of the collector's count."""
    ones, law = law_of_ones(protocol, n1, n)
    relative = are(protocol.estimate_counts(np.column_stack([n - ones, ones]), n), [n - n1, n1])
    order = np.argsort(relative)
    return relative[order][np.searchsorted(np.cumsum(law[order]), np.divide(percentiles, 100))]


if __name__ == "__main__":
    main(run)
