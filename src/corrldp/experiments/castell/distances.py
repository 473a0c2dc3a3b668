"""Distances between a true and an estimated joint law."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import TypeVar

import numpy as np

from corrldp.mechanisms.pure import Floats

T = TypeVar("T")

DISTANCES: dict[str, Callable[[Floats], float]] = {
    "sup": lambda errors: float(np.abs(errors).max()),
    "total_variation": lambda errors: float(np.abs(errors).sum() / 2),
    "mean_absolute": lambda errors: float(np.abs(errors).mean()),
    "mean_squared": lambda errors: float((errors**2).mean()),
}
"""Distances of an error: the supremum (the paper's AVD), the total variation (LoPub's AVD), and means over cells."""


def distances(runs: Iterable[Iterable[tuple[T, Floats]]]) -> dict[tuple[T, str], Floats]:
    """Return every distance (runs,) of each estimate, whose error (k_1, ..., k_w) each run yields."""
    found: dict[tuple[T, str], list[float]] = {}
    for run in runs:
        for estimate, error in run:
            for name, distance in DISTANCES.items():
                found.setdefault((estimate, name), []).append(distance(error))
    return {key: np.array(values) for key, values in found.items()}
