"""Error of the frequency estimate under RR and JRR (Figures 1 and 3 to 6 of the JRR paper)."""

from __future__ import annotations

import pandas as pd

from corrldp.experiments.command import Experiment, main
from corrldp.experiments.jrr.errors import simulate
from corrldp.experiments.rows import row
from corrldp.metrics import mean_and_se


def run(experiment: Experiment) -> pd.DataFrame:
    """Return mean squared error of counts (Eq. 28) and averaged relative error (Eq. 29) at every setting."""
    rows = []
    for point, reading, mechanism, errors in simulate(experiment):
        for metric, per_run, theory in (
            ("mse_counts", errors.mse_counts, errors.variance),
            ("are", errors.are, float("nan")),
        ):
            mean, se = mean_and_se(per_run)
            rows.append(row(point, reading, mechanism, metric, mean, se=se, runs=experiment.runs, theory=theory))
    return pd.DataFrame(rows)


if __name__ == "__main__":
    main(run)
