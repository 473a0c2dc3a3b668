"""Distances between a true and an estimated joint law."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TypeVar

import numpy as np

from corrldp.mechanisms.pure import Floats

T = TypeVar("T")


def distances_of(errors: Floats) -> dict[str, float]:
    """Return the distances that an error (k_1, ..., k_w) amounts to.

    They are the supremum (the paper's AVD), the total variation (LoPub's AVD), and means over cells.
    """
    sizes = np.abs(errors)
    total = float(sizes.sum())
    return {
        "sup": float(sizes.max()),
        "total_variation": total / 2,
        "mean_absolute": total / sizes.size,
        "mean_squared": float(np.vdot(sizes, sizes)) / sizes.size,
    }


def distances(runs: Iterable[Iterable[tuple[T, Floats]]]) -> dict[tuple[T, str], Floats]:
    """Return every distance (runs,) of each estimate, whose error (k_1, ..., k_w) each run yields."""
    found: dict[tuple[T, str], list[float]] = {}
    for run in runs:
        for estimate, error in run:
            for name, distance in distances_of(error).items():
                found.setdefault((estimate, name), []).append(distance)
    return {key: np.array(values) for key, values in found.items()}
