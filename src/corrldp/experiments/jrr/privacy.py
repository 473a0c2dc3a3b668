"""The epsilon that JRR really gives against colluders, beside the one of Theorem 2 of the JRR paper."""

from __future__ import annotations

from collections.abc import Iterator

import pandas as pd

from corrldp.experiments.command import Experiment, main
from corrldp.experiments.jrr.choice import choose
from corrldp.experiments.jrr.population import settings
from corrldp.experiments.rows import row
from corrldp.protocols.jrr.parameters import rr_parameters
from corrldp.protocols.jrr.privacy import (
    claimed_epsilon,
    exact_epsilon,
    full_knowledge_epsilon,
    token_advantage,
    token_epsilon,
)
from corrldp.protocols.jrr.server import token_shift


def run(experiment: Experiment) -> pd.DataFrame:
    """Return the privacy levels of the parameters that each reading chooses at every setting.

    `epsilon_claimed` is Eq. 20, `epsilon_exact` the exact one under the paper's adversary, who knows the colluders'
    truthfulness, `epsilon_tokens` under one who knows the tokens that the server dealt to them, and
    `epsilon_known_peers` under one who knows every other user's value, which changes nothing for RR.
    `truth_given_token` is the probability of the truth for a user whose token became known.
    """
    rows = []
    for reading in experiment.all_readings():
        _, axes = reading
        for point in settings(experiment.setting, axes):
            parameters = choose(point, axes)
            if parameters is None:
                continue
            for metric, value in levels(parameters.p, parameters.rho, point["n"], point["colluders"]):
                rows.append(row(point, reading, "JRR", metric, value))
            rr = rr_parameters(point["epsilon"])
            rows.append(row(point, reading, "RR", "epsilon_exact", full_knowledge_epsilon(rr.p, 0.0)))
    return pd.DataFrame(rows)


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


if __name__ == "__main__":
    main(run)
