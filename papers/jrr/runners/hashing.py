"""JRR inside local hashing: k-JRR over the hash values of a pair (JRR paper, Section 4.6.2)."""

from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import ArrayLike

from corrldp.arrays import Floats, Integers, make_plain, plain
from corrldp.mechanisms.hashing import Keys, check_range, draw_keys, hash_values, hashed_support
from corrldp.mechanisms.pure import PureMechanism
from corrldp.mechanisms.validation import check_codes, check_counts, check_domain_size
from corrldp.protocols.jrr.mechanism import JointRandomizedResponse
from corrldp.protocols.jrr.pairs import possible_peers, truthful_counts


@dataclass(frozen=True)
class JRRLocalHashing(PureMechanism):
    """Each user hashes the value to g values with a separate key; each pair perturbs its hash values by k-JRR.

    The hash family is ideal, see `corrldp.mechanisms.hashing`. A report supports a value that its user does not
    have through a hash collision, with probability 1/g whether or not the user tells the truth; only the support
    of the user's value depends on truthfulness. So only pairs that share a value are correlated in its estimate,
    and rho < 0 never increases the variance at a given p.

    Parameters
    ----------
    p : float
        Probability of the truth about the hash value, 1/g < p <= 1.
    rho : float
        Parameter of Eq. 27 over g values.
    k : int
        Domain size, >= 2.
    g : int
        Number of hash values, 2 to 2^32.

    Raises
    ------
    ValueError
        A parameter is outside its range.
    """

    p: float
    rho: float
    k: int
    g: int

    def __post_init__(self) -> None:
        make_plain(self)
        check_domain_size(self.k)
        check_range(self.g)
        JointRandomizedResponse(self.p, self.rho, self.g)

    @cached_property
    def inner(self) -> JointRandomizedResponse:
        return JointRandomizedResponse(self.p, self.rho, self.g)

    @property
    def p_support(self) -> float:
        return self.p

    @property
    def q_support(self) -> float:
        return 1 / self.g

    def privatize(self, values: ArrayLike, rng: np.random.Generator) -> Keys:
        """Perturb the `values` (n,) of users into reports (n, 2): hash key and perturbed hash value."""
        values = check_codes(values, self.k)
        keys = draw_keys(values.size, rng)
        hashed = hash_values(keys, values, self.g).astype(np.int64)
        return np.column_stack([keys, self.inner.privatize(hashed, rng).astype(np.uint64)])

    def support(self, reports: Keys) -> Integers:
        """Count, for each value, the reports whose hash value equals its hash, (k,)."""
        return hashed_support(reports, self.k, self.g)

    def simulate(self, counts: ArrayLike, runs: int, rng: np.random.Generator) -> Integers:
        """Draw the support (runs, k) of a population with `counts` (k,): exact distribution, cost of order runs k^2."""
        counts = check_counts(counts, self.k)
        collisions = rng.binomial(counts.sum() - counts, self.q_support, size=(runs, self.k))
        return truthful_counts(self.inner.law, counts, runs, rng) + collisions

    def variance_of_counts(self, count: ArrayLike, n: int) -> Floats:
        """Exact variance of the estimated count of a value that `count` of the `n` users have.

        Two of these users are paired with probability 1 / `possible_peers(n)`; then their support has the
        covariance of their truthfulness, rho p (1 - p) / (g - 1).
        """
        count, n = np.asarray(count, dtype=float), plain(n)
        joint = self.inner.law.covariance * count * (count - 1) / possible_peers(n)
        return super().variance_of_counts(count, n) + joint / self.gap**2
