"""An attribute of RS+FD and RS+RFD: an oracle for users who sampled it, and fake reports for all others.

The three kinds of fake reports are those of Arcolezi et al. (CIKM 2021): a plain value (RS+FD[GRR]), a perturbed value
(UE-r) and a perturbed zero vector (UE-z), the latter two for any oracle that allows them. An estimate depends only on
how often a fake report supports a value.
"""

from abc import ABC, abstractmethod
from collections.abc import Sequence
from dataclasses import dataclass
from math import expm1, log1p
from typing import Any, Generic, TypeVar

import numpy as np
from numpy.typing import ArrayLike

from corrldp.arrays import Bits, Floats, Integers
from corrldp.mechanisms.grr import GRR
from corrldp.mechanisms.pure import FrequencyOracle, IndependentSupport, RawReports
from corrldp.mechanisms.validation import check_users
from corrldp.protocols.records import cut
from corrldp.protocols.reports import ORACLES

Oracle = TypeVar("Oracle", bound=FrequencyOracle, covariant=True)


@dataclass(frozen=True, eq=False)
class FakedOracle(ABC, Generic[Oracle]):
    """An oracle, by which users report an attribute that they sampled, whose reports can be faked for all others.

    One report in `d` is real. The `law` is the distribution of fake values, (k,); for estimates and their simulation it
    may be one of several, (..., k).
    """

    oracle: Oracle
    law: Floats
    d: int

    @property
    @abstractmethod
    def fake_support(self) -> Floats:
        """Probability (..., k) that a fake report supports each value."""

    @abstractmethod
    def privatize(self, values: Integers, real: Bits, rng: np.random.Generator) -> RawReports:
        """Perturb the `values` (n,) of users who are `real` (n,), and draw fake reports for the others."""

    @abstractmethod
    def simulate(self, real: Integers, fake: Integers, rng: np.random.Generator) -> Integers:
        """Draw the support (..., k) of users with counts `real` (..., k) and `fake` (...) others; exact."""

    @abstractmethod
    def fake_channel(self) -> Floats:
        """Distribution (reports,) of a fake report, in the order of the oracle's channel."""

    @abstractmethod
    def least_ratio(self) -> float:
        """Least ratio of a report's probability if it is real, whatever its value, to its probability if it is fake."""

    @abstractmethod
    def epsilon_among(self, others: float) -> float:
        """Exact epsilon if a report y has the likelihood Pr[y | v] + others Pr[y | fake] for a value v."""

    def unbias(self, support: ArrayLike, n: int) -> Floats:
        """Unbiased frequencies (..., k) from the support counts (..., k) of `n` reports.

        A report supports its user's value with probability (p + (d - 1) s) / d and any other value with probability
        (q + (d - 1) s) / d, where s is the probability that a fake report supports the value.
        """
        noise = self.oracle.q_support + (self.d - 1) * self.fake_support
        return (self.d * (np.asarray(support) / check_users(n)) - noise) / self.oracle.gap

    def variance(self, frequency: ArrayLike, n: int) -> Floats:
        """Exact variance (..., k) of the estimates when `n` users have the given frequencies (..., k).

        The inventors' formula treats the records as random too and is larger by f (1 - f) / n.
        """
        f, noise = np.asarray(frequency), (self.d - 1) * self.fake_support
        own, other = (self.oracle.p_support + noise) / self.d, (self.oracle.q_support + noise) / self.d
        spread = f * own * (1 - own) + (1 - f) * other * (1 - other)
        return spread * self.d**2 / (n * self.oracle.gap**2)


class PlainFakes(FakedOracle[GRR]):
    """A fake report is a fake value as it is; only a report of GRR can pass for a value."""

    @property
    def fake_support(self) -> Floats:
        return self.law

    def privatize(self, values: Integers, real: Bits, rng: np.random.Generator) -> Integers:
        fake = rng.choice(self.oracle.k, size=len(values), p=self.law)
        return np.where(real, self.oracle.privatize(values, rng), fake)

    def simulate(self, real: Integers, fake: Integers, rng: np.random.Generator) -> Integers:
        fakes = rng.multinomial(fake, self.law)
        return self.oracle.perturb_counts(real, rng) + fakes

    def fake_channel(self) -> Floats:
        return self.law

    def least_ratio(self) -> float:
        """Ratio of q to the largest probability of a fake value."""
        return self.oracle.q_support / float(self.law.max())

    def epsilon_among(self, others: float) -> float:
        """Exact epsilon, reached by the rarest fake value."""
        fake = others * float(self.law.min())
        return log1p(self.oracle.gap / (self.oracle.q_support + fake))


