"""Characteristics of the real data sets (Table 3 of the PETS version, Table I and Figure 3 of the preprint)."""

from __future__ import annotations

import numpy as np
import pandas as pd

from corrldp.experiments.command import Experiment, main
from corrldp.experiments.corr_rr.correlation import correlations_of
from corrldp.experiments.corr_rr.real_data import encode, views_of
from corrldp.experiments.rows import row


def run(experiment: Experiment) -> pd.DataFrame:
    """Return users, attributes, domain size and the extreme correlations of each data set.

    With `matrix` the correlation of every two attributes, numbered from 1, instead. `views` maps data sets to views,
    `other_views` a value of the axis `attributes` to the views that it changes.
    """
    rows = []
    for reading in experiment.all_readings():
        for dataset, view in views_of(experiment, reading[1]).items():
            matrix = correlations_of(encode(view, reading[1].get("encoding", "recipe")))
            if experiment.setting["matrix"]:
                measures = [
                    ({"first": i + 1, "second": j + 1}, "correlation", value)
                    for (i, j), value in np.ndenumerate(matrix)
                ]
            else:
                pairs = matrix[np.triu_indices(len(matrix), k=1)]
                measures = [
                    ({}, "users", len(view.codes)),
                    ({}, "attributes", len(matrix)),
                    ({}, "domain_size", max(view.sizes)),
                    ({}, "correlation_min", pairs.min()),
                    ({}, "correlation_max", pairs.max()),
                ]
            rows += [
                row({"dataset": dataset, **point}, reading, "data", metric, value, standin=view.standin)
                for point, metric, value in measures
            ]
    return pd.DataFrame(rows)


if __name__ == "__main__":
    main(run)
