"""JRR as a protocol for records of one attribute, from a budget instead of p and rho."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from corrldp.arrays import Floats, Integers
from corrldp.mechanisms.validation import check_integer
from corrldp.protocols.guarantee import Guarantee
from corrldp.protocols.jrr.binary import JointRandomizedResponse
from corrldp.protocols.jrr.law import lowest_correlation
from corrldp.protocols.jrr.nary import KJRR
from corrldp.protocols.jrr.parameters import Parameters, algorithm1, corner, rr_parameters
from corrldp.protocols.jrr.privacy import check_colluders, exact_epsilon, token_epsilon
from corrldp.protocols.protocol import RecordProtocol
from corrldp.protocols.records import Population, check_population, check_records

HALVINGS = 30
MOST_WORK = 2 * 10**7  # numbers that one exact epsilon against colluders takes


@dataclass(frozen=True)
class JRR(RecordProtocol):
    """Joint randomized response (JRR paper; with k > 2 values its Section 4.6.1).

    Users are paired at random, and who tells the truth is correlated as negatively within a pair as privacy allows.

    Parameters
    ----------
    epsilon : float
        Budget, 0 to 30, against a collector with the given number of colluders: the exact one, not the paper's claim.
    sizes : (1,)
        Domain size of the only attribute.
    colluders : int
        Users who tell the collector whether they told the truth, and their tokens.
    users : int, optional
        Number of users; needed if there are colluders.

    Raises
    ------
    ValueError
        A parameter is outside its range.
    """

    epsilon: float
    sizes: tuple[int, ...]
    colluders: int = 0
    users: int | None = None

    def __post_init__(self) -> None:
        super().__post_init__()
        if self.d != 1:
            raise ValueError(f"sizes={self.sizes}: JRR collects one attribute; use SPL or RS+FD for {self.d}")
        check_integer(self.colluders, "colluders", 0)
        if self.users is None and self.colluders:
            raise ValueError(f"colluders={self.colluders} need the number of users: pass users=n")
        if self.users is not None:
            check_colluders(check_integer(self.users, "users", 1), self.colluders)
            if self.users * self.colluders > MOST_WORK:
                raise ValueError(
                    f"users={self.users} times colluders={self.colluders} must be at most {MOST_WORK}: beyond, their "
                    "exact epsilon takes too long"
                )
        _ = self.parameters  # a budget out of range is refused here, not at first use

    @cached_property
    def parameters(self) -> Parameters:
        """Probability of the truth and correlation parameter: the most negative correlation that `epsilon` allows."""
        k = self.sizes[0]
        if self.users is None or not self.colluders:
            p = rr_parameters(self.epsilon, k).p
            return Parameters(p, (k - 1) * lowest_correlation(p))
        if k == 2:
            found = corner(self.users, self.epsilon, self.colluders)
        else:
            found = algorithm1(self.users, self.epsilon, self.colluders, rho_step=0, k=k)
        return self._within_budget(found, self.users, k)

    def _within_budget(self, found: Parameters, n: int, k: int) -> Parameters:
        """Weaken the correlation until the exact epsilon is within the budget; Eq. 22 bounds the paper's one only."""
        rho, weakest = found.rho, 0.0
        if self.exact_epsilon(found.p, rho, n, k) <= self.epsilon * (1 + 1e-12):
            return found
        for _ in range(HALVINGS):
            middle = (rho + weakest) / 2
            if self.exact_epsilon(found.p, middle, n, k) <= self.epsilon:
                weakest = middle
            else:
                rho = middle
        return Parameters(found.p, weakest)

    def exact_epsilon(self, p: float, rho: float, n: int, k: int) -> float:
        """Epsilon against colluders who tell the collector the truth about their own reports, or their tokens."""
        m = self.colluders
        return max(exact_epsilon(p, rho, n, m, k), token_epsilon(p, rho, n, m, k))

    def guarantee(self) -> Guarantee:
        """Colluders know their truthfulness or their tokens; without them a report is plain randomized response."""
        p, rho = self.parameters.p, self.parameters.rho
        epsilon = self.exact_epsilon(p, rho, self.users or 2, self.sizes[0])
        return Guarantee(epsilon, (epsilon,))

    @cached_property
    def mechanism(self) -> JointRandomizedResponse | KJRR:
        """The randomizer of all users together."""
        p, rho = self.parameters.p, self.parameters.rho
        return JointRandomizedResponse(p, rho) if self.sizes == (2,) else KJRR(p, rho, self.sizes[0])

    def privatize(self, records: ArrayLike, rng: np.random.Generator) -> Integers:
        """Pair the users and perturb their `records` (n, 1) into reports (n, 1)."""
        return self.mechanism.privatize(check_records(records, self.sizes)[:, 0], rng)[:, None]

    def estimate(self, reports: ArrayLike) -> Floats:
        """Unbiased frequencies (1, k) from the reports (n, 1) of all users."""
        return self.mechanism.estimate(check_records(reports, self.sizes)[:, 0])[None]

    def simulate(self, table: Population, runs: int, rng: np.random.Generator) -> Floats:
        """Draw estimates (runs, 1, k) from their exact distribution."""
        check_population(table, self.sizes)
        marginals = table.marginals_of(runs)[:, 0]
        if (marginals == marginals[0]).all():
            support = self.mechanism.simulate(marginals[0], runs, rng)
        else:
            support = np.concatenate([self.mechanism.simulate(counts, 1, rng) for counts in marginals])
        return self.mechanism.unbias(support, table.n)[:, None]

    def expected_mse(self, table: Population) -> Floats:
        """Exact expected squared error of each frequency, (1, k) or (runs, 1, k): its variance."""
        check_population(table, self.sizes)
        return self.mechanism.variance(table.frequencies(), table.n)

    def channel(self) -> Floats:
        """Pr[report | value] of one user, (k, k)."""
        return self.mechanism.channel()

    def server(self) -> Any:  # noqa: ANN401
        """Return the server that pairs the users; see `collection.pairing`."""
        from corrldp.protocols.collection.pairing import PairingServer

        return PairingServer(self)

    def client(self, token: int | None = None) -> Any:  # noqa: ANN401
        """Return what runs on the device of a user to whom the pairing server dealt a `token`."""
        if token is None:
            raise ValueError("JRR pairs users: deal tokens with server().deal(n, rng) and pass each client its own")
        from corrldp.protocols.collection.pairing import PairedClient

        return PairedClient(self, token)
