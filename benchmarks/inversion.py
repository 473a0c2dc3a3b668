"""Processor time of castell's inversion compared with reading and writing its table, and its peak memory.

Run by hand: `PYTHONPATH=src OMP_NUM_THREADS=1 python benchmarks/inversion.py`. It prints the tables of
docs/benchmarks.md.
"""

from __future__ import annotations

import math
import resource
import time
from collections.abc import Callable

import numpy as np
from tabulate import tabulate

from corrldp.mechanisms.grr import GRR
from corrldp.protocols.castell import apply_axes, inverse_pair

EPSILON = 1.0
TABLES = {
    "Adult, 8 attributes": (9, 16, 7, 15, 6, 5, 2, 2),
    "German credit, 13": (4, 5, 10, 5, 5, 4, 3, 4, 3, 3, 4, 2, 2),
    "Nursery, 9": (3, 5, 4, 4, 3, 2, 3, 3, 5),
    "14 of 3 values": (3,) * 14,
    "22 of 2 values": (2,) * 22,
    "7 of 10 values": (10,) * 7,
    "6 of 16 values": (16,) * 6,
    "3 of 200 values": (200,) * 3,
}
LARGEST = (2,) * 28


def seconds(run: Callable[[], object], repetitions: int = 3) -> float:
    """Return the shortest processor time over some repetitions."""
    times = []
    for _ in range(repetitions):
        start = time.process_time()
        run()
        times.append(time.process_time() - start)
    return min(times)


def compare(rng: np.random.Generator) -> list[dict[str, object]]:
    """Return a row per table: milliseconds for the inversion in place, and for copying the table once per axis."""
    rows = []
    for name, sizes in TABLES.items():
        table, other = rng.random(sizes), np.empty(sizes)
        pairs = [inverse_pair(GRR(EPSILON, k)) for k in sizes]

        def copy(table: np.ndarray = table, other: np.ndarray = other) -> None:
            for _ in table.shape:
                np.copyto(other, table)

        copying = seconds(copy)
        np.copyto(other, table)
        inverting = seconds(lambda other=other, pairs=pairs: apply_axes(other, pairs))
        rows.append(
            {
                "table": name,
                "cells": f"{math.prod(sizes):,}",
                "castell (ms)": 1e3 * inverting,
                "read and write per axis (ms)": 1e3 * copying,
                "ratio": inverting / copying,
            }
        )
    return rows


def largest() -> list[dict[str, object]]:
    """Return the time and the peak memory of one large table, inverted in place."""
    table = np.ones(LARGEST)
    pairs = [inverse_pair(GRR(EPSILON, k)) for k in LARGEST]
    taken = seconds(lambda: apply_axes(table, pairs), repetitions=1)
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 2**20
    return [{"cells": f"{table.size:,}", "GiB": table.nbytes / 2**30, "seconds": taken, "peak GiB": peak}]


def main() -> None:
    """Print the tables."""
    rng = np.random.default_rng(1)
    for rows in (compare(rng), largest()):
        print(tabulate(rows, headers="keys", tablefmt="github", floatfmt=".3g"), end="\n\n", flush=True)


if __name__ == "__main__":
    main()
