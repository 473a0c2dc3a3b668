"""Pairs of users: the joint distribution of their truthfulness (JRR paper, Table 2, Eq. 27), matching, tokens."""

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from corrldp.arrays import Bits, Floats, Integers, make_plain, plain
from corrldp.protocols.counting import draw_without_replacement

# A correlation carries the rounding errors of numbers near 1: this close to its bound it is taken as the bound.
ROUNDING = 4e-16


@dataclass(frozen=True)
class TruthLaw:
    """Distribution of (T_1, T_2): each is 1 (the user tells the truth) with probability p, 0 < p <= 1; q = 1 - p.

    Their `correlation` coefficient lies between -min(p/q, q/p) and 1. For binary values this is the paper's rho; for k
    values it is rho / (k - 1).
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


def match(n: int, rng: np.random.Generator) -> tuple[Integers, Integers]:
    """Pair `n` users uniformly at random: the positions of both members of each pair, (n // 2,) each.

    If n is odd, the user in neither array is left alone.
    """
    order = rng.permutation(n)
    pairs = n // 2
    return order[:pairs], order[pairs : 2 * pairs]


def truthfulness(law: TruthLaw, n: int, rng: np.random.Generator) -> Bits:
    """Whether each of `n` randomly paired users tells the truth, (n,)."""
    first, second = match(n, rng)
    truthful = rng.random(n) < law.p
    chances = np.where(truthful[first], law.given_truth[0], law.given_lie[0])
    truthful[second] = rng.random(second.size) < chances
    return truthful


def truthful_counts(law: TruthLaw, counts: Integers, runs: int, rng: np.random.Generator) -> Integers:
    """Draw how many users tell the truth of those with each value, `counts` (k,), in newly drawn pairs: (runs, k).

    The distribution is exact; the cost is of order runs k^2, whatever the number of users.
    """
    first, second, alone = split(counts, runs, rng)
    truthful = rng.binomial(alone, law.p)
    for value, row in enumerate(pair_rows(first, second, rng)):
        both, only_first, only_second, _ = np.moveaxis(
            rng.multinomial(row, [law.both, law.one, law.one, law.neither]), -1, 0
        )
        truthful[:, value] += (both + only_first).sum(axis=1)
        truthful += both + only_second
    return truthful


def split(counts: Integers, runs: int, rng: np.random.Generator) -> tuple[Integers, Integers, Integers]:
    """Divide a population with `counts` (k,) into first members, second members and users left alone, (runs, k) each.

    One user is left alone if n is odd. 10^9 users or more are a ValueError.
    """
    n = int(counts.sum())
    population = np.tile(counts, (runs, 1))
    alone = draw_without_replacement(population, n % 2, rng)
    first = draw_without_replacement(population - alone, n // 2, rng)
    return first, population - alone - first, alone


def pair_rows(first: Integers, second: Integers, rng: np.random.Generator) -> Iterator[Integers]:
    """Match first with second members, (runs, k) with equal sums: yield a row (runs, k) of the random table of pairs.

    Row v says how many first members with value v have a peer of each value.
    """
    unmatched = second
    for value in range(first.shape[1] - 1):
        row = draw_without_replacement(unmatched, first[:, value], rng)
        unmatched = unmatched - row
        yield row
    yield unmatched


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
