"""Time of the three inversions (Figure 8), and the work and storage they need (Table II)."""

from __future__ import annotations

import math
import time
from collections.abc import Callable
from typing import Any

import numpy as np
import pandas as pd

from corrldp.experiments.command import Experiment, main
from corrldp.experiments.rows import STRICT, row
from corrldp.mechanisms.grr import GRR
from corrldp.mechanisms.pure import Floats
from corrldp.metrics import mean_and_se
from corrldp.protocols.castell.inversion import castell, naive, reduced
from corrldp.protocols.castell.tables import LARGEST_BYTES

METHODS = {"naive": naive, "reduced": reduced, "castell": castell}
STRASSEN = math.log2(7)  # exponent of matrix inversion that the paper assumes
BYTES = 8


def run(experiment: Experiment) -> pd.DataFrame:
    """Return seconds (measured: they differ between machines and repetitions), and exact numbers for each method.

    `operations` is the order of Table II with the table itself counted in, `printed_operations` as printed, `storage`
    in doubles; `largest_w` is the largest number of attributes whose storage fits into 8 GiB.
    """
    setting, rng = experiment.setting, experiment.rng()
    k, odds = setting["k"], setting["p"] * (setting["k"] - 1) / (1 - setting["p"])
    rows: list[dict[str, Any]] = []
    for method, invert in METHODS.items():
        for w in setting["ways"]:
            point = {"k": k, "w": w}
            for metric, value in work(method, k, w).items():
                rows.append(row(point, STRICT, method, metric, value))
            if w <= setting["largest_w"][method]:
                mechanisms = [GRR(math.log(odds), k)] * w
                taken = seconds(invert, rng.random((k,) * w), mechanisms, experiment.runs)
                mean, se = mean_and_se(taken)
                rows.append(row(point, STRICT, method, "seconds", mean, se=se, runs=len(taken)))
        rows.append(row({"k": k, "w": 0}, STRICT, method, "largest_w", largest_w(method, k)))
    return pd.DataFrame(rows)


def work(method: str, k: int, w: int) -> dict[str, float]:
    """Return storage in doubles and the order of the operations, ours and as Table II prints it."""
    cells = float(k) ** w
    matrix = method != "castell"
    inverting = cells**STRASSEN if method == "naive" else w * k**STRASSEN
    touching = cells**2 if matrix else w * cells
    return {
        "storage": cells**2 if matrix else cells,
        "operations": inverting + touching,
        "printed_operations": inverting,
    }


def seconds(
    invert: Callable[[Floats, list[GRR]], Floats], table: Floats, mechanisms: list[GRR], repetitions: int
) -> Floats:
    """Return the processor time of each repetition (repetitions,), after one that does not count."""
    invert(table, mechanisms)
    taken = []
    for _ in range(repetitions):
        start = time.process_time()
        invert(table, mechanisms)
        taken.append(time.process_time() - start)
    return np.array(taken)


def largest_w(method: str, k: int) -> int:
    """Return the largest number of attributes with k values each whose storage fits into memory."""
    doubles = LARGEST_BYTES // BYTES
    w = 0
    while k ** ((w + 1) * (1 if method == "castell" else 2)) <= doubles:
        w += 1
    return w


if __name__ == "__main__":
    main(run)
