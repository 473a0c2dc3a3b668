"""What a report of JRR reveals to an adversary who knows the other users' values, which costs RR nothing.

Whoever knows another user's value sees from the report whether that user told the truth. The pairs stay secret, but the
number of truthful users among the others is evidence about the target, and the more correlated the pairs the stronger.
"""

from __future__ import annotations

import math
from collections.abc import Iterator

import numpy as np

from corrldp.arrays import Floats
from corrldp.experiments.engine import Cell
from corrldp.experiments.jrr import axes, population
from corrldp.experiments.jrr.choice import protocols
from corrldp.experiments.measures import Measure
from corrldp.protocols.jrr.binary import JointRandomizedResponse
from corrldp.protocols.jrr.exact import law_of_ones

AXES = axes.POPULATION | axes.PARAMETERS
Setting = population.Setting

RESOLUTION = 1e-14
"""Probabilities below it are rounding errors of 0, as at the smallest rho, where half of all users tell the truth."""

SHARES = {"loss_median": 0.5, "loss_95": 0.95}


def measure(cell: Cell) -> Iterator[Measure]:
    """Yield quantiles of the privacy loss |ln Pr[y | x] - ln Pr[y | x']| over the runs of RR and of JRR."""
    for mechanism, protocol in protocols(cell):
        losses, chances = cell.once(privacy_loss, protocol)
        for metric, share in SHARES.items():
            yield Measure(mechanism, metric, quantile(losses, chances, share))


def privacy_loss(cell: Cell, protocol: JointRandomizedResponse) -> tuple[Floats, Floats]:
    """Return the losses that can occur, in increasing order, and the probability of each."""
    return losses_of(protocol, cell["n"])


def losses_of(protocol: JointRandomizedResponse, n: int) -> tuple[Floats, Floats]:
    """Return the losses that can occur, in increasing order, and the probability of each.

    If all `n` users hold 1, the reports of 1 are the truthful ones. Truthfulness is exchangeable: with A truthful
    users in all, the target is one of them with probability A/n. So the target tells the truth and a others do with
    probability Pr[A = a + 1] (a + 1)/n, and lies with Pr[A = a] (n - a)/n.
    """
    if protocol.rho == 0:
        return np.array([math.log(protocol.p) - math.log1p(-protocol.p)]), np.ones(1)
    truthful, law = law_of_ones(protocol, n, n)
    law[law < RESOLUTION] = 0
    total = np.zeros(n + 2)
    total[truthful[truthful <= n]] = law[truthful <= n]
    others = np.arange(n)
    truth, lie = total[1 : n + 1] * (others + 1) / n, total[:n] * (n - others) / n
    chances = truth + lie
    possible = chances > 0
    with np.errstate(divide="ignore"):
        losses = np.abs(np.log(truth[possible]) - np.log(lie[possible]))
    order = np.argsort(losses)
    return losses[order], chances[possible][order]


def quantile(losses: Floats, chances: Floats, share: float) -> float:
    """Return the loss that a run stays within with probability `share`."""
    return float(losses[np.searchsorted(np.cumsum(chances), share * chances.sum())])
