"""Equations and proofs of the JRR paper against exact enumeration: each row is a number beside the printed formula."""

import itertools
import math
from collections.abc import Iterable, Iterator
from typing import Any

import numpy as np
from jrr.runners.exact import enumerate_law_of_ones, matchings
from jrr.runners.population import Correlation, Truthfulness

from claimaudit.experiments.engine import Cell
from claimaudit.experiments.runner import BaseSetting, Measure
from corrldp.privacy import epsilon_of_channel
from corrldp.protocols.jrr.mechanism import JointRandomizedResponse, lowest_correlation, token_shift
from corrldp.runners import DomainSize, Probability, Users, runner

CASES = {"TT": (1, 1), "TF": (1, 0), "FT": (0, 1), "FF": (0, 0)}
Fact = tuple[str, dict[str, Any], float, float]
NOTHING = {"identity": "", "case": "", "k": 2, "n": 2, "n1": 0, "p": math.nan, "rho": math.nan}


class PairParameters(BaseSetting):
    """Probabilities of the truth with shares of the smallest rho; sizes of groups and domains."""

    p: tuple[Truthfulness, ...]
    rho_share: tuple[Probability, ...]
    n: tuple[Users, ...]
    k: tuple[DomainSize, ...]

    def negative(self) -> list[tuple[float, float]]:
        """Return every p with every share of its smallest rho."""
        return [(p, share * lowest_correlation(p)) for p, share in itertools.product(self.p, self.rho_share)]


class Equations(PairParameters):
    """Parameters of pairs: probabilities of the truth with shares of the smallest rho, and with `positive_rho`.

    `n` are sizes of groups, `k` domain sizes; `examples` are p and rho of Examples 1 and 2.
    """

    positive_rho: tuple[Probability, ...]
    examples: tuple[Truthfulness, Correlation]


@runner(Equations, mechanisms=("JRR",), metrics=("value",), columns=tuple(NOTHING))
def equations(cell: Cell) -> Iterator[Measure]:
    """Yield enumerated values (`mean`) and the paper's formula for each (`theory`)."""
    setting, pairs = cell.setting, cell.setting.negative()
    yield from measures(
        examples(*setting.examples),
        *(estimator(p, rho, n) for (p, rho), n in itertools.product(pairs, setting.n)),
        *(pair_law(p, rho) for p, rho in pairs),
        *(peers(p, rho) for p, rho in [*pairs, *itertools.product(setting.p, setting.positive_rho)]),
        *(several_values(p, rho, k) for (p, rho), k in itertools.product(pairs, setting.k)),
    )


def measures(*facts: Iterable[Fact]) -> Iterator[Measure]:
    """Yield the value of each fact, with the formula as its theory."""
    for identity, place, value, formula in itertools.chain(*facts):
        yield Measure("JRR", "value", value, theory=formula, place={**NOTHING, "identity": identity, **place})


def examples(p: float, rho: float) -> Iterator[Fact]:
    """Yield the numbers of Examples 1 and 2 and of Table 1: two users, both with value 1."""
    for name, correlation in (("example_1", 0.0), ("example_2", rho)):
        jrr = JointRandomizedResponse(p, correlation)
        _, variance = _moments(jrr, np.array([1, 1]))
        point = {"p": p, "rho": correlation, "n1": 2}
        yield f"{name}_variance", point, variance, math.nan
        yield f"{name}_covariance", point, jrr.both - p**2, math.nan
        yield f"{name}_epsilon", point, epsilon_of_channel(jrr.channel()), math.nan
    matrix = JointRandomizedResponse(p, rho).matrix()
    for case, cell in CASES.items():
        yield "table_1", {"case": case, "p": p, "rho": rho}, matrix[cell], math.nan


