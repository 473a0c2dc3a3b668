"""JRR with a non-colluding server (JRR paper, Section 4.5.1).

The server sees the pairs and all tokens, but no value and no report; a contributor sees only the own value
and token; the collector sees all reports and the tokens of contributors who collude with it.
`corrldp.protocols.jrr.privacy.token_epsilon` measures what these tokens reveal about others.
"""

from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike

from corrldp.arrays import Bits, Floats, Integers
from corrldp.mechanisms.validation import check_codes
from corrldp.protocols.jrr.binary import JointRandomizedResponse
from corrldp.protocols.jrr.matching import match


@dataclass(frozen=True)
class ServerJRR(JointRandomizedResponse):
    """Joint randomized response as the parties run it: same distribution, same estimator, and rho <= 0.

    Parameters
    ----------
    p : float
        Probability of the truth, 1/2 < p <= 1.
    rho : float
        Correlation of a pair's truthfulness, 1 - 1/p <= rho <= 0.

    Raises
    ------
    ValueError
        A parameter is outside its range.
    """

    def __post_init__(self) -> None:
        super().__post_init__()
        if self.rho > 0:
            raise ValueError(f"rho={self.rho} must be <= 0: opposite tokens give only negative correlation")

    @property
    def shift(self) -> float:
        """How much a token moves the probability of the truth up or down, sqrt(-rho p q)."""
        return token_shift(self.p, self.rho)

    def deal(self, n: int, rng: np.random.Generator) -> Integers:
        """Act as the server: pair `n` users at random and deal opposite tokens R = +1, -1 to each pair, (n,)."""
        return deal_tokens(n, rng)

    def personal_law(self) -> tuple[Floats, Floats]:
        """Return the values of a contributor's private variable C and their probabilities (Eq. 25)."""
        p, shift = self.p, self.shift
        return np.array([1.5, 0.5, -0.5, -1.5]), np.array([p - shift, shift, shift, max(0.0, 1 - p - shift)])

    @staticmethod
    def truthful(personal: ArrayLike, tokens: ArrayLike) -> Bits:
        """Whether a contributor tells the truth, from the private variable and the token (Eq. 26)."""
        return np.asarray(personal) + np.asarray(tokens) > 0

    def privatize(self, values: ArrayLike, rng: np.random.Generator) -> Integers:
        """Run the protocol on the binary `values` (n,) of users: reports (n,)."""
        values = check_codes(values, k=2)
        tokens = self.deal(values.size, rng)
        outcomes, probabilities = self.personal_law()
        personal = rng.choice(outcomes, size=values.size, p=probabilities)
        return np.where(self.truthful(personal, tokens), values, 1 - values)


def deal_tokens(n: int, rng: np.random.Generator) -> Integers:
    """Pair `n` users at random and deal opposite tokens +1 and -1 to each pair, (n,); a user left alone draws one."""
    first, second = match(n, rng)
    tokens = rng.choice((-1, 1), size=n)
    tokens[second] = -tokens[first]
    return tokens


def token_shift(p: float, correlation: float) -> float:
    """Shift of the probability of the truth by which opposite tokens produce a `correlation` <= 0.

    A pair with probabilities p + s and p - s has covariance -s^2 over the two ways of dealing the tokens.
    """
    return min(float(np.sqrt(-correlation * p * (1 - p))), p, 1 - p)
