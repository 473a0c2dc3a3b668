"""JRR with clients: a server that neither sees reports nor colludes pairs the users (JRR paper, Section 4.5.1)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from corrldp.arrays import in_short
from corrldp.mechanisms.grr import other_values
from corrldp.protocols.collection.client import check_generator
from corrldp.protocols.collection.coding import Report
from corrldp.protocols.jrr.protocol import JRR
from corrldp.protocols.jrr.server import deal_tokens, token_shift
from corrldp.protocols.records import check_records


@dataclass(frozen=True)
class PairingServer:
    """Pairs the users of JRR and deals opposite tokens to each pair; it learns no value and no report."""

    protocol: JRR

    def deal(self, n: int, rng: np.random.Generator) -> list[int]:
        """Pair `n` users at random and return their tokens +1 or -1, one for each user and for nobody else.

        Raises
        ------
        ValueError
            There are no users, other than the protocol's number of users, or there is no generator.
        """
        check_generator(rng)
        if isinstance(n, bool) or not isinstance(n, int) or n < 1 or n != (self.protocol.users or n):
            raise ValueError(f"n={in_short(n)} must be the number of users, {self.protocol.users or 'at least 1'}")
        return deal_tokens(n, rng).tolist()


@dataclass(frozen=True)
class PairedClient:
    """Perturbs the value of one user who has a token.

    With opposite tokens, one of a pair is likelier to tell the truth and the other less likely, each by the same amount
    s. Over the two ways to deal them, their truthfulness has covariance -s^2, and each is truthful with probability p.
    """

    protocol: JRR
    token: int

    def __post_init__(self) -> None:
        if isinstance(self.token, bool) or not isinstance(self.token, int) or self.token not in (-1, 1):
            raise ValueError(
                f"token={in_short(self.token)} must be +1 or -1: take the one that the pairing server deals"
            )

    @property
    def truth(self) -> float:
        """Probability of the truth, given the token."""
        p, k = self.protocol.parameters.p, self.protocol.sizes[0]
        return p + self.token * token_shift(p, self.protocol.parameters.rho / (k - 1))

    def report(self, record: Sequence[int], rng: np.random.Generator) -> Report:
        """Return the report on a `record` (1,) as JSON has it; see `Client.report`."""
        check_generator(rng)
        value = check_records([record], self.protocol.sizes)[0]
        reported = value if rng.random() < self.truth else other_values(value, self.protocol.sizes[0], rng)
        return reported.tolist()
