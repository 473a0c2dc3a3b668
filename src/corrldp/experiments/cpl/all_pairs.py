"""CPL of every ordered pair of attributes, beside conventional measures of dependence (Figure 4 (c))."""

from __future__ import annotations

from itertools import product

import numpy as np
import pandas as pd

from corrldp.dependence import cramers_v, nmi, pcc
from corrldp.experiments.command import Experiment, main
from corrldp.experiments.cpl.data import Data, datasets
from corrldp.experiments.cpl.mechanisms import bound, inferred_leakage
from corrldp.experiments.rows import row
from corrldp.leakage.cpl import conditional, leakage_limit
from corrldp.leakage.tables import leakage_matrix


def run(experiment: Experiment) -> pd.DataFrame:
    """Return the exact CPL under GRR in both directions, its bound, its limit and the pair's dependence."""
    rows = []
    for reading in experiment.all_readings():
        for data, epsilon in product(datasets(experiment, reading[1]), experiment.setting["epsilon"]):
            measured = _matrices(data, epsilon)
            for (i, about), (j, by) in product(enumerate(data.attributes), repeat=2):
                if i != j:
                    point = {"dataset": data.name, "about": about, "by": by, "epsilon": epsilon}
                    rows += [
                        row(point, reading, mechanism, metric, values[i, j], standin=data.standin)
                        for (metric, mechanism), values in measured.items()
                    ]
    return pd.DataFrame(rows)


def _matrices(data: Data, epsilon: float) -> dict[tuple[str, str], np.ndarray]:
    """Return every measure (d, d), [about, by], by metric and mechanism."""
    grr = inferred_leakage(data, "GRR", epsilon)
    return {
        ("cpl", "GRR"): grr,
        ("cpl_reverse", "GRR"): grr.T,
        ("cpl", "Algorithm 2"): bound(data, epsilon),
        ("cpl_limit", "data"): leakage_matrix(data.tables, lambda joint: leakage_limit(conditional(joint))),
        ("nmi", "data"): leakage_matrix(data.tables, lambda joint: nmi(joint, "mean")),
        ("pcc", "data"): np.abs(leakage_matrix(data.tables, pcc)),
        ("cramers_v", "data"): leakage_matrix(data.tables, cramers_v),
    }


if __name__ == "__main__":
    main(run)
