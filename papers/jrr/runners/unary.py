"""JRR inside unary encoding, SUE or OUE, and inside local hashing (JRR paper, Section 4.6.2).

Table 2 does not apply directly: 1-bits and 0-bits are perturbed with different probabilities, and a user does
not know the peer's bits. The server's construction (Section 4.5.1) does apply: for every bit the server deals
the pair opposite tokens R = +1, -1, and a user tells the truth about the bit with probability t + s R, where t
and s depend only on the user's own bit. Paired users with shifts s_1, s_2 have covariance -s_1 s_2.
"""

from dataclasses import dataclass, replace
from itertools import product

import numpy as np
from numpy.typing import ArrayLike

from corrldp.arrays import Bits, Floats, Integers, plain
from corrldp.mechanisms.hashing import Keys, hashed_reports, hashed_support
from corrldp.mechanisms.pure import PureMechanism
from corrldp.mechanisms.unary import UnaryEncoding
from corrldp.mechanisms.validation import check_codes, check_counts
from corrldp.protocols.jrr.mechanism import (
    JointRandomizedResponse,
    match,
    pair_rows,
    possible_peers,
    split,
    truthful_counts,
)
from corrldp.protocols.jrr.privacy import check_colluders, token_advantage


@dataclass(frozen=True)
class JRRLocalHashing(PureMechanism):
    """Each user hashes the value to g values with a separate key; each pair perturbs its hash values by k-JRR.

    The hash family is ideal, see `corrldp.mechanisms.hashing`. A report supports a value that its user does not
    have through a hash collision, with probability 1/g whether or not the user tells the truth; only the support
    of the user's value depends on truthfulness. So only pairs that share a value are correlated in its estimate,
    and rho < 0 never increases the variance at a given p.

    A pair runs `inner` on hash values, k-JRR over g values, 2 to 2^32: with its p, 1/g < p <= 1, a user tells the truth
    about the hash value, and its rho is that of Eq. 27.
    """

    inner: JointRandomizedResponse
    k: int

    @property
    def p_support(self) -> float:
        return self.inner.p

    @property
    def q_support(self) -> float:
        return 1 / self.inner.k

    def privatize(self, values: ArrayLike, rng: np.random.Generator) -> Keys:
        """Perturb the `values` (n,) of users into reports (n, 2): hash key and perturbed hash value."""
        return hashed_reports(check_codes(values, self.k), self.inner.k, self.inner.privatize, rng)

    def support(self, reports: Keys) -> Integers:
        return hashed_support(reports, self.k, self.inner.k)

    def simulate(self, counts: ArrayLike, runs: int, rng: np.random.Generator) -> Integers:
        counts = check_counts(counts, self.k)
        collisions = rng.binomial(counts.sum() - counts, self.q_support, size=(runs, self.k))
        return truthful_counts(self.inner, counts, runs, rng) + collisions

    def variance_of_counts(self, count: ArrayLike, n: int) -> Floats:
        """Exact variance of the estimated count of a value that `count` of the `n` users have.

        Two of these users are paired with probability 1 / `possible_peers(n)`; then their support has the
        covariance of their truthfulness, rho p (1 - p) / (g - 1).
        """
        count, n = np.asarray(count, dtype=float), plain(n)
        joint = self.inner.correlation * self.inner.p * self.inner.lie * count * (count - 1) / possible_peers(n)
        return super().variance_of_counts(count, n) + joint / self.gap**2


