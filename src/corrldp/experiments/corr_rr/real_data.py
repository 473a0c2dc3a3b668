"""The real data of a descriptive experiment: which view stands for a data set, and how its values are numbered."""

from __future__ import annotations

from typing import Any

import numpy as np

from corrldp.experiments.command import Experiment, View


def views_of(experiment: Experiment, axes: dict[str, Any]) -> dict[str, View]:
    """Return the view of each data set; the axis `attributes` may name others in `other_views`, see `datasets.run`."""
    setting = experiment.setting
    names = {**setting["views"], **setting.get("other_views", {}).get(axes.get("attributes"), {})}
    return {dataset: experiment.views[name] for dataset, name in names.items()}


def encode(view: View, encoding: str) -> np.ndarray:
    """Return the codes (n, d) of a view in the order of its recipe, or in alphabetical order of the values' names.

    Raises
    ------
    ValueError
        The encoding is unknown.
    """
    if encoding == "recipe":
        return view.codes
    if encoding != "alphabetical":
        raise ValueError(f"encoding={encoding!r} is none of recipe, alphabetical")
    ranks = [np.argsort(np.argsort(values)) for values in view.values]
    return np.column_stack([rank[view.codes[:, j]] for j, rank in enumerate(ranks)])