def estimator(p: float, rho: float, n: int) -> Iterator[Fact]:
    """Yield mean (Theorem 1) and variance (Eq. 21) of the estimated count, for every number of ones."""
    jrr, q = JointRandomizedResponse(p, rho), 1 - p
    for n1 in range(n + 1):
        mean, variance = _moments(jrr, np.array([1] * n1 + [0] * (n - n1)))
        point = {"n": n, "n1": n1, "p": p, "rho": rho}
        yield "theorem_1", point, mean, n1
        eq_21 = p * q / (p - q) ** 2 * (n + rho * ((2 * n1 - n) ** 2 - n) / (n - 1))
        yield "theorem_3", point, variance, eq_21


def pair_law(p: float, rho: float) -> Iterator[Fact]:
    """Yield the law that the server's protocol gives a pair, beside Table 2 and the proof's last line (Eq. 82)."""
    q = 1 - p
    table_2 = {"TT": p**2 + rho * p * q, "TF": (1 - rho) * p * q, "FT": (1 - rho) * p * q, "FF": q**2 + rho * p * q}
    given = laws_given_token(p, rho)
    joint = (np.outer(given[1], given[-1]) + np.outer(given[-1], given[1])) / 2
    point = {"p": p, "rho": rho}
    for case, cell in CASES.items():
        yield "theorem_5", {**point, "case": case}, joint[cell], table_2[case]
    yield "eq_82", point, joint[0, 0], q**2 - rho * p * q
    spread = joint.sum(axis=1)[1] * joint.sum(axis=1)[0]
    yield "eq_17", point, (joint[1, 1] - joint.sum(axis=1)[1] ** 2) / spread, rho


def peers(p: float, rho: float) -> Iterator[Fact]:
    """Yield what a peer's truthfulness reveals (Eq. 45), and the numerator of Eq. 79 as Appendix H simplifies it."""
    q, law = 1 - p, JointRandomizedResponse(p, rho)
    highest, lowest = max(*law.given_truth, *law.given_lie), min(*law.given_truth, *law.given_lie)
    point = {"p": p, "rho": rho}
    yield "eq_79", point, highest * q - lowest * p, 2 * abs(rho) * p * q
    yield "eq_45_max", point, highest, max((1 - rho) * p, p + rho * q)
    yield "eq_45_min", point, lowest, min((1 - rho) * q, q + rho * p)


def several_values(p: float, rho: float, k: int) -> Iterator[Fact]:
    """Yield what Appendix K and Section 4.6.1 state about k-JRR: marginal law, and rho as a correlation."""
    k_jrr = JointRandomizedResponse(p, rho, k)
    q = (1 - p) / (k - 1)
    reports = k_jrr.pair_channel()[0, 0]
    point = {"k": k, "p": p, "rho": rho}
    yield "eq_83", point, reports.sum(axis=1)[0], p
    yield "eq_84", point, reports.sum(axis=1)[1], q
    yield "eq_27_total", point, reports.sum(), 1.0
    yield "rho_is_correlation", point, (reports[0, 0] - p**2) / (p * (1 - p)), rho


def _moments(jrr: JointRandomizedResponse, values: np.ndarray) -> tuple[float, float]:
    """Return mean and variance of the estimated number of ones, by listing all outcomes."""
    n = len(values)
    law = enumerate_law_of_ones(values.tolist(), jrr)
    ones = np.arange(n + 1)
    estimates = jrr.estimate_counts(np.column_stack([n - ones, ones]), n)[:, 1]
    mean = law @ estimates
    return float(mean), float(law @ (estimates - mean) ** 2)


def laws_given_token(p: float, rho: float) -> dict[int, np.ndarray]:
    """Return the probabilities (2,) of a lie and of the truth given each token, for rho <= 0.

    A contributor tells the truth if the private variable C (Eq. 25) and the token are above 0 in sum (Eq. 26).
    """
    shift, personal = token_shift(p, rho), np.array([1.5, 0.5, -0.5, -1.5])
    chances = [p - shift, shift, shift, max(0.0, 1 - p - shift)]
    return {token: np.bincount((personal + token > 0).astype(int), chances, minlength=2) for token in (-1, 1)}


DIGITS = 12  # decimals to which a sum that may be 0 is known: its terms cancel