class PerturbedFakes(FakedOracle[FrequencyOracle]):
    """A fake report is that of a user who has a fake value."""

    @property
    def fake_support(self) -> Floats:
        return self.oracle.q_support + self.oracle.gap * self.law

    def privatize(self, values: Integers, real: Bits, rng: np.random.Generator) -> RawReports:
        fake = rng.choice(self.oracle.k, size=len(values), p=self.law)
        return self.oracle.privatize(np.where(real, values, fake), rng)

    def simulate(self, real: Integers, fake: Integers, rng: np.random.Generator) -> Integers:
        return self.oracle.perturb_counts(real + rng.multinomial(fake, self.law), rng)

    def fake_channel(self) -> Floats:
        return self.law @ self.oracle.channel()

    # A report is e^epsilon times likelier for a value that it supports than for any other. So relative to the latter a
    # fake one has the likelihood 1 + (e^epsilon - 1) G, where G is the probability of a fake value that it supports.

    def least_ratio(self) -> float:
        """Ratio of a report that supports as many and as frequent fake values as possible, for another value."""
        _, most = self.oracle.support_sizes
        return 1 / (1 + expm1(self.oracle.epsilon) * float(np.sort(self.law)[-most:].sum()))

    def epsilon_among(self, others: float) -> float:
        """Exact epsilon, reached by a report that supports as few and as rare fake values as possible."""
        fewest, _ = self.oracle.support_sizes
        odds = expm1(self.oracle.epsilon)
        return log1p(odds / (1 + others * (1 + odds * float(np.sort(self.law)[:fewest].sum()))))


class EmptyFakes(FakedOracle[IndependentSupport]):
    """A fake report is that of a user without a value; the law of fake values plays no role."""

    @property
    def fake_support(self) -> Floats:
        return np.full(self.law.shape, self.oracle.q_support)

    def privatize(self, values: Integers, real: Bits, rng: np.random.Generator) -> RawReports:
        reports = self.oracle.privatize(values, rng)
        reports[~real] = self.oracle.empty_reports(int(np.count_nonzero(~real)), rng)
        return reports

    def simulate(self, real: Integers, fake: Integers, rng: np.random.Generator) -> Integers:
        return self.oracle.perturb_counts(real, rng, fake)

    def fake_channel(self) -> Floats:
        return self.oracle.empty_channel()

    def least_ratio(self) -> float:
        """Ratio for a value that a report does not support."""
        own, other = self.oracle.zeros
        return own / other

    def epsilon_among(self, others: float) -> float:
        """Exact epsilon, reached by every report that supports some values but not all."""
        supported, other = self.oracle.p_support / self.oracle.q_support, self.least_ratio()
        return log1p((supported - other) / (other + others))


_OTHERS = [name for name in ORACLES if name != "GRR"]
_EMPTY = [name for name in _OTHERS if isinstance(ORACLES[name](1.0, 3), IndependentSupport)]
FAKED_ORACLES = ("GRR", *(f"{name}-z" for name in _EMPTY), *(f"{name}-r" for name in _OTHERS))
"""Names of oracles with their fakes, empty (-z) or perturbed (-r)."""

FAKES: dict[str, type[FakedOracle[Any]]] = {"": PlainFakes, "z": EmptyFakes, "r": PerturbedFakes}


def faked_oracle(name: str, epsilon: float, law: Floats, d: int) -> FakedOracle[Any]:
    """Return one of `FAKED_ORACLES` with the budget `epsilon`; for the others see `FakedOracle`."""
    oracle, _, fakes = name.partition("-")
    return FAKES[fakes](ORACLES[oracle](epsilon, law.shape[-1]), law, d)


def faked_grr(epsilon: float, laws: Floats, sizes: Sequence[int]) -> list[FakedOracle[Any]]:
    """Return GRR with its fakes for each attribute, all with the budget `epsilon`; their `laws` are (..., d, K)."""
    return [faked_oracle("GRR", epsilon, law, len(sizes)) for law in cut(laws, sizes)]
