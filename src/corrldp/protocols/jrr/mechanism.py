"""Joint randomized response (JRR paper, Sections 4.1 and 4.3), for k values (4.6.1), and the pairs of its users."""

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike

from corrldp.arrays import Floats, Integers, make_plain, plain
from corrldp.mechanisms.grr import other_values
from corrldp.mechanisms.pure import PureMechanism
from corrldp.mechanisms.validation import check_codes, check_counts, check_domain_size
from corrldp.protocols.records import draw_without_replacement

# A correlation carries the rounding errors of numbers near 1: this close to its bound it is taken as the bound.
ROUNDING = 4e-16


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


def truthful_counts(law: "JointRandomizedResponse", counts: Integers, runs: int, rng: np.random.Generator) -> Integers:
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


@dataclass(frozen=True)
class JointRandomizedResponse(PureMechanism):
    """Pair the users at random; a pair reports by the joint distribution of Table 2 or, for k > 2, of Eq. 27.

    Each user tells the truth with probability p, 1/k < p <= 1, and reports each other value with q = (1 - p) / (k - 1).
    Given who tells the truth, the lies are uniform and independent, so only the truthfulness is correlated.

    The paper calls rho, from -(k - 1) min((1 - p)/p, p/(1 - p)) to k - 1, the correlation of the two users'
    truthfulness. By Eq. 27 that correlation is rho / (k - 1), see `correlation`; the two agree only for k
    = 2. With rho = 0 this is plain randomized response.

    With an odd number of users, one of them, chosen at random, reports by plain randomized response with the same p,
    like a user whose peer is missing in Section 4.5.2 of the paper.
    """

    p: float
    rho: float
    k: int = 2

    def __post_init__(self) -> None:
        make_plain(self)
        check_domain_size(self.k)
        if not 1 / self.k < self.p <= 1:
            raise ValueError(f"p={self.p} must lie in (1/k, 1] for k={self.k}: the truth must be likelier")
        most = self.k - 1
        lowest = most * lowest_correlation(self.p)
        if not lowest - most * ROUNDING <= self.rho <= most:
            raise ValueError(
                f"rho={self.rho} must lie in [{lowest}, {most}] for p={self.p}, k={self.k}: outside, a joint "
                "probability is negative"
            )

    @property
    def correlation(self) -> float:
        """Correlation coefficient of two paired users' truthfulness, rho / (k - 1)."""
        return self.rho / (self.k - 1)

    @property
    def lie(self) -> float:
        """Probability of a lie, 1 - p."""
        return 1 - self.p

    @property
    def given_truth(self) -> tuple[float, float]:
        """Probabilities of the truth and of a lie given that the peer tells the truth."""
        truth = self.p + self.correlation * self.lie
        return (truth if truth > ROUNDING else 0.0), (1 - self.correlation) * self.lie

    @property
    def given_lie(self) -> tuple[float, float]:
        """Probabilities of the truth and of a lie given that the peer lies."""
        lie = self.lie + self.correlation * self.p
        return (1 - self.correlation) * self.p, (lie if lie > ROUNDING else 0.0)

    @property
    def both(self) -> float:
        """Probability that both tell the truth, p^2 + correlation p (1 - p)."""
        return self.p * self.given_truth[0]

    @property
    def one(self) -> float:
        """Probability that the first tells the truth and the second lies, (1 - correlation) p (1 - p)."""
        return (1 - self.correlation) * self.p * self.lie

    @property
    def neither(self) -> float:
        """Probability that both lie, (1 - p)^2 + correlation p (1 - p)."""
        return self.lie * self.given_lie[1]

    def matrix(self) -> Floats:
        """(2, 2) matrix of the pair's truthfulness, 1 for the truth: Table 2 for k = 2, but that it lists 1 first."""
        return np.array([[self.neither, self.one], [self.one, self.both]])

    @property
    def p_support(self) -> float:
        return self.p

    @property
    def q_support(self) -> float:
        return (1 - self.p) / (self.k - 1)

    def channel(self) -> Floats:
        """Row-stochastic (k, k) matrix of one user's Pr[report | value]."""
        return np.where(np.eye(self.k, dtype=bool), self.p_support, self.q_support)

    def pair_channel(self) -> Floats:
        """Pr[reports y_1, y_2 | values v_1, v_2] of a pair, a (k, k, k, k) array indexed v_1, v_2, y_1, y_2."""
        truth = np.eye(self.k)
        lie = (1 - truth) / (self.k - 1)
        law = self.matrix()
        kinds = (lie, truth)
        return sum(law[i, j] * np.einsum("ac,bd->abcd", kinds[i], kinds[j]) for i in range(2) for j in range(2))

    def privatize(self, values: ArrayLike, rng: np.random.Generator) -> Integers:
        """Perturb the `values` (n,) of randomly paired users into reports (n,)."""
        values = check_codes(values, self.k)
        first, second = match(values.size, rng)
        truthful = rng.random(values.size) < self.p
        chances = np.where(truthful[first], self.given_truth[0], self.given_lie[0])
        truthful[second] = rng.random(second.size) < chances
        return np.where(truthful, values, other_values(values, self.k, rng))

    def support(self, reports: ArrayLike) -> Integers:
        return np.bincount(check_codes(reports, self.k), minlength=self.k)

    def simulate(self, counts: ArrayLike, runs: int, rng: np.random.Generator) -> Integers:
        counts = check_counts(counts, self.k)
        truthful = truthful_counts(self, counts, runs, rng)
        if self.k == 2:  # there is one other value, so a lie is not drawn
            return truthful + (counts - truthful)[:, ::-1]
        support = truthful.copy()
        for value in range(self.k):
            others = np.full(self.k, 1 / (self.k - 1))
            others[value] = 0
            support += rng.multinomial(counts[value] - truthful[:, value], others)
        return support

    def variance_of_counts(self, count: ArrayLike, n: int) -> Floats:
        """Exact variance of the estimated count of a value that `count` of the `n` users have.

        Two paired users' reports of v have covariance rho p q a_1 a_2, where a = 1 for a user with value v and
        -1/(k - 1) for any other. This is summed over all pairs of users, each paired with probability 1/D, where D is
        `possible_peers(n)`. For k = 2 the weights sum to the imbalance 2 n_1 - n and their squares to n: Eq. 21.
        """
        count, n = np.asarray(count, dtype=float), plain(n)
        if self.k == 2:  # with the digits of Eq. 21
            factor = n + self.rho * ((2 * count - n) ** 2 - n) / possible_peers(n)
            return self.p * (1 - self.p) / self.gap**2 * factor
        weights = count - (n - count) / (self.k - 1)
        squares = count + (n - count) / (self.k - 1) ** 2
        joint = self.rho * self.p * self.q_support * (weights**2 - squares) / possible_peers(n)
        return super().variance_of_counts(count, n) + joint / self.gap**2
