"""CPL between named attributes under several mechanisms (Figure 4 (a) and the numbers of Section III-C3)."""

from __future__ import annotations

from itertools import product

import pandas as pd

from corrldp.experiments.command import Experiment, main
from corrldp.experiments.cpl.data import datasets
from corrldp.experiments.cpl.mechanisms import build, inferred_channel
from corrldp.experiments.rows import row
from corrldp.leakage.cpl import conditional, leakage_bound, leakage_of_channel
from corrldp.leakage.empirical import estimated_leakage, sampled_tables
from corrldp.leakage.reports import leakage_of_reports
from corrldp.metrics import mean_and_se


def run(experiment: Experiment) -> pd.DataFrame:
    """Return the CPL of every pair and mechanism.

    `cpl` is the exact one of the inferred values, `cpl_estimated` the paper's statistical estimate of it (one run is
    one pass over the expanded data), `cpl_reports` the one of the reports themselves; Algorithm 2 gives its bound. The
    `rank` of a pair is its place in the order that a claim states.
    """
    setting, rows = experiment.setting, []
    for reading in experiment.all_readings():
        rappor = reading[1].get("rappor", "constants")
        found = {data.name: data for data in datasets(experiment, reading[1])}
        pairs = [pair for pair in setting["pairs"] if pair["dataset"] in found]
        for pair, epsilon in product(pairs, setting["epsilon"]):
            data = found[pair["dataset"]]
            counts = data.table(pair["about"], pair["by"])
            law, k = conditional(counts), counts.shape[-1]
            point = {**pair, "epsilon": epsilon}
            for name in setting["mechanisms"]:
                channel = inferred_channel(name, epsilon, k, rappor)
                exact = {
                    "cpl": leakage_of_channel(law, channel),
                    "cpl_reports": leakage_of_reports(build(name, epsilon, k, rappor), law),
                }
                rows += [
                    row(point, reading, name, metric, value, standin=data.standin) for metric, value in exact.items()
                ]
                rng = experiment.rng(**point, mechanism=name)
                tables = sampled_tables(counts, channel, setting["expansion"], experiment.runs, rng)
                mean, se = mean_and_se(estimated_leakage(tables, "skip"))
                rows.append(
                    row(point, reading, name, "cpl_estimated", mean, se=se, runs=experiment.runs, standin=data.standin)
                )
            limit = leakage_bound(law, epsilon)
            rows.append(row(point, reading, "Algorithm 2", "cpl", limit, standin=data.standin))
    return pd.DataFrame(rows)


if __name__ == "__main__":
    main(run)
