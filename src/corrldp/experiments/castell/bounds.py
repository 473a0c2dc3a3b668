"""Lemmas and theorems of the Castell paper held to exact numbers: what they bound, and the bound."""

from __future__ import annotations

import itertools
import math
from collections.abc import Iterator
from typing import Any

import numpy as np
import pandas as pd

from corrldp.dependence import cramers_v
from corrldp.experiments.castell.population import DISTANCES, Population, populations
from corrldp.experiments.castell.synthetic import correlated_law
from corrldp.experiments.command import Experiment, main
from corrldp.experiments.rows import STRICT, row
from corrldp.mechanisms.grr import GRR
from corrldp.protocols.castell.bounds import independent_bound, joint_bound
from corrldp.protocols.castell.independent import IndependentRR, squared_error
from corrldp.protocols.castell.tables import marginal, product

NOTHING = {"fact": "", "data": "none", "attributes": "any", "d": 0, "w": 0, "epsilon": math.nan, "n": 0, "v": math.nan}
Fact = tuple[dict[str, Any], float, float, bool]


def run(experiment: Experiment) -> pd.DataFrame:
    """Return `value` and `bound` of every instance; all rows are exact."""
    setting = experiment.setting
    people = list(populations(experiment))
    facts = itertools.chain(
        theorem_1(setting["channel_sizes"], setting["epsilon"]),
        *(of_pairs(name, population) for name, _, population in people),
        theorem_4(setting["d"], setting["v"]),
        theorem_5(setting["uniform_sizes"]),
        lemma_2(setting["d"], setting["epsilon"]),
        rounding(setting["d"], setting["ways"], setting["epsilon"], setting["n"]),
    )
    rows = []
    for point, value, bound, standin in facts:
        for metric, number in (("value", value), ("bound", bound)):
            rows.append(row({**NOTHING, **point}, STRICT, "paper", metric, number, standin=standin))
    return pd.DataFrame(rows)


def theorem_1(all_sizes: list[list[int]], epsilons: list[float]) -> Iterator[Fact]:
    """Yield the smallest singular value of the aggregated channel, which must exceed 0, and its rows' error."""
    for sizes, epsilon in itertools.product(map(tuple, all_sizes), epsilons):
        channel = IndependentRR(epsilon, sizes).channel()
        point = {"w": len(sizes), "attributes": " x ".join(map(str, sizes)), "epsilon": epsilon}
        yield {**point, "fact": "theorem_1_singular"}, float(np.linalg.svd(channel, compute_uv=False)[-1]), 0.0, False
        yield {**point, "fact": "theorem_1_rows"}, float(np.abs(channel.sum(axis=1) - 1).max()), 1e-12, False


def of_pairs(name: str, population: Population) -> Iterator[Fact]:
    """Yield Lemma 1 and, with the true marginals, Theorems 4 and 5 for every two attributes of a data set."""
    for pair in itertools.combinations(range(len(population.sizes)), 2):
        chosen = population.of(pair)
        law = chosen.table() / chosen.n
        marginals = [marginal(law, 0), marginal(law, 1)]
        error, v, d = law - product(marginals), cramers_v(law, "domain"), max(chosen.sizes)
        point = {"data": name, "attributes": ", ".join(chosen.names), "d": d, "w": 2, "n": chosen.n, "v": v}
        excess = law - np.minimum.outer(*marginals)
        yield {**point, "fact": "lemma_1"}, float(excess.max()), 0.0, chosen.standin
        yield {**point, "fact": "theorem_5_data"}, DISTANCES["sup"](error), independent_bound(d, 2), chosen.standin
        squared = DISTANCES["mean_squared"](error)
        smallest = min(chosen.sizes)
        fact = "theorem_4_data" if smallest == d else "theorem_4_other_sizes"
        yield {**point, "fact": fact}, squared, v**2 / d, chosen.standin


def theorem_4(sizes: list[int], dependences: list[float]) -> Iterator[Fact]:
    """Yield the squared error of RR-Independent for the synthetic pairs of Appendix D and for uniform marginals."""
    for d, v in itertools.product(sizes, dependences):
        uniform = (1 - v) / d**2 + v * np.eye(d) / d
        for name, law in (("synthetic", correlated_law(d, v)), ("uniform", uniform)):
            error = law - product([marginal(law, 0), marginal(law, 1)])
            point = {"data": name, "d": d, "w": 2, "v": v, "fact": "theorem_4"}
            yield point, DISTANCES["mean_squared"](error), v**2 / d, False


def theorem_5(all_sizes: list[list[int]]) -> Iterator[Fact]:
    """Yield the largest possible error of the product law for uniform marginals: the true cell is 0 or the minimum."""
    for sizes in all_sizes:
        cell, most = 1 / math.prod(sizes), 1 / max(sizes)
        point = {"attributes": " x ".join(map(str, sizes)), "d": max(sizes), "w": len(sizes), "fact": "theorem_5"}
        yield point, max(cell, most - cell), independent_bound(max(sizes), len(sizes)), False


def lemma_2(sizes: list[int], epsilons: list[float]) -> Iterator[Fact]:
    """Yield the largest element of the inverse channel beside 1/p."""
    for d, epsilon in itertools.product(sizes, epsilons):
        grr = GRR(epsilon, d)
        largest = float(np.linalg.inv(grr.channel()).max())
        yield {"fact": "lemma_2", "d": d, "w": 1, "epsilon": epsilon}, largest, 1 / grr.p_support, False


def rounding(sizes: list[int], ways: list[int], epsilons: list[float], users: list[int]) -> Iterator[Fact]:
    """Yield what Theorem 6 bounds by Eq. 10; `epsilon` is the record's, epsilon / w each attribute's.

    The worst error of cells that are wrong by at most 1/n is the largest row sum of absolute values of the inverse,
    over n; it is reached by errors of alternating signs, which leave the sum at 1. `theorem_6_real` is the standard
    deviation of a cell when everybody randomises, the mean over cells being exact for any data.
    """
    for d, w, epsilon, n in itertools.product(sizes, ways, epsilons, users):
        grr = GRR(epsilon / w, d)
        row_sum = float(np.abs(np.linalg.inv(grr.channel())).sum(axis=1).max())
        bound = joint_bound(d, w, epsilon, n)
        point = {"d": d, "w": w, "epsilon": epsilon, "n": n}
        yield {**point, "fact": "theorem_6_rounding"}, row_sum**w / n, bound, False
        yield {**point, "fact": "theorem_6_half"}, row_sum**w / (2 * n), bound, False
        deviation = math.sqrt(squared_error([grr] * w, n) / d**w)
        yield {**point, "fact": "theorem_6_real"}, deviation, bound, False


if __name__ == "__main__":
    main(run)
