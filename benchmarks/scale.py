"""How time and memory grow with users, attributes, values and cells: this package, multi-freq-ldpy and pure-ldp.

Run by hand: `OMP_NUM_THREADS=1 PYTHONPATH=src python benchmarks/scale.py scale.svg`, in the development environment. It
prints the table of docs/benchmarks.md and draws it. Every point is a process of its own, so that its peak memory is
known. A program gives up after the first size that takes longer than `LIMIT`, or where `MEMORY` does not suffice.
"""

from __future__ import annotations

import json
import resource
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from dataclasses import asdict, dataclass
from pathlib import Path

import matplotlib.pyplot as plt
import numpy as np
from tabulate import tabulate

from corrldp.mechanisms.grr import GRR
from corrldp.mechanisms.hashing import LocalHashing
from corrldp.mechanisms.pure import FrequencyOracle
from corrldp.mechanisms.unary import UnaryEncoding
from corrldp.protocols.castell import apply_axes, inverse_pair
from corrldp.protocols.rs_fd import RSFD

EPSILON = 1.0
LIMIT, MEMORY = 8.0, 10 * 2**30
"""Seconds after which a program is asked for no larger size, and the address space of a process in bytes."""

CHUNK = 2**20
"""Users times values of their domain that are perturbed and counted at once."""

SIZES = {
    "users": [10**power for power in range(3, 9)],
    "attributes": [2, 5, 10, 20, 50, 100],
    "values": [10**power for power in range(1, 6)],
    "cells": [2**power for power in (20, 22, 24, 26, 28, 30)],
}
AXES = {
    "users": "users n (one attribute, k = 16)",
    "attributes": "attributes d (RS+FD, n = 100,000, k = 4)",
    "values": "values k (one attribute, n = 10,000)",
    "cells": "cells of a table of binary attributes",
}


@dataclass(frozen=True)
class Point:
    """What a program needed at one size: seconds of processor time and megabytes at most."""

    axis: str
    program: str
    size: int
    seconds: float
    megabytes: float


