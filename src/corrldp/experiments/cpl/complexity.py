"""Operations of Algorithm 2 as printed, against its stated order m^2 t log t."""

from __future__ import annotations

from functools import cmp_to_key
from itertools import permutations, product

import numpy as np
import pandas as pd

from corrldp.experiments.command import Experiment, main
from corrldp.experiments.rows import STRICT, row


def run(experiment: Experiment) -> pd.DataFrame:
    """Return the operations on random laws, counted and not timed: divisions, comparisons, steps of the loop."""
    rows = []
    for m, t in product(experiment.setting["m"], experiment.setting["t"]):
        laws = experiment.rng(m=m, t=t).dirichlet(np.ones(t), size=m)
        count = sum(2 * t + _comparisons(laws[x] / laws[y]) for x, y in permutations(range(m), 2))
        order = m**2 * t * np.log2(t)
        for metric, value in (("operations", count), ("operations_over_order", count / order)):
            rows.append(row({"m": m, "t": t}, STRICT, "Algorithm 2", metric, value))
    return pd.DataFrame(rows)


def _comparisons(ratios: np.ndarray) -> int:
    """Return the number of comparisons that sorting takes."""
    count = 0

    def compare(a: float, b: float) -> float:
        nonlocal count
        count += 1
        return b - a

    sorted(ratios.tolist(), key=cmp_to_key(compare))
    return count


if __name__ == "__main__":
    main(run)
