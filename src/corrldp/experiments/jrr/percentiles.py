"""Percentiles of the averaged relative error over runs (Figure 2 of the JRR paper)."""

from __future__ import annotations

import numpy as np
import pandas as pd
from scipy.stats.mstats import mjci

from corrldp.experiments.command import Experiment, main
from corrldp.experiments.jrr.errors import simulate
from corrldp.experiments.rows import row


def run(experiment: Experiment) -> pd.DataFrame:
    """Return the percentiles of the ARE with their standard errors (Maritz and Jarrett, 1978)."""
    percentiles = np.array(experiment.setting["percentile"])
    rows = []
    for point, reading, mechanism, errors in simulate(experiment):
        values = np.percentile(errors.are, percentiles)
        spread = mjci(errors.are, prob=percentiles / 100)
        for at, value, se in zip(percentiles.tolist(), values, spread, strict=True):
            rows.append(row({**point, "percentile": at}, reading, mechanism, "are", value, se=se, runs=experiment.runs))
    return pd.DataFrame(rows)


if __name__ == "__main__":
    main(run)
