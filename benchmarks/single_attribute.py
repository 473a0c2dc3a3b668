"""Processor time of single-attribute mechanisms: our user level and count level, multi-freq-ldpy and pure-ldp.

Run by hand: `OMP_NUM_THREADS=1 PYTHONPATH=src python benchmarks/single_attribute.py`, in the development environment.
It prints the table of docs/benchmarks.md.
"""

from __future__ import annotations

import time
from collections.abc import Callable

import numpy as np
from multi_freq_ldpy.pure_frequency_oracles.GRR import GRR_Aggregator_MI, GRR_Client
from multi_freq_ldpy.pure_frequency_oracles.LH import LH_Aggregator_MI, LH_Client
from multi_freq_ldpy.pure_frequency_oracles.UE import UE_Aggregator_MI, UE_Client
from pure_ldp_peer import pure
from tabulate import tabulate

from corrldp.mechanisms.grr import GRR
from corrldp.mechanisms.hashing import LocalHashing
from corrldp.mechanisms.unary import UnaryEncoding

N, EPSILON, SIZES = 100_000, 1.0, (10, 100)
MECHANISMS = {"GRR": GRR, "OUE": UnaryEncoding.optimized, "OLH": LocalHashing.optimal}

Estimate = Callable[[], np.ndarray]


def multi_freq(name: str, k: int, values: list[int]) -> np.ndarray:
    """Return multi-freq-ldpy's clipped and normalised frequencies (k,) from one run."""
    if name == "GRR":
        return GRR_Aggregator_MI([GRR_Client(value, k, EPSILON) for value in values], k, EPSILON)
    if name == "OUE":
        return UE_Aggregator_MI([UE_Client(value, k, EPSILON) for value in values], EPSILON)
    return LH_Aggregator_MI([LH_Client(value, k, EPSILON) for value in values], k, EPSILON)


def milliseconds(estimate: Estimate, repetitions: int) -> float:
    """Return the shortest processor time over some repetitions, after a warm-up."""
    estimate()
    times = []
    for _ in range(repetitions):
        start = time.process_time()
        estimate()
        times.append(time.process_time() - start)
    return 1e3 * min(times)


def compare(name: str, k: int, rng: np.random.Generator) -> dict[str, object]:
    """Return a row: milliseconds for one run, which perturbs all values and estimates all frequencies."""
    mechanism = MECHANISMS[name](EPSILON, k)
    values = rng.integers(k, size=N)
    counts, codes = np.bincount(values, minlength=k), values.tolist()
    ours = milliseconds(lambda: mechanism.estimate(mechanism.privatize(values, rng)), 20)
    counted = milliseconds(lambda: mechanism.simulate(counts, 100, rng), 5) / 100
    first = milliseconds(lambda: multi_freq(name, k, codes), 2)
    second = milliseconds(lambda: pure(name, EPSILON, k, codes), 2)
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
    rng = np.random.default_rng(1)
    rows = [compare(name, k, rng) for k in SIZES for name in MECHANISMS]
    print(tabulate(rows, headers="keys", tablefmt="github", floatfmt=".3g"))


if __name__ == "__main__":
    main()
