"""The effect of repeated records on the significance test: its rate of false alarms for independent attributes."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
from pydantic import PositiveInt

from corrldp.experiments.cpl.significance import LEVEL, leakage_p_values
from corrldp.experiments.engine import Cell
from corrldp.experiments.measures import Measure
from corrldp.experiments.setting import BaseSetting, DomainSize, Epsilon, Swept, Users
from corrldp.leakage.empirical import sampled_tables
from corrldp.mechanisms.grr import GRR


class Setting(BaseSetting):
    """Records of two attributes; `expansion` lists copies per record, `surrogates` is the number per test."""

    n: Swept[Users]
    epsilon: Swept[Epsilon]
    k: Swept[DomainSize]
    expansion: tuple[PositiveInt, ...]
    surrogates: PositiveInt


def measure(cell: Cell) -> Iterator[Measure]:
    """Yield the share of data sets with two independent attributes that the test at 5 % calls dependent."""
    n, epsilon, k = cell["n"], cell["epsilon"], cell["k"]
    rng = cell.rng(n=n, k=k, epsilon=epsilon)
    counts = rng.multinomial(n, np.full(k * k, 1 / k**2), size=cell.runs).reshape(-1, k, k)
    for expansion in cell.setting.expansion:
        [tables] = sampled_tables(counts, GRR(epsilon, k).channel(), expansion, 1, rng)
        p = leakage_p_values(tables, cell.setting.surrogates, rng)
        yield Measure.of_runs("GRR", "false_alarms", p <= LEVEL, place={"expansion": expansion})
