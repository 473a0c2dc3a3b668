"""Processor time of single-attribute mechanisms: our user level and count level, multi-freq-ldpy and pure-ldp.

Run by hand: `OMP_NUM_THREADS=1 PYTHONPATH=src python benchmarks/single_attribute.py`, in the development environment.
It prints the table of docs/benchmarks.md. With `--rows FILE` it also writes the time of every run, for papers/corrldp.
"""

from __future__ import annotations

import argparse
import time
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pandas as pd
from multi_freq_ldpy.pure_frequency_oracles.GRR import GRR_Aggregator_MI, GRR_Client
from multi_freq_ldpy.pure_frequency_oracles.LH import LH_Aggregator_MI, LH_Client
from multi_freq_ldpy.pure_frequency_oracles.UE import UE_Aggregator_MI, UE_Client
from pure_ldp_peer import pure
from tabulate import tabulate

from corrldp.mechanisms.grr import GRR
from corrldp.mechanisms.hashing import LocalHashing
from corrldp.mechanisms.unary import UnaryEncoding

N, EPSILON, SIZES = 100_000, 1.0, (10, 100)
ROUNDS, TURNS, COUNT_RUNS = 4, {"corrldp": 5}, 100
"""How often each library has its turn, with how many runs, of how many data sets at the count level."""
MECHANISMS = {"GRR": GRR, "OUE": UnaryEncoding.optimized, "OLH": LocalHashing.optimal}

Run = Callable[[], object]


def multi_freq(name: str, k: int, values: list[int]) -> np.ndarray:
    """Return multi-freq-ldpy's clipped and normalised frequencies (k,) from one run."""
    if name == "GRR":
        return GRR_Aggregator_MI([GRR_Client(value, k, EPSILON) for value in values], k, EPSILON)
    if name == "OUE":
        return UE_Aggregator_MI([UE_Client(value, k, EPSILON) for value in values], EPSILON)
    return LH_Aggregator_MI([LH_Client(value, k, EPSILON) for value in values], k, EPSILON)


def milliseconds(run: Run) -> float:
    """Return the processor time of a run."""
    start = time.process_time()
    run()
    return 1e3 * (time.process_time() - start)


def compare(name: str, k: int, rng: np.random.Generator) -> dict[str, list[float]]:
    """Return the milliseconds of each run, which perturbs all values and estimates all frequencies, by library.

    The libraries take turns, so that what else the machine does slows all of them; the first round is a warm-up.
    """
    mechanism = MECHANISMS[name](EPSILON, k)
    values = rng.integers(k, size=N)
    counts, codes = np.bincount(values, minlength=k), values.tolist()
    runs: dict[str, Run] = {
        "corrldp": lambda: mechanism.estimate(mechanism.privatize(values, rng)),
        "counts": lambda: mechanism.simulate(counts, COUNT_RUNS, rng),
        "multi-freq-ldpy": lambda: multi_freq(name, k, codes),
        "pure-ldp": lambda: pure(name, EPSILON, k, codes),
    }
    rounds = [
        {library: [milliseconds(run) for _ in range(TURNS.get(library, 1))] for library, run in runs.items()}
        for _ in range(ROUNDS + 1)
    ]
    times = {library: [each for found in rounds[1:] for each in found[library]] for library in runs}
    return {**times, "counts": [each / COUNT_RUNS for each in times["counts"]]}


def row_of(name: str, k: int, times: dict[str, list[float]]) -> dict[str, object]:
    """Return a row of the table: the shortest times, and their ratios."""
    ours, counted, first, second = (min(runs) for runs in times.values())
    return {
        "mechanism": name,
        "k": k,
        "user level (ms)": ours,
        "multi-freq-ldpy (ms)": first,
        "ratio": first / ours,
        "pure-ldp (ms)": second,
        "its ratio": second / ours,
        "count level (ms)": counted,
    }


def main() -> None:
    """Print the table."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--rows", type=Path, help="CSV file with the time of every run")
    options = parser.parse_args()
    rng = np.random.default_rng(1)
    found = {(name, k): compare(name, k, rng) for k in SIZES for name in MECHANISMS}
    rows = [row_of(*place, times) for place, times in found.items()]
    print(tabulate(rows, headers="keys", tablefmt="github", floatfmt=".3g"))
    if options.rows:
        runs = [
            {"library": library, "oracle": name, "k": k, "run": run, "ms": f"{each:.4g}"}
            for (name, k), times in found.items()
            for library, each_run in times.items()
            for run, each in enumerate(each_run, 1)
        ]
        pd.DataFrame(runs).to_csv(options.rows, index=False)


if __name__ == "__main__":
    main()
