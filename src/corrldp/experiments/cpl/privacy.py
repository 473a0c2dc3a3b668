"""The epsilon that each mechanism really gives, of its reports and of the values that the attack infers."""

from __future__ import annotations

from itertools import product

import pandas as pd

from corrldp.experiments.command import Experiment, main
from corrldp.experiments.cpl.mechanisms import NAMES, build, inferred_channel
from corrldp.experiments.rows import row
from corrldp.privacy import epsilon_of_channel


def run(experiment: Experiment) -> pd.DataFrame:
    """Return the exact epsilon by enumeration of all reports; SHE's reports are real numbers and have no row."""
    rows = []
    for reading in experiment.all_readings():
        rappor = reading[1]["rappor"]
        for name, epsilon, k in product(NAMES, experiment.setting["epsilon"], experiment.setting["k"]):
            if rappor != "constants" and name != "RAPPOR":
                continue
            point = {"epsilon": epsilon, "k": k}
            channel = inferred_channel(name, epsilon, k, rappor)
            rows.append(row(point, reading, name, "epsilon_inferred", epsilon_of_channel(channel)))
            rows.append(row(point, reading, name, "truth_inferred", channel[0, 0]))
            if name != "SHE":
                exact = epsilon_of_channel(build(name, epsilon, k, rappor).channel())
                rows.append(row(point, reading, name, "epsilon_exact", exact))
    return pd.DataFrame(rows)


if __name__ == "__main__":
    main(run)
