"""Records, attributes and joint domains of the data sets (Table IV of the Castell paper)."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import pandas as pd

from corrldp.experiments.castell.population import populations
from corrldp.experiments.command import Experiment, main
from corrldp.experiments.rows import STRICT, row


def run(experiment: Experiment) -> pd.DataFrame:
    """Return numbers of records and attributes, size of the joint domain and of the attributes' own; all are exact."""
    rows: list[dict[str, Any]] = []
    for dataset, _, population in populations(experiment):
        facts = {
            "records": population.n,
            "attributes": len(population.sizes),
            "domain": math.prod(population.sizes),
            "smallest": min(population.sizes),
            "median": float(np.median(population.sizes)),
            "largest": max(population.sizes),
        }
        rows += [
            row({"dataset": dataset}, STRICT, "data", metric, value, standin=population.standin)
            for metric, value in facts.items()
        ]
    return pd.DataFrame(rows)


if __name__ == "__main__":
    main(run)
