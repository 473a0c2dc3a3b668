"""Relative frequencies of the real attributes and their skewness (Figure 12 of the PETS version)."""

from __future__ import annotations

import math

import numpy as np
import pandas as pd
from scipy import stats

from corrldp.experiments.command import Experiment, main
from corrldp.experiments.corr_rr.real_data import encode, views_of
from corrldp.experiments.rows import row


def run(experiment: Experiment) -> pd.DataFrame:
    """Return the share of users with each value of each attribute, X1, X2, ..., and the skewness of its codes."""
    rows = []
    for reading in experiment.all_readings():
        for dataset, view in views_of(experiment, reading[1]).items():
            for j, column in enumerate(encode(view, reading[1].get("encoding", "recipe")).T):
                size = view.sizes[j]
                shares = np.bincount(column, minlength=size) / len(column)
                measures = [(code + 1, "frequency", share) for code, share in enumerate(shares)]
                measures.append((math.nan, "skewness", stats.skew(column)))
                rows += [
                    row(
                        {"dataset": dataset, "attribute": f"X{j + 1}", "value": value},
                        reading,
                        "data",
                        metric,
                        mean,
                        standin=view.standin,
                    )
                    for value, metric, mean in measures
                ]
    return pd.DataFrame(rows)


if __name__ == "__main__":
    main(run)
