"""Steps of the JRR paper's proofs, and statements on its protocols, against exact enumeration.

As in `corrldp.experiments.jrr.laws`, each row is a number beside the printed formula.
"""

from __future__ import annotations

import itertools
import math
from collections.abc import Iterator, Mapping
from typing import Any

import numpy as np

from corrldp.experiments.engine import Cell
from corrldp.experiments.jrr.laws import Fact, estimator
from corrldp.experiments.jrr.population import Truthfulness
from corrldp.experiments.measures import Measure
from corrldp.experiments.setting import BaseSetting, DomainSize, Point, Probability, Users
from corrldp.protocols.jrr.enumeration import law_of_ones, matchings
from corrldp.protocols.jrr.law import TruthLaw, lowest_correlation
from corrldp.protocols.jrr.nary import KJRR
from corrldp.protocols.jrr.server import ServerJRR

DIGITS = 12
"""Decimals to which a sum that may be 0 is known: its terms cancel."""


class Setting(BaseSetting):
    """Probabilities of the truth with shares of the smallest rho and with `other_rho`; sizes of groups and domains."""

    p: tuple[Truthfulness, ...]
    rho_share: tuple[Probability, ...]
    other_rho: tuple[Probability, ...]
    n: tuple[Users, ...]
    k: tuple[DomainSize, ...]

    def points(self, choices: Mapping[str, Any]) -> Iterator[Point]:
        """Yield one point, whose columns the facts fill."""
        yield {"identity": "", "case": "", "k": 2, "n": 2, "n1": 0, "p": math.nan, "rho": math.nan}


def measure(cell: Cell) -> Iterator[Measure]:
    """Yield enumerated values (`mean`) and the paper's formula for each (`theory`)."""
    setting = cell.setting
    negative = [(p, share * lowest_correlation(p)) for p, share in itertools.product(setting.p, setting.rho_share)]
    others = list(itertools.product(setting.p, setting.other_rho))
    facts = itertools.chain(
        *(estimator(p, rho, n) for (p, rho), n in itertools.product(others, setting.n)),
        *(domain_of_rho(p) for p in setting.p),
        *(marginals(p, rho) for p, rho in [*negative, *others]),
        *(groups(p, rho) for p, rho in [*negative, *others]),
        *(pairs_of_ones(n) for n in setting.n),
        *(shuffled_pairs(n) for n in setting.n),
        *(tokens(p, rho) for p, rho in negative),
        *(estimates_of_k_values(p, rho, k) for (p, rho), k in itertools.product(negative, setting.k)),
    )
    for identity, place, value, formula in facts:
        yield Measure("JRR", "value", value, theory=formula, place={"identity": identity, **place})


def domain_of_rho(p: float) -> Iterator[Fact]:
    """Yield the smallest cell of Table 2 at the smallest rho of Section 4.1 and just below and above it."""
    q = 1 - p
    for case, rho in (("at", 1 - 1 / p), ("below", 1 - 1 / p - 0.001), ("above", 1 - 1 / p + 0.001)):
        cells = (p**2 + rho * p * q, (1 - rho) * p * q, q**2 + rho * p * q)
        smallest = round(min(cells), DIGITS) + 0.0  # + 0.0 makes 0 of -0
        yield "table_2_smallest", {"p": p, "rho": rho, "case": case}, smallest, math.nan


def marginals(p: float, rho: float) -> Iterator[Fact]:
    """Yield the probabilities with which a member of a pair tells the truth and lies (Eq. 12)."""
    lie, truth = TruthLaw(p, rho).matrix().sum(axis=0)
    yield "eq_12", {"p": p, "rho": rho, "case": "truth"}, truth, p
    yield "eq_12", {"p": p, "rho": rho, "case": "lie"}, lie, 1 - p


def groups(p: float, rho: float) -> Iterator[Fact]:
    """Yield the variance of the number of ones that a pair of each type reports (Eq. 62)."""
    formulas = {"V1": ((1, 1), 1 + rho), "V2": ((1, 0), 1 - rho), "V3": ((0, 0), 1 + rho)}
    for case, (values, factor) in formulas.items():
        law = law_of_ones(values, TruthLaw(p, rho))
        ones = np.arange(3)
        variance = float(law @ ones**2 - (law @ ones) ** 2)
        yield "eq_62", {"p": p, "rho": rho, "case": case}, variance, 2 * p * (1 - p) * factor


def pairs_of_ones(n: int) -> Iterator[Fact]:
    """Yield the mean number of pairs of two users who hold 1 (Eq. 65)."""
    listed = list(matchings(range(n)))
    for n1 in range(n + 1):
        mean = float(np.mean([sum(second < n1 for _, second in pairs) for pairs in listed]))
        yield "eq_65", {"n": n, "n1": n1}, mean, n1 * (n1 - 1) / (2 * (n - 1))


def shuffled_pairs(n: int) -> Iterator[Fact]:
    """Yield what the shuffling of Section 4.5.2 does, by listing all permutations of n users.

    Neighbours in the shuffled order are a pair. ``mpc_pair``: the probability that the first two users are one.
    ``mpc_tokens``: the probability that the members of the first pair get different tokens, if a token is the parity of
    the user's original ID, which pi^-1(j) is, or of the position in the shuffled order.
    """
    orders = np.array(list(itertools.permutations(range(n))))  # the original ID at each position
    group = np.argsort(orders, axis=1) // 2
    yield "mpc_pair", {"n": n}, float(np.mean(group[:, 0] == group[:, 1])), 1 / (n - 1)
    positions = np.broadcast_to(np.arange(n), orders.shape)
    for case, numbers in (("original ID", orders), ("position", positions)):
        differ = numbers[:, 0] % 2 != numbers[:, 1] % 2
        yield "mpc_tokens", {"n": n, "case": case}, float(np.mean(differ)), math.nan


def tokens(p: float, rho: float) -> Iterator[Fact]:
    """Yield what the server's protocol does given the tokens (Eqs. 80 and 81), and without a peer (Section 4.5.2)."""
    q, server = 1 - p, ServerJRR(p, rho)
    outcomes, chances = server.personal_law()
    truth = {token: float(chances[server.truthful(outcomes, token)].sum()) for token in (-1, 1)}
    root = math.sqrt(-rho * p * q)
    for token, sign in ((1, -1), (-1, 1)):
        point = {"p": p, "rho": rho, "case": f"R = {token:+d}"}
        yield "eq_80", point, truth[token] * truth[-token], p**2 + rho * p * q
        yield "eq_81", point, truth[token] * (1 - truth[-token]), (1 - rho) * p * q + sign * root
    yield "missing_peer", {"p": p, "rho": rho}, (truth[1] + truth[-1]) / 2, p


def estimates_of_k_values(p: float, rho: float, k: int) -> Iterator[Fact]:
    """Yield the mean estimated count of the first value under k-JRR for a pair of each type (Eq. 86)."""
    q = (1 - p) / (k - 1)
    channel = KJRR(p, rho, k).pair_channel()
    for values in ((0, 0), (0, 1), (1, 1)):
        reports = channel[values]
        mean = reports.sum(axis=1)[0] + reports.sum(axis=0)[0]
        point = {"n": 2, "n1": values.count(0), "k": k, "p": p, "rho": rho}
        yield "eq_86", point, (mean - 2 * q) / (p - q), values.count(0)