class Proofs(PairParameters):
    """Probabilities of the truth with shares of the smallest rho and with `other_rho`; sizes of groups and domains."""

    other_rho: tuple[Probability, ...]


@runner(Proofs, mechanisms=("JRR",), metrics=("value",), columns=tuple(NOTHING))
def proofs(cell: Cell) -> Iterator[Measure]:
    """Yield enumerated values (`mean`) and the paper's formula for each (`theory`)."""
    setting, negative = cell.setting, cell.setting.negative()
    others = list(itertools.product(setting.p, setting.other_rho))
    yield from measures(
        *(estimator(p, rho, n) for (p, rho), n in itertools.product(others, setting.n)),
        *(domain_of_rho(p) for p in setting.p),
        *(marginals(p, rho) for p, rho in [*negative, *others]),
        *(groups(p, rho) for p, rho in [*negative, *others]),
        *(pairs_of_ones(n) for n in setting.n),
        *(shuffled_pairs(n) for n in setting.n),
        *(tokens(p, rho) for p, rho in negative),
        *(estimates_of_k_values(p, rho, k) for (p, rho), k in itertools.product(negative, setting.k)),
    )


def domain_of_rho(p: float) -> Iterator[Fact]:
    """Yield the smallest cell of Table 2 at the smallest rho of Section 4.1 and just below and above it."""
    q = 1 - p
    for case, rho in (("at", 1 - 1 / p), ("below", 1 - 1 / p - 0.001), ("above", 1 - 1 / p + 0.001)):
        cells = (p**2 + rho * p * q, (1 - rho) * p * q, q**2 + rho * p * q)
        smallest = round(min(cells), DIGITS) + 0.0  # + 0.0 makes 0 of -0
        yield "table_2_smallest", {"p": p, "rho": rho, "case": case}, smallest, math.nan


def marginals(p: float, rho: float) -> Iterator[Fact]:
    """Yield the probabilities with which a member of a pair tells the truth and lies (Eq. 12)."""
    lie, truth = JointRandomizedResponse(p, rho).matrix().sum(axis=0)
    yield "eq_12", {"p": p, "rho": rho, "case": "truth"}, truth, p
    yield "eq_12", {"p": p, "rho": rho, "case": "lie"}, lie, 1 - p


def groups(p: float, rho: float) -> Iterator[Fact]:
    """Yield the variance of the number of ones that a pair of each type reports (Eq. 62)."""
    formulas = {"V1": ((1, 1), 1 + rho), "V2": ((1, 0), 1 - rho), "V3": ((0, 0), 1 + rho)}
    for case, (values, factor) in formulas.items():
        law = enumerate_law_of_ones(values, JointRandomizedResponse(p, rho))
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
    q = 1 - p
    truth = {token: float(law[1]) for token, law in laws_given_token(p, rho).items()}
    root = math.sqrt(-rho * p * q)
    for token, sign in ((1, -1), (-1, 1)):
        point = {"p": p, "rho": rho, "case": f"R = {token:+d}"}
        yield "eq_80", point, truth[token] * truth[-token], p**2 + rho * p * q
        yield "eq_81", point, truth[token] * (1 - truth[-token]), (1 - rho) * p * q + sign * root
    yield "missing_peer", {"p": p, "rho": rho}, (truth[1] + truth[-1]) / 2, p


def estimates_of_k_values(p: float, rho: float, k: int) -> Iterator[Fact]:
    """Yield the mean estimated count of the first value under k-JRR for a pair of each type (Eq. 86)."""
    q = (1 - p) / (k - 1)
    channel = JointRandomizedResponse(p, rho, k).pair_channel()
    for values in ((0, 0), (0, 1), (1, 1)):
        reports = channel[values]
        mean = reports.sum(axis=1)[0] + reports.sum(axis=0)[0]
        point = {"n": 2, "n1": values.count(0), "k": k, "p": p, "rho": rho}
        yield "eq_86", point, (mean - 2 * q) / (p - q), values.count(0)
