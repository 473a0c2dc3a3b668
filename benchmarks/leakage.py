"""Processor time of the largest correlation-induced leakage: stacked and exact, and Algorithm 2 as printed.

Run by hand: `OMP_NUM_THREADS=1 PYTHONPATH=src python benchmarks/leakage.py`. It prints the table of docs/benchmarks.md.
"""

from __future__ import annotations

import time

import numpy as np
from tabulate import tabulate

from corrldp.leakage.cpl import leakage_bound
from corrldp.leakage.printed import algorithm_2

EPSILON = 1.0
# Pairs of attributes, values of the attacked attribute, values of its neighbour: CelebA's pairs, and large domains.
SHAPES = ((1560, 2, 2), (1, 50, 50), (1, 500, 500))
LARGEST_FOR_LOOPS = 50


def milliseconds(laws: np.ndarray, loops: bool) -> float:
    """Return the processor time for all pairs (P, m, t), by Algorithm 2's loops or stacked."""
    start = time.process_time()
    if loops:
        for law in laws:
            algorithm_2(law, EPSILON)
    else:
        leakage_bound(laws, EPSILON)
    return 1e3 * (time.process_time() - start)


def main() -> None:
    """Print the table for random distributions, including sparse ones."""
    rows = []
    for pairs, m, t in SHAPES:
        laws = np.random.default_rng(1).dirichlet(np.full(t, 0.2), size=(pairs, m))
        stacked = min(milliseconds(laws, loops=False) for _ in range(3))
        rows.append({"pairs": pairs, "m": m, "t": t, "stacked (ms)": stacked})
        if m <= LARGEST_FOR_LOOPS:
            rows[-1]["as printed (ms)"] = milliseconds(laws, loops=True)
    print(tabulate(rows, headers="keys", tablefmt="github", floatfmt=".3g", missingval="-"))


if __name__ == "__main__":
    main()
