"""The settings of an experiment on binary values: who takes part, at which epsilon, with how many colluders."""

from __future__ import annotations

from itertools import product
from typing import Any

DEFAULT_COLLUDERS = 5


def settings(setting: dict[str, Any], axes: dict[str, Any]) -> list[dict[str, Any]]:
    """Return one dictionary per point of an experiment under one reading.

    `populations` are given as they are; otherwise every n meets every `ones_fraction`, except where n times the
    fraction is not a whole number of users. A reading's axis overrides the setting of the same name. `imbalance` is
    |2 n1 - n| / n, which together with n decides the variance.
    """
    override = {key: [axes[key]] for key in ("n", "epsilon", "colluders") if key in axes}
    grid = {**setting, **override}
    points = []
    for population, epsilon in product(_populations(grid), grid["epsilon"]):
        for colluders in _colluders(grid, population["n"]):
            imbalance = abs(2 * population["n1"] - population["n"]) / population["n"]
            points.append({**population, "imbalance": imbalance, "epsilon": epsilon, **colluders})
    return points


def _populations(grid: dict[str, Any]) -> list[dict[str, Any]]:
    if "populations" in grid:
        return grid["populations"]
    return [
        {"dataset": "synthetic", "n": n, "n1": round(n * fraction), "ones_fraction": fraction}
        for n, fraction in product(grid["n"], grid["ones_fraction"])
        if abs(n * fraction - round(n * fraction)) < 1e-9
    ]


def _colluders(grid: dict[str, Any], n: int) -> list[dict[str, Any]]:
    if "colluders_fraction" in grid:
        return [
            {"colluders": round(fraction * (n - 1)), "colluders_fraction": fraction}
            for fraction in grid["colluders_fraction"]
        ]
    return [{"colluders": min(m, n - 1)} for m in grid.get("colluders", [DEFAULT_COLLUDERS])]
