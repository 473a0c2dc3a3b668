"""The copy probability p_y of two binary attributes over their marginals (Figure 2 of both Corr-RR papers)."""

from __future__ import annotations

from typing import Any

import numpy as np
import pandas as pd

from corrldp.experiments.command import Experiment, main
from corrldp.experiments.corr_rr.mechanisms import RULES
from corrldp.experiments.rows import row
from corrldp.mechanisms.grr import GRR


def run(experiment: Experiment) -> pd.DataFrame:
    """Return `p_y` for a grid of the frequency of one value in each attribute, taken as known.

    The columns are named by the setting `pivot` (f_s or f_k, the attribute that is copied) and f_j (the one that
    follows). With `sides` the rows also say on which side of the pivot's frequency the other one
    lies, and how far away.
    """
    setting = experiment.setting
    followers = np.linspace(0, 1, setting["steps"] + 1).round(12).tolist()
    rows = []
    for reading in experiment.all_readings():
        rule = RULES[reading[1]["py_rule"]]
        for pivot in setting["pivot_frequency"]:
            for follower in followers:
                marginals = np.array([[1 - follower, follower], [1 - pivot, pivot]])
                p_y = rule(marginals, setting["n2"], GRR(setting["epsilon"], 2))[1, 0]
                point = {setting["pivot"]: pivot, "f_j": follower}
                if setting["sides"]:
                    point |= side_of(pivot, follower)
                rows.append(row(point, reading, "Corr-RR", "p_y", p_y))
    return pd.DataFrame(rows)


def side_of(pivot: float, follower: float) -> dict[str, Any]:
    """Return whether the follower's frequency lies from the pivot's on in the direction of 1/2, and how far away."""
    toward_half = (follower - pivot) * (0.5 - pivot) >= 0
    return {"side": "toward_half" if toward_half else "away", "distance": round(abs(follower - pivot), 12)}


if __name__ == "__main__":
    main(run)
