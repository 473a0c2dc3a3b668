"""The joint distribution of two paired users' truthfulness (JRR paper, Table 2 and Eq. 27)."""

from dataclasses import dataclass

import numpy as np

from corrldp.arrays import Floats, make_plain, plain

# A correlation carries the rounding errors of numbers near 1: this close to its bound it is taken as the bound.
ROUNDING = 4e-16


@dataclass(frozen=True)
class TruthLaw:
    """Distribution of (T_1, T_2): each is 1 (the user tells the truth) with probability p; they are correlated.

    Parameters
    ----------
    p : float
        Pr[T = 1], 0 < p <= 1; q = 1 - p.
    correlation : float
        Correlation coefficient of T_1 and T_2, from -min(p/q, q/p) to 1. For binary values this is the
        paper's rho; for k values it is rho / (k - 1).

    Raises
    ------
    ValueError
        A parameter is outside its range.
    """

    p: float
    correlation: float

    def __post_init__(self) -> None:
        make_plain(self)
        if not 0 < self.p <= 1:
            raise ValueError(f"p={self.p} must lie in (0, 1]: it is the probability of the truth")
        lowest = lowest_correlation(self.p)
        if not lowest - ROUNDING <= self.correlation <= 1:
            raise ValueError(
                f"correlation={self.correlation} must lie in [{lowest}, 1] for p={self.p}: "
                "outside, a joint probability is negative"
            )

    @property
    def q(self) -> float:
        """Probability of a lie."""
        return 1 - self.p

    @property
    def given_truth(self) -> tuple[float, float]:
        """Probabilities of the truth and of a lie given that the peer tells the truth."""
        truth = self.p + self.correlation * self.q
        return (truth if truth > ROUNDING else 0.0), (1 - self.correlation) * self.q

    @property
    def given_lie(self) -> tuple[float, float]:
        """Probabilities of the truth and of a lie given that the peer lies."""
        lie = self.q + self.correlation * self.p
        return (1 - self.correlation) * self.p, (lie if lie > ROUNDING else 0.0)

    @property
    def both(self) -> float:
        """Probability that both tell the truth, p^2 + correlation p q."""
        return self.p * self.given_truth[0]

    @property
    def one(self) -> float:
        """Probability that the first tells the truth and the second lies, (1 - correlation) p q."""
        return (1 - self.correlation) * self.p * self.q

    @property
    def neither(self) -> float:
        """Probability that both lie, q^2 + correlation p q."""
        return self.q * self.given_lie[1]

    @property
    def covariance(self) -> float:
        """Covariance of T_1 and T_2."""
        return self.correlation * self.p * self.q

    def matrix(self) -> Floats:
        """(2, 2) matrix with Pr[T_1 = i, T_2 = j] in row i, column j (Table 2 lists 1 before 0)."""
        return np.array([[self.neither, self.one], [self.one, self.both]])


def lowest_correlation(p: float) -> float:
    """Most negative possible correlation of two indicators of probability p: -min(p/q, q/p).

    For p >= 1/2 this is the paper's 1 - 1/p, without loss of digits.
    """
    p = plain(p)
    q = 1 - p
    return -min(p, q) / max(p, q)


def possible_peers(n: int) -> int:
    """Count the equally likely peers of a user among `n`: n - 1, or n when n is odd.

    If `n` is odd, one user, chosen uniformly, is left alone and reports by plain randomized response. This is
    equivalent to an even population with a dummy that reports nothing: the dummy is one more possible peer.
    """
    n = plain(n)
    return n - 1 + n % 2
