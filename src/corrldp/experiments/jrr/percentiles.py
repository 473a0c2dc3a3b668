"""Percentiles of the averaged relative error over runs (Figure 2 of the JRR paper)."""

from __future__ import annotations

import numpy as np
import pandas as pd
from scipy.stats.mstats import mjci

from corrldp.experiments.command import Experiment, main
from corrldp.experiments.jrr.errors import MECHANISMS, run_errors
from corrldp.experiments.jrr.population import settings
from corrldp.experiments.rows import row


def run(experiment: Experiment) -> pd.DataFrame:
    """Return the percentiles of the ARE with their standard errors (Maritz and Jarrett, 1978)."""
    percentiles = np.array(experiment.setting["percentile"])
    rows = []
    for reading in experiment.all_readings():
        for point in settings(experiment.setting, reading[1]):
            for mechanism in MECHANISMS:
                rng = experiment.rng(mechanism=mechanism, point=point)
                errors = run_errors(mechanism, point, reading[1], experiment.runs, rng)
                if not errors:
                    continue
                relative, _ = errors["are"]
                values = np.percentile(relative, percentiles)
                spread = mjci(relative, prob=percentiles / 100)
                rows.extend(
                    row(
                        {**point, "percentile": at},
                        reading,
                        mechanism,
                        "are",
                        value,
                        se=se,
                        runs=experiment.runs,
                    )
                    for at, value, se in zip(percentiles.tolist(), values, spread, strict=True)
                )
    return pd.DataFrame(rows)


if __name__ == "__main__":
    main(run)
