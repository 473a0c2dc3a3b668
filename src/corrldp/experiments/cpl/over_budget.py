"""Leakage of one attribute along the budget, through single neighbours and through all of them (Figure 4 (b))."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np
import pandas as pd

from corrldp.experiments.command import Experiment, main
from corrldp.experiments.cpl.data import Data, datasets
from corrldp.experiments.rows import row
from corrldp.leakage.cpl import conditional, leakage_limit, leakage_of_channel
from corrldp.leakage.empirical import estimated_leakage, sampled_tables
from corrldp.leakage.total import composition_bound, joint_leakage, total_leakage
from corrldp.mechanisms.grr import GRR
from corrldp.metrics import mean_and_se


def run(experiment: Experiment) -> pd.DataFrame:
    """Return the leakage under GRR at every budget, and its limit for a vanishing perturbation.

    `by` is a neighbour, of `rank` 1, 2, ... in the order of the setting, "joint" for the supremum over the joint law of
    all reports (Eq. 5) or "sum" for the bound of Eq. 6; the last two also stand side by side as metrics. The axis
    `own_report` says whether the attribute's own report takes part in them.
    """
    setting, rows = experiment.setting, []
    for reading in experiment.all_readings():
        for data in datasets(experiment, reading[1]):
            for epsilon in setting["epsilon"]:
                point = {"dataset": data.name, "about": setting["about"], "epsilon": epsilon}
                rank = {by: place for place, by in enumerate(setting["by"], start=1)}
                for by, value in _exact(data, setting, epsilon, own=reading[1]["own_report"]):
                    place = {**point, "by": by, "rank": rank.get(by, 0)}
                    rows.append(row(place, reading, "GRR", "leakage", value, standin=data.standin))
                    if by not in rank:
                        both = {**point, "by": "all", "rank": 0}
                        rows.append(row(both, reading, "GRR", by, value, standin=data.standin))
                if epsilon == 0:
                    continue
                for by in setting["by"]:
                    place = {**point, "by": by, "rank": rank[by]}
                    counts = data.table(setting["about"], by)
                    channel = GRR(epsilon, counts.shape[-1]).channel()
                    rng = experiment.rng(by=by, epsilon=epsilon)
                    tables = sampled_tables(counts, channel, setting["expansion"], experiment.runs, rng)
                    mean, se = mean_and_se(estimated_leakage(tables, "skip"))
                    estimate = {"se": se, "runs": experiment.runs, "standin": data.standin}
                    rows.append(row(place, reading, "GRR", "leakage_estimated", mean, **estimate))
                    limit = leakage_limit(conditional(counts))
                    rows.append(row(place, reading, "GRR", "leakage_limit", limit, standin=data.standin))
    return pd.DataFrame(rows)


def _exact(data: Data, setting: dict[str, Any], epsilon: float, own: str) -> Iterator[tuple[str, float]]:
    """Yield `by` and the exact leakage at one budget; without perturbation budget nothing leaks."""
    about, neighbours = setting["about"], setting["by"]
    if epsilon == 0:
        yield from ((by, 0.0) for by in (*neighbours, "joint", "sum"))
        return
    channels = [GRR(epsilon, data.sizes[data.place(by)]).channel() for by in neighbours]
    single = [
        float(leakage_of_channel(conditional(data.table(about, by)), channel))
        for by, channel in zip(neighbours, channels, strict=True)
    ]
    yield from zip(neighbours, single, strict=True)
    counts = data.joint(about, neighbours)
    law = counts / counts.reshape(len(counts), -1).sum(axis=1).reshape(-1, *[1] * len(neighbours))
    if own == "included":
        yield "joint", total_leakage(law, GRR(epsilon, len(law)).channel(), channels)
        yield "sum", composition_bound(epsilon, np.array(single))
    else:
        yield "joint", joint_leakage(law, channels)
        yield "sum", composition_bound(0, np.array(single))


if __name__ == "__main__":
    main(run)
