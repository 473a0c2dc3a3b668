"""Numbers of users and of users holding 1 (Table 3 of the JRR paper)."""

from __future__ import annotations

import pandas as pd

from corrldp.experiments.command import Experiment, main
from corrldp.experiments.rows import STRICT, row


def run(experiment: Experiment) -> pd.DataFrame:
    """Return the counts of each data set: counted from a binary view, or as the paper prints them.

    `counted` maps a data set to its view; `printed` lists the sets of which only the counts are known.
    """
    rows = []
    for dataset, view_name in experiment.setting["counted"].items():
        view = experiment.views[view_name]
        users, ones = view.codes.shape[0], int((view.codes[:, 0] == 1).sum())
        rows += counts(dataset, users, ones, view.standin)
    for entry in experiment.setting["printed"]:
        rows += counts(entry["dataset"], entry["n"], entry["n1"], standin=False)
    return pd.DataFrame(rows)


def counts(dataset: str, users: int, ones: int, standin: bool) -> list[dict]:
    """Return the rows of one data set."""
    measures = {"users": users, "ones": ones, "ones_share": ones / users}
    return [
        row({"dataset": dataset}, STRICT, "data", metric, value, standin=standin) for metric, value in measures.items()
    ]


if __name__ == "__main__":
    main(run)
