"""How far the p_y that Corr-RR chooses from Phase I lies from the one of the true marginals, and what that costs."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from corrldp.experiments.corr_rr import accuracy
from corrldp.experiments.corr_rr.mechanisms import rule_of
from corrldp.experiments.corr_rr.synthetic_data import populations
from corrldp.experiments.engine import Cell
from corrldp.experiments.measures import Measure
from corrldp.mechanisms.grr import GRR
from corrldp.protocols.corr_rr.rules import theorem_5
from corrldp.protocols.spl import SPL
from corrldp.protocols.two_phase import first_users

AXES = accuracy.AXES


class Setting(accuracy.Setting):
    """The settings of `accuracy`, without mechanisms; only Corr-RR has a p_y."""

    mechanisms: tuple[()] = ()


def measure(cell: Cell) -> Iterator[Measure]:
    """Yield the mean squared deviation of p_y, over all ordered pairs, from that of the true marginals.

    Then its cost: by how much the Phase II error of Theorem 5, at the true marginals, is larger with it, in means over
    the pairs.
    """
    [table] = cell.latest(populations, False)
    n1 = first_users(table.n, cell["phase1_fraction"])
    rng, grr, rule = cell.rng(phase="I", point={**cell.point}), GRR(cell["epsilon"], cell["k"]), rule_of(cell)
    first, _ = table.split(n1, cell.runs, rng)
    chosen = rule(SPL(cell["epsilon"], table.sizes).simulate(first, cell.runs, rng), table.n - n1, grr)
    true = np.broadcast_to(table.frequencies(), (cell.runs, table.d, cell["k"]))
    known = rule(true, table.n - n1, grr)
    pairs = ~np.eye(table.d, dtype=bool)
    yield Measure.of_runs("Corr-RR", "p_y_error", ((chosen - known)[:, pairs] ** 2).mean(axis=1))
    # A row of the copy probabilities is the pivot, a column the attribute that follows it.
    error, least = (
        theorem_5(true[:, None], true[:, :, None], p_y, table.n - n1, grr).mean(axis=-1)[:, pairs].mean(axis=1)
        for p_y in (chosen, known)
    )
    yield Measure.of_runs("Corr-RR", "p_y_cost", error / least - 1)
