"""JRR inside other mechanisms, at equal privacy against the same colluders (Section 4.6 of the JRR paper).

The paper proposes these combinations without an experiment.
"""

from __future__ import annotations

import itertools
from collections.abc import Iterator
from functools import partial

import numpy as np
import pandas as pd

from corrldp.experiments.command import Experiment, main
from corrldp.experiments.rows import STRICT, row
from corrldp.mechanisms.grr import GRR
from corrldp.mechanisms.hashing import LocalHashing
from corrldp.mechanisms.pure import PureMechanism
from corrldp.mechanisms.unary import UnaryEncoding
from corrldp.metrics import mean_and_se, mse_counts
from corrldp.protocols.jrr.hashing import JRRLocalHashing
from corrldp.protocols.jrr.nary import KJRR
from corrldp.protocols.jrr.parameters import algorithm1
from corrldp.protocols.jrr.unary import JRRUnary, largest_scale


def run(experiment: Experiment) -> pd.DataFrame:
    """Return the mean squared error of counts with and without JRR, simulated and in closed form."""
    setting = experiment.setting
    rows = []
    for shape, k, epsilon, n in itertools.product(setting["dataset"], setting["k"], setting["epsilon"], setting["n"]):
        point = {"dataset": shape, "n": n, "k": k, "epsilon": epsilon, "colluders": setting["colluders"]}
        counts = population(shape, n, k)
        for name, mechanism in mechanisms(counts, epsilon, n, setting["colluders"]):
            support = mechanism.simulate(counts, experiment.runs, experiment.rng(mechanism=name, point=point))
            mean, se = mean_and_se(mse_counts(mechanism.estimate_counts(support, n), counts))
            theory = expected_error(mechanism, counts)
            rows.append(row(point, STRICT, name, "mse_counts", mean, se=se, runs=experiment.runs, theory=theory))
    return pd.DataFrame(rows)


def population(shape: str, n: int, k: int) -> np.ndarray:
    """Return the counts (k,) of `n` users: `uniform`, `zipf` (count of value v as 1/(v + 1)) or `single` (one value).

    Raises
    ------
    ValueError
        The shape is unknown.
    """
    weights = {"uniform": np.ones(k), "zipf": 1 / np.arange(1, k + 1), "single": np.eye(k)[0]}
    if shape not in weights:
        raise ValueError(f"dataset={shape!r} is none of {', '.join(weights)}")
    edges = np.rint(n * np.cumsum(weights[shape]) / weights[shape].sum()).astype(int)
    return np.diff(edges, prepend=0)


def mechanisms(counts: np.ndarray, epsilon: float, n: int, m: int) -> Iterator[tuple[str, PureMechanism]]:
    """Yield each mechanism and its JRR version, whose epsilon holds against `m` colluders among `n` users."""
    k = len(counts)
    yield "GRR", GRR(epsilon, k)
    found = algorithm1(n, epsilon, m, k=k)
    yield "k-JRR", KJRR(found.p, found.rho, k)
    hashing = LocalHashing.optimal(epsilon, k)
    yield "OLH", hashing
    found = algorithm1(n, epsilon, m, k=hashing.g)
    yield "JRR-OLH", JRRLocalHashing(found.p, found.rho, k, hashing.g)
    for name, encoding in (("SUE", UnaryEncoding.symmetric), ("OUE", UnaryEncoding.optimized)):
        yield name, encoding(epsilon, k)
        candidates = (
            largest_scale(encoding(share * epsilon, k), epsilon, n, m) for share in (0.9, 0.99, 0.999, 0.9999)
        )
        best = min(candidates, key=partial(expected_error, counts=counts))
        yield f"JRR-{name}", best


def expected_error(mechanism: PureMechanism | JRRUnary, counts: np.ndarray) -> float:
    """Return the mean over values of the variance of the estimated counts (the estimates are unbiased)."""
    return float(np.mean(mechanism.variance_of_counts(counts, int(counts.sum()))))


if __name__ == "__main__":
    main(run)
