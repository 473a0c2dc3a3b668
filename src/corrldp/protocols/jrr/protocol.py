"""JRR as a protocol for records of one attribute, from a budget instead of p and rho."""

from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np
from numpy.typing import ArrayLike

from corrldp.arrays import Floats, Integers, in_short
from corrldp.data.table import Table
from corrldp.mechanisms.grr import other_values
from corrldp.mechanisms.pure import Report
from corrldp.mechanisms.validation import check_generator, check_integer
from corrldp.protocols.documents import MOST_USERS
from corrldp.protocols.jrr.mechanism import JointRandomizedResponse, deal_tokens, lowest_correlation, token_shift
from corrldp.protocols.jrr.privacy import (
    algorithm1,
    check_colluders,
    corner,
    exact_epsilon,
    rr_parameters,
    token_epsilon,
)
from corrldp.protocols.protocol import Guarantee
from corrldp.protocols.records import Population, as_population, check_records
from corrldp.protocols.reports import SupportProtocol
from corrldp.randomness import chance_of_uniform, exact_log_ratio

HALVINGS = 30
MOST_WORK = 2 * 10**7  # numbers that one exact epsilon against colluders takes


@dataclass(frozen=True)
class JRR(SupportProtocol):
    """Joint randomized response (JRR paper; with k > 2 values its Section 4.6.1), for one attribute.

    Users are paired at random, and who tells the truth is correlated as negatively within a pair as privacy allows. The
    budget, 0 to 30, is that against a collector with so many `colluders`, who tell it whether they told the truth, and
    their tokens: the exact one, not the paper's claim. If there are colluders, the number of `users` is needed.
    """

    name = "JRR"
    error_of = "frequencies"

    epsilon: float
    sizes: tuple[int, ...]
    colluders: int = 0
    users: int | None = None

    def __post_init__(self) -> None:
        super().__post_init__()
        if self.d != 1:
            raise ValueError(f"sizes={self.sizes}: JRR collects one attribute; use SPL or RS+FD for {self.d}")
        check_integer(self.colluders, "colluders", 0, MOST_USERS)
        if self.users is None and self.colluders:
            raise ValueError(f"colluders={self.colluders} need the number of users: pass users=n")
        if self.users is not None:
            check_colluders(check_integer(self.users, "users", 1, MOST_USERS), self.colluders)
            if self.users * self.colluders > MOST_WORK:
                raise ValueError(
                    f"users={self.users} times colluders={self.colluders} must be at most {MOST_WORK}: beyond, their "
                    "exact epsilon takes too long"
                )
        _ = self.mechanism  # a budget out of range is refused here, not at first use

    @cached_property
    def mechanism(self) -> JointRandomizedResponse:
        """What a pair runs: the most negative correlation that `epsilon` allows."""
        k = self.sizes[0]
        if self.users is None or not self.colluders:
            p = rr_parameters(self.epsilon, k).p
            return JointRandomizedResponse(p, (k - 1) * lowest_correlation(p), k)
        if k == 2:
            found = corner(self.users, self.epsilon, self.colluders)
        else:
            found = algorithm1(self.users, self.epsilon, self.colluders, rho_step=0, k=k)
        return self._within_budget(found, self.users)

    def _within_budget(self, found: JointRandomizedResponse, n: int) -> JointRandomizedResponse:
        """Weaken the correlation until the exact epsilon is within the budget; Eq. 22 bounds the paper's one only."""
        rho, weakest = found.rho, 0.0
        if self.exact_epsilon(found, n) <= self.epsilon * (1 + 1e-12):
            return found
        for _ in range(HALVINGS):
            middle = (rho + weakest) / 2
            if self.exact_epsilon(replace(found, rho=middle), n) <= self.epsilon:
                weakest = middle
            else:
                rho = middle
        return replace(found, rho=weakest)

    def exact_epsilon(self, found: JointRandomizedResponse, n: int) -> float:
        """Epsilon against colluders who tell the collector the truth about their own reports, or their tokens."""
        return max(of(found, n, self.colluders) for of in (exact_epsilon, token_epsilon))

    def guarantee(self) -> Guarantee:
        """Colluders know their truthfulness or their tokens; without them a report is plain randomized response."""
        epsilon = self.exact_epsilon(self.mechanism, self.users if self.users and self.colluders else 2)
        return Guarantee(epsilon, (epsilon,))

    def privatize(self, records: ArrayLike, rng: np.random.Generator) -> Integers:
        """Pair the users and perturb their `records` (n, 1) into reports (n, 1)."""
        return self.mechanism.privatize(check_records(records, self.sizes)[:, 0], rng)[:, None]

    def simulate(self, table: Population | Table, runs: int, rng: np.random.Generator) -> Floats:
        """Draw estimates (runs, 1, k) from their exact distribution."""
        table = as_population(table, self.sizes)
        marginals = table.marginals_of(runs)[:, 0]
        if (marginals == marginals[0]).all():
            support = self.mechanism.simulate(marginals[0], runs, rng)
        else:
            support = np.concatenate([self.mechanism.simulate(counts, 1, rng) for counts in marginals])
        return self.mechanism.unbias(support, table.n)[:, None]

    def channel(self) -> Floats:
        """Pr[report | value] of one user, (k, k)."""
        return self.mechanism.channel()

    def sampled_epsilon(self) -> float:
        """Exact epsilon of a report as it is drawn, without colluders."""
        k = self.sizes[0]
        truth = (chance_of_uniform(self.truth(1)) + chance_of_uniform(self.truth(-1))) / 2
        return exact_log_ratio(truth * (k - 1), 1 - truth)

    def deal(self, n: int, rng: np.random.Generator) -> list[int]:
        """Act as the server that pairs `n` users at random, and return their tokens +1 or -1, one for each user.

        The server neither sees reports nor colludes (JRR paper, Section 4.5.1). Another number of users than the
        protocol's is a ValueError.
        """
        check_generator(rng)
        if isinstance(n, bool) or not isinstance(n, int) or n < 1 or n != (self.users or n):
            raise ValueError(f"n={in_short(n)} must be the number of users, {self.users or 'at least 1'}")
        return deal_tokens(n, rng).tolist()

    def truth(self, token: int) -> float:
        """Probability of the truth, given the token.

        With opposite tokens, one of a pair is likelier to tell the truth and the other less likely, each by the same
        amount s. Over the two ways to deal them, their truthfulness has covariance -s^2, and each is truthful with
        probability p.
        """
        return self.mechanism.p + token * token_shift(self.mechanism.p, self.mechanism.correlation)

    def check_user(self, token: int | None) -> None:
        if token is None:
            raise ValueError("JRR pairs users: deal tokens with deal(n, rng) and pass each client its own")
        if isinstance(token, bool) or not isinstance(token, int) or token not in (-1, 1):
            raise ValueError(f"token={in_short(token)} must be +1 or -1: take the one that deal(n, rng) returned")

    def report(self, records: Integers, rng: np.random.Generator, token: int | None = None) -> list[Report]:
        if token is None:
            return super().report(records, rng)
        values = check_records(records, self.sizes)
        truth = rng.random() < self.truth(token)
        return self.encode(values if truth else other_values(values[0], self.sizes[0], rng)[None])
