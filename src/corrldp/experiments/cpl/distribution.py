"""How CPL is distributed over the pairs of attributes, and over pairs of equal dependence (Figures 4 (d) and 5)."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np
import pandas as pd
from scipy.stats import spearmanr

from corrldp.dependence import nmi, pcc
from corrldp.experiments.command import Experiment, main
from corrldp.experiments.cpl.data import Data, datasets
from corrldp.experiments.cpl.mechanisms import inferred_leakage
from corrldp.experiments.rows import row
from corrldp.leakage.benchmark import off_diagonal
from corrldp.leakage.tables import leakage_matrix

ALL = "all"


def run(experiment: Experiment) -> pd.DataFrame:
    """Return statistics of the CPL under GRR over the ordered pairs of each data set and of all of them together.

    `along` says what the pairs are grouped by: "cpl" itself, of which each bin has its share of the pairs, "nmi" or
    "pcc" (absolute), of which each bin has the mean, the standard deviation and the extremes of the CPL. A bin is
    named by its `centre`; rows without one speak of all pairs.
    """
    rows = []
    for reading in experiment.all_readings():
        found = {
            data.name: (data, _pairs(data, experiment.setting["epsilon"], reading[1]))
            for data in _every(experiment, reading[1])
        }
        groups = {name: pairs for name, (_, pairs) in found.items()}
        groups[ALL] = {key: np.concatenate([pairs[key] for pairs in groups.values()]) for key in ("cpl", "nmi", "pcc")}
        for name, pairs in groups.items():
            standin = any(data.standin for data, _ in found.values()) if name == ALL else found[name][0].standin
            for along, centre, metric, value in _statistics(pairs, experiment.setting):
                point = {"dataset": name, "along": along, "centre": centre}
                rows.append(row(point, reading, "GRR", metric, value, standin=standin))
    return pd.DataFrame(rows)


def _every(experiment: Experiment, axes: dict[str, Any]) -> list[Data]:
    """Return all data sets under a reading, those that it does not change as under the strict one."""
    changed = {data.name: data for data in datasets(experiment, axes)}
    kept = {data.name: data for data in datasets(experiment, {**axes, "binning": experiment.strict["binning"]})}
    return list({**kept, **changed}.values())


def _pairs(data: Data, epsilon: float, axes: dict[str, Any]) -> dict[str, np.ndarray]:
    """Return leakage and dependence of every ordered pair."""
    return {
        "cpl": off_diagonal(inferred_leakage(data, "GRR", epsilon)),
        "nmi": off_diagonal(leakage_matrix(data.tables, lambda joint: nmi(joint, axes["normalisation"]))),
        "pcc": np.abs(off_diagonal(leakage_matrix(data.tables, pcc))),
    }


def _statistics(pairs: dict[str, np.ndarray], setting: dict[str, Any]) -> Iterator[tuple[str, float, str, float]]:
    """Yield what the pairs are grouped by, the bin's centre, a metric and its value."""
    cpl = pairs["cpl"]
    yield "cpl", np.nan, "pairs", len(cpl)
    for limit in setting["limits"]:
        yield "cpl", np.nan, f"share_below_{limit:g}", np.mean(cpl < limit * setting["epsilon"])
    for percent in (50, 90, 100):
        yield "cpl", np.nan, f"percentile_{percent}", np.percentile(cpl, percent)
    edges = np.linspace(0, setting["epsilon"], setting["bins"] + 1)
    for centre, count in zip((edges[1:] + edges[:-1]) / 2, np.histogram(cpl, edges)[0], strict=True):
        yield "cpl", round(centre, 9), "share", count / len(cpl)
    edges = np.linspace(0, 1, setting["bins"] + 1)
    for measure in ("nmi", "pcc"):
        yield measure, np.nan, "rank_correlation", spearmanr(pairs[measure], cpl).statistic
        places = np.minimum(np.digitize(pairs[measure], edges) - 1, setting["bins"] - 1)
        for place in np.unique(places):
            inside = cpl[places == place]
            centre = round((edges[place] + edges[place + 1]) / 2, 9)
            yield measure, centre, "pairs", len(inside)
            yield measure, centre, "cpl_mean", inside.mean()
            yield measure, centre, "cpl_std", inside.std()
            yield measure, centre, "cpl_min", inside.min()
            yield measure, centre, "cpl_max", inside.max()
            yield measure, centre, "cpl_range", np.ptp(inside)


if __name__ == "__main__":
    main(run)
