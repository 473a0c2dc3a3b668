"""Longitudinal oracles: a permanent response is drawn once and kept, and each report perturbs it anew (memoisation).

Source: Arcolezi, Couchot, Al Bouna and Xiao, Improving the Utility of Locally Differentially Private Protocols for
Longitudinal and Multidimensional Frequency Estimates (arXiv:2111.04636; Digital Communications and Networks 2024), who
chain two rounds of GRR (L-GRR) or of unary encoding (L-OSUE: OUE, then SUE). L-SUE is basic RAPPOR (Erlingsson et al.,
CCS 2014).

There are two budgets. One report spends epsilon (their epsilon_1); all reports of a user whose value stays spend at
most `permanent` (their epsilon_inf), which they approach. The second round is solved for exactly: one report then has
the law of GRR, SUE or OUE with budget epsilon, so counts, estimates and variances are those of these oracles. For L-GRR
and k > 2 their formula for the second round spends less than epsilon_1 on a report, as it leaves out that a report can
come from k - 2 further permanent responses.

Their L-OUE (OUE twice, each with p = 1/2) is left out: whatever the budgets and the frequency, its estimates have a
larger variance than those of L-OSUE, and a report can spend at most ln((2 e^permanent + 1) / 3). A test has both.
"""

import math
from abc import abstractmethod
from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike

from corrldp.arrays import Bits, Integers
from corrldp.mechanisms.grr import GRR, other_values
from corrldp.mechanisms.pure import Budgeted, FrequencyOracle, RawReports
from corrldp.mechanisms.unary import UnaryEncoding
from corrldp.mechanisms.validation import check_bits, check_codes, check_epsilon
from corrldp.randomness import bernoulli, chance_of_bit, exact_log_ratio


class Longitudinal(Budgeted, FrequencyOracle):
    """An oracle of two rounds: `remember` draws the permanent response, `repeat` a report from it.

    One report spends `epsilon`, all reports together `permanent`, which is larger.
    """

    permanent: float

    def __post_init__(self) -> None:
        super().__post_init__()
        check_permanent(self.permanent, self.epsilon)
        _ = self.lasting

    @property
    @abstractmethod
    def lasting(self) -> FrequencyOracle:
        """The oracle of the permanent response, with budget `permanent`."""

    @property
    @abstractmethod
    def flip(self) -> float:
        """Probability that a report differs from the permanent response in one given other value, or in one bit."""

    @abstractmethod
    def repeat(self, remembered: RawReports, rng: np.random.Generator) -> RawReports:
        """Draw a report from each of n permanent responses, as `privatize` returns them."""

    @abstractmethod
    def epsilon_after(self, reports: float) -> float:
        """Exact epsilon of so many reports from one permanent response together; `math.inf` gives the limit."""

    def remember(self, values: ArrayLike, rng: np.random.Generator) -> RawReports:
        """Draw the permanent responses to the `values` (n,) of users."""
        return self.lasting.privatize(values, rng)

    def privatize(self, values: ArrayLike, rng: np.random.Generator) -> RawReports:
        return self.repeat(self.remember(values, rng), rng)


@dataclass(frozen=True)
class LongitudinalGRR(Longitudinal, GRR):
    """L-GRR: GRR on the value, then GRR on what it gave; see `Longitudinal`."""

    permanent: float

    @property
    def lasting(self) -> GRR:
        return GRR(self.permanent, self.k)

    @property
    def flip(self) -> float:
        return (self.q_support - self.lasting.q_support) / self.lasting.gap

    @property
    def stay(self) -> float:
        """Probability that a report is the permanent response."""
        return 1 - (self.k - 1) * self.flip

    def repeat(self, remembered: RawReports, rng: np.random.Generator) -> Integers:
        kept = check_codes(remembered, self.k)
        reports = other_values(kept, self.k, rng)
        np.copyto(reports, kept, where=bernoulli(self.stay, kept.shape, rng))
        return reports

    def epsilon_after(self, reports: float) -> float:
        """Exact epsilon of so many reports from one permanent response; equal reports attain it."""
        p, q = self.lasting.p_support, self.lasting.q_support
        rest = (self.flip / self.stay) ** reports
        return math.log((p + (self.k - 1) * q * rest) / (q + (p + (self.k - 2) * q) * rest))

    def sampled_epsilon(self) -> float:
        p, stay = chance_of_bit(self.lasting.p_support), chance_of_bit(self.stay)
        q, flip = (1 - p) / (self.k - 1), (1 - stay) / (self.k - 1)
        own = p * stay + (self.k - 1) * q * flip
        return exact_log_ratio(own, p * flip + q * stay + (self.k - 2) * q * flip)


@dataclass(frozen=True)
class LongitudinalUnary(Longitudinal, UnaryEncoding):
    """L-SUE and L-OSUE: unary encoding of the value, by the `variant`, then each bit flipped with one probability."""

    permanent: float

    @property
    def lasting(self) -> UnaryEncoding:
        return UnaryEncoding(self.permanent, self.k, self.variant)

    @property
    def flip(self) -> float:
        return (self.q_support - self.lasting.q_support) / (1 - 2 * self.lasting.q_support)

    def repeat(self, remembered: RawReports, rng: np.random.Generator) -> Bits:
        kept = check_bits(remembered, self.k)
        return kept ^ bernoulli(self.flip, kept.shape, rng)

    def epsilon_after(self, reports: float) -> float:
        """Exact epsilon of so many reports from one permanent response.

        They attain it if the bit of one value is always 1 and that of another one always 0.
        """
        p, q = self.lasting.p_support, self.lasting.q_support
        lost, empty = self.lasting.zeros
        rest = (self.flip / (1 - self.flip)) ** reports
        ones = (p + lost * rest) / (q + empty * rest)
        zeros = (empty + q * rest) / (lost + p * rest)
        return math.log(ones) + math.log(zeros)

    def sampled_epsilon(self) -> float:
        flip = chance_of_bit(self.flip)
        rounds = map(chance_of_bit, (self.lasting.p_support, self.lasting.q_support))
        one, zero = (chance * (1 - flip) + (1 - chance) * flip for chance in rounds)
        return exact_log_ratio(one * (1 - zero), (1 - one) * zero)


LONGITUDINAL: dict[str, Callable[[float, int, float], LongitudinalGRR | LongitudinalUnary]] = {
    "GRR": LongitudinalGRR,
    "SUE": lambda epsilon, k, permanent: LongitudinalUnary(epsilon, k, "symmetric", permanent),
    "OSUE": lambda epsilon, k, permanent: LongitudinalUnary(epsilon, k, "optimized", permanent),
}
"""Longitudinal oracles by name, each built from both budgets and a domain size."""


def check_permanent(permanent: float, epsilon: float) -> None:
    """Raise ValueError unless all reports together may spend more than one."""
    check_epsilon(permanent, "permanent")
    if permanent <= epsilon:
        raise ValueError(f"permanent={permanent} must be above epsilon={epsilon}, which one report spends")
