"""The example of Appendix K and Table III: largest leakage under a weak correlation."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from corrldp.dependence import cramers_v, nmi, pcc
from corrldp.experiments.axes import by_name
from corrldp.experiments.cpl.axes import EXPANSION, NORMALISATION
from corrldp.experiments.engine import Cell
from corrldp.experiments.measures import Measure
from corrldp.experiments.setting import BaseSetting, Epsilon, Probability, Users
from corrldp.leakage.cpl import conditional, leakage_bound, leakage_of_channel
from corrldp.leakage.empirical import estimated_leakage, sampled_tables
from corrldp.leakage.printed import algorithm_2
from corrldp.mechanisms.grr import GRR

AXES = by_name(NORMALISATION, EXPANSION)
DIRECTIONS = ("X^ -> Xk", "Xk -> X^")
BOTH = {"direction": "both", "epsilon": np.nan}


class Setting(BaseSetting):
    """The joint `law` of two attributes, the number of records drawn from it, and budgets."""

    law: tuple[tuple[Probability, ...], ...]
    n: Users
    epsilon: tuple[Epsilon, ...]


def measure(cell: Cell) -> Iterator[Measure]:
    """Yield leakages in both directions and measures of dependence, of the law (28) and of records drawn from it.

    `cpl` and the dependence are exact; `cpl_of_sample`, `cpl_estimated` and `nmi_of_sample` are those of `n` records
    in each run, the second after the records are expanded and perturbed.
    """
    law = np.array(cell.setting.law)
    yield from _exact(law, cell.setting.epsilon)
    yield Measure("data", "nmi", float(nmi(law, cell["normalisation"])), place=BOTH)
    yield Measure("data", "pcc", float(pcc(law)), place=BOTH)
    yield Measure("data", "cramers_v", float(cramers_v(law)), place=BOTH)
    rng = cell.rng(n=cell.setting.n)
    records = rng.multinomial(cell.setting.n, law.ravel(), size=cell.runs).reshape(-1, *law.shape)
    yield from _sampled(cell, records, rng)
    yield Measure.of_runs("data", "nmi_of_sample", nmi(records, cell["normalisation"]), place=BOTH)
    yield Measure.of_runs("data", "pcc_of_sample", pcc(records), place=BOTH)


def _exact(law: np.ndarray, epsilons: tuple[float, ...]) -> Iterator[Measure]:
    for direction, joint in zip(DIRECTIONS, (law, law.T), strict=True):
        given = conditional(joint)
        for epsilon in epsilons:
            place = {"direction": direction, "epsilon": epsilon}
            grr = leakage_of_channel(given, GRR(epsilon, given.shape[-1]).channel())
            yield Measure("GRR", "cpl", float(grr), place=place)
            yield Measure("Algorithm 2", "cpl", float(leakage_bound(given, epsilon)), place=place)
            yield Measure("Algorithm 2 as printed", "cpl", algorithm_2(given, epsilon)[0], place=place)


def _sampled(cell: Cell, records: np.ndarray, rng: np.random.Generator) -> Iterator[Measure]:
    for direction, counts in zip(DIRECTIONS, (records, records.swapaxes(1, 2)), strict=True):
        for epsilon in cell.setting.epsilon:
            place = {"direction": direction, "epsilon": epsilon}
            of_sample = leakage_bound(conditional(counts), epsilon)
            yield Measure.of_runs("Algorithm 2", "cpl_of_sample", of_sample, place=place)
            channel = GRR(epsilon, counts.shape[-1]).channel()
            [tables] = sampled_tables(counts, channel, cell["expansion"], 1, rng)
            yield Measure.of_runs("GRR", "cpl_estimated", estimated_leakage(tables, "skip"), place=place)
