"""What a report of JRR reveals: to colluders (Theorem 2), and to who knows the other users' values."""

import math
from collections.abc import Iterator
from functools import partial
from typing import Annotated

import numpy as np
from annotated_types import Ge, Le
from jrr.runners import axes, population
from jrr.runners.exact import LARGEST_N, enumerate_truth_log_odds, law_of_ones
from jrr.runners.population import Truthfulness, protocols

from claimaudit.experiments.engine import Cell
from claimaudit.experiments.runner import BaseSetting, Choices, Measure, Point, Swept
from corrldp.arrays import Floats
from corrldp.protocols.jrr.mechanism import JointRandomizedResponse, lowest_correlation, token_shift
from corrldp.protocols.jrr.privacy import claimed_epsilon, exact_epsilon, token_advantage, token_epsilon
from corrldp.runners import Probability, Users, runner

LEVELS = (
    *("p", "rho", "epsilon_claimed", "epsilon_exact", "epsilon_known_peers"),
    *("epsilon_tokens", "truth_given_token", "token_advantage"),
)


of_both = partial(
    runner, population.PopulationSetting, mechanisms=("RR", "JRR"), axes=axes.POPULATION | axes.PARAMETERS
)


@of_both(metrics=LEVELS)
def levels(cell: Cell) -> Iterator[Measure]:
    """Yield the privacy levels of RR and JRR.

    `epsilon_claimed` is Eq. 20, `epsilon_exact` the exact one under the paper's adversary, who knows the colluders'
    truthfulness, `epsilon_tokens` under one who knows the tokens that the server dealt to them, and
    `epsilon_known_peers` under one who knows every other user's value, which changes nothing for RR.
    `truth_given_token` is the probability of the truth for a user whose token became known.
    """
    for mechanism, protocol in protocols(cell):
        if mechanism == "RR":
            yield Measure("RR", "epsilon_exact", claimed_epsilon(protocol, n=2, m=1))
        else:
            for metric, value in levels_of(protocol, cell["n"], cell["colluders"]):
                yield Measure("JRR", metric, value)


def levels_of(law: JointRandomizedResponse, n: int, m: int) -> Iterator[tuple[str, float]]:
    """Yield every measure of the privacy of one choice of parameters against `m` colluders among `n` users."""
    yield "p", law.p
    yield "rho", law.rho
    yield "epsilon_claimed", claimed_epsilon(law, n, m)
    yield "epsilon_exact", exact_epsilon(law, n, m)
    yield "epsilon_known_peers", claimed_epsilon(law, n=2, m=1)  # of the peer, the truthfulness is then known
    if law.rho <= 0:
        yield "epsilon_tokens", token_epsilon(law, n, m)
        yield "truth_given_token", law.p + token_shift(law.p, law.rho)
        yield "token_advantage", token_advantage(n, m)


class Collusion(BaseSetting):
    """Probabilities of the truth, shares of the smallest rho, and sizes, enumerated up to `enumerate_up_to`."""

    p: Swept[Truthfulness]
    rho_share: Swept[Probability]
    n: Swept[Users]
    enumerate_up_to: Annotated[int, Ge(0), Le(LARGEST_N)]

    def points(self, choices: Choices) -> Iterator[Point]:
        for point in super().points(choices):
            p, share, n = point.values()
            for m in range(n):
                yield {"p": p, "rho_share": share, "rho": share * lowest_correlation(p), "n": n, "colluders": m}


@runner(Collusion, mechanisms=("JRR",), metrics=("epsilon_claimed", "epsilon_exact"))
def collusion(cell: Cell) -> Iterator[Measure]:
    """Yield Eq. 20 and the exact epsilon, whose `theory`, for small groups, comes from listing all pairings."""
    law, n, m = JointRandomizedResponse(cell["p"], cell["rho"]), cell["n"], cell["colluders"]
    enumerated = enumerate_epsilon(law, n, m) if n <= cell.setting.enumerate_up_to else float("nan")
    yield Measure("JRR", "epsilon_claimed", claimed_epsilon(law, n, m))
    yield Measure("JRR", "epsilon_exact", exact_epsilon(law, n, m), theory=enumerated)


def enumerate_epsilon(law: JointRandomizedResponse, n: int, m: int) -> float:
    """Return the exact epsilon by listing all pairings of n <= 10 users and all truthfulness of m colluders."""
    patterns = [(1,) * truthful + (0,) * (m - truthful) for truthful in range(m + 1)]
    odds = (enumerate_truth_log_odds(law, pattern, n) for pattern in patterns)
    return max(abs(value) for value in odds if value == value)


SHARES = {"loss_median": 0.5, "loss_95": 0.95}


@of_both(metrics=tuple(SHARES))
def known_values(cell: Cell) -> Iterator[Measure]:
    """Yield quantiles of the privacy loss |ln Pr[y | x] - ln Pr[y | x']| over the runs of RR and of JRR."""
    for mechanism, protocol in protocols(cell):
        losses, chances = cell.once(losses_of, protocol)
        for metric, share in SHARES.items():
            yield Measure(mechanism, metric, quantile(losses, chances, share))


def losses_of(cell: Cell, protocol: JointRandomizedResponse) -> tuple[Floats, Floats]:
    """Return the losses that can occur, in increasing order, and the probability of each.

    If all n users hold 1, the reports of 1 are the truthful ones. Truthfulness is exchangeable: with A truthful
    users in all, the target is one of them with probability A/n. So the target tells the truth and a others do with
    probability Pr[A = a + 1] (a + 1)/n, and lies with Pr[A = a] (n - a)/n.
    """
    if protocol.rho == 0:
        return np.array([math.log(protocol.p) - math.log1p(-protocol.p)]), np.ones(1)
    n = cell["n"]
    truthful, law = law_of_ones(protocol, n, n)
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