def streamed(oracle: FrequencyOracle, n: int) -> np.ndarray:
    """Estimate the frequencies (k,) of `n` users with uniform values, who exist one chunk at a time."""
    rng = np.random.default_rng(1)
    support, step = np.zeros(oracle.k, dtype=np.int64), max(1, CHUNK // oracle.k)
    for start in range(0, n, step):
        values = rng.integers(oracle.k, size=min(step, n - start))
        support += oracle.support(oracle.privatize(values, rng))
    return oracle.unbias(support, n)


def whole_records(d: int) -> np.ndarray:
    """Estimate the frequencies (d, 4) of 100,000 users by RS+FD."""
    rng, protocol = np.random.default_rng(1), RSFD(EPSILON, (4,) * d, amplify=True)
    return protocol.estimate(protocol.privatize(rng.integers(4, size=(100_000, d)), rng))


def table(cells: int) -> np.ndarray:
    """Turn a table of reports on binary attributes into estimated frequencies, in place."""
    counts = np.ones((2,) * (cells.bit_length() - 1))
    apply_axes(counts, [inverse_pair(GRR(EPSILON, 2))] * counts.ndim)
    return counts


def values_of(n: int, k: int) -> list[int]:
    """Return the values (n,) of users as the peers take them."""
    return np.random.default_rng(1).integers(k, size=n).tolist()


def multi_freq(name: str, n: int, k: int) -> np.ndarray:
    """Estimate the frequencies (k,) of `n` users with multi-freq-ldpy, which keeps all reports."""
    from multi_freq_ldpy.pure_frequency_oracles.GRR import GRR_Aggregator_MI, GRR_Client
    from multi_freq_ldpy.pure_frequency_oracles.LH import LH_Aggregator_MI, LH_Client
    from multi_freq_ldpy.pure_frequency_oracles.UE import UE_Aggregator_MI, UE_Client

    if name == "OUE":
        return UE_Aggregator_MI([UE_Client(value, k, EPSILON) for value in values_of(n, k)], EPSILON)
    client, aggregate = {"GRR": (GRR_Client, GRR_Aggregator_MI), "OLH": (LH_Client, LH_Aggregator_MI)}[name]
    return aggregate([client(value, k, EPSILON) for value in values_of(n, k)], k, EPSILON)


def multi_freq_records(d: int) -> np.ndarray:
    """Estimate the frequencies (d, 4) of 100,000 users by RS+FD with multi-freq-ldpy."""
    from multi_freq_ldpy.mdim_freq_est.RSpFD_solution import RSpFD_GRR_Aggregator_MI, RSpFD_GRR_Client

    records = np.random.default_rng(1).integers(4, size=(100_000, d))
    return RSpFD_GRR_Aggregator_MI(
        [RSpFD_GRR_Client(record, [4] * d, d, EPSILON) for record in records], [4] * d, d, EPSILON
    )


def pure(name: str, n: int, k: int) -> np.ndarray:
    """Estimate the frequencies (k,) of `n` users with pure-ldp, which counts one report at a time."""
    import pure_ldp_peer  # only here, as its memory would count for all programs

    return pure_ldp_peer.pure(name, EPSILON, k, values_of(n, k))


PROGRAMS: dict[str, dict[str, Callable[[int], np.ndarray]]] = {
    "users": {
        "corrldp, GRR": lambda n: streamed(GRR(EPSILON, 16), n),
        "corrldp, OLH": lambda n: streamed(LocalHashing.optimal(EPSILON, 16), n),
        "multi-freq-ldpy, GRR": lambda n: multi_freq("GRR", n, 16),
        "multi-freq-ldpy, OLH": lambda n: multi_freq("OLH", n, 16),
        "pure-ldp, GRR": lambda n: pure("GRR", n, 16),
        "pure-ldp, OLH": lambda n: pure("OLH", n, 16),
    },
    "attributes": {"corrldp": whole_records, "multi-freq-ldpy": multi_freq_records},
    "values": {
        "corrldp, OUE": lambda k: streamed(UnaryEncoding.optimized(EPSILON, k), 10_000),
        "corrldp, OLH": lambda k: streamed(LocalHashing.optimal(EPSILON, k), 10_000),
        "multi-freq-ldpy, OUE": lambda k: multi_freq("OUE", 10_000, k),
        "multi-freq-ldpy, OLH": lambda k: multi_freq("OLH", 10_000, k),
        "pure-ldp, OUE": lambda k: pure("OUE", 10_000, k),
        "pure-ldp, OLH": lambda k: pure("OLH", 10_000, k),
    },
    "cells": {"corrldp, Castell's inversion": table},
}


def measure(axis: str, program: str, size: int) -> Point:
    """Run a program in this process."""
    resource.setrlimit(resource.RLIMIT_AS, (MEMORY, MEMORY))
    run = PROGRAMS[axis][program]
    run(SIZES[axis][0])  # imports, and compiles what a peer compiles
    start = time.process_time()
    run(size)
    seconds = time.process_time() - start
    return Point(axis, program, size, seconds, resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024)


def points(axis: str, program: str) -> Iterator[Point]:
    """Yield the points of a program, each from a process of its own, until one fails or takes too long."""
    for size in SIZES[axis]:
        command = [sys.executable, __file__, axis, program, str(size)]
        done = subprocess.run(command, capture_output=True, text=True, check=False)
        if done.returncode:
            print(f"{program}, {size:,} {axis}: {done.stderr.strip().splitlines()[-1:]}", file=sys.stderr)
            return
        point = Point(**json.loads(done.stdout))
        yield point
        if point.seconds > LIMIT:
            return


def draw(found: list[Point], path: Path) -> None:
    """Draw time and memory against size, a column for each axis."""
    figure, panels = plt.subplots(2, len(AXES), figsize=(14, 6), sharex="col", layout="constrained")
    for column, axis in enumerate(AXES):
        for program in PROGRAMS[axis]:
            own = [point for point in found if (point.axis, point.program) == (axis, program)]
            style = "-" if program.startswith("corrldp") else "--"
            for panel, values in zip(panels[:, column], ("seconds", "megabytes"), strict=True):
                heights = [getattr(point, values) for point in own]
                panel.loglog([point.size for point in own], heights, style, marker="o", markersize=3, label=program)
        panels[0, column].legend(fontsize=7)
        panels[1, column].set_xlabel(AXES[axis])
    panels[0, 0].set_ylabel("processor time (s)")
    panels[1, 0].set_ylabel("peak memory (MB)")
    figure.savefig(path)


def main(arguments: list[str]) -> None:
    """Print and draw all points or, for a process of `points`, print one."""
    if len(arguments) == 3:
        axis, program, size = arguments
        print(json.dumps(asdict(measure(axis, program, int(size)))))
        return
    found = []
    for axis, programs in PROGRAMS.items():
        for program in programs:
            own = list(points(axis, program))
            found += own
            print(tabulate(map(asdict, own), headers="keys", tablefmt="github", floatfmt=".3g", intfmt=","), flush=True)
    draw(found, Path(*arguments))


if __name__ == "__main__":
    main(sys.argv[1:])
