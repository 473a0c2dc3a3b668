"""The exact epsilon of JRR against colluders, beside that of Theorem 2 of the JRR paper."""

from __future__ import annotations

from collections.abc import Iterator

from corrldp.experiments.engine import Cell
from corrldp.experiments.jrr import axes, population
from corrldp.experiments.jrr.choice import protocols
from corrldp.experiments.measures import Measure
from corrldp.protocols.jrr.privacy import (
    claimed_epsilon,
    exact_epsilon,
    full_knowledge_epsilon,
    token_advantage,
    token_epsilon,
)
from corrldp.protocols.jrr.server import token_shift

AXES = axes.POPULATION | axes.PARAMETERS
Setting = population.Setting


def measure(cell: Cell) -> Iterator[Measure]:
    """Yield the privacy levels of RR and JRR.

    `epsilon_claimed` is Eq. 20, `epsilon_exact` the exact one under the paper's adversary, who knows the colluders'
    truthfulness, `epsilon_tokens` under one who knows the tokens that the server dealt to them, and
    `epsilon_known_peers` under one who knows every other user's value, which changes nothing for RR.
    `truth_given_token` is the probability of the truth for a user whose token became known.
    """
    for mechanism, protocol in protocols(cell):
        if mechanism == "RR":
            yield Measure("RR", "epsilon_exact", full_knowledge_epsilon(protocol.p, 0.0))
        else:
            for metric, value in levels(protocol.p, protocol.rho, cell["n"], cell["colluders"]):
                yield Measure("JRR", metric, value)


def levels(p: float, rho: float, n: int, m: int) -> Iterator[tuple[str, float]]:
    """Yield every measure of the privacy of one choice of parameters against `m` colluders among `n` users."""
    yield "p", p
    yield "rho", rho
    yield "epsilon_claimed", claimed_epsilon(p, rho, n, m)
    yield "epsilon_exact", exact_epsilon(p, rho, n, m)
    yield "epsilon_known_peers", full_knowledge_epsilon(p, rho)
    if rho <= 0:
        yield "epsilon_tokens", token_epsilon(p, rho, n, m)
        yield "truth_given_token", p + token_shift(p, rho)
        yield "token_advantage", token_advantage(n, m)
