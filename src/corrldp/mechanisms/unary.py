"""Unary encoding: each of the k bits of a one-hot record is perturbed independently (SUE, OUE, basic RAPPOR)."""

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import product
from typing import Literal

import numpy as np
from numpy.typing import ArrayLike

from corrldp.arrays import Bits, Floats, Integers, check_choice, make_plain
from corrldp.mechanisms.pure import (
    FEW_DIGITS,
    Budgeted,
    IndependentSupport,
    Report,
    decode_bits,
    encode_bits,
)
from corrldp.mechanisms.validation import check_bits, check_codes, check_domain_size
from corrldp.randomness import bernoulli, chance_of_bit, exact_log_ratio

LARGEST_CHANNEL = 12


class BitMechanism(IndependentSupport):
    """A mechanism that reports k independent bits, one per value of the domain."""

    def channel(self) -> Floats:
        """Row-stochastic (k, 2^k) matrix; output y has bit v of the number y (highest first) for value v.

        A domain of more than 12 values is a ValueError.
        """
        own = np.eye(self.k, dtype=bool)
        return self._chances(np.where(own, self.p_support, self.q_support), np.where(own, *self.zeros))

    def empty_channel(self) -> Floats:
        return self._chances(np.full(self.k, self.q_support), np.full(self.k, self.zeros[1]))

    def _chances(self, ones: Floats, zeros: Floats) -> Floats:
        """Probability (..., 2^k) of each output if its bits are 1 and 0 with the probabilities `ones` and `zeros`."""
        if self.k > LARGEST_CHANNEL:
            raise ValueError(f"k={self.k} gives 2^{self.k} outputs: ask for a channel only up to k={LARGEST_CHANNEL}")
        outputs = np.array(list(product((0, 1), repeat=self.k)))
        return np.where(outputs == 1, ones[..., None, :], zeros[..., None, :]).prod(axis=-1)

    def privatize(self, values: ArrayLike, rng: np.random.Generator) -> Bits:
        """Perturb the `values` (n,) of users into reports (n, k), one bit per value of the domain."""
        values = check_codes(values, self.k)
        reports = bernoulli(self.q_support, (values.size, self.k), rng)
        reports[np.arange(values.size), values] = bernoulli(self.p_support, values.shape, rng)
        return reports

    def empty_reports(self, n: int, rng: np.random.Generator) -> Bits:
        return bernoulli(self.q_support, (n, self.k), rng)

    def support(self, reports: ArrayLike) -> Integers:
        return check_bits(reports, self.k).sum(axis=0, dtype=np.int64)

    def sampled_epsilon(self) -> float:
        one, zero = chance_of_bit(self.p_support), chance_of_bit(self.q_support)
        return exact_log_ratio(one * (1 - zero), (1 - one) * zero)

    def encode(self, reports: ArrayLike) -> list[Report]:
        """Return the positions of the bits that are set in each report."""
        return encode_bits(np.asarray(reports))

    def decode(self, reports: Sequence[Report]) -> Bits:
        return decode_bits(reports, self.k)


@dataclass(frozen=True)
class UnaryEncoding(Budgeted, BitMechanism):
    """A 1-bit is reported as 1 with probability p, a 0-bit with probability q; the variant divides the budget.

    `symmetric` (basic RAPPOR) has p + q = 1; `optimized` has p = 1/2 and the least variance for rare values (Wang et
    al., USENIX Security 2017, Section 4.2). Use the constructors of the same names.
    """

    variant: Literal["symmetric", "optimized"]

    def __post_init__(self) -> None:
        super().__post_init__()
        check_choice(self.variant, "variant", ("symmetric", "optimized"))

    @classmethod
    def symmetric(cls, epsilon: float, k: int) -> "UnaryEncoding":
        """SUE: p = e^(epsilon/2) / (e^(epsilon/2) + 1), q = 1 - p."""
        return cls(epsilon, k, "symmetric")

    @classmethod
    def optimized(cls, epsilon: float, k: int) -> "UnaryEncoding":
        """OUE: p = 1/2, q = 1 / (e^epsilon + 1)."""
        return cls(epsilon, k, "optimized")

    @property
    def p_support(self) -> float:
        return 0.5 if self.variant == "optimized" else float(1 / (1 + np.exp(-self.epsilon / 2)))

    @property
    def q_support(self) -> float:
        odds = np.exp(-self.epsilon if self.variant == "optimized" else -self.epsilon / 2)
        return float(odds / (1 + odds))

    @property
    def zeros(self) -> tuple[float, float]:
        """Probabilities that a 1-bit and that a 0-bit is reported as 0; symmetric ones have 1 - p = q."""
        symmetric = self.variant == "symmetric" and self.q_support < FEW_DIGITS
        return self.q_support if symmetric else 1 - self.p_support, 1 - self.q_support

    @property
    def gap(self) -> float:
        if self.variant == "optimized":
            return float(np.tanh(self.epsilon / 2) / 2)
        return float(np.tanh(self.epsilon / 4))


@dataclass(frozen=True)
class RAPPOR(BitMechanism):
    """One report of basic RAPPOR (Erlingsson et al., CCS 2014).

    The permanent response of a bit is 1 or 0 with probability f/2 each, and the bit itself otherwise. A report has a 1
    with probability q where the permanent response is 1, and with probability p where it is 0. The constants, in [0, 1]
    with f < 1 and p < q, determine the privacy; there is no budget to choose. Neither kind of bit may be reported with
    certainty.
    """

    k: int
    f: float = 0.5
    p: float = 0.5
    q: float = 0.75

    def __post_init__(self) -> None:
        make_plain(self)
        check_domain_size(self.k)
        if not (0 <= self.f < 1 and 0 <= self.p < self.q <= 1 and self.q_support > 0 and self.p_support < 1):
            raise ValueError(
                f"f={self.f}, p={self.p}, q={self.q} must satisfy 0 <= f < 1 and 0 <= p < q <= 1, "
                "with f > 0 or both 0 < p and q < 1"
            )

    @property
    def p_support(self) -> float:
        return (1 - self.f / 2) * self.q + self.f / 2 * self.p

    @property
    def q_support(self) -> float:
        return self.f / 2 * self.q + (1 - self.f / 2) * self.p

    @property
    def epsilon(self) -> float:
        """Exact epsilon of one report: two values differ in two bits. The default constants give ln(77/45)."""
        p, q = self.p_support, self.q_support
        return float(np.log(p / (1 - p)) - np.log(q / (1 - q)))
