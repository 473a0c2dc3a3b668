"""Numbers of the data sets that the paper states (Sections III-A and V-C)."""

from __future__ import annotations

import pandas as pd

from corrldp.experiments.command import Experiment, main
from corrldp.experiments.cpl.data import datasets
from corrldp.experiments.rows import STRICT, row


def run(experiment: Experiment) -> pd.DataFrame:
    """Return records, attributes and the largest domain; `shared` of the attributes that every view has."""
    found = list(datasets(experiment, {}))
    rows = []
    for data in found:
        measured = {
            "records": len(data.codes),
            "attributes": len(data.sizes),
            "binary_attributes": sum(size == 2 for size in data.sizes),
            "largest_domain": max(data.sizes),
        }
        for attribute in experiment.setting["holders_of_1"].get(data.name, []):
            measured[f"holders_of_{attribute}"] = int((data.codes[:, data.place(attribute)] == 1).sum())
        rows += [
            row({"dataset": data.name}, STRICT, "data", metric, value, standin=data.standin)
            for metric, value in measured.items()
        ]
    first, second = ({*data.attributes} for data in found if data.name in ("CelebA", "LFW"))
    standin = any(data.standin for data in found if data.name in ("CelebA", "LFW"))
    rows.append(row({"dataset": "CelebA and LFW"}, STRICT, "data", "attributes", len(first & second), standin=standin))
    return pd.DataFrame(rows)


if __name__ == "__main__":
    main(run)
