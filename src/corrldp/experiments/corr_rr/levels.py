"""The epsilon that each multi-attribute mechanism really gives, by enumeration of the channel of whole records."""

from __future__ import annotations

import itertools
from typing import Any

import numpy as np
import pandas as pd

from corrldp.experiments.command import Experiment, main
from corrldp.experiments.corr_rr.population import marginal_of
from corrldp.experiments.rows import row
from corrldp.mechanisms.grr import GRR
from corrldp.privacy import epsilon_of_channel
from corrldp.protocols.corr_rr.synthesis import copy_channels, record_channel
from corrldp.protocols.privacy import attribute_epsilon
from corrldp.protocols.rs_fd import RSFD
from corrldp.protocols.rs_rfd import RSRFD
from corrldp.protocols.smp import SMP
from corrldp.protocols.spl import SPL

Axes = dict[str, Any]


def run(experiment: Experiment) -> pd.DataFrame:
    """Return `epsilon_exact` at two levels: records that differ in everything, and in the first attribute alone.

    The row of SPL is also Phase I of Corr-RR and Cond-RR, whose rows are those of Phase II. Settings with more than
    `largest_domain` possible records are left out.
    """
    setting = experiment.setting
    grid = [
        {"d": d, "k": k, "epsilon": epsilon, "p_y": p_y}
        for d, k, epsilon, p_y in itertools.product(*(setting[name] for name in ("d", "k", "epsilon", "p_y")))
        if k**d <= setting["largest_domain"]
    ]
    rows = []
    for reading in experiment.all_readings():
        for point in grid:
            for mechanism, channel in channels(**point, **reading[1]).items():
                sizes = (point["k"],) * point["d"]
                levels = {"record": epsilon_of_channel(channel), "attribute": attribute_epsilon(channel, sizes, 0)}
                rows += [
                    row({"level": level, **point}, reading, mechanism, "epsilon_exact", value)
                    for level, value in levels.items()
                ]
    return pd.DataFrame(rows)


def channels(d: int, k: int, epsilon: float, p_y: float, amplify: bool = False) -> dict[str, np.ndarray]:
    """Return the channel (k^d, reports) of every mechanism; `p_y` concerns Corr-RR alone.

    The priors of RS+RFD fall linearly. The conditional laws of Cond-RR repeat a value with probability 1/2 and draw one
    from those priors otherwise.
    """
    sizes, grr, prior = (k,) * d, GRR(epsilon, k), marginal_of("pi", k)
    copy = np.where(np.eye(d, dtype=bool), 1.0, p_y)
    conditional = np.tile((np.eye(k) + np.array(prior)) / 2, (d, d, 1, 1))
    conditional[range(d), range(d)] = np.eye(k)
    return {
        "SPL": SPL(epsilon, sizes).channel(),
        "SMP": SMP(epsilon, sizes).channel(),
        "RS+FD": RSFD(epsilon, sizes, amplify).channel(),
        "RS+RFD": RSRFD(epsilon, (prior,) * d, amplify).channel(),
        "Corr-RR": record_channel(grr, copy_channels(copy, k)),
        "Cond-RR": record_channel(grr, conditional),
    }


if __name__ == "__main__":
    main(run)
