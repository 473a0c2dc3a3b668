"""Brute force over all sets of values, to check the greedy algorithms of the CPL paper."""

from __future__ import annotations

import itertools

import numpy as np


def ratios_of_subsets(g: np.ndarray, h: np.ndarray, largest: int | None = None) -> np.ndarray:
    """Ratio g(S) / h(S) of every nonempty set of at most `largest` values; 0 / 0 is left out."""
    sums = np.array(
        [
            (g[list(s)].sum(), h[list(s)].sum())
            for size in range(1, (largest or len(g)) + 1)
            for s in itertools.combinations(range(len(g)), size)
        ]
    )
    sums = sums[sums.sum(axis=1) > 0]
    with np.errstate(divide="ignore"):
        return sums[:, 0] / sums[:, 1]


def best_ratio(g: np.ndarray, h: np.ndarray, epsilon: float) -> float:
    """Largest ratio of Eq. 18 over all sets S."""
    growth = np.expm1(epsilon)
    members = np.array(list(itertools.product((0.0, 1.0), repeat=len(g))))
    return float(((1 + members @ g * growth) / (1 + members @ h * growth)).max())