@dataclass(frozen=True)
class JRRUnary(PureMechanism):
    """Unary encoding whose paired users perturb each bit with negative correlation.

    The `base`, SUE or OUE, determines each bit's marginal distribution, `scale` the strength of the correlation, 0
    (none) to 1 (largest): the shift of a bit that is reported correctly with probability t is scale * min(t, 1 - t).
    For SUE this is Table 2 with rho = -scale^2 q / p.
    """

    base: UnaryEncoding
    scale: float

    @property
    def k(self) -> int:
        return self.base.k

    @property
    def p_support(self) -> float:
        return self.base.p_support

    @property
    def q_support(self) -> float:
        return self.base.q_support

    @property
    def gap(self) -> float:
        return self.base.gap

    @property
    def shifts(self) -> tuple[float, float]:
        """How much a token shifts the probability of the truth about a 1-bit and about a 0-bit."""
        p, q = self.p_support, self.q_support
        return self.scale * min(p, 1 - p), self.scale * min(q, 1 - q)

    def chance_of_one(self, bits: ArrayLike, tokens: ArrayLike) -> Floats:
        """Probability that each bit is reported as 1 given the user's token for it."""
        of_one, of_zero = self.shifts
        tokens = np.asarray(tokens)
        return np.where(np.asarray(bits), self.p_support + of_one * tokens, self.q_support - of_zero * tokens)

    def privatize(self, values: ArrayLike, rng: np.random.Generator) -> Bits:
        """Perturb the `values` (n,) of randomly paired users into reports (n, k), with one token per bit."""
        values = check_codes(values, self.k)
        first, second = match(values.size, rng)
        tokens = rng.choice(np.array([-1, 1], dtype=np.int8), size=(values.size, self.k))
        tokens[second] = -tokens[first]
        bits = values[:, None] == np.arange(self.k)
        return rng.random(bits.shape) < self.chance_of_one(bits, tokens)

    def support(self, reports: ArrayLike) -> Integers:
        return self.base.support(reports)

    def simulate(self, counts: ArrayLike, runs: int, rng: np.random.Generator) -> Integers:
        """Draw the support (runs, k) of a population with `counts` (k,): exact distribution, cost of order runs k^2.

        All k bits share one pairing; given the pairing they are independent.
        """
        counts = check_counts(counts, self.k)
        p, q = self.p_support, self.q_support
        of_one, of_zero = self.shifts
        first, second, alone = split(counts, runs, rng)
        both = np.empty_like(first)
        for value, row in enumerate(pair_rows(first, second, rng)):
            both[:, value] = row[:, value]
        one = first + second - 2 * both
        neither = counts.sum() // 2 - both - one
        support = rng.binomial(alone, p) + rng.binomial(counts.sum() % 2 - alone, q)
        support += _reported_by_pairs(both, p, p, -(of_one**2), rng)
        support += _reported_by_pairs(one, p, q, of_one * of_zero, rng)
        support += _reported_by_pairs(neither, q, q, -(of_zero**2), rng)
        return support

    def variance_of_counts(self, count: ArrayLike, n: int) -> Floats:
        """Exact variance of the estimated count of a value that `count` of the `n` users have.

        Paired users' reports of a bit have covariance -a_1 a_2, where a = s for a 1-bit and -s for a 0-bit;
        each pair of users is matched with probability 1 / `possible_peers(n)`.
        """
        count, n = np.asarray(count, dtype=float), plain(n)
        of_one, of_zero = self.shifts
        weights = count * of_one - (n - count) * of_zero
        squares = count * of_one**2 + (n - count) * of_zero**2
        joint = -(weights**2 - squares) / possible_peers(n)
        return super().variance_of_counts(count, n) + joint / self.gap**2

    def epsilon(self, n: int, m: int) -> float:
        """Exact epsilon of a whole record when `m` of the `n` users reveal their tokens.

        In the worst case all colluders hold the same tokens V. Then no two of them are a pair, so the target is
        paired with one of them, and holds -V, with probability d = `token_advantage(n, m)`; otherwise the
        target's tokens are uniform, as in the base mechanism. Two values differ in two bits. The other k - 2 bits
        of the report do not depend on which of the two is true, but they indicate whether the target holds -V,
        with a likelihood ratio of up to (1 + s_0 / min(q, 1 - q))^(k - 2). Hence the leakage grows with k even
        though d does not.
        """
        from scipy.special import xlog1py  # here, since most programs never need it and it takes long to import

        check_colluders(n, m)
        advantage = token_advantage(n, m)
        relative = self.shifts[1] / min(self.q_support, 1 - self.q_support)
        cases = product(product((0, 1), repeat=2), product((-1, 1), repeat=2))
        reported, tokens = np.array(list(cases)).transpose(1, 0, 2)
        with np.errstate(divide="ignore", invalid="ignore"):
            unpaired = np.log1p(-advantage)
            paired = np.log(advantage) + xlog1py(self.k - 2, np.array([[-relative], [relative]]))
            value, other = (
                np.logaddexp(
                    unpaired + self._log_pair_of_bits(reported[:, order], 0 * tokens),
                    paired + self._log_pair_of_bits(reported[:, order], tokens[:, order]),
                )
                for order in ([0, 1], [1, 0])
            )
            return float(np.nanmax(np.abs(value - other)))

    def _log_pair_of_bits(self, reported: Integers, tokens: Integers) -> Floats:
        """Log-probability that a 1-bit and a 0-bit are `reported` so; token 0 means the marginal distribution."""
        ones = self.chance_of_one((1, 0), tokens)
        return np.log(np.where(reported, ones, 1 - ones).prod(axis=-1))


def largest_scale(base: UnaryEncoding, epsilon: float, n: int, m: int) -> JRRUnary:
    """Correlate `base` as strongly as a record's budget of `epsilon` against `m` colluders among `n` users allows.

    If `base` spends all of the budget, nothing is left for the correlation.
    """
    if base.epsilon >= epsilon:
        return JRRUnary(base, 0.0)
    strongest = JRRUnary(base, 1.0)
    if strongest.epsilon(n, m) <= epsilon:
        return strongest

    def excess(scale: float) -> float:
        return min(JRRUnary(base, scale).epsilon(n, m), 2 * epsilon) - epsilon

    from scipy.optimize import brentq  # half of scipy: only when needed

    return replace(strongest, scale=brentq(excess, 0.0, 1.0, xtol=1e-15))


def _reported_by_pairs(
    pairs: Integers, first: float, second: float, covariance: float, rng: np.random.Generator
) -> Integers:
    """Draw how many 1s `pairs` pairs report if the members report 1 with the given probabilities."""
    two = first * second + covariance
    zero = (1 - first) * (1 - second) + covariance
    outcomes = rng.multinomial(pairs, [two, zero, 1 - two - zero])
    return 2 * outcomes[..., 0] + outcomes[..., 2]
