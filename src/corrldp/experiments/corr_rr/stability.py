"""How far the p_y that Corr-RR chooses from Phase I lies from the one that the true marginals would give."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from corrldp.experiments.corr_rr import accuracy
from corrldp.experiments.corr_rr.mechanisms import rule_of
from corrldp.experiments.corr_rr.synthetic_data import populations
from corrldp.experiments.engine import Cell
from corrldp.experiments.measures import Measure
from corrldp.mechanisms.grr import GRR
from corrldp.protocols.spl import SPL
from corrldp.protocols.two_phase import first_users

AXES = accuracy.AXES


class Setting(accuracy.Setting):
    """The settings of `accuracy`, without mechanisms; only Corr-RR has a p_y."""

    mechanisms: tuple[()] = ()


def measure(cell: Cell) -> Iterator[Measure]:
    """Yield the mean squared deviation of p_y, over all ordered pairs, from that of the true marginals."""
    [table] = cell.latest(populations, False)
    n1 = first_users(table.n, cell["phase1_fraction"])
    rng, grr, rule = cell.rng(phase="I", point={**cell.point}), GRR(cell["epsilon"], cell["k"]), rule_of(cell)
    first, _ = table.split(n1, cell.runs, rng)
    chosen = rule(SPL(cell["epsilon"], table.sizes).simulate(first, cell.runs, rng), table.n - n1, grr)
    known = rule(np.broadcast_to(table.frequencies(), (cell.runs, table.d, cell["k"])), table.n - n1, grr)
    pairs = ~np.eye(table.d, dtype=bool)
    yield Measure.of_runs("Corr-RR", "p_y_error", ((chosen - known)[:, pairs] ** 2).mean(axis=1))
