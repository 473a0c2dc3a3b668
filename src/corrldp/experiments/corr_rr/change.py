"""How much the mean squared error falls from one correlation to another (Corr-RR preprint, Section 4.3.4)."""

import numpy as np
import pandas as pd

from corrldp.experiments.command import Experiment, main
from corrldp.experiments.corr_rr import accuracy


def run(experiment: Experiment) -> pd.DataFrame:
    """Return the relative fall 1 - mse(rho_to) / mse(rho_from) for each pair of correlations in `changes`.

    The runs of different correlations are independent of each other, so the standard error is the delta method's.
    """
    errors = accuracy.run(experiment)
    return pd.concat([fall(errors, *change) for change in experiment.setting["changes"]], ignore_index=True)


def fall(errors: pd.DataFrame, rho_from: float, rho_to: float) -> pd.DataFrame:
    """Return the rows of one pair of correlations, from the errors (a result table) at all of them.

    Raises
    ------
    ValueError
        There are no errors at one of the correlations.
    """
    for rho in (rho_from, rho_to):
        if rho not in errors["rho"].to_numpy():
            raise ValueError(f"rho={rho} of the change is not in the grid {sorted(set(errors['rho']))}: add it")
    statistics = ["mean", "se", "theory"]
    keys = [name for name in errors.columns if name not in ("rho", *statistics)]
    before, after = (errors[errors["rho"] == rho].drop(columns="rho") for rho in (rho_from, rho_to))
    pairs = before.merge(after, on=keys, suffixes=("_from", "_to"), validate="one_to_one")
    ratio = pairs["mean_to"] / pairs["mean_from"]
    spread = np.hypot(pairs["se_from"] / pairs["mean_from"], pairs["se_to"] / pairs["mean_to"])
    theory = 1 - pairs["theory_to"] / pairs["theory_from"]
    result = pairs[keys].assign(rho_from=rho_from, rho_to=rho_to, metric="mse_fall")
    return result.assign(mean=1 - ratio, se=ratio * spread, theory=theory)[
        ["rho_from", "rho_to", *errors.columns.drop("rho")]
    ]


if __name__ == "__main__":
    main(run)
