"""Estimated joint laws of two attributes, drawn in full: synthetic data (Figure 9), age and sex (Figure 11)."""

from __future__ import annotations

from typing import Any

import numpy as np
import pandas as pd

from corrldp.experiments.castell.population import Population, observe
from corrldp.experiments.castell.synthetic import correlated_law
from corrldp.experiments.command import Experiment, main
from corrldp.experiments.rows import row
from corrldp.mechanisms.pure import Floats
from corrldp.protocols.castell.independent import IndependentRR, rr_ind_joint, rr_independent
from corrldp.protocols.records import Integers


def run(experiment: Experiment) -> pd.DataFrame:
    """Return the data, the reports and both estimates of one run (`share` of each pair of values).

    The attributes are those of the data view `view`, or numbers if the pair is synthetic.
    """
    setting = experiment.setting
    rows: list[dict[str, Any]] = []
    for reading in experiment.all_readings():
        _, axes = reading
        counts, names, standin = data(experiment)
        for stage, table in stages(counts, setting["epsilon"], axes["sampling_noise"], experiment.rng(what="reports")):
            for (first, second), share in np.ndenumerate(table):
                point = {setting["names"][0]: names[0][first], setting["names"][1]: names[1][second], "stage": stage}
                rows.append(row(point, reading, "RR-Ind-Joint", "share", share, standin=standin))
    return pd.DataFrame(rows)


def data(experiment: Experiment) -> tuple[Integers, tuple[list, list], bool]:
    """Return the counts (k_1, k_2), the names of the values, and whether the records are made up."""
    setting = experiment.setting
    if "view" not in setting:
        law = correlated_law(setting["d"], setting["v"])
        counts = experiment.rng(what="data").multinomial(setting["n"], law.ravel()).reshape(law.shape)
        numbers = list(range(1, setting["d"] + 1))
        return counts, (numbers, numbers), False
    view = experiment.views[setting["view"]]
    population = Population.from_view(view)
    names = view.values
    return population.table(), (names[0], names[1]), population.standin


def stages(counts: Integers, epsilon: float, noise: str, rng: np.random.Generator) -> list[tuple[str, Floats]]:
    """Return the four panels of a figure: name and frequencies (k_1, k_2)."""
    protocol = IndependentRR(epsilon, counts.shape)
    observed = observe(counts, protocol.mechanisms, noise, lambda: protocol.simulate(counts, 1, rng)[0])
    return [
        ("data", counts / counts.sum()),
        ("reports", observed),
        ("RR-Independent", rr_independent(observed, protocol.mechanisms)),
        ("RR-Ind-Joint", rr_ind_joint(observed, protocol.mechanisms)),
    ]


if __name__ == "__main__":
    main(run)
